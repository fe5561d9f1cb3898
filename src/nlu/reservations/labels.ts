import { splitMail } from '../history.ts'
import { type MailFacts, type PlaceTime, quoteText, type ReservationEvidence } from './reservation.ts'
import { readDay, type TimeContext } from './times.ts'
import { patternOf, wordsOf } from './words.ts'

/** A value that follows a label, with its position in the text. */
export interface LabelledValue {
  value: string
  offset: number
  /** The label and the value. */
  evidence: ReservationEvidence
}

/** The text of a mail, with what all readers of reservations need. */
export interface MailText {
  subject: string
  /** The name or domain of the sender. */
  sender: string
  /** The text without history. Dates in other languages are in English, at the same offsets. */
  text: string
  context: TimeContext
  facts: MailFacts
  reference: LabelledValue | undefined
  /** Quotes a part of the text as written. */
  quote(from: number, to: number): ReservationEvidence
}

/** Labels and values stand on one line, or in two cells of a table, which become two lines. */
const BETWEEN = String.raw`\s{0,3}(?:(?:is|ist|lautet|number|no\.?|nr\.?|code|id|est|č\.)(?!\p{L}))?[ \t]{0,20}[:#]?\s{0,60}[*#]?`

/** Finds all values after a label. `label` and `value` are patterns without groups. */
export const findLabelled = (text: string, label: string, value: string, flags = 'giu'): LabelledValue[] =>
  [...text.matchAll(patternOf(`(?<![\\p{L}\\d])${label}${BETWEEN}(${value})(?![\\p{L}\\d])`, flags))].map(
    (match) => {
      const found = match[1] as string
      const end = match.index + match[0].length
      return { value: found, offset: end - found.length, evidence: quoteText(text, match.index, end) }
    },
  )

/** Finds the booking reference: letters in upper case and digits. */
export const findReference = (text: string): LabelledValue | undefined => {
  const label = `(?:{{reference}}|{{ticket}}(?=[ \\t]{0,4}[:#\\d]))`
  return findLabelled(text, label, '\\d{3,4}(?:\\.\\d{3})+|[\\p{L}\\d][\\p{L}\\d-]{3,19}').find(
    ({ value }) => /^[A-Z\d.-]+$/.test(value) && !/^\d{1,4}$/.test(value),
  )
}

export interface LabelledTime {
  time: PlaceTime
  /** The label and the time. */
  evidence: ReservationEvidence
  /** The offset after the time. */
  end: number
}

interface LabelOptions {
  /** The time stands within this many characters. */
  window?: number
  /** Words that end the search. */
  until?: RegExp
  isEnd?: boolean
  withHours?: boolean
  /** Days before this one are skipped. */
  earliest?: string
}

/** Finds the day after a label, and the hour that belongs to it. */
export const findTimeAfter = (
  { text, context, quote }: Pick<MailText, 'text' | 'context' | 'quote'>,
  label: RegExp,
  { window = 160, until, isEnd = false, withHours = true, earliest = '' }: LabelOptions = {},
): LabelledTime | undefined => {
  for (const { 0: words, index } of [...text.matchAll(label)].slice(0, 8)) {
    const from = index + words.length
    // A number in the next line is not the hour of the day.
    const part = text.slice(from, from + window).replaceAll('\n', ';')
    const next = until === undefined ? -1 : part.search(until)
    const found = readDay(next < 0 ? part : part.slice(0, next), context, { isEnd, withHours })
    if (!found || found.time.local.slice(0, 10) < earliest) continue
    const end = from + found.end
    return { time: found.time, evidence: quote(index, end), end }
  }
  return undefined
}

const ADDRESS = /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,}|\b(?:wrote|schrieb)\b/i

/**
 * Replaces quoted history and the signature with spaces. A block of "From: Berlin", "To: Rome", "Date: 2 May"
 * looks like the header of a quoted mail, but has no address.
 */
export const withoutHistory = (text: string): string => {
  const lines = splitMail(text)
  let isKept = false
  return lines
    .map(({ kind, from, to }, index) => {
      const line = text.slice(from, to)
      const isMarked = /^\s{0,3}>/.test(line)
      if (kind === 'quote' && lines[index - 1]?.kind !== 'quote')
        isKept = !isMarked && !ADDRESS.test(text.slice(from, from + 600))
      return kind === 'own' || (kind === 'quote' && isKept && !isMarked) ? line : ' '.repeat(to - from)
    })
    .join('\n')
}

/** Only the subject and the beginning count: the terms of a booking mention cancellation too. */
export const isCancellation = (subject: string, text: string): boolean =>
  wordsOf('cancelled').test(subject) || wordsOf('cancelled').test(text.trimStart().slice(0, 600))
