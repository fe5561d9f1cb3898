import { Temporal } from 'temporal-polyfill'
import { WEEKDAYS, type Weekday } from '../../ui/weekdays.ts'
import type { View } from './address.ts'

export type Day = Temporal.PlainDate
export type Moment = Temporal.ZonedDateTime

export const AGENDA_DAYS = 30
/** Search range in days. Searched events are seldom near. */
const SEARCH_DAYS = 366

export const dayOf = (text: string): Day => Temporal.PlainDate.from(text)

/** Falls back to `otherwise` if this browser does not know the time zone. */
export const momentOf = (instant: string, timezone: string, otherwise = 'UTC'): Moment => {
  const at = Temporal.Instant.from(instant)
  try {
    return at.toZonedDateTimeISO(timezone)
  } catch {
    return at.toZonedDateTimeISO(otherwise)
  }
}

/** Falls back to `otherwise` if this browser does not know the time zone. */
export const startOfDay = (day: Day, timezone: string, otherwise = 'UTC'): Moment => {
  try {
    return day.toZonedDateTime(timezone)
  } catch {
    return day.toZonedDateTime(otherwise)
  }
}

export const instantOf = (moment: Moment): string => new Date(moment.epochMilliseconds).toISOString()

export const startOfWeek = (day: Day, weekStart: Weekday): Day => {
  const first = WEEKDAYS.indexOf(weekStart) + 1
  return day.subtract({ days: (day.dayOfWeek - first + 7) % 7 })
}

/** The ISO 8601 number of a displayed week. A week that starts on a Sunday has the number of its Thursday. */
export const weekNumberOf = (week: readonly Day[]): number | undefined =>
  week.find(({ dayOfWeek }) => dayOfWeek === 4)?.weekOfYear

/** The weeks that contain the days of a month. */
export const weeksOfMonth = (day: Day, weekStart: Weekday): Day[][] => {
  const { first, count } = getVisibleDays('month', day, { weekStart, searching: false })
  return Array.from({ length: count / 7 }, (_, week) => daysFrom(first.add({ days: week * 7 }), 7))
}

export const daysFrom = (first: Day, count: number): Day[] =>
  Array.from({ length: count }, (_, index) => first.add({ days: index }))

const DAY_MS = 86_400_000
const numbers = new WeakMap<Day, number>()

/** Caches the day number, because the views compare thousands of days. */
const numberOf = (day: Day): number => {
  const known = numbers.get(day)
  if (known !== undefined) return known
  const number = new Date(0).setUTCFullYear(day.year, day.month - 1, day.day) / DAY_MS
  numbers.set(day, number)
  return number
}

export const daysBetween = (from: Day, to: Day): number => numberOf(to) - numberOf(from)

export const isSameDay = (one: Day, other: Day): boolean => numberOf(one) === numberOf(other)

/** The days that a view displays around `day`. The month view includes days of the adjacent months. */
export const getVisibleDays = (
  view: View,
  day: Day,
  options: { weekStart: Weekday; searching: boolean },
): { first: Day; count: number } => {
  if (view === 'day') return { first: day, count: 1 }
  if (view === 'week') return { first: startOfWeek(day, options.weekStart), count: 7 }
  if (view === 'year') return { first: day.with({ month: 1, day: 1 }), count: day.daysInYear }
  if (view === 'agenda') return { first: day, count: options.searching ? SEARCH_DAYS : AGENDA_DAYS }
  const first = startOfWeek(day.with({ day: 1 }), options.weekStart)
  const last = day.with({ day: day.daysInMonth })
  return { first, count: Math.ceil((daysBetween(first, last) + 1) / 7) * 7 }
}

/** The day after moving forward or back by a number of view lengths. */
export const step = (view: View, day: Day, steps: number): Day => {
  if (view === 'year') return day.add({ years: steps })
  if (view === 'month') return day.with({ day: 1 }).add({ months: steps })
  return day.add({ days: steps * { week: 7, day: 1, agenda: AGENDA_DAYS }[view] })
}

/** Converts a PlainDate to the UTC Date that Intl formats. */
const asDate = (day: Day): Date => new Date(Date.UTC(day.year, day.month - 1, day.day))

export const createDayWords = (locale: string | undefined) => {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
    return (day: Day) => formatter.format(asDate(day))
  }
  const range = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  const isTwelve = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12
  const clock = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    ...(isTwelve ? { hour: 'numeric' } : { timeStyle: 'short' }),
  })
  const exactClock = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', timeStyle: 'short' })
  return {
    /** Label of an hour line. */
    hour: (hour: number) => clock.format(new Date(Date.UTC(2000, 0, 1, hour))),
    /** Label of an hour line in another time zone. */
    hourIn: (moment: Moment) =>
      (moment.minute === 0 ? clock : exactClock).format(
        new Date(Date.UTC(2000, 0, 1, moment.hour, moment.minute)),
      ),
    weekday: format({ weekday: 'short' }),
    weekdayLong: format({ weekday: 'long' }),
    year: format({ year: 'numeric' }),
    weekdayNarrow: format({ weekday: 'narrow' }),
    month: format({ month: 'long', year: 'numeric' }),
    monthLong: format({ month: 'long' }),
    monthShort: format({ month: 'short' }),
    dayShort: format({ day: 'numeric', month: 'short' }),
    short: format({ weekday: 'short', day: 'numeric', month: 'short' }),
    long: format({ weekday: 'long', day: 'numeric', month: 'long' }),
    full: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    medium: format({ dateStyle: 'medium' }),
    dayAndMonth: format({ day: 'numeric', month: 'long' }),
    between: (first: Day, last: Day) =>
      isSameDay(first, last) ? range.format(asDate(first)) : range.formatRange(asDate(first), asDate(last)),
  }
}

export type DayWords = ReturnType<typeof createDayWords>
