import { instantOf, type Moment } from './days.ts'
import type { DisplayedEvent } from './displayed-event.ts'

export const STEP_MINUTES = 15

/** Start and end in the format of the API. */
export interface When {
  start: string
  end: string
}

export interface Shift {
  days: number
  minutes: number
}

/** Adds in local time: 9:00 stays 9:00 across a change to or from daylight saving time. */
const later = (moment: Moment, { days, minutes }: Shift): Moment =>
  moment.toPlainDateTime().add({ days, minutes }).toZonedDateTime(moment.timeZoneId)

const lengthOf = ({ start, end }: DisplayedEvent): number => end.epochMilliseconds - start.epochMilliseconds

/** Moves the event and keeps its duration. All-day events move by whole days. */
export const moveBy = (item: DisplayedEvent, shift: Shift): When => {
  if (item.event.allDay) {
    const whole = { days: shift.days, minutes: 0 }
    return { start: instantOf(later(item.start, whole)), end: instantOf(later(item.end, whole)) }
  }
  const start = later(item.start, shift)
  return { start: instantOf(start), end: instantOf(start.add({ milliseconds: lengthOf(item) })) }
}

/** Moves the end. The event lasts at least one step, or one day if it is an all-day event. */
export const stretchBy = (item: DisplayedEvent, shift: Shift): When => {
  const { allDay } = item.event
  const shortest = later(item.start, allDay ? { days: 1, minutes: 0 } : { days: 0, minutes: STEP_MINUTES })
  const requestedEnd = later(item.end, allDay ? { days: shift.days, minutes: 0 } : shift)
  const end = requestedEnd.epochMilliseconds < shortest.epochMilliseconds ? shortest : requestedEnd
  return { start: instantOf(item.start), end: instantOf(end) }
}
