import { dayOf, mondayOf, ymdOf } from '../../src/nlu/dates/calendar.ts'
import { durationSeconds } from '../../src/nlu/dates/outcome.ts'
import { readTimes, type TimeExpression } from '../../src/nlu/dates/read.ts'
import type { Unit } from '../../src/nlu/dates/values.ts'
import { toInstant } from '../../src/recurrence/time-zones.ts'
import { loadCases } from './data.ts'
import { DAY, momentMs, wallMs, wallText } from './wall.ts'

export interface DucklingCase {
  text: string
  ref: string
  ref_offset_minutes: number
  gold: {
    type: 'point' | 'interval' | 'open'
    start: string
    end_exclusive?: string
    grain: string
    direction?: string
    holiday?: string
  } | null
}

export interface DucklingValue {
  type: string
  start: string
  end?: string
}

/** Returns the cases without holidays. */
export const ducklingCore = (): DucklingCase[] =>
  loadCases<DucklingCase>('datetime-duckling', 'time_en').filter(({ gold }) => !gold?.holiday)
export const ducklingHolidays = (): DucklingCase[] =>
  loadCases<DucklingCase>('datetime-duckling', 'time_en').filter(({ gold }) => gold?.holiday)
export const ducklingNegatives = (): DucklingCase[] => loadCases('datetime-duckling', 'negative_en')

const GRAIN_MS: Partial<Record<Unit, number>> = { second: 1000, minute: 60_000, hour: 3_600_000, day: DAY }

/** The hours of the parts of a day in this data set. */
const PARTS: Readonly<Record<string, readonly [number, number]>> = {
  morning: [0, 12],
  afternoon: [12, 19],
  evening: [18, 24],
  night: [18, 24],
  lunch: [12, 14],
  dinner: [18, 21],
  noon: [12, 13],
}
const EARLY: Readonly<Record<string, readonly [number, number]>> = { morning: [0, 9] }
const LATE: Readonly<Record<string, readonly [number, number]>> = {
  night: [21, 24],
  evening: [21, 24],
  morning: [11, 12],
  afternoon: [17, 19],
}

/** An offset from now keeps the next smaller unit of the current time. */
const SMALLER: Partial<Record<Unit, Unit>> = {
  minute: 'second',
  hour: 'minute',
  day: 'hour',
  week: 'day',
  month: 'day',
  year: 'month',
}

const shiftUnits = (day: number, unit: Unit, n: number): number => {
  const { y, m, d } = ymdOf(day)
  if (unit === 'month') return dayOf(y, m + n, d)
  if (unit === 'quarter') return dayOf(y, m + 3 * n, d)
  if (unit === 'year') return dayOf(y + n, m, d)
  return day + n * (unit === 'week' ? 7 : 1)
}

const unitStart = (day: number, unit: Unit): number => {
  const { y, m } = ymdOf(day)
  if (unit === 'week') return mondayOf(day)
  if (unit === 'month') return dayOf(y, m, 1)
  if (unit === 'quarter') return dayOf(y, m - ((m - 1) % 3), 1)
  return unit === 'year' ? dayOf(y, 1, 1) : day
}

/** Returns the shift from the named zone to the zone of the data set. */
const offsetFrom = ({ zone, start }: TimeExpression, one: DucklingCase): number => {
  if (!zone || !start) return 0
  const wall = momentMs(start)
  const east =
    zone.minutes ?? (zone.name ? (wall - toInstant(wall, zone.name)) / 60_000 : one.ref_offset_minutes)
  return (one.ref_offset_minutes - east) * 60_000
}

/**
 * Converts our result to the conventions of the data set: whole units, its own day parts, and exclusive ends.
 */
const toExpectedFormat = (found: TimeExpression, one: DucklingCase): DucklingValue | undefined => {
  if (!found.start) return undefined
  const now = wallMs(one.ref)
  const offset = offsetFrom(found, one)
  let start = momentMs(found.start)
  let end = found.end ? momentMs(found.end) : undefined
  const { grain, bound, part, duration, count } = found
  const today = Math.floor(now / DAY)
  if (count && found.kind === 'daterange') {
    const from = unitStart(today, grain)
    const [a, b] =
      count > 0
        ? [shiftUnits(from, grain, 1), shiftUnits(from, grain, 1 + count)]
        : [shiftUnits(from, grain, count), from]
    return { type: 'interval', start: wallText(a * DAY), end: wallText(b * DAY) }
  }
  if (part && found.end) {
    const [from, to] = (found.edge === 'start'
      ? EARLY[part]
      : found.edge === 'end'
        ? LATE[part]
        : undefined) ??
      PARTS[part] ?? [0, 24]
    if (bound === 'after' && part === 'lunch')
      return {
        type: 'interval',
        start: wallText(found.start.day * DAY + 13 * 3_600_000),
        end: wallText(found.start.day * DAY + 17 * 3_600_000),
      }
    return {
      type: 'interval',
      start: wallText(found.start.day * DAY + from * 3_600_000),
      end: wallText(found.start.day * DAY + to * 3_600_000),
    }
  }
  if (bound === 'by') return { type: 'interval', start: wallText(now), end: wallText(end ?? start) }
  if (bound === 'until' || bound === 'before') return { type: 'open', start: wallText(start) }
  if (bound === 'after' || bound === 'since') return { type: 'open', start: wallText(start) }
  if (grain === 'weekend')
    return { type: 'interval', start: wallText(start - 6 * 3_600_000), end: wallText(end as number) }
  if (duration && !found.end && duration.n !== 0) {
    const small = SMALLER[duration.unit]
    if (found.kind === 'date') start += small === 'hour' ? Math.floor((now % DAY) / 3_600_000) * 3_600_000 : 0
    return { type: 'point', start: wallText(start) }
  }
  if (
    duration &&
    found.end &&
    found.kind === 'datetimerange' &&
    (duration.unit === 'hour' || duration.unit === 'minute' || duration.unit === 'second')
  ) {
    const unit = GRAIN_MS[duration.unit] as number
    const base = Math.floor(now / unit) * unit
    return duration.n > 0
      ? { type: 'interval', start: wallText(base + unit), end: wallText(base + unit * (1 + duration.n)) }
      : { type: 'interval', start: wallText(base + unit * duration.n), end: wallText(base) }
  }
  if (end !== undefined) {
    const plain = found.kind === 'daterange' && !found.inclusive
    if (plain && !found.edge && !duration && grain !== 'season' && found.kind === 'daterange')
      return { type: 'point', start: wallText(start) }
    if (plain && duration) end += DAY
    if (!plain) end += GRAIN_MS[found.inclusive ? 'day' : grain] ?? 0
    return { type: 'interval', start: wallText(start + offset), end: wallText(end + offset) }
  }
  return { type: 'point', start: wallText(start + offset) }
}

export const readDuckling = (one: DucklingCase): DucklingValue | undefined => {
  const found = readTimes(one.text, { now: wallMs(one.ref), order: 'mdy' })
  return found.length === 1 ? toExpectedFormat(found[0] as TimeExpression, one) : undefined
}

export const isDucklingRight = (one: DucklingCase, value: DucklingValue | undefined): boolean => {
  const { gold } = one
  if (!gold) return value === undefined
  return (
    value !== undefined &&
    value.type === gold.type &&
    value.start === gold.start &&
    value.end === gold.end_exclusive
  )
}

interface DurationCase {
  text: string
  gold: { value: number; unit: string }
}

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
}

export const ducklingDurations = (): DurationCase[] => loadCases('datetime-duckling', 'duration_en')

export const isDurationRight = ({ text, gold }: DurationCase): boolean => {
  const [found, ...more] = readTimes(text, { now: wallMs('2013-02-12T04:30:00') })
  if (!found?.duration || more.length > 0) return false
  if (gold.unit === 'month') return found.duration.months === gold.value
  if (gold.unit === 'year') return found.duration.months === gold.value * 12
  return durationSeconds(found.duration) === gold.value * (UNIT_SECONDS[gold.unit] as number)
}
