import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { columns, flag } from '../../database/entity.ts'
import { inTransaction } from '../../database/transaction.ts'
import { conflict, forbidden, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AcceptedShare } from '../sharing/repository.ts'
import type { Sharing } from '../sharing/shares.ts'
import {
  deleteList,
  findInboxId,
  findList,
  insertInbox,
  insertList,
  type ListRecord,
  listLists,
  listTaskIds,
  lockList,
  moveTasks,
  updateList,
} from './list-repository.ts'
import {
  type ListMembers,
  type NewTaskList,
  type TaskListChange,
  type TaskListCollection,
  TaskListInfo,
} from './list-schema.ts'
import { findUserName, listMembersOf, listSharedLists } from './member-repository.ts'
import { deleteTasks } from './repository.ts'
import { marks, toTaskChange } from './task.ts'

/** The parts of the sharing feature that tasks use. */
export type ListSharing = Pick<
  Sharing,
  'accepted' | 'find' | 'lock' | 'updateView' | 'sharedIds' | 'deleteSharesOf' | 'define'
>

/** The first color is the one of the Inbox. */
const COLORS = [
  '#3b82f6',
  '#10b981',
  '#f59e0b',
  '#ef4444',
  '#8b5cf6',
  '#ec4899',
  '#14b8a6',
  '#6b7280',
] as const
const MAX_LISTS = 100
/** Tasks of a deleted list that are moved or deleted with one statement. */
const BATCH = 500

/** A list with its version, which the ETag needs. */
export type VersionedList = TaskListInfo & { version: number; extra?: string | null }

const listColumns = columns(Type.Omit(TaskListInfo, ['role', 'owner', 'shareId', 'shared']), {
  isInbox: flag,
  visible: flag,
})

const toOwnList = (row: ListRecord, shared: boolean): VersionedList => ({
  ...listColumns.fromRow(row),
  role: 'owner',
  owner: null,
  shareId: null,
  shared,
  version: row.version,
  extra: shared ? 'shared' : null,
})

/** Returns a list of another account as the member sees it, with the color and visibility that the member chose. */
const toMemberList = (row: ListRecord, share: AcceptedShare): VersionedList => {
  const { id, visible, role, ownerName, ownerEmail } = share
  const color = share.color ?? row.color
  return {
    ...toOwnList(row, false),
    color,
    isInbox: false,
    visible,
    role: role === 'editor' ? 'editor' : 'viewer',
    owner: { name: ownerName, email: ownerEmail },
    shareId: id,
    // The choices of the member are no new version of the list. An ETag cannot contain every character of a name.
    extra: [
      id,
      role,
      visible ? 1 : 0,
      color.slice(1),
      Buffer.from(`${ownerName} ${ownerEmail}`).toString('hex'),
    ].join('.'),
  }
}

/** Returns the position in the list of lists: the Inbox, then own lists by id, then lists of others. */
const positionOf = ({ id, isInbox, role }: TaskListInfo): [number, number] => [
  role === 'owner' ? (isInbox ? 0 : 1) : 2,
  id,
]

const comparePositions = (one: readonly [number, number], other: readonly [number, number]): number =>
  one[0] - other[0] || one[1] - other[1]

export class TaskLists {
  private readonly deps: Pick<Platform, 'database' | 'clock' | 'changes'> & { sharing: ListSharing }

  constructor(deps: TaskLists['deps']) {
    this.deps = deps
  }

  /** Returns the Inbox of an account, and creates it if the account has none. Concurrent calls create one. */
  async getInboxId(tx: Db, userId: number): Promise<number> {
    const known = await findInboxId(tx, userId)
    if (known !== undefined) return known
    const now = this.now()
    await insertInbox(tx, {
      userId,
      name: 'Inbox',
      color: COLORS[0],
      isInbox: 1,
      visible: 1,
      version: 1,
      createdAt: now,
      updatedAt: now,
    })
    return (await findInboxId(tx, userId)) as number
  }

  /** Returns whether the list exists and belongs to the account. */
  async has(tx: Db, userId: number, id: number): Promise<boolean> {
    return (await findList(tx, userId, id)) !== undefined
  }

  async list(userId: number, { limit, cursor }: PageRequest): Promise<TaskListCollection> {
    const after = readCursor(cursor, 'integer', 'integer')
    const lists = await Promise.all([this.listOwn(userId), this.listShared(userId)])
    const all = lists
      .flat()
      .map((list) => ({ list, position: positionOf(list) }))
      .sort((one, other) => comparePositions(one.position, other.position))
    const rest = after ? all.filter(({ position }) => comparePositions(position, after) > 0) : all
    const { page, nextCursor } = pageOf(rest, limit, ({ position }) => position)
    return { taskLists: page.map(({ list }) => list), nextCursor }
  }

  async get(userId: number, id: number): Promise<VersionedList> {
    const { db } = this.deps.database
    const list = await findList(db, userId, id)
    if (list) return this.toOwn(db, list)
    const share = await this.deps.sharing.find(db, userId, 'taskList', id)
    const shared = share && (await findList(db, share.ownerId, id))
    if (!shared) throw notFound('task list')
    return toMemberList(shared, share)
  }

  /** Lists the people who can see a list, to choose an assignee. */
  async listMembers(userId: number, id: number): Promise<ListMembers> {
    const { db } = this.deps.database
    const { role } = await this.get(userId, id)
    const share = role === 'owner' ? undefined : await this.deps.sharing.find(db, userId, 'taskList', id)
    const ownerId = share?.ownerId ?? userId
    const owner = { id: ownerId, name: await findUserName(db, ownerId), role: 'owner' as const }
    const others = await listMembersOf(db, ownerId, id)
    return {
      members: [owner, ...others].map((member) => ({ ...member, isCaller: member.id === userId })),
    }
  }

  create(userId: number, { name, color, visible = true }: NewTaskList): Promise<VersionedList> {
    return inTransaction(this.deps.database.db, async (tx) => {
      // Two concurrent calls must not exceed the limit together.
      await lockList(tx, userId, await this.getInboxId(tx, userId))
      const existing = await listLists(tx, userId)
      if (existing.length >= MAX_LISTS)
        throw conflict(`An account can have ${MAX_LISTS} task lists. Delete one first.`)
      const now = this.now()
      const list = await insertList(tx, {
        userId,
        name: name.trim(),
        color: color?.toLowerCase() ?? (COLORS[existing.length % COLORS.length] as string),
        isInbox: 0,
        visible: visible ? 1 : 0,
        version: 1,
        createdAt: now,
        updatedAt: now,
      })
      await this.record(tx, userId, list.id)
      return toOwnList(list, false)
    })
  }

  change(
    userId: number,
    id: number,
    input: TaskListChange,
    ifMatch: string | undefined,
  ): Promise<VersionedList> {
    return inTransaction(this.deps.database.db, async (tx) => {
      const before = await lockList(tx, userId, id)
      if (!before) return this.changeAsMember(tx, userId, id, input, ifMatch)
      requireMatch(ifMatch, before)
      const changed = {
        name: input.name?.trim() ?? before.name,
        color: input.color?.toLowerCase() ?? before.color,
        visible: input.visible === undefined ? before.visible : Number(input.visible),
      }
      if (
        changed.name === before.name &&
        changed.color === before.color &&
        changed.visible === before.visible
      )
        return this.toOwn(tx, before)
      const list = await updateList(tx, before, { ...changed, updatedAt: this.now() })
      await this.record(tx, userId, id)
      return this.toOwn(tx, list)
    })
  }

  remove(userId: number, id: number, tasks: 'move' | 'delete', ifMatch: string | undefined): Promise<void> {
    return inTransaction(this.deps.database.db, async (tx) => {
      const list = await lockList(tx, userId, id)
      if (!list) throw await this.refuseDeletion(tx, userId, id)
      requireMatch(ifMatch, list)
      if (list.isInbox === 1) throw conflict('The Inbox cannot be deleted. Delete or move its tasks instead.')
      await this.discard(tx, userId, id, tasks)
      await this.record(tx, userId, id)
    })
  }

  /** Deletes a list and its shares, and deletes its tasks or moves them to the Inbox. */
  async discard(tx: Db, userId: number, id: number, tasks: 'move' | 'delete'): Promise<void> {
    // The members get one event about the end of the share, and none about each task.
    await this.deps.sharing.deleteSharesOf(tx, userId, 'taskList', id)
    await (tasks === 'delete' ? this.deleteTasks(tx, userId, id) : this.moveToInbox(tx, userId, id))
    await deleteList(tx, userId, id)
  }

  /** Returns the list for the sharing feature. */
  async findShareable(
    db: Db,
    userId: number,
    id: number,
  ): Promise<{ name: string; shareable: true | string } | undefined> {
    const list = await findList(db, userId, id)
    return (
      list && {
        name: list.name,
        shareable: list.isInbox === 0 || 'The Inbox cannot be shared. Share another list instead.',
      }
    )
  }

  private async moveToInbox(tx: Db, userId: number, id: number): Promise<void> {
    const inboxId = await this.getInboxId(tx, userId)
    const to = {
      listId: inboxId,
      updatedAt: this.now(),
      marks: { before: marks.list(id), after: marks.list(inboxId) },
    }
    for (;;) {
      const ids = await listTaskIds(tx, userId, id, BATCH)
      if (ids.length === 0) return
      const moved = await moveTasks(tx, userId, ids, to)
      await this.deps.changes.recordAll(
        tx,
        moved.map((task) => toTaskChange('task.updated', task)),
      )
    }
  }

  private async deleteTasks(tx: Db, userId: number, id: number): Promise<void> {
    for (;;) {
      const ids = await listTaskIds(tx, userId, id, BATCH)
      if (ids.length === 0) return
      await deleteTasks(tx, userId, ids)
      await this.deps.changes.recordAll(
        tx,
        ids.map((taskId) => ({
          userId,
          type: 'task.deleted',
          subject: String(taskId),
          data: { listId: id },
        })),
      )
    }
  }

  /** Changes how a member sees a list of another account. The owner's list stays the same. */
  private async changeAsMember(
    tx: Db,
    memberId: number,
    id: number,
    { name, visible, color }: TaskListChange,
    ifMatch: string | undefined,
  ): Promise<VersionedList> {
    const { sharing } = this.deps
    const share = await sharing.lock(tx, memberId, 'taskList', id)
    const list = share && (await findList(tx, share.ownerId, id))
    if (!list) throw notFound('task list')
    requireMatch(ifMatch, list)
    if (name !== undefined) throw forbidden('Only the owner of the list can rename it.')
    if (visible === undefined && color === undefined) return toMemberList(list, share)
    await sharing.updateView(tx, memberId, share.id, { visible, color: color?.toLowerCase() })
    await this.record(tx, memberId, id)
    const changed = (await sharing.find(tx, memberId, 'taskList', id)) as AcceptedShare
    return toMemberList(list, changed)
  }

  private async refuseDeletion(tx: Db, userId: number, id: number): Promise<Error> {
    const share = await this.deps.sharing.find(tx, userId, 'taskList', id)
    if (!share) return notFound('task list')
    return forbidden(
      `Only the owner of the list can delete it. To remove it from your lists, leave it with POST /api/shares/${share.id}/decline.`,
    )
  }

  private async toOwn(db: Db, list: ListRecord): Promise<VersionedList> {
    return toOwnList(list, (await this.deps.sharing.sharedIds(db, list.userId, 'taskList')).has(list.id))
  }

  private async listOwn(userId: number): Promise<VersionedList[]> {
    const { db } = this.deps.database
    const [found, shared] = await Promise.all([
      listLists(db, userId),
      this.deps.sharing.sharedIds(db, userId, 'taskList'),
    ])
    const lists = found.some(({ isInbox }) => isInbox === 1) ? found : await this.listWithInbox(userId)
    return lists.map((list) => toOwnList(list, shared.has(list.id)))
  }

  private async listWithInbox(userId: number): Promise<ListRecord[]> {
    const { db } = this.deps.database
    await inTransaction(db, (tx) => this.getInboxId(tx, userId))
    return listLists(db, userId)
  }

  private async listShared(userId: number): Promise<VersionedList[]> {
    const { db } = this.deps.database
    const shares = await this.deps.sharing.accepted(db, userId, 'taskList')
    if (shares.length === 0) return []
    const lists = new Map((await listSharedLists(db, userId)).map((list) => [list.id, list]))
    return shares.flatMap((share) => {
      const list = lists.get(share.resourceId)
      return list ? [toMemberList(list, share)] : []
    })
  }

  /** Tells other tabs of the console that the lists have changed, and those of the members. */
  private record(tx: Db, userId: number, listId: number): Promise<void> {
    return this.deps.changes.record(tx, {
      userId,
      type: 'task.lists_updated',
      subject: String(listId),
      data: { listId },
    })
  }

  private now(): string {
    return this.deps.clock.now().toISOString()
  }
}
