import { createRequire } from 'node:module'
import type { Temporal } from 'temporal-polyfill'

/** From a day's first instant to the first of the one after it. */
export interface Stretch {
  /** The day it begins on, by the calendar on the wall. */
  date: string
  start: string
  end: string
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Loaded with the first question: a start need not wait for it. */
const require = createRequire(import.meta.url)
const load = () => (require('temporal-polyfill') as typeof import('temporal-polyfill')).Temporal

/** The day, the week, the seven days to come and the last `count` days around an instant, in a zone. */
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
  const sinceWeekStart = (today.dayOfWeek - 1 - Math.max(0, WEEKDAYS.indexOf(weekStart)) + 7) % 7
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
