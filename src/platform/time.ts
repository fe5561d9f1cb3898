import { createRequire } from 'node:module'
import type { Temporal } from 'temporal-polyfill'
import { invalidField } from './errors.ts'

let systemZone: string | undefined

/**
 * The first call takes 20 ms, so do not call it at startup. The zone does not change while a process runs.
 */
export const systemTimeZone = (): string => {
  systemZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone
  return systemZone
}

export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const checkTimeZone = (path: string, name: string): void => {
  if (!isTimeZone(name)) throw invalidField(path, 'must be the name of a time zone, such as Europe/Berlin')
}

/** Loaded with the first time value that is parsed, to keep startup short. */
const require = createRequire(import.meta.url)
const loadTemporal = () => (require('temporal-polyfill') as typeof import('temporal-polyfill')).Temporal

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * Parses the forms that `Date` handles correctly: an existing day of the month, and no hour 24. Temporal
 * parses the rest.
 */
const parseWithDate = (text: string): number => {
  const month = Number(text.slice(5, 7))
  const day = new Date(Date.UTC(Number(text.slice(0, 4)), month - 1, Number(text.slice(8, 10))))
  return day.getUTCMonth() === month - 1 && text.slice(11, 13) !== '24' ? Date.parse(text) : Number.NaN
}

const parseWithTemporal = (text: string, timezone: string): number => {
  const Temporal = loadTemporal()
  try {
    if (INSTANT.test(text)) return Temporal.Instant.from(text).epochMilliseconds
    if (DAY.test(text)) return Temporal.PlainDate.from(text).toZonedDateTime(timezone).epochMilliseconds
  } catch {
    // The text is well formed, but the day or hour does not exist.
  }
  return Number.NaN
}

/** Instants are compared as text. An offset must not move one out of the years with four digits. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** RFC 3339 allows lower-case `t` and `z`. A space replaces an unescaped plus sign in a query string. */
const normalizeText = (given: string): string => given.toUpperCase().replace(/ (?=\d{2}:\d{2}$)/, '+')

/** Parses RFC 3339 with any offset, or a date, which means midnight in `timezone`. */
export const readInstant = (path: string, given: string, timezone: string): string => {
  const text = INSTANT.test(given) ? given : normalizeText(given)
  const plain = INSTANT.test(text) ? parseWithDate(text) : Number.NaN
  const instant = Number.isNaN(plain) ? parseWithTemporal(text, timezone) : plain
  if (instant >= EARLIEST && instant <= LATEST) return new Date(instant).toISOString()
  throw invalidField(path, 'must be a time such as 2026-03-01T14:00:00Z, or a day such as 2026-03-01')
}

const DAY_MS = 86_400_000

/** Uses calendar days, so that days of 23 or 25 hours are neither repeated nor skipped. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** The time from the first instant of a day to the first instant of the following day. */
export interface Stretch {
  /** The local date of the first day. */
  date: string
  start: string
  end: string
}

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type Weekday = (typeof WEEKDAYS)[number]

const weekdayNumber = (name: string): number => Math.max(0, (WEEKDAYS as readonly string[]).indexOf(name))
const load = () => (require('temporal-polyfill') as typeof import('temporal-polyfill')).Temporal

/**
 * Returns the day, the week, the next seven days and the last `count` days around an instant in a time zone.
 */
export const daysAround = (now: Date, zone: { timezone: string; weekStart: string }, count: number) => {
  const { timezone, weekStart } = zone
  const today = load().Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
  const startOf = (day: Temporal.PlainDate): string =>
    new Date(day.toZonedDateTime(timezone).epochMilliseconds).toISOString()
  const stretch = (day: Temporal.PlainDate, days: number): Stretch => ({
    date: day.toString(),
    start: startOf(day),
    end: startOf(day.add({ days })),
  })
  const sinceWeekStart = (today.dayOfWeek - 1 - weekdayNumber(weekStart) + 7) % 7
  return {
    now: now.toISOString(),
    today: stretch(today, 1),
    week: stretch(today.subtract({ days: sinceWeekStart }), 7),
    next7Days: stretch(today, 7),
    days: Array.from({ length: count }, (_, index) =>
      stretch(today.subtract({ days: count - 1 - index }), 1),
    ),
  }
}

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/**
 * Splits the days from `first` to `last` into days, weeks or months of a time zone. The first and the last
 * interval may be incomplete. Returns at most `most` intervals and one more.
 */
export const splitDays = (
  { first, last, interval, most }: { first: string; last: string; interval: Interval; most: number },
  { timezone, weekStart }: { timezone: string; weekStart: string },
): Stretch[] => {
  const { PlainDate } = load()
  const startOf = (day: Temporal.PlainDate): string =>
    new Date(day.toZonedDateTime(timezone).epochMilliseconds).toISOString()
  const daysInto = (day: Temporal.PlainDate): number => (day.dayOfWeek - 1 - weekdayNumber(weekStart) + 7) % 7
  const following = (day: Temporal.PlainDate): Temporal.PlainDate => {
    if (interval === 'day') return day.add({ days: 1 })
    return interval === 'week'
      ? day.add({ days: 7 - daysInto(day) })
      : day.with({ day: 1 }).add({ months: 1 })
  }
  const end = PlainDate.from(last).add({ days: 1 })
  const parts: Stretch[] = []
  for (let day = PlainDate.from(first); PlainDate.compare(day, end) < 0 && parts.length <= most; ) {
    const next = following(day)
    const until = PlainDate.compare(next, end) < 0 ? next : end
    parts.push({ date: day.toString(), start: startOf(day), end: startOf(until) })
    day = next
  }
  return parts
}

const isLocale = (name: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(name).length > 0
  } catch {
    return false
  }
}

export const checkLocale = (path: string, name: string): void => {
  if (!isLocale(name)) throw invalidField(path, 'must be a language tag, such as en or de-AT')
}
