import { expect, it } from 'vitest'
import { readPromiseMails, scorePromises } from '../bench/nlu/promises.ts'
import { type CommitmentMail, findCommitments } from '../src/nlu/mail/commitments.ts'

const OPTIONS = { date: Date.parse('2026-11-17T09:00:00Z'), timezone: 'Europe/Berlin' }
const find = (text: string, more: Partial<CommitmentMail> = {}) =>
  findCommitments({ text, isOwn: false, ...more }, OPTIONS)

it('finds the promises of our own mails, in both halves', () => {
  for (const half of Object.values(readPromiseMails())) {
    const { precision, recall, days } = scorePromises(half)
    expect(precision.right / precision.of, precision.wrong.join('\n')).toBeGreaterThan(0.93)
    expect(recall.right / recall.of, recall.wrong.join('\n')).toBeGreaterThan(0.93)
    expect(days.right / days.of, days.wrong.join('\n')).toBeGreaterThan(0.93)
  }
})

it('quotes the sentence at its position, with the due day', () => {
  const text =
    'Hi Ana,\n\nthanks for the call. I’ll send you the offer by Friday, and you get me the plan.\n\nBen'
  const [found, ...more] = find(text)
  expect(more).toEqual([])
  expect(found).toMatchObject({
    text: 'I’ll send you the offer by Friday',
    quote: 'I’ll send you the offer by Friday, and you get me the plan.',
    person: null,
    dueDay: '2026-11-20',
  })
  expect(text.slice(found?.offset).startsWith('I’ll send')).toBe(true)
})

it('finds an hour as a time, not as a day', () => {
  expect(find('I will call you tomorrow at 15:00.')[0]).toMatchObject({
    dueAt: Date.parse('2026-11-18T14:00:00Z'),
    dueDay: null,
  })
})

it('assigns a promise to a recipient who is named, and to nobody else', () => {
  const text = 'Kim will send you the figures on Thursday.'
  expect(find(text, { people: ['Kim Park', 'Ben Okafor'] })).toMatchObject([
    { person: 'Kim Park', dueDay: '2026-11-19' },
  ])
  expect(find(text, { people: ['Ben Okafor'] })).toEqual([])
})

it('ignores mail of programs, by its header', () => {
  const text = 'I will answer your question tomorrow.'
  expect(find(text)).toHaveLength(1)
  for (const headers of [
    { 'auto-submitted': 'auto-replied' },
    { precedence: 'bulk' },
    { 'list-unsubscribe': '<https://list.example/u>' },
  ])
    expect(find(text, { headers: headers as unknown as Record<string, string> })).toEqual([])
  expect(find(text, { headers: { 'auto-submitted': 'no' } })).toHaveLength(1)
})

it('reads own mail whatever its subject is', () => {
  const mail = { subject: 'Your order confirmation 4711', from: 'noreply@shop.example' }
  expect(find('I will send you the invoice tomorrow.', { ...mail, isOwn: true })).toHaveLength(1)
})

it('returns in time for long and repetitive text', () => {
  expect(find('I will '.repeat(10_000))).toEqual([])
  expect(find('ich werde und '.repeat(5_000)).length).toBeLessThan(11)
  expect(find('let me x and '.repeat(5_000)).length).toBeLessThan(11)
})
