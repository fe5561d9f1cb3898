import type { Temporal } from 'temporal-polyfill'
import { type Day, dayOf, daysBetween, instantOf, momentOf } from '../days.ts'
import { minuteOf } from '../displayed-event.ts'
import { bodyOf, type Draft } from '../editor/draft.ts'

export const DAY_MINUTES = 24 * 60
export const STEP_MINUTES = 15
const DEFAULT_MINUTES = 60

/** A time range of the API. */
export interface TimeRange {
  start: string
  end: string
}

/** A range in minutes since midnight of the first displayed day. */
export interface Stretch {
  from: number
  to: number
}

/** The length of an event in minutes. An all-day event becomes one of an hour. */
export const toMinutes = (draft: Draft): number => {
  if (draft.allDay) return DEFAULT_MINUTES
  const { start = '', end = '' } = bodyOf(draft)
  const minutes = Math.round((Date.parse(end) - Date.parse(start)) / 60_000)
  return Math.min(Math.max(minutes, STEP_MINUTES), DAY_MINUTES)
}

/** The local time at which the event starts, in the time zone of the user. */
export const toLocalStart = (draft: Draft, timezone: string): Temporal.PlainDateTime =>
  draft.allDay
    ? dayOf(draft.startDay).toPlainDateTime({ hour: 9 })
    : momentOf(bodyOf(draft).start ?? '', timezone).toPlainDateTime()

const toMinute = (instant: string, first: Day, timezone: string): number => {
  const moment = momentOf(instant, timezone)
  return daysBetween(first, moment.toPlainDate()) * DAY_MINUTES + minuteOf(moment)
}

/** The parts of the ranges that are displayed. */
export const toStretches = (
  ranges: readonly TimeRange[],
  { first, count, timezone }: { first: Day; count: number; timezone: string },
): Stretch[] =>
  ranges
    .map(({ start, end }) => ({
      from: Math.max(0, toMinute(start, first, timezone)),
      to: Math.min(count * DAY_MINUTES, toMinute(end, first, timezone)),
    }))
    .filter(({ from, to }) => from < to)

export type Availability = 'free' | 'busy' | 'away' | 'unknown'

interface PersonTimes {
  known: boolean
  working: readonly TimeRange[]
  busy: readonly TimeRange[]
}

/** Whether a person is available for the whole time. */
export const findAvailability = ({ known, working, busy }: PersonTimes, time: TimeRange): Availability => {
  if (!known) return 'unknown'
  const [start, end] = [Date.parse(time.start), Date.parse(time.end)]
  if (busy.some((range) => Date.parse(range.start) < end && Date.parse(range.end) > start)) return 'busy'
  const isWorking = working.some((range) => Date.parse(range.start) <= start && Date.parse(range.end) >= end)
  return isWorking ? 'free' : 'away'
}

export const toRange = (start: Temporal.PlainDateTime, minutes: number, timezone: string): TimeRange => {
  const moment = start.toZonedDateTime(timezone)
  return { start: instantOf(moment), end: instantOf(moment.add({ minutes })) }
}

/** The event at another time, in its own time zone. */
export const withRange = (draft: Draft, { start, end }: TimeRange): Draft => {
  const [from, to] = [momentOf(start, draft.timezone), momentOf(end, draft.timezone)]
  const timeOf = (moment: Temporal.ZonedDateTime) => moment.toPlainTime().toString({ smallestUnit: 'minute' })
  return {
    ...draft,
    allDay: false,
    startDay: from.toPlainDate().toString(),
    startTime: timeOf(from),
    endDay: to.toPlainDate().toString(),
    endTime: timeOf(to),
  }
}
