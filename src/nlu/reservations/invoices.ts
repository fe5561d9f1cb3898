import { findLabelled } from './labels.ts'
import {
  BLANK,
  cleanValue,
  type PlaceTime,
  quoteText,
  type Reservation,
  type ReservationEvidence,
  toPlaceTime,
} from './reservation.ts'
import { fromExpression, readDays, type TimeContext } from './times.ts'

/* Invoices in plain text: number, amount and due date. */

const ABOUT_INVOICE =
  /(?<!\p{L})(?:invoice|rechnung|rechnungs\p{L}+|bill|abschlag|mahnung|zahlungserinnerung)(?!\p{L})/iu
/** Regular payments are no invoices by name. They need an amount and a due date in one sentence. */
const REGULAR_PAYMENT =
  /(?<!\p{L})(?:instal?lments?|premium|membership|subscription|fees?|\p{L}+ tax|\p{L}*beitrag|\p{L}*gebühr(?:en)?|\p{L}+steuer|miete|nebenkosten)(?!\p{L})/iu
const NUMBER_LABEL =
  'invoice(?: |-)?(?:number|no\\.?|nr\\.?|id|#)?|rechnungs(?:nummer|-?nr\\.?|-?no\\.?)|rechnung(?: |-)?(?:nummer|nr\\.?|no\\.?)?|bill (?:number|no\\.?)|re-nr\\.?'
const NUMBER = '[A-Z\\d][\\w/.-]{1,24}[\\w]'

const AMOUNT =
  /(?:(€|\$|£|\b(?:EUR|USD|GBP|CHF))\s?(\d{1,3}(?:[.,'\s]\d{3})*(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)|(?<![\d.,])(\d{1,3}(?:[.,'\s]\d{3})*(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)\s?(€|\$|£|(?:EUR|USD|GBP|CHF|Euro)\b)(?!\s?\d))/gu
const AMOUNT_LABEL =
  /(?<!\p{L})(?:total(?: amount)?(?: due)?|amount(?: due| payable)?|balance due|grand total|gesamt(?:betrag|summe)?|rechnungsbetrag|zahlbetrag|zu zahlen(?:der betrag)?|endbetrag|betrag|summe|bruttobetrag)(?!\p{L})/giu
const DUE_LABEL =
  /(?<!\p{L})(?:zahlbar (?:bis|am)|fällig(?:keit)?(?:sdatum)?(?: (?:am|bis|ist am))?|zahlungsziel|zu zahlen bis|bis spätestens|spätestens (?:bis|am)|bis (?:zum|spätestens)|überweisen sie [^.\n]{0,80}?bis|zahlbar spätestens|due (?:by|on|date)|is due|payment due|payable (?:by|on|until)|pay by|please pay [^.\n]{0,60}?by|no later than)(?!\p{L})/giu
/** German puts the day before the word: "ist am 30.11.2026 fällig". */
const DAY_DUE =
  /(?<!\p{L})(?:am|zum|bis(?: zum)?)\s([^\n,;]{4,28}?)\s(?:fällig|zahlbar|zu zahlen)(?!\p{L})/giu
const WITHIN =
  /(?<!\p{L})(?:within|in|innerhalb(?: von)?|binnen)\s(\d{1,3})\s(?:calendar |business )?(?:days|tagen?)(?!\p{L})/iu
const PAY_WORDS = /(?<!\p{L})(?:pay(?:able|ment)?|due|zahlbar|zahlung|begleichen|überweisen)(?!\p{L})/iu
const PAID =
  /(?<!\p{L})(?:has been paid|already (?:been )?paid|paid in full|payment (?:has been )?received|thank you for your payment|amount paid|bereits (?:bezahlt|beglichen)|dankend erhalten|zahlung (?:ist )?(?:erhalten|eingegangen)|(?:wird|werden) [^.\n]{0,80}(?:abgebucht|eingezogen|belastet)|per lastschrift|(?:will|has|have) be(?:en)? (?:charged|debited)|direct debit|auto-?pay)(?!\p{L})/iu
const MAX_TEXT = 20_000
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

const amountIn = (text: string, from: number, length: number): Amount | undefined => {
  const [match] = [...text.slice(from, from + length).matchAll(AMOUNT)]
  if (!match) return undefined
  const sign = (match[1] ?? match[4]) as string
  return {
    price: toAmount((match[2] ?? match[3]) as string),
    currency: CURRENCIES[sign] ?? sign,
    evidence: { text: match[0], offset: from + match.index, place: 'text' },
  }
}

/** The largest labelled amount: the total is not smaller than its parts. */
const findAmount = (text: string): Amount | undefined => {
  const labelled = [...text.matchAll(AMOUNT_LABEL)]
    .slice(0, 30)
    .map((match) => amountIn(text, match.index, WINDOW))
    .filter((amount) => amount !== undefined)
  const [largest] = labelled.toSorted((a, b) => b.price - a.price)
  return largest ?? amountIn(text, 0, MAX_TEXT)
}

const findDue = (
  text: string,
  context: TimeContext,
): { time: PlaceTime; evidence: ReservationEvidence } | undefined => {
  for (const match of [...text.matchAll(DUE_LABEL)].slice(0, 8)) {
    const from = match.index
    const until = from + match[0].length + WINDOW
    const [found] = readDays(text.slice(from, until), context)
    const time = found ? fromExpression(found, null, context) : null
    if (found && time)
      return { time, evidence: quoteText(text, from, from + found.offset + found.text.length) }
  }
  for (const match of [...text.matchAll(DAY_DUE)].slice(0, 4)) {
    const [found] = readDays(match[1] as string, context)
    const time = found ? fromExpression(found, null, context) : null
    if (time) return { time, evidence: quoteText(text, match.index, match.index + match[0].length) }
  }
  const within = WITHIN.exec(text)
  if (!within) return undefined
  const near = text.slice(Math.max(0, within.index - WINDOW), within.index + WINDOW)
  if (!PAY_WORDS.test(near)) return undefined
  const day = new Date(context.now + Number(within[1]) * DAY_MS).toISOString().slice(0, 10)
  return {
    time: toPlaceTime(day, context.timezone, 'reader'),
    evidence: { text: within[0], offset: within.index, place: 'text' },
  }
}

const isOneSentence = (text: string, one: ReservationEvidence, other: ReservationEvidence): boolean => {
  const [from, to] = [one.offset, other.offset].toSorted((a, b) => a - b) as [number, number]
  return to - from < 2 * WINDOW && !/[.!?]\s+\p{Lu}|\n/u.test(text.slice(from, to))
}

/** Finds an invoice. It needs a number or a due date, and an amount. */
export const readInvoice = (
  whole: string,
  { subject, sender }: { subject: string; sender: string },
  context: TimeContext,
): Reservation[] => {
  const text = whole.slice(0, MAX_TEXT)
  const isSubject = ABOUT_INVOICE.test(subject)
  const isInvoice = isSubject || ABOUT_INVOICE.test(text)
  if (!isInvoice && !REGULAR_PAYMENT.test(text)) return []
  const isNumber = ({ value }: { value: string }): boolean =>
    /\d{2}/.test(value) && !/^\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})$/.test(value)
  const number =
    findLabelled(text, NUMBER_LABEL, NUMBER).find(isNumber) ??
    findLabelled(subject, NUMBER_LABEL, NUMBER).find(isNumber)
  const amount = findAmount(text)
  const due = findDue(text, context)
  // A message that only mentions an invoice has neither.
  if (!amount || (number === undefined && due === undefined) || (due === undefined && !isSubject)) return []
  if (!isInvoice && !(due && isOneSentence(text, amount.evidence, due.evidence))) return []
  const isInText = number !== undefined && text.startsWith(number.value, number.offset)
  return [
    {
      ...BLANK,
      type: 'invoice',
      source: 'text',
      status: PAID.test(text) ? 'paid' : 'pending',
      number: number?.value ?? null,
      provider: cleanValue(sender),
      price: amount.price,
      currency: amount.currency,
      end: due?.time ?? null,
      evidence: [
        ...(number && isInText ? [number.evidence] : []),
        amount.evidence,
        ...(due ? [due.evidence] : []),
      ],
    },
  ]
}
