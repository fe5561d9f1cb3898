import { readTimes } from '../dates/read.ts'
import { findTimeAfter, type LabelledTime, type MailText } from './labels.ts'
import { BLANK, cleanValue, type PlaceTime, type Reservation, toPlace } from './reservation.ts'
import { findHour, fromExpression, readDays, type TimeContext, withHour } from './times.ts'
import { patternOf, wordsOf } from './words.ts'

/* Stays, rental cars, events and tables in plain text, by their labels. */

/** The hour of check-in or check-out if it stands elsewhere: "Check-in from 15:00". */
const withHourElsewhere = (
  time: PlaceTime,
  text: string,
  label: RegExp,
  context: TimeContext,
  isEnd: boolean,
): PlaceTime => {
  if (time.local.length > 10) return time
  for (const match of [...text.matchAll(label)].slice(0, 8)) {
    const from = match.index + match[0].length
    const rest = /^[^\n.;!?]{0,40}?\d{1,2}(?:[:.]\d\d)?\s?(?:uhr|am|pm|h)?(?![\d.])/iu.exec(
      text.slice(from, from + 60),
    )?.[0]
    const times = rest === undefined ? [] : readTimes(rest, context)
    const hour = times.some(({ dated }) => dated) ? undefined : findHour(times)
    if (hour) return withHour(time, hour, isEnd)
  }
  return time
}

type Range = readonly [Omit<LabelledTime, 'end'>, Omit<LabelledTime, 'end'>]

const WINDOW = 160
const NIGHTS = String.raw`(?<![\p{L}\d])\d{1,2}\s{0,3}{{night}}(?!\p{L})`

/** Reads "2 November 2027 to 5 November 2027 (3 nights)". */
const findRange = ({ text, context, quote }: MailText): Range | undefined => {
  if (!patternOf(NIGHTS).test(text)) return undefined
  for (const match of [...text.matchAll(wordsOf('stay dates', 'giu'))].slice(0, 12)) {
    const from = match.index + match[0].length
    const [first, second] = readDays(text.slice(from, from + WINDOW), context)
    const last = first?.end ? { ...first, start: first.end } : second
    const [start, end] = [first, last].map((time) => (time ? fromExpression(time, null, context) : null))
    if (!last || !start || !end || end.instant <= start.instant) continue
    const evidence = quote(match.index, from + last.offset + last.text.length)
    return [
      { time: start, evidence },
      { time: end, evidence },
    ]
  }
  return undefined
}

const STAY_LABEL = String.raw`(?<!\p{L}){{stay name label}}\s*:[ \t]*(\S[^\n]{1,80})`
const STAY_NAME = String.raw`((?:\p{Lu}[\p{L}&'’.-]*[ \t]){0,4}{{lodging}}(?:[ \t](?:\p{Lu}[\p{L}&'’.-]*|am|an|der|de|des|del|la|du|in|zum|zur|by)){0,5})`

const findStayName = (subject: string, text: string): string | null => {
  const name = patternOf(STAY_NAME, 'u')
  const labelled = patternOf(STAY_LABEL).exec(text)
  return cleanValue((labelled ?? name.exec(subject) ?? name.exec(text))?.[1], 100)
}

/** Finds one hotel stay: a check-in and a check-out, each with a day. */
export const readStay = (mail: MailText): Reservation[] => {
  const { text, subject, context, reference, facts } = mail
  if (!wordsOf('stay').test(text)) return []
  const labels = [wordsOf('check in', 'giu'), wordsOf('check out', 'giu')] as const
  const arrival = findTimeAfter(mail, labels[0], { until: wordsOf('check out') })
  const departure = arrival && findTimeAfter(mail, labels[1], { until: wordsOf('check in'), isEnd: true })
  const [checkIn, checkOut] = arrival && departure ? [arrival, departure] : (findRange(mail) ?? [])
  if (!checkIn || !checkOut || checkOut.time.instant <= checkIn.time.instant) return []
  const name = findStayName(subject, text)
  if (name === null && reference === undefined) return []
  return [
    {
      ...BLANK,
      ...facts,
      type: 'hotel',
      name,
      to: name === null ? null : toPlace(name),
      start: withHourElsewhere(checkIn.time, text, labels[0], context, false),
      end: withHourElsewhere(checkOut.time, text, labels[1], context, true),
      evidence: [checkIn.evidence, checkOut.evidence, ...(reference ? [reference.evidence] : [])],
    },
  ]
}

/** The place in the rest of the line of a time. */
const readPlaceAfter = (text: string, { end }: LabelledTime): Reservation['to'] => {
  const [rest = ''] = text.slice(end, end + WINDOW).split('\n')
  const name = cleanValue(rest.replace(/^[\s,;:–-]*(?:uhr\b|h\b|,|in\b|at\b)?[\s,;:–-]*/iu, ''), 80)
  return name !== null && /^\p{Lu}/u.test(name) ? toPlace(name) : null
}

const readCar = (mail: MailText): Reservation[] => {
  const { text, facts } = mail
  if (facts.number === null || !wordsOf('rental car').test(text)) return []
  const start = findTimeAfter(mail, wordsOf('pick up', 'giu'))
  const end = start && findTimeAfter(mail, wordsOf('drop off', 'giu'))
  if (!start || !end || end.time.instant <= start.time.instant) return []
  return [
    {
      ...BLANK,
      ...facts,
      type: 'car',
      from: readPlaceAfter(text, start),
      to: readPlaceAfter(text, end),
      start: start.time,
      end: end.time,
      evidence: [start.evidence, end.evidence],
    },
  ]
}

const findValue = (text: string, label: string): { value: string; offset: number } | undefined => {
  const pattern = String.raw`^[\s*•-]{0,6}{{${label}}}[ \t]{0,4}(?::[ \t]{0,8}|\n\s{0,8})(\S[^\n]{1,100})`
  const match = patternOf(pattern, 'imu').exec(text)
  const value = cleanValue(match?.[1], 100)
  return match && value !== null ? { value, offset: match.index } : undefined
}

const readTicket = (mail: MailText): Reservation[] => {
  const { text, facts } = mail
  if (facts.number === null || !wordsOf('tickets').test(text)) return []
  const [name, venue] = [findValue(text, 'event'), findValue(text, 'venue')]
  const start = name && venue && findTimeAfter(mail, wordsOf('date', 'giu'))
  if (!name || !venue || !start) return []
  return [
    {
      ...BLANK,
      ...facts,
      type: 'event',
      name: name.value,
      to: toPlace(venue.value),
      start: start.time,
      evidence: [{ text: name.value, offset: name.offset, place: 'text' }, start.evidence],
    },
  ]
}

const AT_PLACE = String.raw`{{at a table}}\s(?:at|in|im|bei|beim|chez|au|en|da|bij)\s(?:the\s)?(\p{Lu}[\p{L}'’&-]{1,30}(?:\s\p{Lu}[\p{L}'’&-]{1,30}){0,4})`
const PARTY = String.raw`(?<!\p{L}){{party}}\s{0,3}:?\s{0,3}(\d{1,2})(?!\d)`

const readTable = (mail: MailText): Reservation[] => {
  const { text, facts, quote } = mail
  const from = text.search(wordsOf('table'))
  if (from < 0 || !wordsOf('confirmed').test(text)) return []
  const rest = { ...mail, text: text.slice(from), quote: (a: number, b: number) => quote(from + a, from + b) }
  const start = findTimeAfter(rest, /^/gmu) ?? findTimeAfter(mail, wordsOf('date', 'giu'))
  if (!start || start.time.local.length === 10) return []
  const name = cleanValue(patternOf(AT_PLACE).exec(text)?.[1], 80)
  const party = patternOf(PARTY).exec(text)?.[1]
  if (name === null && party === undefined) return []
  return [
    {
      ...BLANK,
      ...facts,
      type: 'restaurant',
      name,
      to: name === null ? null : toPlace(name),
      party: party === undefined ? null : Number(party),
      start: start.time,
      evidence: [start.evidence],
    },
  ]
}

/** Finds a rental car, tickets of an event, or a table. */
export const readLabelledBooking = (mail: MailText): Reservation[] => {
  for (const read of [readCar, readTicket, readTable]) {
    const found = read(mail)
    if (found.length > 0) return found
  }
  return []
}
