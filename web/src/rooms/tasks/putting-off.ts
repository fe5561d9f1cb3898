import type { Shape } from '../../api/client.ts'
import type { useDates } from '../../ui/time.tsx'
import type { Task } from './groups.ts'
import { addDays, instantOf, wallOf } from './wall-clock.ts'

const MONDAY = 1

const nextMonday = (today: string): string => {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  return addDays(today, ((MONDAY - weekday + 6) % 7) + 1)
}

type Dates = Pick<ReturnType<typeof useDates>, 'dayOf' | 'timeZone'>

/** The days that a task is most often moved to: today, tomorrow and Monday, but for the one it has. */
export const daysToMoveTo = ({ dueAt, dueDay }: Task, now: Date, { dayOf }: Dates): readonly string[] => {
  const today = dayOf(now)
  const own = dueDay ?? (dueAt === null ? null : dayOf(dueAt))
  return [...new Set([today, addDays(today, 1), nextMonday(today)])].filter((day) => day !== own)
}

export type Due = Pick<Shape<'TaskChange'>, 'dueAt' | 'dueDay'>

/** On that day at the hour it has; where that is over, or it has none, in the course of the day. */
export const dueOn = (day: string, { dueAt, dueDay }: Task, now: Date, { timeZone }: Dates): Due => {
  const at =
    dueAt === null || dueDay !== null
      ? null
      : instantOf(`${day}T${wallOf(dueAt, timeZone).slice(11)}`, timeZone)
  return at !== null && new Date(at) > now ? { dueAt: at, dueDay: null } : { dueAt: null, dueDay: day }
}
