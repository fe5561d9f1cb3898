import { offsetAt } from '../../recurrence/time-zones.ts'
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

const parseOffset = (text: string): number => {
  if (/^z$/i.test(text)) return 0
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

export const nextDay = (iso: string): string =>
  new Date(Date.parse(`${iso}T00:00Z`) + DAY_MS).toISOString().slice(0, 10)

/** Formats a moment of the date reader. */
export const toLocal = ({ day, seconds }: { day: number; seconds?: number }): string => {
  const iso = new Date(day * DAY_MS + (seconds ?? 0) * 1000).toISOString()
  return seconds === undefined ? iso.slice(0, 10) : iso.slice(0, 16)
}

/** A time with a stated UTC offset. The zone is that of the place or reader, if its clock agrees. */
const withOffset = (
  local: string,
  minutes: number,
  place: ReservationPlace | null,
  readerZone: string,
): PlaceTime => {
  const instant = Date.parse(`${local}:00Z`) - minutes * MINUTE_MS
  const zones = [zoneOfPlace(place, readerZone).timezone, readerZone]
  const timezone = zones.find((zone) => offsetAt(instant, zone) === minutes * MINUTE_MS)
  return { local, instant, timezone: timezone ?? toFixedZone(minutes), zoneSource: 'stated' }
}

/** POSIX signs: `Etc/GMT+8` is eight hours behind UTC. Zones with half hours have no such name. */
const toFixedZone = (minutes: number): string =>
  minutes % 60 !== 0 || minutes < -720 || minutes > 840 || minutes === 0
    ? 'UTC'
    : `Etc/GMT${minutes < 0 ? '+' : '-'}${Math.abs(minutes) / 60}`

export interface TimeContext {
  /** The reader's wall-clock time at the date of the mail. */
  now: number
  timezone: string
  order: NonNullable<ReadOptions['order']>
}

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
    if (!isValidLocal(local)) return null
    if (offset !== undefined) return withOffset(local, parseOffset(offset), place, context.timezone)
    const { timezone, zoneSource } = zoneOfPlace(place, context.timezone)
    return toPlaceTime(local, timezone, zoneSource)
  }
  const [found] = readTimes(text, context).filter(({ start, dated }) => start !== undefined && dated)
  return found ? fromExpression(found, place, context) : null
}

/** Reads the expressions with a day. Repetitions and durations are no dates of a reservation. */
export const readDays = (text: string, context: TimeContext): TimeExpression[] =>
  readTimes(text, context).filter(
    ({ dated, start, kind }) => dated && start && kind !== 'recurrence' && kind !== 'duration',
  )

/** Converts an expression of the date reader with a day. */
export const fromExpression = (
  { start, zone }: TimeExpression,
  place: ReservationPlace | null,
  context: TimeContext,
): PlaceTime | null => {
  if (!start) return null
  const local = toLocal(start)
  if (!isValidLocal(local)) return null
  if (zone?.minutes !== undefined && local.length > 10)
    return withOffset(local, zone.minutes, place, context.timezone)
  const { timezone, zoneSource } = zoneOfPlace(place, context.timezone)
  return toPlaceTime(local, timezone, zoneSource)
}
