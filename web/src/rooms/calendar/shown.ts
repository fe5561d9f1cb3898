import type { Temporal } from 'temporal-polyfill'
import { type Day, daysBetween, type Moment, momentOf } from './days.ts'
import type { CalendarEvent } from './words.ts'

/** An event as it lies in the days of the person who looks: by their clock, or by its own days when it has all day. */
export interface Shown {
  /** One occurrence of a series is another thing to draw than the next. */
  key: string
  event: CalendarEvent
  start: Moment
  end: Moment
  first: Day
  /** The last day that it touches. */
  last: Day
  /** It has no place among the hours: it is a bar above them. */
  isBar: boolean
}

export const keyOf = ({ id, occurrenceStart }: CalendarEvent): string => `${id}@${occurrenceStart ?? ''}`

const LONG_HOURS = 24

/** The last day that is touched: what ends at midnight does not touch the day that begins then. */
const lastDay = (start: Moment, end: Moment): Day =>
  end.epochMilliseconds > start.epochMilliseconds
    ? end.subtract({ milliseconds: 1 }).toPlainDate()
    : end.toPlainDate()

export const showEvent = (event: CalendarEvent, timezone: string): Shown => {
  const zone = event.allDay ? event.timezone : timezone
  const [start, end] = [momentOf(event.start, zone, timezone), momentOf(event.end, zone, timezone)]
  const hours = (end.epochMilliseconds - start.epochMilliseconds) / 3_600_000
  return {
    key: keyOf(event),
    event,
    start,
    end,
    first: start.toPlainDate(),
    last: lastDay(start, end),
    isBar: event.allDay || hours >= LONG_HOURS,
  }
}

const compareDays = (one: Day, other: Day): number => daysBetween(other, one)

/** Longer bars first, so that they lie above shorter ones; then by the clock, then by name. */
export const inOrder = (one: Shown, other: Shown): number =>
  compareDays(one.first, other.first) ||
  Number(other.isBar) - Number(one.isBar) ||
  (one.isBar ? compareDays(other.last, one.last) : 0) ||
  one.start.epochMilliseconds - other.start.epochMilliseconds ||
  one.event.title.localeCompare(other.event.title)

export const touches = ({ first, last }: Shown, day: Day): boolean =>
  daysBetween(first, day) >= 0 && daysBetween(day, last) >= 0

/** Minutes since midnight by the clock on the wall, which is how a day is drawn. */
export const minuteOf = (time: Temporal.PlainTime | Moment): number => time.hour * 60 + time.minute
