import type { Shape } from '../../api/client.ts'
import type { useDates } from '../../ui/time.tsx'
import type { Task } from './groups.ts'
import { addDays, instantOf, toLocalTime } from './local-time.ts'

const MONDAY = 1

const nextMonday = (today: string): string => {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  return addDays(today, ((MONDAY - weekday + 6) % 7) + 1)
}

type Dates = Pick<ReturnType<typeof useDates>, 'dayOf' | 'timeZone'>

/** Quick choices for rescheduling: today, tomorrow and Monday, without the current due day. */
export const findRescheduleDays = (
  { dueAt, dueDay }: Task,
  now: Date,
  { dayOf }: Dates,
): readonly string[] => {
  const today = dayOf(now)
  const own = dueDay ?? (dueAt === null ? null : dayOf(dueAt))
  return [...new Set([today, addDays(today, 1), nextMonday(today)])].filter((day) => day !== own)
}

export type Due = Required<Pick<Shape<'TaskChange'>, 'dueAt' | 'dueDay'>>

/**
 * Keeps the due time on the new day. A task without a time, or with a time in the past, is due on the whole
 * day.
 */
export const toDueOn = (day: string, { dueAt, dueDay }: Task, now: Date, { timeZone }: Dates): Due => {
  const at =
    dueAt === null || dueDay !== null
      ? null
      : instantOf(`${day}T${toLocalTime(dueAt, timeZone).slice(11)}`, timeZone)
  return at !== null && new Date(at) > now ? { dueAt: at, dueDay: null } : { dueAt: null, dueDay: day }
}
