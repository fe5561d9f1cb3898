import type { Insertable } from 'kysely'
import type { TaskRow } from '../../database/tables/tasks.ts'
import { foldWords, markOf } from '../../database/word-index.ts'
import { isOpen, placesOf } from './place.ts'
import type { Priority, Status } from './schema.ts'
import { keptTextOf } from './shown-task.ts'
import type { TaskRecord } from './store.ts'

/** What a person says of a task. */
export interface TaskFields {
  title: string
  notes: string
  status: Status
  priority: Priority
  dueAt: string | null
  remindAt: string | null
  estimateMinutes: number | null
  tags: readonly string[]
  recurrence: string | null
  emailId: number | null
  eventId: number | null
}

export const BLANK: TaskFields = {
  title: '',
  notes: '',
  status: 'todo',
  priority: 'normal',
  dueAt: null,
  remindAt: null,
  estimateMinutes: null,
  tags: [],
  recurrence: null,
  emailId: null,
  eventId: null,
}

/** How tags are compared: one tag, however it is spelled. */
export const tagKeyOf = (tag: string): string => tag.trim().normalize('NFC').toLowerCase()

/** Each once, as it was spelled first. */
export const uniqueTags = (tags: readonly string[]): string[] => {
  const byKey = new Map<string, string>()
  for (const tag of tags) if (!byKey.has(tagKeyOf(tag))) byKey.set(tagKeyOf(tag), tag.trim())
  return [...byKey.values()]
}

export const fieldsOf = (row: TaskRecord): TaskFields => ({
  title: row.title,
  notes: row.notes,
  status: row.status as Status,
  priority: row.priority as Priority,
  dueAt: row.dueAt,
  remindAt: row.remindAt,
  estimateMinutes: row.estimateMinutes,
  tags: JSON.parse(row.tags) as string[],
  recurrence: row.recurrence,
  emailId: row.emailId,
  eventId: row.eventId,
})

/** The marks of a task among the words that a search looks in; a filter asks for the same. */
export const marks = {
  open: markOf('open'),
  closed: markOf('closed'),
  due: markOf('due'),
  status: (status: string) => markOf(status),
  priority: (priority: string) => markOf(priority),
  tag: (tag: string) => markOf('tag', tagKeyOf(tag)),
}

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
