import { describe, expect, it } from 'vitest'
import { hasData, percent, rate } from '../bench/engine/data.ts'
import { isReplyRight, replyCases } from '../bench/engine/replies.ts'
import { ownText, replyOf, splitMail } from '../src/engine/mail/history.ts'

describe('what a mail adds to its thread', () => {
  it('keeps an answer below the quote, and an answer between quotes', () => {
    expect(replyOf('On 1 May 2024, Ann <a@b.example> wrote:\n> Shall we?\nYes!\n> And when?\nAt five.')).toBe(
      'Yes!\nAt five.',
    )
  })

  it('knows the signature from the letter', () => {
    const text = 'Dear Bob,\n\nsee you at five.\n\nMit freundlichen Grüßen\nAnna Schmidt\nMusterfirma GmbH'
    expect(replyOf(text)).toBe('Dear Bob,\n\nsee you at five.')
    expect(replyOf(text, true)).toBe(text)
  })

  it('takes thanks in the middle of a letter for what they are', () => {
    const text =
      'Thanks!\nThe second part of this letter is a long line of prose that no signature would have in it.\nMore follows.'
    expect(replyOf(text)).toBe(text)
  })

  it('keeps every offset when it blanks the rest', () => {
    const text = 'Yes, at five.\r\n\r\n-- \r\nAnn\r\n'
    expect(ownText(text)).toHaveLength(text.length)
    expect(ownText(text).indexOf('five')).toBe(text.indexOf('five'))
    expect(ownText(text)).not.toContain('Ann')
  })

  it('covers the whole text, line by line', () => {
    const text = 'a\n> b\n\nc'
    expect(splitMail(text).map(({ from, to }) => text.slice(from, to))).toEqual(text.split('\n'))
  })

  it.skipIf(!hasData('reply-quoting'))('separates the public cases, but for one in ten at most', () => {
    const result = rate(replyCases(), isReplyRight)
    console.log(`replies: ${percent(result).toFixed(1)} % of ${result.of}`)
    expect(percent(result)).toBeGreaterThanOrEqual(90)
  })
})
