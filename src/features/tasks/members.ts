import type { Db } from '../../database/db.ts'
import type { Change, MemberChangeName } from '../../platform/changes.ts'
import { conflict, forbidden, invalidField, notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AcceptedShare } from '../sharing/repository.ts'
import type { ListSharing, TaskLists } from './lists.ts'
import {
  deleteReminder,
  deleteRemindersOfMember,
  findSharedTask,
  findUserName,
  listReminders,
  saveReminder,
} from './member-repository.ts'
import type { TaskReminders } from './reminders.ts'
import { findTask, lockTask, type TaskRecord } from './repository.ts'
import type { Status } from './schema.ts'
import { isOpen, type Task, type TaskFields, toTaskChange } from './task.ts'
import type { Timers } from './timers.ts'
import { unknownParent } from './tree.ts'
import { unassign } from './tree-repository.ts'

/** The place of a new task: a list of the caller, or of an account that shares it with the caller. */
export interface Target {
  ownerId: number
  listId: number
  /** The name of the caller if the list belongs to another account. */
  changedBy: string | null
}

type ListChange = Change<MemberChangeName<'taskList'>>

const isWholeTask = (
  change: ListChange,
): change is Change<'task.created' | 'task.updated' | 'task.completed'> => 'emailId' in change.data

/** Returns a change of a list as its members see it. References and reminders are the owner's own. */
export const redactTask = (change: ListChange): ListChange => {
  if (!isWholeTask(change)) return change
  // Each member has another reminder. Without the field, a client keeps the one that it knows.
  const { remindAt: _, ...shared } = change.data
  return { ...change, data: { ...shared, emailId: null, eventId: null } }
}

/** Removes the references that a member sees as null, and rejects others. */
export const withoutReferences = (
  given: Partial<TaskFields>,
): Omit<Partial<TaskFields>, 'emailId' | 'eventId'> => {
  const { emailId, eventId, ...rest } = given
  if (emailId) throw invalidField('emailId', 'cannot be set in a list of another account')
  if (eventId) throw invalidField('eventId', 'cannot be set in a list of another account')
  return rest
}

export const requireEditor = ({ role }: Pick<AcceptedShare, 'role'>): void => {
  if (role !== 'editor') throw forbidden('You can view this list, but not change it.')
}

/** The list of a task that the caller does not see is no less unknown than a missing one. */
const unknownList = (path: 'listId' | 'parentId' = 'listId') =>
  path === 'listId' ? invalidField(path, 'names a list that does not exist') : unknownParent()
const otherOwner = () =>
  conflict('A task cannot be moved to a list of another account. Create a new task there instead.')

/** The access of members to tasks in lists of other accounts. */
export class TaskMembers {
  private readonly deps: Pick<Platform, 'clock' | 'changes'> & {
    sharing: ListSharing
    lists: Pick<TaskLists, 'getInboxId' | 'has'>
    reminders: Pick<TaskReminders, 'arm'>
    timers: Timers
  }

  constructor(deps: TaskMembers['deps']) {
    this.deps = deps
  }

  /** Locks a task of another account and its share, which cannot be revoked before the transaction ends. */
  async lock(tx: Db, memberId: number, id: number): Promise<{ task: TaskRecord; share: AcceptedShare }> {
    const found = await findSharedTask(tx, memberId, id)
    const share = found && (await this.deps.sharing.lock(tx, memberId, 'taskList', found.listId))
    const task = share && (await lockTask(tx, share.ownerId, id))
    // The task may have been moved to another list since it was found.
    if (!share || task?.listId !== share.resourceId) throw notFound('task')
    return { task, share }
  }

  /** Finds a task in an own list or in a list that others share. */
  async find(db: Db, userId: number, id: number): Promise<TaskRecord> {
    const task = (await findTask(db, userId, id)) ?? (await findSharedTask(db, userId, id))
    if (!task) throw notFound('task')
    return task
  }

  /** Locks a task that the account may change. */
  async lockAsEditor(tx: Db, userId: number, id: number): Promise<TaskRecord> {
    const own = await lockTask(tx, userId, id)
    if (own) return own
    const { task, share } = await this.lock(tx, userId, id)
    requireEditor(share)
    return task
  }

  /** Returns the list of a new task: the given one, or the one of its parent, or the Inbox. */
  async findTarget(
    tx: Db,
    userId: number,
    given: { listId?: number | undefined; parentId?: number | null | undefined },
  ): Promise<Target> {
    const listId = given.listId ?? (await this.findListOf(tx, userId, given.parentId))
    if (listId === undefined) {
      const inboxId = await this.deps.lists.getInboxId(tx, userId)
      return { ownerId: userId, listId: inboxId, changedBy: null }
    }
    if (await this.deps.lists.has(tx, userId, listId)) return { ownerId: userId, listId, changedBy: null }
    const share = await this.deps.sharing.lock(tx, userId, 'taskList', listId)
    if (!share) throw unknownList()
    requireEditor(share)
    return { ownerId: share.ownerId, listId, changedBy: await findUserName(tx, userId) }
  }

  /** Returns the list of a parent that the caller sees. */
  private async findListOf(
    tx: Db,
    userId: number,
    parentId: number | null | undefined,
  ): Promise<number | undefined> {
    if (parentId == null) return undefined
    const parent = (await findTask(tx, userId, parentId)) ?? (await findSharedTask(tx, userId, parentId))
    if (!parent) throw unknownParent()
    return parent.listId
  }

  /** Checks that the caller may move a task of `ownerId` to the list, which the field `path` chose. */
  async requireMove(
    tx: Db,
    userId: number,
    ownerId: number,
    listId: number,
    path: 'listId' | 'parentId',
  ): Promise<void> {
    if (await this.deps.lists.has(tx, userId, listId)) {
      if (userId !== ownerId) throw otherOwner()
      return
    }
    const share = await this.deps.sharing.lock(tx, userId, 'taskList', listId)
    if (!share) throw unknownList(path)
    if (share.ownerId !== ownerId) throw otherOwner()
    requireEditor(share)
  }

  async findReminder(db: Db, memberId: number, taskId: number): Promise<string | null> {
    const [reminder] = await listReminders(db, memberId, [taskId])
    return reminder?.remindAt ?? null
  }

  /** Sets the reminder of a member. Closed tasks have no reminders. Returns whether it changed. */
  async setReminder(tx: Db, memberId: number, task: TaskRecord, remindAt: string | null): Promise<boolean> {
    const wanted = isOpen(task.status as Status) ? remindAt : null
    if (wanted === (await this.findReminder(tx, memberId, task.id))) return false
    if (wanted === null) await deleteReminder(tx, memberId, task.id)
    else {
      const nextReminderAt = wanted > this.deps.clock.now().toISOString() ? wanted : null
      await saveReminder(tx, { userId: memberId, taskId: task.id, remindAt: wanted, nextReminderAt })
      await this.deps.reminders.arm(tx, nextReminderAt)
    }
    return true
  }

  /** Sends the task with the own reminder to other tabs of the member. Other accounts do not get it. */
  record(tx: Db, memberId: number, task: Task): Promise<void> {
    return this.deps.changes.record(tx, {
      userId: memberId,
      type: 'task.updated',
      subject: String(task.id),
      data: task,
    })
  }

  async shareEnded(
    tx: Db,
    { ownerId, memberId, resourceId }: { ownerId: number; memberId: number; resourceId: number },
  ): Promise<void> {
    const former = { ownerId, memberId, listId: resourceId }
    await deleteRemindersOfMember(tx, former)
    await this.deps.timers.stopOfMember(tx, former)
    const updatedAt = this.deps.clock.now().toISOString()
    const tasks = await unassign(tx, ownerId, { listId: resourceId, assigneeId: memberId, updatedAt })
    await this.deps.changes.recordAll(
      tx,
      tasks.map((task) => toTaskChange('task.updated', task)),
    )
  }
}
