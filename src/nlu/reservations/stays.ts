import { readTimes, type TimeExpression } from '../dates/read.ts'
import { findReference } from './labels.ts'
import {
  BLANK,
  cleanValue,
  type PlaceTime,
  quoteText,
  type Reservation,
  type ReservationEvidence,
  toPlace,
  toPlaceTime,
} from './reservation.ts'
import { fromExpression, readDays, type TimeContext } from './times.ts'

/* Hotel stays in plain text: a check-in and a check-out, each with a day. */

const ABOUT_STAY =
  /(?<!\p{L})(?:hotels?|hostel|rooms?|zimmer|nights?|nächten?|übernachtung(?:en)?|apartment|ferienwohnung|unterkunft|your stay|aufenthalt|gäste|guests?|doppelzimmer|einzelzimmer|hôtel|hotel|chambres?|nuits?|habitaci(?:ón|ones)|noches?|camer[ae]|notti|kamers?|nachten|quartos?|noites?|pok[oó]j|noclegi?)(?!\p{L})/iu
const CHECK_IN =
  /(?<!\p{L})(?:check[- ]?in|anreise(?:tag|datum)?|arrival(?: date)?|arriving|ankunft|arrivée|llegada|entrada|arrivo|aankomst|inchecken|ankomst|incheckning|przyjazd|zameldowanie|chegada)(?!\p{L})/giu
const CHECK_OUT =
  /(?<!\p{L})(?:check[- ]?out|abreise(?:tag|datum)?|departure(?: date)?|departing|départ|salida|partenza|vertrek|uitchecken|avresa|utcheckning|wyjazd|wymeldowanie|saída|partida)(?!\p{L})/giu
const NAME_LABEL =
  /(?<!\p{L})(?:hotel(?: name)?|property|accommodation|unterkunft|hotelname|hébergement|alojamiento|struttura|accommodatie)\s*:[ \t]*(\S[^\n]{1,80})/iu
const NAME =
  /((?:\p{Lu}[\p{L}&'’.-]*[ \t]){0,4}(?:Hotel|Hôtel|Hôtels|Inn|Hostel|Resort|Suites|Rooms|Lodge|Guesthouse|Pension|Gasthof|Gasthaus|Motel|Albergo|Auberge|Posada|Hostal|Parador)(?:[ \t](?:\p{Lu}[\p{L}&'’.-]*|am|an|der|de|des|del|la|du|in|zum|zur|by)){0,5})/u
const MAX_TEXT = 20_000
/** The date follows its label within this many characters. */
const WINDOW = 160

const IS_CLOCK = /\d[:.h]\d\d|\d\s?(?:uhr|am|pm|a\.m|p\.m|h\b|o'clock)|noon|midnight|mittag/iu

/** The hour stands after the day: "Friday, March 5, 2027 (15:00 – 23:00)". Check-out is the latest one. */
const withHour = (time: PlaceTime, others: readonly TimeExpression[], isCheckOut: boolean): PlaceTime => {
  const [hour] = others.filter(
    ({ dated, start, text }) => !dated && start?.seconds !== undefined && IS_CLOCK.test(text),
  )
  const moment = isCheckOut ? (hour?.end ?? hour?.start) : hour?.start
  if (time.local.length > 10 || moment?.seconds === undefined) return time
  const clock = new Date(moment.seconds * 1000).toISOString().slice(11, 16)
  return toPlaceTime(`${time.local}T${clock}`, time.timezone, time.zoneSource)
}

const findDay = (
  text: string,
  label: RegExp,
  context: TimeContext,
): { time: PlaceTime; evidence: ReservationEvidence } | undefined => {
  for (const match of [...text.matchAll(label)].slice(0, 8)) {
    const from = match.index + match[0].length
    const other = label === CHECK_IN ? CHECK_OUT : CHECK_IN
    const next = text.slice(from, from + WINDOW).search(new RegExp(other.source, 'iu'))
    // A number in the next line is not the hour of the day.
    const part = text.slice(from, from + (next < 0 ? WINDOW : next)).replaceAll('\n', ';')
    const times = readTimes(part, context)
    const [found] = times.filter(
      ({ dated, start, kind }) => dated && start && kind !== 'recurrence' && kind !== 'duration',
    )
    const day = found ? fromExpression(found, null, context) : null
    const time =
      day && found ? withHour(day, times.slice(times.indexOf(found) + 1), label === CHECK_OUT) : null
    if (found && time)
      return { time, evidence: quoteText(text, match.index, from + found.offset + found.text.length) }
  }
  return undefined
}

const NIGHTS =
  /(?<![\p{L}\d])\d{1,2}\s{0,3}(?:nights?|nächte?n?|nuits?|noches?|notti|nachten|noites?)(?!\p{L})/iu
const STAY_FROM =
  /(?<!\p{L})(?:dates?|your dates|stay|your stay|from|period|zeitraum|aufenthalt|reisezeitraum|vom|von|du|del|dal)(?!\p{L})/giu

/** The hour of check-in or check-out if it stands elsewhere: "Check-in from 15:00". */
const withHourElsewhere = (time: PlaceTime, text: string, label: RegExp, context: TimeContext): PlaceTime => {
  if (time.local.length > 10) return time
  for (const match of [...text.matchAll(label)].slice(0, 8)) {
    const from = match.index + match[0].length
    const rest = /^[^\n.;!?]{0,40}?\d{1,2}(?:[:.]\d\d)?\s?(?:uhr|am|pm|h)?(?![\d.])/iu.exec(
      text.slice(from, from + 60),
    )?.[0]
    const times = rest === undefined ? [] : readTimes(rest, context)
    if (times.some(({ dated }) => dated)) continue
    const found = withHour(time, times, label === CHECK_OUT)
    if (found !== time) return found
  }
  return time
}

type Day = NonNullable<ReturnType<typeof findDay>>

/** Reads "2 November 2027 to 5 November 2027 (3 nights)". */
const findRange = (text: string, context: TimeContext): readonly [Day, Day] | undefined => {
  if (!NIGHTS.test(text)) return undefined
  for (const match of [...text.matchAll(STAY_FROM)].slice(0, 12)) {
    const from = match.index + match[0].length
    const [first, second] = readDays(text.slice(from, from + WINDOW), context)
    const last = first?.end ? { ...first, start: first.end } : second
    const [start, end] = [first, last].map((time) => (time ? fromExpression(time, null, context) : null))
    if (!first || !last || !start || !end || end.instant <= start.instant) continue
    const evidence = quoteText(text, match.index, from + last.offset + last.text.length)
    return [
      { time: start, evidence },
      { time: end, evidence },
    ]
  }
  return undefined
}

/** Finds one hotel stay. */
export const readStay = (whole: string, subject: string, context: TimeContext): Reservation[] => {
  const text = whole.slice(0, MAX_TEXT)
  if (!ABOUT_STAY.test(text)) return []
  const labelled = [findDay(text, CHECK_IN, context), findDay(text, CHECK_OUT, context)] as const
  const [checkIn, checkOut] =
    labelled[0] && labelled[1] ? labelled : (findRange(text, context) ?? [undefined, undefined])
  if (!checkIn || !checkOut || checkOut.time.instant <= checkIn.time.instant) return []
  const name = cleanValue(NAME_LABEL.exec(text)?.[1] ?? NAME.exec(subject)?.[1] ?? NAME.exec(text)?.[1], 100)
  const reference = findReference(text)
  if (name === null && reference === undefined) return []
  return [
    {
      ...BLANK,
      type: 'hotel',
      source: 'text',
      number: reference?.value ?? null,
      name,
      to: name === null ? null : toPlace(name),
      start: withHourElsewhere(checkIn.time, text, CHECK_IN, context),
      end: withHourElsewhere(checkOut.time, text, CHECK_OUT, context),
      evidence: [checkIn.evidence, checkOut.evidence, ...(reference ? [reference.evidence] : [])],
    },
  ]
}
