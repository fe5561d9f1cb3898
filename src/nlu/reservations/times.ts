import { isZone, offsetAt } from '../../recurrence/time-zones.ts'
import { offsetMinutes } from '../dates/formats.ts'
import { type ReadOptions, readTimes, type TimeExpression } from '../dates/read.ts'
import { type PlaceTime, type ReservationPlace, toPlaceTime, zoneOfPlace } from './reservation.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** ISO 8601, also in the basic format and with a space instead of "T". */
const ISO =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?\d\d(?:[.,]\d+)?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

const isValidLocal = (local: string): boolean => {
  const full = local.length > 10 ? `${local}:00.000Z` : `${local}T00:00:00.000Z`
  const parsed = Date.parse(full)
  // `Date` accepts a 31st of February and returns a day in March.
  return !Number.isNaN(parsed) && new Date(parsed).toISOString() === full && local >= '1900' && local < '9900'
}

export const nextDay = (iso: string): string =>
  new Date(Date.parse(`${iso}T00:00Z`) + DAY_MS).toISOString().slice(0, 10)

/** Formats a moment of the date reader. */
export const toLocal = ({ day, seconds }: { day: number; seconds?: number }): string => {
  const iso = new Date(day * DAY_MS + (seconds ?? 0) * 1000).toISOString()
  return seconds === undefined ? iso.slice(0, 10) : iso.slice(0, 16)
}

/** POSIX signs: `Etc/GMT+8` is eight hours behind UTC. Zones with half hours have no such name. */
const toFixedZone = (minutes: number): string => {
  const zone = `Etc/GMT${minutes < 0 ? '+' : '-'}${Math.abs(minutes) / 60}`
  return minutes !== 0 && isZone(zone) ? zone : 'UTC'
}

export interface TimeContext {
  /** The reader's wall-clock time at the date of the mail. */
  now: number
  timezone: string
  order: NonNullable<ReadOptions['order']>
}

/** A time at a place. If its UTC offset is stated, the zone is that of the place or reader with this offset. */
const toZonedTime = (
  local: string,
  offset: number | undefined,
  place: ReservationPlace | null,
  context: TimeContext,
): PlaceTime | null => {
  if (!isValidLocal(local)) return null
  const { timezone, zoneSource } = zoneOfPlace(place, context.timezone)
  if (offset === undefined || local.length === 10) return toPlaceTime(local, timezone, zoneSource)
  const instant = Date.parse(`${local}:00Z`) - offset * MINUTE_MS
  const known = [timezone, context.timezone].find((zone) => offsetAt(instant, zone) === offset * MINUTE_MS)
  return { local, instant, timezone: known ?? toFixedZone(offset), zoneSource: 'stated' }
}

/** True for an expression with a day. Repetitions and durations are no dates of a reservation. */
const isDay = ({ dated, start, kind }: TimeExpression): boolean =>
  dated && start !== undefined && kind !== 'recurrence' && kind !== 'duration'

export const readDays = (text: string, context: TimeContext): TimeExpression[] =>
  readTimes(text, context).filter(isDay)

/** Converts an expression of the date reader with a day. */
export const fromExpression = (
  { start, zone }: TimeExpression,
  place: ReservationPlace | null,
  context: TimeContext,
): PlaceTime | null =>
  start === undefined ? null : toZonedTime(toLocal(start), zone?.minutes, place, context)

/** Reads a time value of structured data: ISO 8601, or any format that the date reader knows. */
export const readTimeValue = (
  value: string | null,
  place: ReservationPlace | null,
  context: TimeContext,
): PlaceTime | null => {
  if (value === null) return null
  const text = value.trim().slice(0, 100)
  const [, year, month, day, hour, minute, offset] = ISO.exec(text) ?? []
  if (year !== undefined) {
    const local = `${year}-${month}-${day}${hour === undefined ? '' : `T${hour}:${minute}`}`
    return toZonedTime(local, offset === undefined ? undefined : offsetMinutes(offset), place, context)
  }
  const found = readTimes(text, context).find(({ start, dated }) => start !== undefined && dated)
  return found ? fromExpression(found, place, context) : null
}

const IS_CLOCK = /\d[:.h]\d\d|\d\s?(?:uhr|am|pm|a\.m|p\.m|h\b|o'clock)|noon|midnight|mittag/iu

/** Finds a time of day. A bare number is none. */
export const findHour = (times: readonly TimeExpression[]): TimeExpression | undefined =>
  times.find(({ dated, start, text }) => !dated && start?.seconds !== undefined && IS_CLOCK.test(text))

/** Adds a time of day to a whole day. With `isEnd`, a range of hours counts by its end. */
export const withHour = (time: PlaceTime, hour: TimeExpression | undefined, isEnd: boolean): PlaceTime => {
  const { seconds } = (isEnd ? (hour?.end ?? hour?.start) : hour?.start) ?? {}
  if (time.local.length > 10 || seconds === undefined) return time
  const clock = toLocal({ day: 0, seconds }).slice(10)
  return toPlaceTime(`${time.local}${clock}`, time.timezone, time.zoneSource)
}

interface DayOptions {
  isEnd: boolean
  withHours: boolean
}

/** Reads the first day of a text, and the hour that follows it. `end` is the offset after both. */
export const readDay = (
  text: string,
  context: TimeContext,
  { isEnd, withHours }: DayOptions,
): { time: PlaceTime; end: number } | undefined => {
  const times = readTimes(text, context)
  const day = times.find(isDay)
  const time = day ? fromExpression(day, null, context) : null
  if (!day || time === null) return undefined
  const hour =
    withHours && time.local.length === 10 ? findHour(times.slice(times.indexOf(day) + 1)) : undefined
  const last = hour ?? day
  return { time: withHour(time, hour, isEnd), end: last.offset + last.text.length }
}
