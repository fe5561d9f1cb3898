import { expect, it } from 'vitest'
import { findClosing, isSameCommitment, type LaterMail } from './commitment-closings.ts'

const OFFER = "I'll send you the offer for the kitchen by Friday."

const judge = (promise: string, text: string, more: Partial<LaterMail> & { isOnly?: boolean } = {}) => {
  const { isOnly = true, ...mail } = more
  const later = { text, subject: '', files: [], isByAuthor: true, isSameThread: true, ...mail }
  return findClosing(promise, later, { isOnly })?.verdict
}

it.each([
  [OFFER, 'Please find the offer attached.', { files: ['offer.pdf'] }],
  [OFFER, 'Hi Ana,\n\nas promised, here it is.\n\nBest', { files: ['2026-117.pdf'] }],
  [OFFER, 'Here is the offer: https://files.example/1', {}],
  [OFFER, 'I have just sent the offer to your office.', {}],
  [OFFER, 'Done.', {}],
  ['Ich schicke dir das Angebot bis Donnerstag.', 'Anbei das Angebot.', { files: ['Angebot.pdf'] }],
  ['Ich schicke dir das bis Donnerstag.', 'Hallo, wie versprochen die Datei.', { files: ['x.pdf'] }],
  ['Ich überweise dir die Miete heute.', 'Ich habe die Miete überwiesen.', {}],
  ['Ich kümmere mich um den Mietvertrag.', 'Erledigt!', {}],
  [OFFER, 'Attached is the kitchen offer.', { isSameThread: false, files: ['kitchen.pdf'] }],
] as const)('closes “%s” with “%s”', (promise, text, more) => {
  expect(judge(promise, text, more)).toBe('closed')
})

it.each([
  [OFFER, 'See the file.', { files: ['offer.pdf'] }],
  [OFFER, 'Attached is the offer.', {}],
  [OFFER, 'Here is the floor plan.', { files: ['plan.pdf'] }],
  [OFFER, 'Thanks for the offer, looks good.', { isByAuthor: false }],
  [OFFER, 'Attached is an offer for the garden.', { isSameThread: false, files: ['x.pdf'] }],
  ['I will get back to you tomorrow.', 'We decided to take the second variant of the floor plan.', {}],
] as const)('only suggests that “%s” is kept by “%s”', (promise, text, more) => {
  expect(judge(promise, text, more)).toBe('suggested')
})

it.each([
  [OFFER, 'The offer is not done yet, sorry.', {}],
  [OFFER, 'I will send the offer next week.', {}],
  [OFFER, 'Did you get the offer?', {}],
  [OFFER, 'How was your weekend?', {}],
  [OFFER, 'Ok.\n\n> Here is the offer, done.', {}],
  [OFFER, 'Here is the invitation.', { isSameThread: false, files: ['invitation.pdf'] }],
  [OFFER, 'Here is the floor plan.', { isOnly: false, files: ['plan.pdf'] }],
  ['Ich schicke dir das Angebot.', 'Das Angebot ist noch nicht fertig.', {}],
  ['I will get back to you tomorrow.', 'I will answer later, sorry for the delay.', {}],
] as const)('leaves “%s” open after “%s”', (promise, text, more) => {
  expect(judge(promise, text, more)).toBeUndefined()
})

it('recognizes a repeated promise', () => {
  expect(isSameCommitment(OFFER, 'As I said, I will send the kitchen offer on Monday.')).toBe(true)
  expect(isSameCommitment(OFFER, 'I will send you the invoice for the kitchen.')).toBe(false)
  expect(isSameCommitment('I will get back to you.', 'I will get back to you.')).toBe(true)
})
