import { toInstant, toWall } from '../../../recurrence/time-zones.ts'

/** The presets of a rule. Each names a time relative to the arrival of an email. */
export const SNOOZE_PRESETS = ['later-today', 'tomorrow', 'weekend', 'next-week'] as const
export type SnoozePreset = (typeof SNOOZE_PRESETS)[number]

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK_DAYS = 7
const MORNING = 8 * HOUR
const LATER_HOURS = 3
const MONDAY = 1
const SATURDAY = 6

/** The number of days until the next such weekday, at least one. */
const daysUntil = (weekday: number, today: number): number => {
  const current = new Date(today).getUTCDay()
  return (WEEK_DAYS + weekday - current) % WEEK_DAYS || WEEK_DAYS
}

/** Returns the time of a preset in the time zone of the account. Mornings start at 8. */
export const resolvePreset = (preset: SnoozePreset, now: Date, timezone: string): string => {
  if (preset === 'later-today') return new Date(now.getTime() + LATER_HOURS * HOUR).toISOString()
  const wall = toWall(now.getTime(), timezone)
  const today = wall - (((wall % DAY) + DAY) % DAY)
  const days = { tomorrow: 1, weekend: daysUntil(SATURDAY, today), 'next-week': daysUntil(MONDAY, today) }
  return new Date(toInstant(today + days[preset] * DAY + MORNING, timezone)).toISOString()
}
