import * as t from '#locale/tasks'
import type { Shape } from '../../api/client.ts'
import type { useDates } from '../../ui/time.tsx'
import { addDays } from './local-time.ts'

export const DAYS = ['today', 'upcoming'] as const
/** A page of days instead of a list. */
export type DayPage = (typeof DAYS)[number]

export type Task = Shape<'Task'>

type GroupName = keyof typeof t.groups

export interface Group {
  key: string
  title: string
  tasks: readonly Task[]
  /** The day that all tasks of the group are due on. */
  day?: string
}

/** Display order. The API sorts whole-day tasks of today before tasks that were due this morning. */
const ORDER = Object.keys(t.groups) as GroupName[]

/** Day formatter of the user's time zone, created once because creation is slow. */
interface Days {
  dayOf: (at: string | Date) => string
}

/** A task due on a day is late when the day is over. A task due at a time is late from then on. */
export const isLate = ({ dueAt, dueDay }: Task, now: Date, { dayOf }: Days): boolean =>
  dueDay === null ? dueAt !== null && new Date(dueAt) <= now : dueDay < dayOf(now)

const findGroup = (task: Task, now: Date, days: Days): GroupName => {
  if (task.dueAt === null) return 'none'
  if (isLate(task, now, days)) return 'overdue'
  const today = days.dayOf(now)
  const day = task.dueDay ?? days.dayOf(task.dueAt)
  if (day === today) return 'today'
  if (day === addDays(today, 1)) return 'tomorrow'
  return day < addDays(today, 7) ? 'soon' : 'later'
}

/** Groups open tasks by due day. */
export const groupTasks = (tasks: readonly Task[], now: Date, days: Days): Group[] => {
  const groups = new Map<GroupName, Task[]>()
  for (const task of tasks) {
    const name = findGroup(task, now, days)
    const group = groups.get(name)
    if (group) group.push(task)
    else groups.set(name, [task])
  }
  return ORDER.flatMap((name) => {
    const grouped = groups.get(name)
    return grouped ? [{ key: name, title: t.groups[name], tasks: grouped }] : []
  })
}

const UPCOMING_DAYS = 7

interface DayOptions {
  days: DayPage
  now: Date
  /** False while later tasks are not loaded. */
  isComplete: boolean
  dates: Days & Pick<ReturnType<typeof useDates>, 'day' | 'wholeDayInFull'>
}

const toDayTitle = (
  day: string,
  today: string,
  { day: date, wholeDayInFull }: DayOptions['dates'],
): string => {
  if (day === today) return t.groups.today
  if (day === addDays(today, 1)) return t.groups.tomorrow
  return day.slice(0, 4) === today.slice(0, 4) ? wholeDayInFull(`${day}T00:00:00Z`, 'UTC') : date(day)
}

/** Groups open tasks by day, the overdue ones first. The next days of the upcoming ones may be empty. */
export const groupByDay = (tasks: readonly Task[], { days, now, isComplete, dates }: DayOptions): Group[] => {
  const today = dates.dayOf(now)
  const hasBegun = ({ startDay, startAt }: Task): boolean =>
    startAt === null || (startDay ?? dates.dayOf(startAt)) <= today
  const overdue: Task[] = []
  const byDay = new Map<string, Task[]>()
  for (const task of tasks) {
    if (task.dueAt === null || (days === 'today' && !hasBegun(task))) continue
    const day = task.dueDay ?? dates.dayOf(task.dueAt)
    if (day < today) overdue.push(task)
    else byDay.set(day, [...(byDay.get(day) ?? []), task])
  }
  const lastDay = isComplete ? addDays(today, UPCOMING_DAYS) : ([...byDay.keys()].sort().at(-1) ?? today)
  for (let count = 0; days === 'upcoming' && count < UPCOMING_DAYS; count++) {
    const day = addDays(today, count)
    if (day <= lastDay && !byDay.has(day)) byDay.set(day, [])
  }
  return [
    ...(overdue.length > 0 ? [{ key: 'overdue', title: t.groups.overdue, tasks: overdue }] : []),
    ...[...byDay]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([day, grouped]) => ({
        key: day,
        title: toDayTitle(day, today, dates),
        tasks: grouped,
        day,
      })),
  ]
}
