import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import { readInstant } from '../../platform/time.ts'
import type { PreferenceRules } from '../settings/profile/preferences.ts'
import { looksLikeDay, type PersonClock } from './due.ts'
import { type DueWish, dueAfter, isOfDay, readDue } from './due-wish.ts'
import { BLANK, fieldsOf, type TaskFields, tagKeyOf, uniqueTags } from './fields.ts'
import { createListing } from './listing.ts'
import { nextOccurrence, readRecurrence } from './occurrence.ts'
import { isOpen } from './place.ts'
import type { TaskReminders } from './reminders.ts'
import type { NewTask, Status, TaskChange, TaskQuery } from './schema.ts'
import { textOf, viewOf } from './shown-task.ts'
import {
  deleteTask,
  findTask,
  insertTask,
  type ListedTask,
  lockTask,
  replaceTags,
  setSuccessor,
  type TaskRecord,
  updateTask,
} from './store.ts'
import { rowOf } from './task-row.ts'

/**
 * Says whether what a task is said to come from is there, and holds it until the transaction ends. When it goes, so
 * does the task's link to it: the database sees to that (migration 0015), for there are many ways to go.
 */
export interface Origins {
  hasEmail(tx: Db, id: number): Promise<boolean>
  hasEvent(tx: Db, id: number): Promise<boolean>
}

export interface TasksDeps {
  database: Database
  clock: Clock
  changes: Changes
  preferences: Pick<PreferenceRules, 'ofInstance'>
  reminders: TaskReminders
  origins: Origins
}

/** A task as it goes out: its JSON, and what its ETag is made of. */
export interface Shown {
  id: number
  version: number
  text: string
}

/** Of a task that is due on no day, nothing is told by the person's clock. */
const NO_CLOCK: PersonClock = { timezone: 'UTC', workingHours: [] }

export type Tasks = ReturnType<typeof createTasks>

export const createTasks = (deps: TasksDeps) => {
  const { database, clock, changes, reminders, origins } = deps
  const { db } = database
  const timezone = async (): Promise<string> => (await deps.preferences.ofInstance()).timezone
  /** Asked for within the transaction, so that on SQLite no change of it slips between. */
  const clockFor = (ofDay: boolean): Promise<PersonClock> | PersonClock =>
    ofDay ? deps.preferences.ofInstance() : NO_CLOCK
  const list = createListing({ database, clock })
  const shown = (task: ListedTask): Shown => ({ id: task.id, version: task.version, text: textOf(task) })

  const record = (tx: Db, type: string, task: TaskRecord): Promise<void> =>
    changes.record(tx, { type, subject: String(task.id), data: { ...viewOf(task) } })

  /** What was sent, as it is kept. */
  const read = async ({ dueAt, dueDay, remindAt, tags, recurrence, title, ...plain }: TaskChange) => {
    const due: DueWish = readDue({ dueAt, dueDay })
    const zone = typeof remindAt === 'string' && looksLikeDay(remindAt) ? await timezone() : 'UTC'
    const given = {
      ...plain,
      ...(title !== undefined && { title: title.trim() }),
      ...(remindAt !== undefined && {
        remindAt: remindAt === null ? null : readInstant('remindAt', remindAt, zone),
      }),
      ...(tags !== undefined && { tags: uniqueTags(tags) }),
      ...(recurrence !== undefined && {
        recurrence: recurrence === null ? null : readRecurrence(recurrence),
      }),
    } satisfies Partial<TaskFields>
    return { due, given }
  }

  const checkOrigins = async (tx: Db, { emailId, eventId }: Partial<TaskFields>): Promise<void> => {
    if (emailId && !(await origins.hasEmail(tx, emailId)))
      throw invalidField('emailId', 'names an e-mail that is not there')
    if (eventId && !(await origins.hasEvent(tx, eventId)))
      throw invalidField('eventId', 'names an event that is not there')
  }

  const insert = async (
    tx: Db,
    fields: TaskFields,
    personClock: PersonClock,
    { dueWall = null, closedAt }: { dueWall?: string | null; closedAt?: string | undefined } = {},
  ): Promise<TaskRecord> => {
    const now = clock.now().toISOString()
    const row = {
      ...rowOf(fields, undefined, now, personClock, closedAt),
      dueWall,
      remindedFor: null,
      successorId: null,
    }
    const task = await insertTask(tx, { ...row, version: 1 })
    if (fields.tags.length > 0) await replaceTags(tx, task, fields.tags.map(tagKeyOf))
    await reminders.arm(tx, task.nextReminderAt)
    await record(tx, 'task.created', task)
    return task
  }

  const make = async (tx: Db, wish: NewTask, closedAt?: string): Promise<TaskRecord> => {
    const { due, given } = await read(wish)
    const personClock = await clockFor(isOfDay(due, undefined))
    const fields = { ...BLANK, ...given, ...dueAfter(due, undefined, personClock.timezone) }
    await checkOrigins(tx, given)
    return insert(tx, fields, personClock, { closedAt })
  }

  /** A recurring task that is done has one next occurrence, however often and by how many it is completed. */
  const succeed = async (tx: Db, task: TaskRecord): Promise<void> => {
    if (task.status !== 'done' || task.recurrence === null || task.successorId !== null) return
    const personClock = await deps.preferences.ofInstance()
    const { timezone: zone } = personClock
    const next = nextOccurrence({ ...task, recurrence: task.recurrence }, clock.now().getTime(), zone)
    if (!next) return
    const { dueWall, ...moved } = next
    const fields: TaskFields = { ...fieldsOf(task), ...moved, status: 'todo' }
    const successor = await insert(tx, fields, personClock, { dueWall })
    await setSuccessor(tx, task.id, successor.id)
  }

  /** Who reopens a task takes its completion back, and with it the next occurrence, unless that has been touched. */
  const retract = async (tx: Db, task: TaskRecord): Promise<void> => {
    if (task.successorId === null) return
    const successor = await lockTask(tx, task.successorId)
    if (successor && (successor.version > 1 || !isOpen(successor.status as Status))) return
    if (successor) await remove(tx, successor)
    await setSuccessor(tx, task.id, null)
  }

  const remove = async (tx: Db, task: TaskRecord): Promise<void> => {
    await deleteTask(tx, task.id)
    await changes.record(tx, { type: 'task.deleted', subject: String(task.id), data: {} })
  }

  return {
    list: (query: TaskQuery) => list(query, timezone),

    async get(id: number) {
      const task = await findTask(db, id)
      if (!task) throw notFound('task')
      return shown(task)
    },

    create: (wish: NewTask): Promise<Shown> =>
      inTransaction(db, async (tx) => {
        const task = await make(tx, wish)
        await succeed(tx, task)
        return shown(task)
      }),

    /** One that was there before: if it was done, that was then, and what followed from it has followed. */
    restore: (wish: NewTask, completedAt: string | undefined): Promise<Shown> =>
      inTransaction(db, async (tx) => shown(await make(tx, wish, completedAt))),

    async change(id: number, wish: TaskChange, ifMatch: string | undefined) {
      const { due, given } = await read(wish)
      return inTransaction(db, async (tx) => {
        const before = await lockTask(tx, id)
        if (!before) throw notFound('task')
        requireMatch(ifMatch, { id, version: before.version })
        const was = fieldsOf(before)
        const personClock = await clockFor(isOfDay(due, was))
        const said: TaskFields = { ...was, ...given }
        const isLeft = due.kind === 'nothing' && !isOpen(said.status)
        const fields = isLeft ? said : { ...said, ...dueAfter(due, was, personClock.timezone) }
        if (JSON.stringify(fields) === JSON.stringify(was)) return shown(before)
        await checkOrigins(tx, given)
        const row = rowOf(fields, before, clock.now().toISOString(), personClock)
        const task = await updateTask(tx, id, row)
        if (was.tags.length > 0 || fields.tags.length > 0)
          await replaceTags(tx, task, fields.tags.map(tagKeyOf))
        if (task.nextReminderAt !== before.nextReminderAt) await reminders.arm(tx, task.nextReminderAt)
        const isCompleted = task.status === 'done' && before.status !== 'done'
        await record(tx, isCompleted ? 'task.completed' : 'task.updated', task)
        if (isCompleted) await succeed(tx, task)
        else if (isOpen(fields.status) && !isOpen(was.status)) await retract(tx, task)
        return shown(task)
      })
    },

    remove: (id: number, ifMatch: string | undefined): Promise<void> =>
      inTransaction(db, async (tx) => {
        const task = await lockTask(tx, id)
        if (!task) throw notFound('task')
        requireMatch(ifMatch, { id, version: task.version })
        await remove(tx, task)
      }),
  }
}
