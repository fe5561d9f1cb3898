import { randomUUID } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { lockList, moveTasks } from './list-repository.ts'
import { deleteLostReminders } from './member-repository.ts'
import { createPositions, positionAtEnd, positionBetween } from './position.ts'
import { findTask, lockTask, setHidden, type TaskRecord } from './repository.ts'
import { marks, toTaskChange } from './task.ts'
import {
  findLastPosition,
  findNextSibling,
  findSection,
  findSibling,
  findSiblingAt,
  listPath,
  listSiblings,
  listTree,
  listUids,
  lockTasks,
  MAX_DEPTH,
  type Place,
  setPosition,
} from './tree-repository.ts'

/** Open tasks under one topmost task. */
const MAX_OPEN = 2000
/** Tasks of a statement. */
export const BATCH = 500

export const newUid = (): string => randomUUID()

/** The fields of a request that choose a place. */
export interface WantedPlace {
  listId?: number | undefined
  sectionId?: number | null | undefined
  parentId?: number | null | undefined
}

/** The size of a tree of open tasks that is new at a place. */
interface NewTree {
  count: number
  levels: number
}

export const samePlace = (one: Place, other: Place): boolean =>
  one.listId === other.listId && one.sectionId === other.sectionId && one.parentId === other.parentId

/** A member must not learn which tasks and sections other lists of the owner have, so both cases have one answer. */
export const unknownParent = () =>
  invalidField('parentId', 'names a task that does not exist, or that is in another list')

/** Returns where a request puts a task. `was` is the place of an existing task. */
export const findPlace = async (
  tx: Db,
  ownerId: number,
  wanted: WantedPlace,
  was: Place & { id?: number },
): Promise<Place> => {
  const parent =
    wanted.parentId == null || wanted.parentId === was.parentId
      ? undefined
      : await findTask(tx, ownerId, wanted.parentId)
  if (parent === undefined && wanted.parentId != null && wanted.parentId !== was.parentId)
    throw unknownParent()
  const listId = wanted.listId ?? parent?.listId ?? was.listId
  const staysUnder = listId === was.listId && wanted.sectionId == null
  const parentId = wanted.parentId !== undefined ? wanted.parentId : staysUnder ? was.parentId : null
  if (wanted.sectionId !== undefined) return { listId, parentId, sectionId: wanted.sectionId }
  if (parentId !== null || listId !== was.listId) return { listId, parentId, sectionId: null }
  if (was.parentId === null || was.id === undefined) return { listId, parentId, sectionId: was.sectionId }
  // A subtask that becomes a task of its own stays in the section of its topmost task.
  const path = await listPath(tx, ownerId, was.id)
  return { listId, parentId, sectionId: path.at(-1)?.sectionId ?? null }
}

/** The order of tasks, and the tasks under tasks. Subtasks are in the list of their parent. */
export class TaskTree {
  private readonly changes: Platform['changes']

  constructor({ changes }: Pick<Platform, 'changes'>) {
    this.changes = changes
  }

  /** Checks a place for new tasks and returns the position at its end. */
  async append(
    tx: Db,
    ownerId: number,
    place: Place,
    size: NewTree = { count: 1, levels: 1 },
  ): Promise<string> {
    if (place.parentId !== null || place.sectionId !== null) await this.check(tx, ownerId, place, size)
    return positionAtEnd(await findLastPosition(tx, ownerId, place))
  }

  /**
   * Checks a place for a task and returns its position there: behind `afterId`, first (null) or last (undefined).
   */
  async enter(tx: Db, task: TaskRecord, place: Place, afterId: number | null | undefined): Promise<string> {
    const { id, userId } = task
    await this.check(tx, userId, place, task)
    if (afterId === undefined) return positionAtEnd(await findLastPosition(tx, userId, place))
    if (afterId === id) throw invalidField('afterId', 'is the task itself')
    const find = () => (afterId === null ? null : findSibling(tx, userId, place, afterId))
    const before = await find()
    if (before === undefined)
      throw invalidField(
        'afterId',
        'names a task that does not exist at this place. It may have been deleted',
      )
    const after = await findNextSibling(tx, userId, place, { after: before, except: id })
    const position = positionBetween(before?.position ?? null, after?.position ?? null)
    if (position !== undefined) return position
    await this.renumber(tx, userId, place)
    return this.enter(tx, task, place, afterId)
  }

  /** Returns a position directly behind a task. The list must be locked. */
  async behind(tx: Db, task: Place & Pick<TaskRecord, 'id' | 'userId' | 'position'>): Promise<string> {
    const { id, userId } = task
    const after = await findNextSibling(tx, userId, task, { after: task, except: id })
    const position = positionBetween(task.position, after?.position ?? null)
    if (position !== undefined) return position
    await this.renumber(tx, userId, task)
    return this.behind(tx, (await findTask(tx, userId, id)) as TaskRecord)
  }

  /** Returns the position of a task for another place, or one behind the task that already has it. */
  async keep(tx: Db, task: TaskRecord, place: Place): Promise<string> {
    const taken = await findSiblingAt(tx, task.userId, place, task.position)
    return taken === undefined ? task.position : this.behind(tx, { ...task, ...place, ...taken })
  }

  /** Keeps others from moving tasks of the list until the commit. */
  async lock(tx: Db, { userId, listId }: Pick<TaskRecord, 'userId' | 'listId'>): Promise<void> {
    await lockList(tx, userId, listId)
  }

  /** Moves the subtasks of a task to its new list. */
  async follow(tx: Db, task: TaskRecord, fromListId: number, updatedAt: string): Promise<void> {
    const { id, userId, listId } = task
    const ids = (await listTree(tx, userId, id)).slice(1).map((node) => node.id)
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = ids.slice(at, at + BATCH)
      await this.renewUids(tx, await lockTasks(tx, userId, batch), listId)
      const moved = await moveTasks(tx, userId, batch, {
        listId,
        updatedAt,
        marks: { before: marks.list(fromListId), after: marks.list(listId) },
      })
      for (const child of moved) await deleteLostReminders(tx, child.id, listId)
      await this.changes.recordAll(
        tx,
        moved.map((child) => ({ ...toTaskChange('task.updated', child), movedFrom: fromListId })),
      )
    }
  }

  /** Gives a new uid to tasks whose uid exists in the list that they move to. */
  async renewUids(tx: Db, tasks: readonly TaskRecord[], listId: number): Promise<void> {
    const [first] = tasks
    if (!first) return
    const uids = tasks.map(({ uid }) => uid)
    const known = new Set(await listUids(tx, first.userId, listId, uids))
    for (const { id, userId, uid } of tasks)
      if (known.has(uid)) await setHidden(tx, userId, id, { uid: newUid() })
  }

  async hasUid(tx: Db, userId: number, listId: number, uid: string): Promise<boolean> {
    return (await listUids(tx, userId, listId, [uid])).length > 0
  }

  /** Locks the lists, so that two moves at once cannot make a task its own subtask. */
  private async check(tx: Db, ownerId: number, place: Place, what: TaskRecord | NewTree): Promise<void> {
    const listIds = new Set([place.listId, ...('listId' in what ? [what.listId] : [])])
    for (const listId of [...listIds].sort((a, b) => a - b)) await lockList(tx, ownerId, listId)
    if (place.sectionId !== null) await this.checkSection(tx, ownerId, place)
    if (place.parentId !== null)
      await this.checkParent(tx, ownerId, { ...place, parentId: place.parentId }, what)
  }

  private async checkSection(tx: Db, ownerId: number, { listId, sectionId, parentId }: Place): Promise<void> {
    const section = sectionId === null ? undefined : await findSection(tx, ownerId, sectionId)
    if (section?.listId !== listId) throw invalidField('sectionId', 'names no section of this list')
    if (parentId !== null)
      throw invalidField(
        'sectionId',
        'cannot be set for a subtask, which is in the section of its topmost task',
      )
  }

  private async checkParent(
    tx: Db,
    ownerId: number,
    { listId, parentId }: Place & { parentId: number },
    what: TaskRecord | NewTree,
  ): Promise<void> {
    const [task, added] = 'id' in what ? [what, 0] : [undefined, what.count]
    const parent = await lockTask(tx, ownerId, parentId)
    if (parent?.listId !== listId) throw unknownParent()
    const path = await listPath(tx, ownerId, parentId)
    if (task && path.some(({ id }) => id === task.id))
      throw invalidField('parentId', 'is the task itself or one of its subtasks')
    const moved = task ? await listTree(tx, ownerId, task.id) : []
    const height = 'levels' in what ? what.levels : Math.max(1, ...moved.map(({ depth }) => depth))
    if (path.length + height > MAX_DEPTH)
      throw invalidField('parentId', `would make more than ${MAX_DEPTH} levels of subtasks`)
    const top = path.at(-1) as { id: number }
    const others = await listTree(tx, ownerId, top.id)
    const ids = new Set([...others, ...moved].filter(({ closedAt }) => closedAt === null).map(({ id }) => id))
    if (ids.size + added > MAX_OPEN)
      throw invalidField('parentId', `would put more than ${MAX_OPEN} open tasks under one task`)
  }

  private async renumber(tx: Db, userId: number, place: Place): Promise<void> {
    const tasks = await listSiblings(tx, userId, place)
    const positions = createPositions(tasks.length)
    for (const [index, { id }] of tasks.entries())
      await setPosition(tx, userId, id, positions[index] as string)
  }
}
