import type { TimeExpression } from '../dates/read.ts'
import type { MailText } from './labels.ts'
import { BLANK, cleanValue, type Reservation, type ReservationType, toPlace } from './reservation.ts'
import { nextDay, readTimeValue } from './times.ts'
import { patternOf, wordsOf } from './words.ts'

/* Parts of trips that all layouts share. */

/** A part of a mail, or of a calendar entry. */
export type TripText = Pick<MailText, 'text' | 'context' | 'facts' | 'quote'>

/** The trips of one mail are not more than these. */
export const MAX_TRIPS = 20

/** The vehicle that the text names most often. Buses stop at stations too, so these words decide only alone. */
export const findVehicle = (text: string): ReservationType | undefined => {
  // "Polarbus" is a bus.
  const own = text.replace(/(?:air|colum)bus/giu, '')
  const count = (type: string): number => own.match(wordsOf(type, 'giu'))?.length ?? 0
  const [first] = (['bus', 'train', 'boat'] as const)
    .map((type) => ({ type, count: count(type) }))
    .toSorted((a, b) => b.count - a.count)
  if (first && first.count > 0) return first.type
  // A coach with a letter or a number is part of a train: "Coach B".
  if (/(?<!\p{L})coach(?:es)?(?!\p{L}|\s[A-Z\d]{1,3}(?![\p{L}\d]))/iu.test(text)) return 'bus'
  return wordsOf('station').test(text) ? 'train' : undefined
}

const TRAIN = String.raw`(?<![\p{L}\d])({{known train code}}\s?\d{1,5})(?![\p{L}\d:])`
const LINE = String.raw`(?<!\p{L}){{line}}\s{0,3}(?:no\.?|nr\.?|n°|number|nummer|numero)?\s{0,3}:?\s{0,3}([A-Z]{0,4}\s?\d{1,5}[A-Z]?)(?![\p{L}\d:.])`

/** Finds the number of a train of a known kind, such as "ICE 123". */
export const findTrainNumber = (text: string): string | undefined => patternOf(TRAIN, 'u').exec(text)?.[1]

/** Finds the number of a train, bus or line. */
export const findTrip = (text: string): string | null =>
  cleanValue(findTrainNumber(text) ?? patternOf(LINE).exec(text)?.[1])

/** A time on the wall clock, with its place in the text. */
export interface Stamp {
  day: number | null
  seconds: number
  offset: number
  end: number
}

/** The wall-clock times of a text. A time without a day gets the last day before it. */
export const findStamps = (times: readonly TimeExpression[]): Stamp[] => {
  let day: number | null = null
  return times.flatMap(({ start, end, dated, offset, text, kind }): Stamp[] => {
    if (kind === 'recurrence' || kind === 'duration' || !start) return []
    if (dated) day = start.day
    if (start.seconds === undefined) return []
    const first: Stamp = { day, seconds: start.seconds, offset, end: offset + text.length }
    if (end?.seconds === undefined) return [first]
    return [first, { ...first, day: dated ? end.day : day, seconds: end.seconds }]
  })
}

export interface Line {
  text: string
  from: number
  to: number
}

const MAX_LINE = 300

/** Splits a text into lines. Long lines are prose, so their text is left out. */
export const splitLines = (text: string): Line[] => {
  let from = 0
  return text.split('\n').map((line) => {
    const result = { text: line.length > MAX_LINE ? '' : line, from, to: from + line.length }
    from = result.to + 1
    return result
  })
}

interface TripEnd {
  /** `2027-03-04T20:15` */
  local: string
  place: string | null | undefined
}

/** Creates a trip from its ends. An arrival before the departure on the same day is on the next day. */
export const createTrip = (
  { facts, context }: TripText,
  departure: TripEnd,
  arrival: TripEnd,
  details: Pick<Reservation, 'type' | 'trip' | 'evidence'> & Partial<Reservation>,
): Reservation[] => {
  const [day, clock] = arrival.local.split('T') as [string, string]
  const isNext = departure.local.startsWith(day) && arrival.local < departure.local
  const start = readTimeValue(departure.local, null, context)
  const end = readTimeValue(isNext ? `${nextDay(day)}T${clock}` : arrival.local, null, context)
  const [from, to] = [cleanValue(departure.place, 80), cleanValue(arrival.place, 80)]
  if (start === null || end === null || from === null || to === null) return []
  return [{ ...BLANK, ...facts, ...details, from: toPlace(from), to: toPlace(to), start, end }]
}
