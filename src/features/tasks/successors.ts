import type { Db } from '../../database/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { toWall } from '../../recurrence/time-zones.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import { hasAttached } from './attached.ts'
import { type PersonClock, shiftDates } from './due.ts'
import { nextOccurrence } from './occurrence.ts'
import { findTask, lockTask, setHidden, type TaskRecord, updateTask } from './repository.ts'
import type { Status } from './schema.ts'
import { fieldsOf, isOpen, type TaskFields } from './task.ts'
import { newUid, type TaskTree } from './tree.ts'
import { listChildren, listTree, lockTasks } from './tree-repository.ts'
import type { TaskWriter } from './writer.ts'

const DAY = 86_400_000

/** The wall-clock days between two due dates. */
const daysBetween = (one: string | null, other: string | null, zone: string): number =>
  one === null || other === null
    ? 0
    : Math.round((toWall(Date.parse(other), zone) - toWall(Date.parse(one), zone)) / DAY)

interface Repetition {
  clock: PersonClock
  /** The dates of subtasks move by this many days. */
  days: number
}

const isTaskOpen = (task: TaskRecord): boolean => isOpen(task.status as Status)

/** The next occurrences of repeating tasks, and the subtasks that come again with them. */
export class Successors {
  private readonly deps: Pick<Platform, 'clock'> & {
    preferences: Pick<PreferenceRules, 'get'>
    writer: TaskWriter
    tree: Pick<TaskTree, 'lock' | 'behind' | 'keep'>
  }

  constructor(deps: Successors['deps']) {
    this.deps = deps
  }

  /** Creates the next occurrence of a completed recurring task, once, even if it is completed repeatedly. */
  async create(tx: Db, task: TaskRecord): Promise<TaskRecord> {
    if (task.status !== 'done' || task.recurrence === null || task.successorId !== null) return task
    const clock = await this.deps.preferences.get(task.userId)
    const now = this.deps.clock.now().getTime()
    const next = nextOccurrence({ ...task, recurrence: task.recurrence }, now, clock.timezone)
    if (!next) return task
    await this.deps.tree.lock(tx, task)
    const { dueWall, ...dates } = next
    const days = daysBetween(task.dueAt, next.dueAt, clock.timezone)
    const fields = { ...shiftDates(fieldsOf(task), days, clock.timezone), ...dates }
    const successor = await this.repeat(tx, task, fields, clock, dueWall)
    await this.carry(tx, task, successor.id, { clock, days })
    return (await findTask(tx, task.userId, task.id)) as TaskRecord
  }

  /** Takes the next occurrence back when a task is reopened, unless somebody changed it. */
  async retract(tx: Db, task: TaskRecord): Promise<TaskRecord> {
    const { userId, id, successorId } = task
    if (successorId === null) return task
    await this.deps.tree.lock(tx, task)
    if (await lockTask(tx, userId, successorId)) {
      const pairs = await this.listPairs(tx, task, successorId)
      if (pairs.some(({ copy }) => copy.version > 1 || !isTaskOpen(copy))) return task
      for (const { copy } of pairs) if (await hasAttached(tx, copy)) return task
      await this.takeBack(tx, userId, pairs)
    } else await setHidden(tx, userId, id, { successorId: null })
    return (await findTask(tx, userId, id)) as TaskRecord
  }

  /** Inserts a closed task again. Its identity passes to the new one, which a phone sees as one task that moves on. */
  private async repeat(
    tx: Db,
    task: TaskRecord,
    fields: TaskFields,
    clock: PersonClock,
    dueWall: string | null = null,
  ): Promise<TaskRecord> {
    const { id, userId, uid, extra, changedBy } = task
    const isBeside = fields.parentId === task.parentId
    const position = isBeside ? await this.deps.tree.behind(tx, task) : task.position
    await setHidden(tx, userId, id, { uid: newUid(), extra: null })
    const again: TaskFields = { ...fields, status: 'todo', percentComplete: 0 }
    const more = { position, uid, extra, dueWall, changedBy }
    const copy = await this.deps.writer.insert(tx, userId, again, clock, more)
    await setHidden(tx, userId, id, { successorId: copy.id })
    return copy
  }

  /** Open subtasks move to the next occurrence. Completed ones come again, open; cancelled ones do not. */
  private async carry(tx: Db, from: TaskRecord, toId: number, repetition: Repetition): Promise<void> {
    const { clock, days } = repetition
    for (const child of await listChildren(tx, from.userId, from.id)) {
      if (isTaskOpen(child)) {
        if (toId !== from.id) await this.setParent(tx, child, toId)
        await this.carry(tx, child, child.id, repetition)
      } else if (child.status === 'done' && child.successorId === null) {
        const fields = { ...shiftDates(fieldsOf(child), days, clock.timezone), parentId: toId }
        const copy = await this.repeat(tx, child, fields, clock)
        await this.deps.writer.record(tx, 'task.updated', await this.touch(tx, child))
        await this.carry(tx, child, copy.id, repetition)
      }
    }
  }

  /** Lists the completed tasks of an occurrence with those that were created for the next one. */
  private async listPairs(
    tx: Db,
    task: TaskRecord,
    successorId: number,
  ): Promise<{ task: TaskRecord; copy: TaskRecord }[]> {
    const trees = [
      ...(await listTree(tx, task.userId, task.id)),
      ...(await listTree(tx, task.userId, successorId)),
    ]
    const rows = await lockTasks(
      tx,
      task.userId,
      trees.map(({ id }) => id),
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    return rows.flatMap((row) => {
      const copy = row.successorId === null ? undefined : byId.get(row.successorId)
      // A repeating subtask has a next occurrence of its own.
      const isCarried = row.id === task.id || row.recurrence === null
      return copy && isCarried ? [{ task: row, copy }] : []
    })
  }

  private async takeBack(
    tx: Db,
    userId: number,
    pairs: readonly { task: TaskRecord; copy: TaskRecord }[],
  ): Promise<void> {
    const copies = new Set(pairs.map(({ copy }) => copy.id))
    for (const { task, copy } of pairs)
      for (const child of await listChildren(tx, userId, copy.id))
        if (!copies.has(child.id)) await this.setParent(tx, child, task.id)
    for (const { task, copy } of pairs.toReversed()) {
      await this.deps.writer.remove(tx, copy)
      await setHidden(tx, userId, task.id, { uid: copy.uid, extra: copy.extra, successorId: null })
    }
  }

  private async setParent(tx: Db, task: TaskRecord, parentId: number): Promise<void> {
    const { listId } = task
    const position = await this.deps.tree.keep(tx, task, { listId, sectionId: null, parentId })
    const moved = await updateTask(tx, task, { parentId, position, updatedAt: this.deps.writer.now() })
    await this.deps.writer.record(tx, 'task.updated', moved)
  }

  private touch(tx: Db, task: TaskRecord): Promise<TaskRecord> {
    return updateTask(tx, task, { updatedAt: this.deps.writer.now() })
  }
}
