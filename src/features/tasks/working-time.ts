import { toInstant, toWall } from '../../engine/time-zones.ts'
import type { WorkingHours } from '../auth/working-hours.ts'
import type { Span } from './plan.ts'

const DAY = 86_400_000
const MINUTE = 60_000
/** The first of January 1970 was a Thursday. */
const WEEKDAYS: readonly WorkingHours['day'][] = [
  'thursday',
  'friday',
  'saturday',
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
]

/** The number of the day that the wall clock shows. */
export const dayNumberAt = (instantMs: number, timezone: string): number =>
  Math.floor(toWall(instantMs, timezone) / DAY)

export const weekdayOf = (dayNumber: number): WorkingHours['day'] =>
  WEEKDAYS[((dayNumber % 7) + 7) % 7] as WorkingHours['day']

const minutesOf = (time: string): number => {
  const [hours, minutes] = time.split(':').map(Number)
  return (hours as number) * 60 + (minutes as number)
}

/** The working hours within a window, as instants. */
export const workingSpans = (window: Span, hours: readonly WorkingHours[], timezone: string): Span[] => {
  const spans: Span[] = []
  const last = dayNumberAt(window.end, timezone)
  for (let day = dayNumberAt(window.start, timezone); day <= last; day++)
    for (const { day: weekday, start, end } of hours) {
      if (weekday !== weekdayOf(day)) continue
      const at = (time: string): number => toInstant(day * DAY + minutesOf(time) * MINUTE, timezone)
      const span = { start: Math.max(at(start), window.start), end: Math.min(at(end), window.end) }
      if (span.end > span.start) spans.push(span)
    }
  return spans.sort((a, b) => a.start - b.start)
}
