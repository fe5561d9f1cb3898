import { type Day, instantOf, type Moment, startOfDay } from './days.ts'
import type { DisplayedEvent } from './displayed-event.ts'

export const STEP_MINUTES = 15

/** Minutes of an all-day event that gets times. */
const DEFAULT_MINUTES = 60

/** Start and end in the format of the API. */
export interface When {
  start: string
  end: string
  allDay: boolean
}

export interface Shift {
  days: number
  minutes: number
}

/** Adds in local time: 9:00 stays 9:00 across a change to or from daylight saving time. */
const later = (moment: Moment, { days, minutes }: Shift): Moment =>
  moment.toPlainDateTime().add({ days, minutes }).toZonedDateTime(moment.timeZoneId)

const lengthOf = ({ start, end }: DisplayedEvent): number => end.epochMilliseconds - start.epochMilliseconds

/** All-day events change by whole days. */
const shiftFor = ({ event }: DisplayedEvent, { days, minutes }: Shift): Shift => ({
  days,
  minutes: event.allDay ? 0 : minutes,
})

const shortest = ({ event }: DisplayedEvent): Shift =>
  event.allDay ? { days: 1, minutes: 0 } : { days: 0, minutes: STEP_MINUTES }

const whenOf = ({ event }: DisplayedEvent, start: Moment, end: Moment): When => ({
  start: instantOf(start),
  end: instantOf(end),
  allDay: event.allDay,
})

/** Moves the event and keeps its duration. All-day events move by whole days. */
export const moveBy = (item: DisplayedEvent, shift: Shift): When => {
  const start = later(item.start, shiftFor(item, shift))
  if (item.event.allDay) return whenOf(item, start, later(item.end, shiftFor(item, shift)))
  return whenOf(item, start, start.add({ milliseconds: lengthOf(item) }))
}

const latest = (one: Moment, other: Moment): Moment =>
  one.epochMilliseconds < other.epochMilliseconds ? other : one

/** Moves the end. The event lasts at least one step, or one day if it is an all-day event. */
export const stretchBy = (item: DisplayedEvent, shift: Shift): When =>
  whenOf(item, item.start, latest(later(item.end, shiftFor(item, shift)), later(item.start, shortest(item))))

/** Moves the start, with the same minimum duration. */
export const stretchStartBy = (item: DisplayedEvent, shift: Shift): When => {
  const { days, minutes } = shortest(item)
  const last = later(item.end, { days: -days, minutes: -minutes })
  const start = later(item.start, shiftFor(item, shift))
  return whenOf(item, start.epochMilliseconds < last.epochMilliseconds ? start : last, item.end)
}

/** The event as an all-day event. It lasts as many days as it touched. */
export const toAllDay = ({ event, first, last, start }: DisplayedEvent, day: Day): When => {
  const midnight = (of: Day): string => instantOf(startOfDay(of, event.timezone, start.timeZoneId))
  return {
    start: midnight(day),
    end: midnight(day.add({ days: first.until(last).days + 1 })),
    allDay: true,
  }
}

/** The event with times on a day, in the time zone of the user. */
export const toTimed = (day: Day, minute: number, timezone: string): When => {
  const start = later(startOfDay(day, timezone), { days: 0, minutes: minute })
  return { start: instantOf(start), end: instantOf(start.add({ minutes: DEFAULT_MINUTES })), allDay: false }
}
