import { language } from '#locale/language'
import * as t from '#locale/shared-texts'
import { usePreferences } from '../api/account.ts'
import { toFormatLocale } from '../locales/languages.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const relatively = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const FULL_DAY = { weekday: 'long', day: 'numeric', month: 'long' } as const

const createDates = (locale: string, timeZone: string) => {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, { timeZone, ...options })
    return (at: string | Date) => formatter.format(new Date(at))
  }
  const date = format({ dateStyle: 'medium' })
  const dayAndMonth = format({ day: 'numeric', month: 'short' })
  const year = format({ year: 'numeric' })
  const dateTime = format({ dateStyle: 'medium', timeStyle: 'short' })
  const ofDays = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' })
  const day = (written: string): string => ofDays.format(new Date(`${written}T00:00:00Z`))
  const weekday = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'long' })
  const ofYear = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' })
  const written = new Intl.DateTimeFormat('en-CA', { timeZone })
  const dayOf = (at: string | Date): string => written.format(new Date(at))
  const time = format({ timeStyle: 'short' })
  const clock = new Intl.DateTimeFormat(locale, { timeZone, hour: 'numeric', minute: '2-digit' })
  const isSameDay = (one: string | Date, other: string | Date): boolean => dayOf(one) === dayOf(other)
  /** Relative day: "today", "Thursday". Later days as a date, without the year if it is the current one. */
  const nearDay = (at: string, now: Date): string => {
    const today = dayOf(now)
    const days = Math.round((Date.parse(at) - Date.parse(today)) / DAY_MS)
    if (Math.abs(days) <= 1) return relatively.format(days, 'day')
    if (days > 1 && days < 7) return weekday.format(new Date(at))
    return at.slice(0, 4) === today.slice(0, 4) ? ofYear.format(new Date(at)) : day(at)
  }
  return {
    timeZone,
    /** The calendar day in the user's time zone, as YYYY-MM-DD. */
    dayOf,
    date,
    dateTime,
    /** Formats a YYYY-MM-DD day, which is the same in every time zone. */
    day,
    /** Formats a range of YYYY-MM-DD days and writes the common parts once. */
    days: (from: string, to: string): string =>
      ofDays.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`)),
    /** Formats a due date, with the time unless it is a whole day. */
    due: (at: string, dueDay: string | null | undefined): string => (dueDay ? day(dueDay) : dateTime(at)),
    nearDay,
    /** Like `due`, with a relative day. */
    nearDue: (at: string, dueDay: string | null | undefined, now: Date): string =>
      dueDay ? nearDay(dueDay, now) : `${nearDay(dayOf(at), now)}, ${time(at)}`,
    /** Omits the year if it is the current one. */
    shortDate: (at: string, now: Date): string => (year(at) === year(now) ? dayAndMonth(at) : date(at)),
    isSameDay,
    dayInFull: format(FULL_DAY),
    /** An all-day event uses the day of its own time zone, independent of the user's. */
    wholeDayInFull: (at: string, zone: string): string =>
      new Intl.DateTimeFormat(locale, { timeZone: zone, ...FULL_DAY }).format(new Date(at)),
    time,
    /** Formats a time range and writes the common parts once. */
    hours(start: string, end: string): string {
      return isSameDay(start, end)
        ? clock.formatRange(new Date(start), new Date(end))
        : `${clock.format(new Date(start))} – ${clock.format(new Date(end))}`
    },
    /** Relative time such as "5 minutes ago" up to a week, then the date. */
    near(at: string, now = Date.now()): string {
      const ms = new Date(at).getTime() - now
      const size = Math.abs(ms)
      if (size < MINUTE_MS) return t.justNow
      if (size < HOUR_MS) return relatively.format(Math.round(ms / MINUTE_MS), 'minute')
      if (size < DAY_MS) return relatively.format(Math.round(ms / HOUR_MS), 'hour')
      if (size < 7 * DAY_MS) return relatively.format(Math.round(ms / DAY_MS), 'day')
      return date(at)
    },
  }
}

/** Cache per locale and time zone: creating the formatters costs as much as formatting a hundred dates. */
const cachedDates = new Map<string, ReturnType<typeof createDates>>()

/** Formatters for the user's locale and time zone, or the browser's until the preferences are loaded. */
export const useDates = () => {
  const preferences = usePreferences().data?.value
  const locale = toFormatLocale(preferences?.locale)
  const timeZone = preferences?.timezone ?? browserTimeZone()
  const name = `${locale} ${timeZone}`
  const dates = cachedDates.get(name) ?? createDates(locale, timeZone)
  cachedDates.set(name, dates)
  return dates
}

/** A relative time with the full date as tooltip. */
export const Time = ({ at }: { at: string }) => {
  const { near, dateTime } = useDates()
  return (
    <time dateTime={at} title={dateTime(at)}>
      {near(at)}
    </time>
  )
}
