import { readTimes, type TimeExpression } from '../dates/read.ts'
import { findReference } from './labels.ts'
import {
  BLANK,
  cleanValue,
  type PlaceTime,
  type Reservation,
  type ReservationEvidence,
  toPlaceTime,
} from './reservation.ts'
import { fromExpression, type TimeContext } from './times.ts'

/* Hotel stays in plain text: a check-in and a check-out, each with a day. */

const ABOUT_STAY =
  /(?<!\p{L})(?:hotels?|hostel|rooms?|zimmer|nights?|nächten?|übernachtung(?:en)?|apartment|ferienwohnung|unterkunft|your stay|aufenthalt|gäste|guests?)(?!\p{L})/iu
const CHECK_IN = /(?<!\p{L})(?:check[- ]?in|anreise(?:tag)?|arrival(?: date)?|ankunft)(?!\p{L})/giu
const CHECK_OUT = /(?<!\p{L})(?:check[- ]?out|abreise(?:tag)?|departure(?: date)?)(?!\p{L})/giu
const NAME_LABEL =
  /(?<!\p{L})(?:hotel(?: name)?|property|accommodation|unterkunft|hotelname)\s*:[ \t]*(\S[^\n]{1,80})/iu
const NAME =
  /((?:\p{Lu}[\p{L}&'’.-]*[ \t]){0,4}(?:Hotel|Inn|Hostel|Resort|Suites|Pension|Gasthof|Motel)(?:[ \t](?:\p{Lu}[\p{L}&'’.-]*|am|an|der|de|la|du|in|zum|zur|by)){0,5})/u
const MAX_TEXT = 20_000
/** The date follows its label within this many characters. */
const WINDOW = 160

/** The hour stands after the day: "Friday, March 5, 2027 (15:00 – 23:00)". Check-out is the latest one. */
const withHour = (time: PlaceTime, others: readonly TimeExpression[], isCheckOut: boolean): PlaceTime => {
  const [hour] = others.filter(({ dated, start }) => !dated && start?.seconds !== undefined)
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
    const times = readTimes(text.slice(from, from + (next < 0 ? WINDOW : next)), context)
    const [found] = times.filter(
      ({ dated, start, kind }) => dated && start && kind !== 'recurrence' && kind !== 'duration',
    )
    const day = found ? fromExpression(found, null, context) : null
    const time =
      day && found ? withHour(day, times.slice(times.indexOf(found) + 1), label === CHECK_OUT) : null
    if (found && time)
      return {
        time,
        evidence: {
          text: cleanValue(text.slice(match.index, from + found.offset + found.text.length)) ?? '',
          offset: match.index,
          place: 'text',
        },
      }
  }
  return undefined
}

/** Finds one hotel stay. */
export const readStay = (whole: string, subject: string, context: TimeContext): Reservation[] => {
  const text = whole.slice(0, MAX_TEXT)
  if (!ABOUT_STAY.test(text)) return []
  const checkIn = findDay(text, CHECK_IN, context)
  const checkOut = checkIn && findDay(text, CHECK_OUT, context)
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
      to: name === null ? null : { name, code: null, address: null },
      start: checkIn.time,
      end: checkOut.time,
      evidence: [
        checkIn.evidence,
        checkOut.evidence,
        ...(reference
          ? [{ text: reference.quote, offset: reference.quoteOffset, place: 'text' as const }]
          : []),
      ],
    },
  ]
}
