import { markOf } from '../../database/word-index.ts'
import { eachOnce } from '../../platform/each-once.ts'
import type { Priority, Status } from './schema.ts'
import type { TaskRecord } from './store.ts'

/** What a person says of a task. */
export interface TaskFields {
  title: string
  notes: string
  status: Status
  priority: Priority
  dueAt: string | null
  dueDay: string | null
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
  dueDay: null,
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
export const uniqueTags = (tags: readonly string[]): string[] => eachOnce(tags, tagKeyOf)

export const fieldsOf = (row: TaskRecord): TaskFields => ({
  title: row.title,
  notes: row.notes,
  status: row.status as Status,
  priority: row.priority as Priority,
  dueAt: row.dueAt,
  dueDay: row.dueDay,
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
