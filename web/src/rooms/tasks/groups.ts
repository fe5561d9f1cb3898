import type { Shape } from '../../api/client.ts'
import { addDays, dayOf } from './wall-clock.ts'

export type Task = Shape<'Task'>

export interface Group {
  title: string
  tasks: readonly Task[]
}

const titleOf = ({ dueAt }: Task, now: Date, timeZone: string): string => {
  if (dueAt === null) return 'No date'
  if (new Date(dueAt) < now) return 'Overdue'
  const today = dayOf(now, timeZone)
  const day = dayOf(dueAt, timeZone)
  if (day === today) return 'Today'
  if (day === addDays(today, 1)) return 'Tomorrow'
  return day < addDays(today, 7) ? 'This week' : 'Later'
}

/** Open tasks under the day that they are for; they come in that order. */
export const groupTasks = (tasks: readonly Task[], now: Date, timeZone: string): Group[] => {
  const groups = new Map<string, Task[]>()
  for (const task of tasks) {
    const title = titleOf(task, now, timeZone)
    groups.set(title, [...(groups.get(title) ?? []), task])
  }
  return [...groups].map(([title, grouped]) => ({ title, tasks: grouped }))
}
