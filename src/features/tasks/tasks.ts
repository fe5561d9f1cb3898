import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { isSameJson } from '../../platform/fingerprint.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { Platform } from '../../platform/platform.ts'
import { readInstant } from '../../platform/time.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import { type DueInput, dependsOnTimeZone, dueAfter, looksLikeDay, type PersonClock, readDue } from './due.ts'
import { createListing } from './listing.ts'
import type { ListSharing } from './lists.ts'
import {
  deleteLostReminders,
  deleteRemindersOfTask,
  findSharedTask,
  findUserName,
} from './member-repository.ts'
import { requireEditor, type TaskMembers, withoutReferences } from './members.ts'
import { nextOccurrence, readRecurrence } from './occurrence.ts'
import type { TaskReminders } from './reminders.ts'
import {
  deleteTask,
  findTask,
  insertTask,
  lockTask,
  replaceTags,
  setHidden,
  type TaskRecord,
  updateTask,
} from './repository.ts'
import { type NewTask, type Status, type Task, TaskChange, type TaskQuery } from './schema.ts'
import {
  BLANK,
  fieldsOf,
  isOpen,
  rowOf,
  type TaskFields,
  tagKeyOf,
  taskColumns,
  toMemberTask,
  toTaskChange,
  uniqueTags,
} from './task.ts'

/**
 * Checks that the email or event of a task exists and belongs to the account, and locks it until the transaction ends. A trigger
 * removes the link when the email or event is deleted (migrations/baseline/links.ts).
 */
export interface Origins {
  hasEmail(tx: Db, userId: number, id: number): Promise<boolean>
  hasEvent(tx: Db, userId: number, id: number): Promise<boolean>
}

export interface TasksDeps extends Pick<Platform, 'database' | 'clock' | 'changes'> {
  preferences: Pick<PreferenceRules, 'get'>
  reminders: TaskReminders
  origins: Origins
  sharing: ListSharing
  members: TaskMembers
}

/** A task with its version, which the ETag needs. */
export type VersionedTask = Task & { version: number; extra?: string | null }

/** Tasks without a due day do not depend on the person's time zone. */
const NO_CLOCK: PersonClock = { timezone: 'UTC', workingHours: [] }

const toVersioned = (row: TaskRecord): VersionedTask => ({
  ...taskColumns.fromRow(row),
  version: row.version,
})

/** A member's reminder is part of the representation, but does not change the version of the task. */
const toVersionedForMember = (row: TaskRecord, remindAt: string | null): VersionedTask => ({
  ...toMemberTask(taskColumns.fromRow(row), remindAt),
  version: row.version,
  extra: remindAt,
})

/** Validated input. */
interface Input {
  due: DueInput
  given: Partial<TaskFields>
}

export class Tasks {
  /** The schema of the fields that a person can set, for tools that set them. */
  readonly fields = TaskChange.properties
  private readonly deps: TasksDeps
  private readonly listing: ReturnType<typeof createListing>

  constructor(deps: TasksDeps) {
    this.deps = deps
    const { database, clock, sharing } = deps
    this.listing = createListing({ db: database.db, clock, sharing })
  }

  list(userId: number, query: TaskQuery) {
    return this.listing(userId, query, () => this.timezone(userId))
  }

  async get(userId: number, id: number): Promise<VersionedTask> {
    const { db } = this.deps.database
    const own = await findTask(db, userId, id)
    if (own) return toVersioned(own)
    const shared = await findSharedTask(db, userId, id)
    if (!shared) throw notFound('task')
    return toVersionedForMember(shared, await this.deps.members.findReminder(db, userId, id))
  }

  /** Throws if the account may view the task, but not change it. */
  requireEditor(userId: number, id: number): Promise<void> {
    return inTransaction(this.deps.database.db, async (tx) => {
      if (!(await findTask(tx, userId, id))) await this.lockAsEditor(tx, userId, id)
    })
  }

  create(userId: number, input: NewTask): Promise<VersionedTask> {
    return inTransaction(this.deps.database.db, async (tx) => {
      const task = await this.createTask(tx, userId, input)
      await this.createSuccessor(tx, task)
      return this.toViewOf(tx, userId, task)
    })
  }

  /** Imports an existing task. If it is completed, no next occurrence is created. */
  restore(userId: number, input: NewTask, completedAt: string | undefined): Promise<VersionedTask> {
    return inTransaction(this.deps.database.db, async (tx) =>
      this.toViewOf(tx, userId, await this.createTask(tx, userId, input, completedAt)),
    )
  }

  async change(userId: number, id: number, change: TaskChange, ifMatch: string | undefined) {
    const input = await this.read(userId, change)
    return inTransaction(this.deps.database.db, async (tx) => {
      const before = await lockTask(tx, userId, id)
      if (!before) return this.changeAsMember(tx, userId, id, input, ifMatch)
      requireMatch(ifMatch, { id, version: before.version })
      return toVersioned(await this.applyChange(tx, userId, before, input, null))
    })
  }

  remove(userId: number, id: number, ifMatch: string | undefined): Promise<void> {
    return inTransaction(this.deps.database.db, async (tx) => {
      const task = (await lockTask(tx, userId, id)) ?? (await this.lockAsEditor(tx, userId, id))
      requireMatch(ifMatch, { id, version: task.version })
      await this.deleteRecord(tx, task)
    })
  }

  private async lockAsEditor(tx: Db, userId: number, id: number): Promise<TaskRecord> {
    const { task, share } = await this.deps.members.lock(tx, userId, id)
    requireEditor(share)
    return task
  }

  private async toViewOf(tx: Db, userId: number, task: TaskRecord): Promise<VersionedTask> {
    if (task.userId === userId) return toVersioned(task)
    return toVersionedForMember(task, await this.deps.members.findReminder(tx, userId, task.id))
  }

  /** Changes a task in a list of another account. The reminder is the one of the member, and needs no editor. */
  private async changeAsMember(
    tx: Db,
    memberId: number,
    id: number,
    { due, given }: Input,
    ifMatch: string | undefined,
  ): Promise<VersionedTask> {
    const { members } = this.deps
    const { task: before, share } = await members.lock(tx, memberId, id)
    requireMatch(ifMatch, { id, version: before.version })
    const { remindAt, ...fields } = withoutReferences(given)
    let task = before
    if (due.kind !== 'nothing' || Object.keys(fields).length > 0) {
      requireEditor(share)
      const name = await findUserName(tx, memberId)
      task = await this.applyChange(tx, memberId, before, { due, given: fields }, name)
    }
    const isSet = remindAt !== undefined && (await members.setReminder(tx, memberId, task, remindAt))
    const view = await this.toViewOf(tx, memberId, task)
    // The copy of the owner's change has no reminder.
    if (isSet || (task !== before && view.remindAt !== null)) await members.record(tx, memberId, view)
    return view
  }

  /** `userId` is the caller. `changedBy` is the name of the caller, or null if the task belongs to the caller. */
  private async applyChange(
    tx: Db,
    userId: number,
    before: TaskRecord,
    { due, given }: Input,
    changedBy: string | null,
  ): Promise<TaskRecord> {
    const { id, userId: ownerId } = before
    const was = fieldsOf(before)
    const personClock = await this.clockFor(ownerId, dependsOnTimeZone(due, was))
    const merged: TaskFields = { ...was, ...given }
    const keepsDue = due.kind === 'nothing' && !isOpen(merged.status)
    const fields = keepsDue ? merged : { ...merged, ...dueAfter(due, was, personClock.timezone) }
    if (isSameJson(fields, was)) return before
    await this.checkOrigins(tx, ownerId, given)
    const isMoved = fields.listId !== was.listId
    if (isMoved) await this.deps.members.requireMove(tx, userId, ownerId, fields.listId)
    const row = rowOf(ownerId, fields, before, this.deps.clock.now().toISOString(), personClock)
    const task = await updateTask(tx, before, { ...row, changedBy })
    if (was.tags.length > 0 || fields.tags.length > 0) await replaceTags(tx, task, fields.tags.map(tagKeyOf))
    if (task.nextReminderAt !== before.nextReminderAt) await this.deps.reminders.arm(tx, task.nextReminderAt)
    if (isMoved) await deleteLostReminders(tx, id, task.listId)
    const isClosed = !isOpen(fields.status) && isOpen(was.status)
    if (isClosed) await deleteRemindersOfTask(tx, id)
    const isCompleted = task.status === 'done' && before.status !== 'done'
    await this.record(tx, isCompleted ? 'task.completed' : 'task.updated', task, before.listId)
    if (isCompleted) await this.createSuccessor(tx, task)
    else if (isOpen(fields.status) && !isOpen(was.status)) await this.retractSuccessor(tx, task)
    return task
  }

  private async timezone(userId: number): Promise<string> {
    return (await this.deps.preferences.get(userId)).timezone
  }

  /** Reads the settings in the transaction, so that on SQLite they cannot change in between. */
  private clockFor(userId: number, ofDay: boolean): Promise<PersonClock> | PersonClock {
    return ofDay ? this.deps.preferences.get(userId) : NO_CLOCK
  }

  private record(
    tx: Db,
    type: 'task.created' | 'task.updated' | 'task.completed',
    task: TaskRecord,
    movedFrom?: number,
  ): Promise<void> {
    return this.deps.changes.record(tx, { ...toTaskChange(type, task), movedFrom })
  }

  /** Validates the input and converts it to stored values. */
  private async read(
    userId: number,
    { dueAt, dueDay, remindAt, tags, recurrence, title, ...plain }: TaskChange,
  ): Promise<Input> {
    const due: DueInput = readDue({ dueAt, dueDay })
    const zone = typeof remindAt === 'string' && looksLikeDay(remindAt) ? await this.timezone(userId) : 'UTC'
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

  private async checkOrigins(
    tx: Db,
    userId: number,
    { emailId, eventId }: Partial<TaskFields>,
  ): Promise<void> {
    if (emailId && !(await this.deps.origins.hasEmail(tx, userId, emailId)))
      throw invalidField('emailId', 'names an email that does not exist')
    if (eventId && !(await this.deps.origins.hasEvent(tx, userId, eventId)))
      throw invalidField('eventId', 'names an event that does not exist')
  }

  private async insert(
    tx: Db,
    userId: number,
    fields: TaskFields,
    personClock: PersonClock,
    more: { dueWall?: string | null; closedAt?: string | undefined; changedBy: string | null },
  ): Promise<TaskRecord> {
    const { dueWall = null, closedAt, changedBy } = more
    const now = this.deps.clock.now().toISOString()
    const row = {
      ...rowOf(userId, fields, undefined, now, personClock, closedAt),
      dueWall,
      remindedFor: null,
      successorId: null,
      changedBy,
    }
    const task = await insertTask(tx, { ...row, version: 1 })
    if (fields.tags.length > 0) await replaceTags(tx, task, fields.tags.map(tagKeyOf))
    await this.deps.reminders.arm(tx, task.nextReminderAt)
    await this.record(tx, 'task.created', task)
    return task
  }

  private async createTask(tx: Db, userId: number, input: NewTask, closedAt?: string): Promise<TaskRecord> {
    const { due, given: all } = await this.read(userId, input)
    const { ownerId, listId, changedBy } = await this.deps.members.findTarget(tx, userId, all.listId)
    const isOwn = ownerId === userId
    const { remindAt = null, ...given } = isOwn ? all : withoutReferences(all)
    const personClock = await this.clockFor(ownerId, dependsOnTimeZone(due, undefined))
    await this.checkOrigins(tx, ownerId, given)
    const fields = {
      ...BLANK,
      ...given,
      remindAt: isOwn ? remindAt : null,
      listId,
      ...dueAfter(due, undefined, personClock.timezone),
    }
    const task = await this.insert(tx, ownerId, fields, personClock, { closedAt, changedBy })
    if (!isOwn && remindAt !== null) {
      await this.deps.members.setReminder(tx, userId, task, remindAt)
      await this.deps.members.record(tx, userId, await this.toViewOf(tx, userId, task))
    }
    return task
  }

  /** Creates the next occurrence of a completed recurring task, once, even if it is completed repeatedly. */
  private async createSuccessor(tx: Db, task: TaskRecord): Promise<void> {
    if (task.status !== 'done' || task.recurrence === null || task.successorId !== null) return
    const personClock = await this.deps.preferences.get(task.userId)
    const { timezone: zone } = personClock
    const next = nextOccurrence(
      { ...task, recurrence: task.recurrence },
      this.deps.clock.now().getTime(),
      zone,
    )
    if (!next) return
    const { dueWall, ...moved } = next
    const fields: TaskFields = { ...fieldsOf(task), ...moved, status: 'todo' }
    const { changedBy } = task
    const successor = await this.insert(tx, task.userId, fields, personClock, { dueWall, changedBy })
    await setHidden(tx, task.userId, task.id, { successorId: successor.id })
  }

  /** Deletes the next occurrence when a task is reopened, unless that occurrence was changed. */
  private async retractSuccessor(tx: Db, task: TaskRecord): Promise<void> {
    if (task.successorId === null) return
    const successor = await lockTask(tx, task.userId, task.successorId)
    if (successor && (successor.version > 1 || !isOpen(successor.status as Status))) return
    if (successor) await this.deleteRecord(tx, successor)
    await setHidden(tx, task.userId, task.id, { successorId: null })
  }

  private async deleteRecord(tx: Db, task: TaskRecord): Promise<void> {
    await deleteTask(tx, task.userId, task.id)
    await this.deps.changes.record(tx, {
      userId: task.userId,
      type: 'task.deleted',
      subject: String(task.id),
      data: { listId: task.listId },
    })
  }
}
