import { toInstant, toWall } from '../../recurrence/time-zones.ts'
import type { Clock, ClockRange, DayPart, Moment, TimePart, Zone } from './values.ts'

/*
 * Civil dates are day numbers since 1970-01-01, so that adding days is adding numbers. Weekdays follow ISO
 * 8601: Monday is 1, Sunday is 7.
 */
const DAY_MS = 86_400_000

export const dayOf = (year: number, month: number, day: number): number => {
  const date = new Date(0)
  // setUTCFullYear, because Date.UTC reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  return Math.floor(date.getTime() / DAY_MS)
}

export interface Ymd {
  y: number
  m: number
  d: number
}

export const ymdOf = (day: number): Ymd => {
  const date = new Date(day * DAY_MS)
  return { y: date.getUTCFullYear(), m: date.getUTCMonth() + 1, d: date.getUTCDate() }
}

/** Writes a day as RFC 5545 does: 20240515. */
export const toDateStamp = (day: number): string => {
  const { y, m, d } = ymdOf(day)
  return String(y * 10_000 + m * 100 + d).padStart(8, '0')
}

export const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

export const daysInMonth = (year: number, month: number): number =>
  dayOf(year, month + 1, 1) - dayOf(year, month, 1)

export const isValidDate = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)

export const mondayOf = (day: number): number => day - weekdayOf(day) + 1

/** Keeps the day of the month, or takes the last day of a shorter month. */
export const addMonths = (day: number, months: number): number => {
  const { y, m, d } = ymdOf(day)
  const total = y * 12 + (m - 1) + months
  const [year, month] = [Math.floor(total / 12), (((total % 12) + 12) % 12) + 1]
  return dayOf(year, month, Math.min(d, daysInMonth(year, month)))
}

/** Returns the Monday of an ISO 8601 week. Week 1 contains 4 January. */
export const weekStart = (year: number, week: number): number => mondayOf(dayOf(year, 1, 4)) + (week - 1) * 7

/** Counts from the end of the month if `n` is negative. */
export const nthWeekday = (year: number, month: number, weekday: number, n: number): number => {
  if (n < 0) {
    const last = dayOf(year, month + 1, 1) - 1
    return last - ((weekdayOf(last) - weekday + 7) % 7) + (n + 1) * 7
  }
  const first = dayOf(year, month, 1)
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (n - 1) * 7
}

/** Gregorian Easter Sunday (Meeus, Jones, Butcher). */
export const findEaster = (year: number): number => {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  return dayOf(year, month, ((h + l - 7 * m + 114) % 31) + 1)
}

const DAY = 86_400_000
const MINUTE = 60_000

/** Converts a moment to wall-clock milliseconds, as if the wall clock showed UTC. */
export const toWallMs = ({ day, seconds }: Moment): number => day * DAY + (seconds ?? 0) * 1000

const toMoment = (wall: number): Moment => {
  const day = Math.floor(wall / DAY)
  return { day, seconds: Math.floor((wall - day * DAY) / 1000) }
}

/** "My time" names the reader's own zone, so it needs no conversion. */
const isOtherZone = ({ name, minutes }: Zone): boolean => Boolean(name) || minutes !== undefined

/** Converts the reader's wall-clock time to the wall-clock time in the zone that a text names. */
export const toZoneWall = (wall: number, zone: Zone | undefined, timezone: string): number => {
  if (!zone || !isOtherZone(zone)) return wall
  const instant = toInstant(wall, timezone)
  return zone.minutes === undefined ? toWall(instant, zone.name as string) : instant + zone.minutes * MINUTE
}

/** Converts a moment from the zone that the text names to the reader's zone. Whole days are not converted. */
export const toReaderZone = (moment: Moment, zone: Zone | undefined, timezone: string): Moment => {
  if (moment.seconds === undefined || !zone || !isOtherZone(zone)) return moment
  const wall = toWallMs(moment)
  const instant =
    zone.minutes === undefined ? toInstant(wall, zone.name as string) : wall - zone.minutes * MINUTE
  return toMoment(toWall(instant, timezone))
}

const withHour = (clock: Clock, h: number): Clock => {
  const { either: _, ...rest } = clock
  return { ...rest, h }
}

const toPm = (clock: Clock): Clock => withHour(clock, clock.h === 12 ? 12 : clock.h + 12)
const toAm = (clock: Clock): Clock => withHour(clock, clock.h === 12 ? 0 : clock.h)

export const withMeridiem = (clock: Clock, half: 'am' | 'pm'): Clock | undefined => {
  if (clock.h > 12 || clock.h === 0)
    return half === 'pm' || clock.h === 0 ? withHour(clock, clock.h) : undefined
  return { ...(half === 'am' ? toAm(clock) : toPm(clock)), meridiem: half }
}

const toMinutes = (clock: Clock): number => clock.h * 60 + clock.mi + (clock.s ?? 0) / 60

/** Picks the likely half of the day: "4" is in the afternoon, "9" in the morning. */
export const pickLikelyHalf = (clock: Clock): Clock => {
  if (!clock.either) return clock
  if (clock.h === 12) return withHour(clock, 12)
  return clock.h < 8 ? toPm(clock) : toAm(clock)
}

const inPart = (clock: Clock, { name }: DayPart): Clock | undefined => {
  if (!clock.either) return clock
  switch (name) {
    case 'morning':
    case 'breakfast':
      return clock.h === 12 ? undefined : toAm(clock)
    case 'night':
    case 'nighttime':
      // "3 at night" is early in the morning.
      if (clock.h === 12) return withHour(clock, 24)
      return clock.h < 5 ? toAm(clock) : toPm(clock)
    case 'lunch':
    case 'noon':
    case 'daytime':
    case 'business':
      return clock.h >= 8 && clock.h < 12 ? toAm(clock) : toPm(clock)
    default:
      return toPm(clock)
  }
}

/** Resolves ambiguous ends to the shortest range that runs forward. */
export const resolveRange = ({ a, b }: ClockRange): ClockRange => {
  let [start, end] = [a, b]
  if (!start.either && !end.either) {
    // "5:45 to 6:45pm" is in the evening.
    const evening = end.meridiem === 'pm' && !start.meridiem && start.h < 12 ? toPm(start) : start
    return { is: 'range', a: toMinutes(evening) < toMinutes(end) ? evening : start, b: end }
  }
  if (!end.either && start.either) {
    const preceding = [toPm(start), toAm(start)].find((clock) => toMinutes(clock) < toMinutes(end))
    return { is: 'range', a: preceding ?? toAm(start), b: end }
  }
  // "9 to 6" is a working day, "6 to 9" an evening.
  if (start.either)
    start = start.h < 7 || start.h === 12 || (start.h === 7 && end.h > 7) ? toPm(start) : toAm(start)
  const next = [toAm(end), toPm(end)].find((clock) => toMinutes(clock) > toMinutes(start))
  end = next ?? toAm(end)
  return { is: 'range', a: start, b: end }
}

/** Merges two adjacent times such as "7" and "tonight". Returns undefined if they contradict. */
export const mergeTimes = (a: TimePart, b: TimePart): TimePart | undefined => {
  if (a.is === 'part' && b.is === 'part') return undefined
  if (a.is === 'part') return mergeTimes(b, a)
  if (b.is !== 'part') return undefined
  if (a.is === 'clock') return inPart(a, b)
  // The part of the day fixes the end. `resolveRange` derives the start from it.
  const end = inPart(a.b, b)
  return end ? { is: 'range', a: a.a, b: end } : undefined
}
