import type { Insertable } from 'kysely'
import Type from 'typebox'
import { columns, json, nullFields } from '../../database/entity.ts'
import type { TaskRow } from '../../database/tables/tasks.ts'
import { foldWords, markOf } from '../../database/word-index.ts'
import { eachOnce } from '../../platform/collections.ts'
import { dueMoments, type PersonClock } from './due.ts'
import type { ListedColumn, ListedTask, TaskRecord } from './repository.ts'
import { PRIORITIES, type Priority, type Status, Task, TaskFields } from './schema.ts'

/** Returns a task of another account as a member sees it. `remindAt` is the reminder of the member. */
export const toMemberTask = (task: Task, remindAt: string | null): Task => ({
  ...task,
  emailId: null,
  eventId: null,
  remindAt,
})

/** Describes a change of a task to its owner. */
export const toTaskChange = (
  type: 'task.created' | 'task.updated' | 'task.completed' | 'task.due',
  row: TaskRecord,
) => ({
  userId: row.userId,
  type,
  subject: String(row.id),
  data: taskColumns.fromRow(row),
})

/** Maps tasks to rows. All other columns of the table are derived from these. */
const stored = columns(Type.Omit(Task, ['nextTaskId']), { tags: json })
export const taskColumns = {
  names: stored.names,
  fromRow: (row: TaskRecord): Task => ({ ...stored.fromRow(row), nextTaskId: row.successorId }),
  fromRows: (rows: readonly ListedTask[]): Task[] =>
    stored.fromRows(rows).map((task, index) => ({ ...task, nextTaskId: rows[index]?.successorId ?? null })),
}

export const LISTED_COLUMNS: readonly ListedColumn[] = [
  ...taskColumns.names,
  'successorId',
  'userId',
  'place',
  'duePlace',
  'lateAt',
]

export type { Task, TaskFields }

/** A new task, without its list. */
export const BLANK: Omit<TaskFields, 'listId'> = {
  ...nullFields(TaskFields),
  title: '',
  notes: '',
  status: 'todo',
  priority: 'normal',
  percentComplete: 0,
  recurrenceFrom: 'due',
  tags: [],
}

/** Returns the key under which spellings of the same tag are equal. */
export const tagKeyOf = (tag: string): string => tag.trim().normalize('NFC').toLowerCase()

/** Removes duplicate tags and keeps the first spelling. */
export const uniqueTags = (tags: readonly string[]): string[] => eachOnce(tags, tagKeyOf)

/** Returns the fields of a stored task that a person can set. */
export const fieldsOf = (row: TaskRecord): TaskFields => {
  const { id, uid, position, changedBy, completedAt, createdAt, updatedAt, ...fields } = stored.fromRow(row)
  return fields
}

/** Marks stored among the words of a task, so that a search can filter by them. */
export const marks = {
  open: markOf('open'),
  closed: markOf('closed'),
  due: markOf('due'),
  user: (userId: number) => markOf(`u${userId}`),
  list: (listId: number) => markOf(`l${listId}`),
  status: (status: string) => markOf(status),
  priority: (priority: string) => markOf(priority),
  tag: (tag: string) => markOf('tag', tagKeyOf(tag)),
}

/*
 * `place` encodes the position of a task in lists as one number, so that each list is an index range. Open
 * tasks come first, by due date and then priority; those without a date are last. Closed tasks follow, latest
 * first.
 */

const STEPS = PRIORITIES.length
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')
/** The boundary between the places of open and closed tasks. */
export const FIRST_CLOSED = (LATEST + 2) * STEPS

/** Returns the first place of tasks due at an instant. */
export const placeAt = (dueMs: number): number => dueMs * STEPS

const placeOfDue = (dueMs: number, priority: Priority): number =>
  placeAt(dueMs) + STEPS - 1 - PRIORITIES.indexOf(priority)

export const isOpen = (status: Status): boolean => status === 'todo' || status === 'doing'

export const placesOf = (task: {
  status: Status
  priority: Priority
  dueAt: string | null
  closedAt: string | null
}): { place: number; duePlace: number | null } => {
  const duePlace = task.dueAt === null ? null : placeOfDue(Date.parse(task.dueAt), task.priority)
  if (!isOpen(task.status))
    return { place: FIRST_CLOSED + LATEST - Date.parse(task.closedAt as string), duePlace }
  return { place: duePlace ?? placeOfDue(LATEST + 1, task.priority), duePlace }
}

export const wordsOf = (userId: number, fields: TaskFields): string =>
  [
    marks.list(fields.listId),
    marks.user(userId),
    isOpen(fields.status) ? marks.open : marks.closed,
    marks.status(fields.status),
    marks.priority(fields.priority),
    ...(fields.dueAt === null ? [] : [marks.due]),
    ...fields.tags.map(marks.tag),
    ...foldWords(`${fields.title} ${fields.notes}`),
  ].join(' ')

/** Returns whether the reminder is unchanged, even if its instant moved with the time zone. */
const hasSameReminder = (fields: TaskFields, before: TaskRecord): boolean =>
  isOpen(fields.status) === isOpen(before.status as Status) &&
  fields.remindAt === before.remindAt &&
  (fields.remindAt !== null ||
    (fields.dueDay === before.dueDay && (fields.dueDay !== null || fields.dueAt === before.dueAt)))

/**
 * Each reminder is sent once. A reminder set in the past is not sent. A sent reminder is not repeated if the
 * clock is set back or the time zone changes.
 */
const nextReminderOf = (
  moment: string | null,
  fields: TaskFields,
  before: TaskRecord | undefined,
  now: string,
): string | null => {
  if (before && hasSameReminder(fields, before)) return before.nextReminderAt === null ? null : moment
  if (moment !== null && moment === before?.nextReminderAt) return moment
  return moment === null || moment <= now || moment === before?.remindedFor ? null : moment
}

/** Derives all columns of a task from the fields that a person can set. */
export const rowOf = (
  userId: number,
  fields: TaskFields,
  before: TaskRecord | undefined,
  now: string,
  clock: PersonClock,
  closing = now,
) => {
  const open = isOpen(fields.status)
  const { lateAt, remindAt } = open ? dueMoments(fields, clock) : { lateAt: null, remindAt: null }
  const moment = open ? (fields.remindAt ?? remindAt) : null
  const sameStatus = before?.status === fields.status
  const closedAt = open ? null : sameStatus ? before.closedAt : closing
  const completedAt = fields.status === 'done' ? closedAt : null
  const stamps = { completedAt, createdAt: before?.createdAt ?? now, updatedAt: now }
  return {
    ...fields,
    ...stamps,
    userId,
    tags: JSON.stringify(fields.tags),
    closedAt,
    ...placesOf({ ...fields, closedAt }),
    words: wordsOf(userId, fields),
    nextReminderAt: nextReminderOf(moment, fields, before, now),
    dueWall: fields.dueDay === null && before?.dueAt === fields.dueAt ? before.dueWall : null,
    lateAt,
    dueZone: open && (fields.dueDay !== null || fields.startDay !== null) ? clock.timezone : null,
  } satisfies Partial<Insertable<TaskRow>>
}
