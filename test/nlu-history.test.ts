import { describe, expect, it } from 'vitest'
import { hasData, percent, rate } from '../bench/nlu/data.ts'
import { isReplyRight, replyCases } from '../bench/nlu/replies.ts'
import { ownText, replyOf, splitMail } from '../src/nlu/history.ts'
import { snippetOf } from '../src/nlu/mail/facts.ts'

describe('the new text of an email', () => {
  it('includes replies below and between quotes', () => {
    expect(replyOf('On 1 May 2024, Ann <a@b.example> wrote:\n> Shall we?\nYes!\n> And when?\nAt five.')).toBe(
      'Yes!\nAt five.',
    )
  })

  it('excludes the signature', () => {
    const text = 'Dear Bob,\n\nsee you at five.\n\nMit freundlichen Grüßen\nAnna Schmidt\nMusterfirma GmbH'
    expect(replyOf(text)).toBe('Dear Bob,\n\nsee you at five.')
    expect(replyOf(text, true)).toBe(text)
  })

  it.each([
    'See you there.\n\nCheers, Tom',
    'See you there.\n\nMfG Karl',
    'See you there.\n\nVon meinem/meiner Galaxy gesendet',
    'See you there.\n\nOutlook für Android herunterladen',
    'See you there.\n\nThis email and any attachments are confidential and intended solely for the addressee.',
  ])('ends before the closing in %j', (text) => {
    expect(replyOf(text)).toBe('See you there.')
  })

  it('includes thanks that are not followed by a signature', () => {
    const text =
      'Thanks!\nThe second part of this letter is a long line of prose that no signature would have in it.\nMore follows.'
    expect(replyOf(text)).toBe(text)
  })

  it('keeps its offsets when the rest is blanked', () => {
    const text = 'Yes, at five.\r\n\r\n-- \r\nAnn\r\n'
    expect(ownText(text)).toHaveLength(text.length)
    expect(ownText(text).indexOf('five')).toBe(text.indexOf('five'))
    expect(ownText(text)).not.toContain('Ann')
  })

  it('is split without losing a line', () => {
    const text = 'a\n> b\n\nc'
    expect(splitMail(text).map(({ from, to }) => text.slice(from, to))).toEqual(text.split('\n'))
  })

  it.each([
    ['nothing quoted', 'Hello\n\nAt 12:30 then?', 'Hello\n\nAt 12:30 then?'],
    ['replies between quotes', 'On 1 Mar 2026, Ana wrote:\n> one?\nyes\n> two?\nno', 'yes\nno'],
    ['an older message below a separator', 'Yes\n\n-----Original Message\nFrom: a@b.example\nHi', 'Yes'],
    [
      'a colon in plain prose',
      'The plan for 2026-03-01 is simple:\n\nwe go',
      'The plan for 2026-03-01 is simple:\n\nwe go',
    ],
    [
      'a list of dates',
      'Dates:\n01.03.2026: Berlin\n02.03.2026: Paris',
      'Dates:\n01.03.2026: Berlin\n02.03.2026: Paris',
    ],
    ['a quote in Polish', 'Tak\n\nW dniu 1.03.2026 o 10:00, Ana napisała:\n> nie', 'Tak'],
    ['a quote in Greek', 'Ναι\n\nΣτις 1/3/2026 10:00, ο Άνα έγραψε:\n> όχι', 'Ναι'],
    [
      'nothing but thanks',
      'Thanks\n\nFrom: Ana <a@b.example>\nSent: 1 March 2026\nTo: Ben\nSubject: x\n\nHi',
      'Thanks',
    ],
    [
      'a message forwarded by Apple Mail',
      'See below.\n\nBegin forwarded message:\n\nFrom: Ana <a@b.example>\nDate: 1 March 2026\nTo: Ben\n\nHi',
      'See below.',
    ],
    ['an attribution without a date', 'Fine.\n\nAna Bell <a@b.example> wrote:\n\n> Shall we?', 'Fine.'],
    ['no attribution', 'As she wrote:\nall is fine', 'As she wrote:\nall is fine'],
    ['a help-desk marker', 'Fixed.\n\n##- Please type your reply above this line -##\n\nTicket 1', 'Fixed.'],
    ['no text', '', ''],
  ])('is found in a message with: %s', (_case, text, own) => {
    expect(replyOf(text, true)).toBe(own)
  })

  it('becomes a one-line snippet without history, signature or invisible characters', () => {
    expect(snippetOf('Hi Ben,\n\n  yes\u200b \u00adplease.\n\n-- \nAna\nCEO')).toBe('Hi Ben, yes please.')
    expect(
      snippetOf('Yes\n\nSent from my iPhone\n\nOn 1 Mar 2026, at 10:00, Ana <a@b.example> wrote:\n> no'),
    ).toBe('Yes')
    const long = snippetOf('word '.repeat(100))
    expect([long.length <= 200, long.endsWith('word…')]).toEqual([true, true])
    expect(snippetOf('😀'.repeat(300)).isWellFormed()).toBe(true)
  })

  it('is replaced by the history in the snippet if it is empty', () => {
    const text = '-----Original Message-----\nFrom: a@b.example\nSent: today\nTo: c\n\nHi'
    expect(snippetOf(text)).toBe('-----Original Message----- From: a@b.example Sent: today To: c Hi')
  })

  it.skipIf(!hasData('reply-quoting'))('is correct for at least 90 % of the public cases', () => {
    const result = rate(replyCases(), isReplyRight)
    console.log(`replies: ${percent(result).toFixed(1)} % of ${result.of}`)
    expect(percent(result)).toBeGreaterThanOrEqual(90)
  })
})
