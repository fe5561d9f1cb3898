import type { Db } from '../../database/db.ts'
import { inTransaction, transactionOr } from '../../database/transaction.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { isSameJson } from '../../platform/fingerprint.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { Platform } from '../../platform/platform.ts'
import { readInstant } from '../../platform/time.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import { type Attached, listAttached, writeAttached } from './attached.ts'
import {
  type DueInput,
  dependsOnTimeZone,
  dueAfter,
  dueMoments,
  looksLikeDay,
  type PersonClock,
  readDue,
  readStart,
  shiftDates,
  startAfter,
} from './due.ts'
import type { TaskFilters } from './filters/filters.ts'
import { createListing } from './listing.ts'
import type { ListSharing } from './lists.ts'
import {
  deleteLostReminders,
  deleteRemindersOfTask,
  findSharedTask,
  findUserName,
} from './member-repository.ts'
import { requireEditor, type TaskMembers, withoutReferences } from './members.ts'
import { readRecurrence } from './occurrence.ts'
import type { TaskReminders } from './reminders.ts'
import { findTask, lockTask, replaceTags, type TaskRecord, updateTask } from './repository.ts'
import { type NewTask, type Task, TaskChange, type TaskMove, type TaskQuery } from './schema.ts'
import type { Successors } from './successors.ts'
import {
  BLANK,
  fieldsOf,
  isOpen,
  rowOf,
  type TaskFields,
  tagKeyOf,
  taskColumns,
  toMemberTask,
  uniqueTags,
} from './task.ts'
import type { Timers } from './timers.ts'
import { findPlace, samePlace, type TaskTree } from './tree.ts'
import { listByIds, listTree, lockTasks, type Place } from './tree-repository.ts'
import type { TaskWriter } from './writer.ts'

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
  filters: Pick<TaskFilters, 'find'>
  members: TaskMembers
  tree: TaskTree
  writer: TaskWriter
  successors: Successors
  timers: Timers
}

/** A task with its version, which the ETag needs. */
export type VersionedTask = Task & { version: number; extra?: string | null; openSubtasks?: number }

export interface TreeTask {
  task: VersionedTask
  subtasks: TreeTask[]
}

/** Values that a task keeps when it is created again. */
export interface Kept {
  completedAt?: string | undefined
  uid?: string | undefined
  position?: string | undefined
  attached?: Attached | undefined
}

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
  start: DueInput
  given: Partial<TaskFields>
  children: TaskChange['children']
}

/** Fields that follow from others, or that are read on their own. */
type Read = 'dueAt' | 'dueDay' | 'startAt' | 'startDay'

const isNothing = ({ due, start, given }: Input): boolean =>
  due.kind === 'nothing' && start.kind === 'nothing' && Object.keys(given).length === 0

/** How a change is applied. */
interface Application {
  /** The name of the caller, or null if the task belongs to the caller. */
  changedBy: string | null
  /** Chooses the position at the new place. */
  move?: Pick<TaskMove, 'afterId'>
}

const DAY_MS = 86_400_000

const startsTooLate = (fields: TaskFields, clock: PersonClock): boolean => {
  const { lateAt } = dueMoments(fields, clock)
  if (fields.startAt === null || lateAt === null) return false
  return fields.dueDay === null ? fields.startAt > lateAt : fields.startAt >= lateAt
}

const requireStartBeforeDue = (fields: TaskFields, clock: PersonClock): void => {
  if (startsTooLate(fields, clock))
    throw invalidField(fields.startDay === null ? 'startAt' : 'startDay', 'is after the due date')
}

export class Tasks {
  /** The schema of the fields that a person can set, for tools that set them. */
  readonly fields = TaskChange.properties
  private readonly deps: TasksDeps
  private readonly listing: ReturnType<typeof createListing>

  constructor(deps: TasksDeps) {
    this.deps = deps
    const { database, clock, sharing, filters } = deps
    this.listing = createListing({ db: database.db, clock, sharing, filters })
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

  /** Returns a task with its subtasks, in their order. */
  async getTree(userId: number, id: number): Promise<TreeTask> {
    const { db } = this.deps.database
    const top = await this.deps.members.find(db, userId, id)
    const nodes = await listTree(db, top.userId, id)
    const rows = await listByIds(
      db,
      top.userId,
      nodes.slice(1).map((node) => node.id),
    )
    const byParent = Map.groupBy(rows, ({ parentId }) => parentId)
    const build = (task: VersionedTask): TreeTask => ({
      task,
      subtasks: (byParent.get(task.id) ?? []).map((row) =>
        build(top.userId === userId ? toVersioned(row) : toVersionedForMember(row, null)),
      ),
    })
    return build(await this.get(userId, id))
  }

  /** Returns the comments and time entries of a task and its subtasks, by the task. Tasks without any are left out. */
  async listAttached(userId: number, id: number): Promise<Map<number, Attached>> {
    const db = transactionOr(this.deps.database.db)
    const { userId: ownerId } = await this.deps.members.find(db, userId, id)
    const ids = (await listTree(db, ownerId, id)).map((node) => node.id)
    return listAttached(db, ownerId, ids, this.deps.clock.now().toISOString())
  }

  /** Throws if the account may view the task, but not change it. */
  requireEditor(userId: number, id: number): Promise<void> {
    return inTransaction(this.deps.database.db, async (tx) => {
      await this.deps.members.lockAsEditor(tx, userId, id)
    })
  }

  create(userId: number, input: NewTask): Promise<VersionedTask> {
    return inTransaction(this.deps.database.db, async (tx) => {
      const task = await this.createTask(tx, userId, input)
      return this.toViewOf(tx, userId, await this.deps.successors.create(tx, task))
    })
  }

  /** Imports an existing task. If it is completed, no next occurrence is created. */
  restore(userId: number, input: NewTask, kept: Kept): Promise<VersionedTask> {
    return inTransaction(this.deps.database.db, async (tx) =>
      this.toViewOf(tx, userId, await this.createTask(tx, userId, input, kept)),
    )
  }

  async change(userId: number, id: number, change: TaskChange, ifMatch: string | undefined) {
    const input = await this.read(userId, change)
    return inTransaction(this.deps.database.db, async (tx) => {
      const before = await lockTask(tx, userId, id)
      if (!before) return this.changeAsMember(tx, userId, id, input, ifMatch)
      requireMatch(ifMatch, { id, version: before.version })
      const task = await this.applyChange(tx, userId, before, input, { changedBy: null })
      return this.withOpenSubtasks(tx, toVersioned(task), before)
    })
  }

  /** Moves a task in the order of its list, or to another parent, section or list. Its subtasks follow. */
  move(userId: number, id: number, { afterId, ...given }: TaskMove, ifMatch: string | undefined) {
    const nothing: DueInput = { kind: 'nothing' }
    const input: Input = { due: nothing, start: nothing, given, children: undefined }
    return inTransaction(this.deps.database.db, async (tx) => {
      const before = await this.deps.members.lockAsEditor(tx, userId, id)
      requireMatch(ifMatch, { id, version: before.version })
      const changedBy = before.userId === userId ? null : await findUserName(tx, userId)
      const move = afterId === undefined ? {} : { afterId }
      const task = await this.applyChange(tx, userId, before, input, { changedBy, move })
      return this.toViewOf(tx, userId, task)
    })
  }

  remove(userId: number, id: number, ifMatch: string | undefined): Promise<void> {
    return inTransaction(this.deps.database.db, async (tx) => {
      const task = await this.deps.members.lockAsEditor(tx, userId, id)
      requireMatch(ifMatch, { id, version: task.version })
      await this.deps.writer.remove(tx, task)
    })
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
    { given, ...input }: Input,
    ifMatch: string | undefined,
  ): Promise<VersionedTask> {
    const { members } = this.deps
    const { task: before, share } = await members.lock(tx, memberId, id)
    requireMatch(ifMatch, { id, version: before.version })
    const { remindAt, ...fields } = withoutReferences(given)
    let task = before
    if (!isNothing({ ...input, given: fields })) {
      requireEditor(share)
      const changedBy = await findUserName(tx, memberId)
      task = await this.applyChange(tx, memberId, before, { ...input, given: fields }, { changedBy })
    }
    const isSet = remindAt !== undefined && (await members.setReminder(tx, memberId, task, remindAt))
    const view = await this.toViewOf(tx, memberId, task)
    // The copy of the owner's change has no reminder.
    if (isSet || (task !== before && view.remindAt !== null)) await members.record(tx, memberId, view)
    return this.withOpenSubtasks(tx, view, before)
  }

  /** `userId` is the caller. */
  private async applyChange(
    tx: Db,
    userId: number,
    before: TaskRecord,
    input: Input,
    { changedBy, move }: Application,
  ): Promise<TaskRecord> {
    const { userId: ownerId } = before
    const { tree, writer, members, successors } = this.deps
    const was = fieldsOf(before)
    const { fields, clock } = await this.merge(ownerId, was, input)
    const place = await findPlace(tx, ownerId, input.given, before)
    Object.assign(fields, place)
    const isPlaced = !samePlace(place, before)
    if (!move && isSameJson(fields, was)) return before
    await this.checkOrigins(tx, ownerId, input.given)
    const isOtherList = place.listId !== before.listId
    if (isOtherList) {
      const path = input.given.listId === undefined ? 'parentId' : 'listId'
      await members.requireMove(tx, userId, ownerId, place.listId, path)
    }
    if (fields.assigneeId !== null && (isOtherList || fields.assigneeId !== was.assigneeId))
      fields.assigneeId = await this.checkAssignee(tx, ownerId, fields, input.given.assigneeId)
    const position = isPlaced || move ? await tree.enter(tx, before, place, move?.afterId) : before.position
    if (isSameJson(fields, was) && position === before.position) return before
    if (isOtherList) await tree.renewUids(tx, [before], place.listId)
    const isCompleted = fields.status === 'done' && was.status !== 'done'
    if (isCompleted && input.children === 'complete') await this.completeSubtasks(tx, before, changedBy)
    const task = await this.write(tx, before, { ...fields, position }, { clock, changedBy })
    if (isOtherList) {
      await deleteLostReminders(tx, task.id, task.listId)
      await tree.follow(tx, task, before.listId, task.updatedAt)
      await this.deps.timers.stopLost(tx, ownerId, task.listId)
    }
    const isReopened = isOpen(fields.status) && !isOpen(was.status)
    const settled = isCompleted
      ? await successors.create(tx, task)
      : isReopened
        ? await successors.retract(tx, task)
        : task
    await writer.record(tx, isCompleted ? 'task.completed' : 'task.updated', settled, before.listId)
    return settled
  }

  private async write(
    tx: Db,
    before: TaskRecord,
    { position, ...fields }: TaskFields & { position: string },
    { clock, changedBy }: { clock: PersonClock; changedBy: string | null },
  ): Promise<TaskRecord> {
    const row = rowOf(before.userId, fields, before, this.deps.writer.now(), clock)
    const task = await updateTask(tx, before, { ...row, position, changedBy })
    if (before.tags !== '[]' || fields.tags.length > 0) await replaceTags(tx, task, fields.tags.map(tagKeyOf))
    if (task.nextReminderAt !== before.nextReminderAt) await this.deps.reminders.arm(tx, task.nextReminderAt)
    if (before.closedAt === null && task.closedAt !== null) {
      await deleteRemindersOfTask(tx, task.id)
      await this.deps.timers.stopOfTask(tx, task.userId, task.id)
    }
    return task
  }

  /** Completes the open subtasks of a task. Their own recurrences end with it. */
  private async completeSubtasks(tx: Db, task: TaskRecord, changedBy: string | null): Promise<void> {
    const open = (await listTree(tx, task.userId, task.id)).slice(1).filter((node) => node.closedAt === null)
    if (open.length === 0) return
    const ids = open.map(({ id }) => id)
    for (const child of await lockTasks(tx, task.userId, ids)) {
      const fields = { ...fieldsOf(child), status: 'done' as const, position: child.position }
      const done = await this.write(tx, child, fields, { clock: NO_CLOCK, changedBy })
      await this.deps.writer.record(tx, 'task.completed', done)
    }
  }

  /** Says how many subtasks stay open under a task that was completed. */
  private async withOpenSubtasks(tx: Db, view: VersionedTask, before: TaskRecord): Promise<VersionedTask> {
    if (view.status !== 'done' || before.status === 'done') return view
    const nodes = await listTree(tx, before.userId, before.id)
    const openSubtasks = nodes.slice(1).filter(({ closedAt }) => closedAt === null).length
    return openSubtasks === 0 ? view : { ...view, openSubtasks }
  }

  /** Applies validated input to the fields of a task. If the due date moves before the start, the start moves along. */
  private async merge(
    ownerId: number,
    was: TaskFields,
    { due, start, given }: Input,
  ): Promise<{ fields: TaskFields; clock: PersonClock }> {
    const clock = await this.clockFor(
      ownerId,
      dependsOnTimeZone(due, was.dueDay) || dependsOnTimeZone(start, was.startDay),
    )
    const merged: TaskFields = { ...was, ...given }
    const keepsDates = !isOpen(merged.status)
    const fields = {
      ...merged,
      ...(keepsDates && due.kind === 'nothing' ? {} : dueAfter(due, was, clock.timezone)),
      ...(keepsDates && start.kind === 'nothing' ? {} : startAfter(start, was, clock.timezone)),
    }
    if (
      start.kind === 'nothing' &&
      startsTooLate(fields, clock) &&
      was.dueAt !== null &&
      fields.dueAt !== null
    ) {
      const days = Math.floor((Date.parse(fields.dueAt) - Date.parse(was.dueAt)) / DAY_MS)
      const { startAt, startDay } = shiftDates(fields, days, clock.timezone)
      Object.assign(fields, { startAt, startDay })
    }
    requireStartBeforeDue(fields, clock)
    return { fields, clock }
  }

  /** Returns the assignee, or null if the task leaves the lists of the person. */
  private async checkAssignee(
    tx: Db,
    ownerId: number,
    { assigneeId, listId }: Pick<TaskFields, 'assigneeId' | 'listId'>,
    given: number | null | undefined,
  ): Promise<number | null> {
    if (assigneeId === null || assigneeId === ownerId) return assigneeId
    const share = await this.deps.sharing.find(tx, assigneeId, 'taskList', listId)
    if (share?.ownerId === ownerId) return assigneeId
    if (given == null) return null
    throw invalidField('assigneeId', 'names a person who is no member of the list')
  }

  private async timezone(userId: number): Promise<string> {
    return (await this.deps.preferences.get(userId)).timezone
  }

  /** Reads the settings in the transaction, so that on SQLite they cannot change in between. */
  private clockFor(userId: number, ofDay: boolean): Promise<PersonClock> | PersonClock {
    return ofDay ? this.deps.preferences.get(userId) : NO_CLOCK
  }

  /** Validates the input and converts it to stored values. */
  private async read(
    userId: number,
    { dueAt, dueDay, startAt, startDay, remindAt, tags, recurrence, title, children, ...plain }: TaskChange,
  ): Promise<Input> {
    const due = readDue({ dueAt, dueDay })
    const start = readStart({ startAt, startDay })
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
    } satisfies Partial<Omit<TaskFields, Read>>
    return { due, start, given, children }
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

  private async createTask(tx: Db, userId: number, input: NewTask, kept: Kept = {}): Promise<TaskRecord> {
    const { due, start, given: all } = await this.read(userId, input)
    const { members, tree, writer } = this.deps
    const { ownerId, listId, changedBy } = await members.findTarget(tx, userId, all)
    const isOwn = ownerId === userId
    const { remindAt = null, ...given } = isOwn ? all : withoutReferences(all)
    const clock = await this.clockFor(ownerId, dependsOnTimeZone(due, null) || dependsOnTimeZone(start, null))
    await this.checkOrigins(tx, ownerId, given)
    const { parentId = null, sectionId = null } = given
    const place: Place = { listId, parentId, sectionId }
    const fields = {
      ...BLANK,
      ...given,
      remindAt: isOwn ? remindAt : null,
      ...place,
      ...dueAfter(due, undefined, clock.timezone),
      ...startAfter(start, undefined, clock.timezone),
    }
    requireStartBeforeDue(fields, clock)
    fields.assigneeId = await this.checkAssignee(tx, ownerId, fields, given.assigneeId)
    const end = await tree.append(tx, ownerId, place)
    const { completedAt: closedAt, position = end } = kept
    const uid =
      kept.uid !== undefined && (await tree.hasUid(tx, ownerId, listId, kept.uid)) ? undefined : kept.uid
    const task = await writer.insert(tx, ownerId, fields, clock, { position, closedAt, changedBy, uid })
    if (kept.attached) await writeAttached(tx, task, kept.attached, writer.now())
    if (!isOwn && remindAt !== null) {
      await members.setReminder(tx, userId, task, remindAt)
      await members.record(tx, userId, await this.toViewOf(tx, userId, task))
    }
    return task
  }
}
