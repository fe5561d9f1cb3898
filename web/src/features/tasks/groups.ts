import type { Shape } from '../../api/client.ts'
import { addDays } from './local-time.ts'

export type Task = Shape<'Task'>

export interface Group {
  title: string
  tasks: readonly Task[]
}

/** Display order. The API sorts whole-day tasks of today before tasks that were due this morning. */
const TITLES = ['Overdue', 'Today', 'Tomorrow', 'This week', 'Later', 'No date']

/** Day formatter of the user's time zone, created once because creation is slow. */
interface Days {
  dayOf: (at: string | Date) => string
}

/** A task due on a day is late when the day is over. A task due at a time is late from then on. */
export const isLate = ({ dueAt, dueDay }: Task, now: Date, { dayOf }: Days): boolean =>
  dueDay === null ? dueAt !== null && new Date(dueAt) <= now : dueDay < dayOf(now)

const titleOf = (task: Task, now: Date, days: Days): string => {
  if (task.dueAt === null) return 'No date'
  if (isLate(task, now, days)) return 'Overdue'
  const today = days.dayOf(now)
  const day = task.dueDay ?? days.dayOf(task.dueAt)
  if (day === today) return 'Today'
  if (day === addDays(today, 1)) return 'Tomorrow'
  return day < addDays(today, 7) ? 'This week' : 'Later'
}

/** Groups open tasks by due day. */
export const groupTasks = (tasks: readonly Task[], now: Date, days: Days): Group[] => {
  const groups = new Map<string, Task[]>()
  for (const task of tasks) {
    const title = titleOf(task, now, days)
    const group = groups.get(title)
    if (group) group.push(task)
    else groups.set(title, [task])
  }
  return [...groups]
    .map(([title, grouped]) => ({ title, tasks: grouped }))
    .sort((one, other) => TITLES.indexOf(one.title) - TITLES.indexOf(other.title))
}
