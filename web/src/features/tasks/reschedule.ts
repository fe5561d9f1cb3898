import type { Shape } from '../../api/client.ts'
import type { useDates } from '../../ui/time.tsx'
import type { Task } from './groups.ts'
import { addDays, instantOf, toLocalTime } from './local-time.ts'

const [MONDAY, SATURDAY] = [1, 6]

/** The next such weekday after today. */
const next = (weekday: number, today: string): string => {
  const current = new Date(`${today}T00:00:00Z`).getUTCDay()
  return addDays(today, ((weekday - current + 6) % 7) + 1)
}

type Dates = Pick<ReturnType<typeof useDates>, 'dayOf' | 'timeZone'>

/** The usual days to move a task to. */
export const RESCHEDULE_DAYS = ['today', 'tomorrow', 'weekend', 'nextWeek'] as const
export type RescheduleDay = (typeof RESCHEDULE_DAYS)[number]

export const toRescheduleDay = (name: RescheduleDay, today: string): string =>
  ({
    today,
    tomorrow: addDays(today, 1),
    weekend: next(SATURDAY, today),
    nextWeek: next(MONDAY, today),
  })[name]

/** The usual days in their order, without the current due day. */
export const findRescheduleDays = (
  { dueAt, dueDay }: Task,
  now: Date,
  { dayOf }: Dates,
): readonly string[] => {
  const today = dayOf(now)
  const own = dueDay ?? (dueAt === null ? null : dayOf(dueAt))
  const days = new Set(RESCHEDULE_DAYS.map((name) => toRescheduleDay(name, today)))
  return [...days].filter((day) => day !== own).sort()
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
