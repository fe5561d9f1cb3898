import { endOfDay, toInstant } from '../../engine/time-zones.ts'
import type { WorkingHours } from '../auth/working-hours.ts'
import { weekdayOf } from './working-time.ts'

/*
 * A task is due at a time, or on a day. A day has no hour: it is over when the next one begins on the person's clock,
 * and only then is the task late. What follows from either is worked out here and nowhere else.
 */

const DAY_MS = 86_400_000
/** As late as instants are written: text is compared. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')
/** When nobody said at which hour a day's work begins. */
const USUAL_HOUR = '09:00'

/** By what a person's days are told. */
export interface PersonClock {
  timezone: string
  workingHours: readonly WorkingHours[]
}

/** Of a task that is due, as it is kept. */
export interface Due {
  dueAt: string | null
  dueDay: string | null
}

const text = (ms: number): string => new Date(Math.min(ms, LATEST)).toISOString()

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS

const PATTERN = /^\d{4}-\d{2}-\d{2}$/
export const looksLikeDay = (given: string): boolean => PATTERN.test(given)
/** One that its month has. */
export const isDay = (given: string): boolean => {
  const at = looksLikeDay(given) ? Date.parse(`${given}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(given)
}
export const dayText = (wallMs: number): string => new Date(wallMs).toISOString().slice(0, 10)

/** When a person is told of what is due on a day: as their work begins. */
const tellingHourOf = (day: string, { timezone, workingHours }: PersonClock): number => {
  const weekday = weekdayOf(numberOf(day))
  const [first = USUAL_HOUR] = workingHours
    .filter((hours) => hours.day === weekday)
    .map(({ start }) => start)
    .sort()
  return toInstant(Date.parse(`${day}T${first}:00Z`), timezone)
}

/** From when on it is overdue, and when it is told of unless the person named a moment for that. */
export const momentsOf = ({ dueAt, dueDay }: Due, clock: PersonClock) =>
  dueDay === null
    ? { lateAt: dueAt, tellAt: dueAt }
    : { lateAt: text(endOfDay(dueDay, clock.timezone)), tellAt: text(tellingHourOf(dueDay, clock)) }
