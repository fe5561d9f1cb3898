import type { Insertable } from 'kysely'
import type { TaskRow } from '../../database/tables/tasks.ts'
import { foldWords } from '../../database/word-index.ts'
import { fieldsOf, marks, type TaskFields } from './fields.ts'
import { isOpen, placesOf } from './place.ts'
import { keptTextOf } from './shown-task.ts'
import type { TaskRecord } from './store.ts'

const wordsOf = (fields: TaskFields): string =>
  [
    isOpen(fields.status) ? marks.open : marks.closed,
    marks.status(fields.status),
    marks.priority(fields.priority),
    ...(fields.dueAt === null ? [] : [marks.due]),
    ...fields.tags.map(marks.tag),
    ...foldWords(`${fields.title} ${fields.notes}`),
  ].join(' ')

/** When a person is told of it. */
const momentOf = (task: Pick<TaskFields, 'status' | 'remindAt' | 'dueAt'>): string | null =>
  isOpen(task.status) ? (task.remindAt ?? task.dueAt) : null

/**
 * Told once for each moment. Who names one that has passed knows it, and a moment for which it was told is not told
 * again, even when the clock has been set back since.
 */
const nextReminderOf = (fields: TaskFields, before: TaskRecord | undefined, now: string): string | null => {
  const moment = momentOf(fields)
  if (before && moment === momentOf(fieldsOf(before))) return before.nextReminderAt
  return moment === null || moment <= now || moment === before?.remindedFor ? null : moment
}

/** Everything that follows from what a person says. */
export const rowOf = (fields: TaskFields, before: TaskRecord | undefined, now: string) => {
  const sameStatus = before?.status === fields.status
  const closedAt = isOpen(fields.status) ? null : sameStatus ? before.closedAt : now
  const completedAt = fields.status === 'done' ? closedAt : null
  const stamps = { completedAt, createdAt: before?.createdAt ?? now, updatedAt: now }
  return {
    ...fields,
    ...stamps,
    tags: JSON.stringify(fields.tags),
    closedAt,
    ...placesOf({ ...fields, closedAt }),
    shown: keptTextOf({ ...fields, ...stamps }),
    words: wordsOf(fields),
    nextReminderAt: nextReminderOf(fields, before, now),
    dueWall: before?.dueAt === fields.dueAt ? before.dueWall : null,
  } satisfies Partial<Insertable<TaskRow>>
}
