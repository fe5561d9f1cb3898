import type { Temporal } from 'temporal-polyfill'
import * as t from '#locale/calendars'
import type { Calendar } from '../../api/calendars.ts'
import { type Day, daysBetween, type Moment, momentOf } from './days.ts'
import type { CalendarEvent } from './event.ts'

/** An event with its days in the user's time zone. All-day events keep the days of their own time zone. */
export interface DisplayedEvent {
  /** Unique per occurrence of a series. */
  key: string
  event: CalendarEvent
  /** Null while the calendars are loading, or if the event came before its calendar. */
  calendar: Calendar | null
  /** An event of another person that shows only when they are busy. */
  isBusyTime: boolean
  start: Moment
  end: Moment
  first: Day
  /** The last day on which the event takes place. */
  last: Day
  /** Displayed as a bar above the hour grid. */
  isBar: boolean
}

export const keyOf = ({ id, occurrenceStart }: CalendarEvent): string => `${id}@${occurrenceStart ?? ''}`

const LONG_HOURS = 24

/** An event that ends at midnight does not include the day that starts then. */
const lastDay = (start: Moment, end: Moment): Day =>
  end.epochMilliseconds > start.epochMilliseconds
    ? end.subtract({ milliseconds: 1 }).toPlainDate()
    : end.toPlainDate()

/** Private events, and all events of a calendar with the role `freeBusy`, have such a UID. */
const isBusy = ({ uid }: CalendarEvent, calendar: Calendar | null): boolean =>
  calendar !== null && calendar.owner !== null && uid.startsWith('busy-')

/** The title that the service gives to an event that says only when the time is taken. */
const BUSY_TITLE = /^Busy$/

export const toDisplayedEvent = (
  event: CalendarEvent,
  timezone: string,
  calendar: Calendar | null,
): DisplayedEvent => {
  const zone = event.allDay ? event.timezone : timezone
  const [start, end] = [momentOf(event.start, zone, timezone), momentOf(event.end, zone, timezone)]
  const isBusyTime = isBusy(event, calendar)
  const hours = (end.epochMilliseconds - start.epochMilliseconds) / 3_600_000
  return {
    key: keyOf(event),
    // The service sends the title in English.
    event:
      isBusyTime || (event.mirrorOf !== null && BUSY_TITLE.test(event.title))
        ? { ...event, title: t.busy }
        : event,
    calendar,
    isBusyTime,
    start,
    end,
    first: start.toPlainDate(),
    last: lastDay(start, end),
    isBar: event.allDay || hours >= LONG_HOURS,
  }
}

const compareDays = (one: Day, other: Day): number => daysBetween(other, one)

/** Sorts by first day, bars before other events, longer bars first, then by time and title. */
export const inOrder = (one: DisplayedEvent, other: DisplayedEvent): number =>
  compareDays(one.first, other.first) ||
  Number(other.isBar) - Number(one.isBar) ||
  (one.isBar ? compareDays(other.last, one.last) : 0) ||
  one.start.epochMilliseconds - other.start.epochMilliseconds ||
  one.event.title.localeCompare(other.event.title)

export const touches = ({ first, last }: DisplayedEvent, day: Day): boolean =>
  daysBetween(first, day) >= 0 && daysBetween(day, last) >= 0

/** Minutes since midnight in local time. */
export const minuteOf = (time: Temporal.PlainTime | Moment): number => time.hour * 60 + time.minute
