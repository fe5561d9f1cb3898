import type { Insertable } from 'kysely'
import type { TaskRow } from '../../database/tables/tasks.ts'
import { foldWords } from '../../database/word-index.ts'
import { momentsOf, type PersonClock } from './due.ts'
import { marks, type TaskFields } from './fields.ts'
import { isOpen, placesOf } from './place.ts'
import type { Status } from './schema.ts'
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

/** The same moment to be told of, whichever instant that is by now. */
const asksTheSame = (fields: TaskFields, before: TaskRecord): boolean =>
  isOpen(fields.status) === isOpen(before.status as Status) &&
  fields.remindAt === before.remindAt &&
  (fields.remindAt !== null ||
    (fields.dueDay === before.dueDay && (fields.dueDay !== null || fields.dueAt === before.dueAt)))

/**
 * Told once for each moment. Who names one that has passed knows it, and a moment for which it was told is not told
 * again, even when the clock has been set back since, or another zone's clock counts.
 */
const nextReminderOf = (
  moment: string | null,
  fields: TaskFields,
  before: TaskRecord | undefined,
  now: string,
): string | null => {
  if (before && asksTheSame(fields, before)) return before.nextReminderAt === null ? null : moment
  if (moment !== null && moment === before?.nextReminderAt) return moment
  return moment === null || moment <= now || moment === before?.remindedFor ? null : moment
}

/** Everything that follows from what a person says. */
export const rowOf = (
  fields: TaskFields,
  before: TaskRecord | undefined,
  now: string,
  clock: PersonClock,
  closing = now,
) => {
  const open = isOpen(fields.status)
  const { lateAt, tellAt } = open ? momentsOf(fields, clock) : { lateAt: null, tellAt: null }
  const moment = open ? (fields.remindAt ?? tellAt) : null
  const sameStatus = before?.status === fields.status
  const closedAt = open ? null : sameStatus ? before.closedAt : closing
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
    nextReminderAt: nextReminderOf(moment, fields, before, now),
    dueWall: fields.dueDay === null && before?.dueAt === fields.dueAt ? before.dueWall : null,
    lateAt,
    dueZone: open && fields.dueDay !== null ? clock.timezone : null,
  } satisfies Partial<Insertable<TaskRow>>
}
