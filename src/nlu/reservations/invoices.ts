import { findLabelled, findTimeAfter, type LabelledTime, type MailText } from './labels.ts'
import { BLANK, cleanValue, type Reservation, type ReservationEvidence, toPlaceTime } from './reservation.ts'
import { readDay } from './times.ts'
import { wordsOf } from './words.ts'

/* Invoices in plain text: number, amount and due date. */

const NUMBER = '[A-Z\\d][\\w/.-]{1,24}[\\w]'
const DIGITS = String.raw`(\d{1,3}(?:[.,'\s]\d{3})*(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)`
const AMOUNT = new RegExp(
  String.raw`(?:(€|\$|£|\b(?:EUR|USD|GBP|CHF))\s?${DIGITS}|(?<![\d.,])${DIGITS}\s?(€|\$|£|(?:EUR|USD|GBP|CHF|Euro)\b)(?!\s?\d))`,
  'u',
)
/** German puts the day before the word: "ist am 30.11.2026 fällig". */
const DAY_DUE =
  /(?<!\p{L})(?:am|zum|bis(?: zum)?)\s([^\n,;]{4,28}?)\s(?:fällig|zahlbar|zu zahlen)(?!\p{L})/giu
const WITHIN =
  /(?<!\p{L})(?:within|in|innerhalb(?: von)?|binnen)\s(\d{1,3})\s(?:calendar |business )?(?:days|tagen?)(?!\p{L})/iu
const WINDOW = 90
const DAY_MS = 86_400_000

const CURRENCIES: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP', Euro: 'EUR' }

const toAmount = (written: string): number => {
  const bare = written.replace(/['\s]/g, '')
  const decimal = /[.,](\d{1,2})$/.exec(bare)
  const digits = (decimal ? bare.slice(0, decimal.index) : bare).replace(/[.,]/g, '')
  return Number(`${digits}.${decimal?.[1] ?? '0'}`)
}

interface Amount {
  price: number
  currency: string
  evidence: ReservationEvidence
}

const findAmountAfter = (text: string, from: number, length: number): Amount[] => {
  const match = AMOUNT.exec(text.slice(from, from + length))
  if (!match) return []
  const sign = (match[1] ?? match[4]) as string
  return [
    {
      price: toAmount((match[2] ?? match[3]) as string),
      currency: CURRENCIES[sign] ?? sign,
      evidence: { text: match[0], offset: from + match.index, place: 'text' },
    },
  ]
}

/** The largest labelled amount: the total is not smaller than its parts. */
const findAmount = (text: string): Amount | undefined => {
  const labelled = [...text.matchAll(wordsOf('amount', 'giu'))]
    .slice(0, 30)
    .flatMap(({ index }) => findAmountAfter(text, index, WINDOW))
  return labelled.toSorted((a, b) => b.price - a.price)[0] ?? findAmountAfter(text, 0, text.length)[0]
}

const findDue = (mail: MailText): Omit<LabelledTime, 'end'> | undefined => {
  const { text, context, quote } = mail
  const labelled = findTimeAfter(mail, wordsOf('due', 'giu'), { window: WINDOW, withHours: false })
  if (labelled) return labelled
  for (const { 0: words, 1: day = '', index } of [...text.matchAll(DAY_DUE)].slice(0, 4)) {
    const found = readDay(day, context, { isEnd: false, withHours: false })
    if (found) return { time: found.time, evidence: quote(index, index + words.length) }
  }
  const within = WITHIN.exec(text)
  if (!within) return undefined
  const near = text.slice(Math.max(0, within.index - WINDOW), within.index + WINDOW)
  if (!wordsOf('pay').test(near)) return undefined
  const day = new Date(context.now + Number(within[1]) * DAY_MS).toISOString().slice(0, 10)
  return {
    time: toPlaceTime(day, context.timezone, 'reader'),
    evidence: quote(within.index, within.index + within[0].length),
  }
}

const isOneSentence = (text: string, one: ReservationEvidence, other: ReservationEvidence): boolean => {
  const [from, to] = [one.offset, other.offset].toSorted((a, b) => a - b) as [number, number]
  return to - from < 2 * WINDOW && !/[.!?]\s+\p{Lu}|\n/u.test(text.slice(from, to))
}

/** Finds an invoice. It needs a number or a due date, and an amount. */
export const readInvoice = (mail: MailText): Reservation[] => {
  const { text, subject, sender } = mail
  const isSubject = wordsOf('invoice').test(subject)
  const isInvoice = isSubject || wordsOf('invoice').test(text)
  if (!isInvoice && !wordsOf('regular payment').test(text)) return []
  const label = '{{invoice number}}'
  const findNumber = (part: string) =>
    findLabelled(part, label, NUMBER).find(
      ({ value }) => /\d{2}/.test(value) && !/^\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})$/.test(value),
    )
  const own = findNumber(text)
  const number = own ?? findNumber(subject)
  const amount = findAmount(text)
  const due = findDue(mail)
  // A message that only mentions an invoice has neither.
  if (!amount || (number === undefined && due === undefined) || (due === undefined && !isSubject)) return []
  if (!isInvoice && !(due && isOneSentence(text, amount.evidence, due.evidence))) return []
  return [
    {
      ...BLANK,
      type: 'invoice',
      source: 'text',
      status: wordsOf('paid').test(text) ? 'paid' : 'pending',
      number: number?.value ?? null,
      provider: cleanValue(sender),
      price: amount.price,
      currency: amount.currency,
      end: due?.time ?? null,
      evidence: [own?.evidence, amount.evidence, due?.evidence].filter((one) => one !== undefined),
    },
  ]
}
