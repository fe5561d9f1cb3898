import { instantOf, type Moment } from './days.ts'
import type { Shown } from './shown.ts'

export const STEP_MINUTES = 15

/** When an event is to be, as the API has it. */
export interface When {
  start: string
  end: string
}

export interface Shift {
  days: number
  minutes: number
}

/** By the clock on the wall: nine stays nine when the clocks change in between. */
const later = (moment: Moment, { days, minutes }: Shift): Moment =>
  moment.toPlainDateTime().add({ days, minutes }).toZonedDateTime(moment.timeZoneId)

const lengthOf = ({ start, end }: Shown): number => end.epochMilliseconds - start.epochMilliseconds

/** As long as it was, but elsewhere. Whole days move by days only. */
export const moveBy = (shown: Shown, shift: Shift): When => {
  if (shown.event.allDay) {
    const whole = { days: shift.days, minutes: 0 }
    return { start: instantOf(later(shown.start, whole)), end: instantOf(later(shown.end, whole)) }
  }
  const start = later(shown.start, shift)
  return { start: instantOf(start), end: instantOf(start.add({ milliseconds: lengthOf(shown) })) }
}

/** Ends elsewhere; it always lasts for a step, or a day. */
export const stretchBy = (shown: Shown, shift: Shift): When => {
  const { allDay } = shown.event
  const shortest = later(shown.start, allDay ? { days: 1, minutes: 0 } : { days: 0, minutes: STEP_MINUTES })
  const wished = later(shown.end, allDay ? { days: shift.days, minutes: 0 } : shift)
  const end = wished.epochMilliseconds < shortest.epochMilliseconds ? shortest : wished
  return { start: instantOf(shown.start), end: instantOf(end) }
}
