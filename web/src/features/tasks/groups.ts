import * as t from '#locale/tasks'
import type { Shape } from '../../api/client.ts'
import { addDays } from './local-time.ts'

export type Task = Shape<'Task'>

type GroupName = keyof typeof t.groups

export interface Group {
  title: string
  tasks: readonly Task[]
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
    return grouped ? [{ title: t.groups[name], tasks: grouped }] : []
  })
}
