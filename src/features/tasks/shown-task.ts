import type { TaskFields } from './fields.ts'

/*
 * A task's JSON is written once, when the task is saved, and kept beside it: a list is then put together from text,
 * without any field being read.
 */

interface Kept extends TaskFields {
  completedAt: string | null
  createdAt: string
  updatedAt: string
}

/** What a task shows. */
export interface TaskView extends Kept {
  id: number
}

/** From the title to the end. */
export const keptTextOf = (task: Kept): string =>
  JSON.stringify({
    title: task.title,
    notes: task.notes,
    status: task.status,
    priority: task.priority,
    dueAt: task.dueAt,
    dueDay: task.dueDay,
    remindAt: task.remindAt,
    estimateMinutes: task.estimateMinutes,
    tags: task.tags,
    recurrence: task.recurrence,
    emailId: task.emailId,
    eventId: task.eventId,
    completedAt: task.completedAt,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
  }).slice(1)

export const textOf = ({ id, shown }: { id: number; shown: string }): string => `{"id":${id},${shown}`

export const viewOf = (row: { id: number; shown: string }): TaskView => JSON.parse(textOf(row)) as TaskView
