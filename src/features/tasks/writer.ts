import type { Db } from '../../database/db.ts'
import type { Platform } from '../../platform/platform.ts'
import type { PersonClock } from './due.ts'
import type { TaskReminders } from './reminders.ts'
import { deleteTasks, insertTask, replaceTags, type TaskRecord } from './repository.ts'
import { rowOf, type TaskFields, tagKeyOf, toTaskChange } from './task.ts'
import { BATCH, newUid } from './tree.ts'
import { listTree } from './tree-repository.ts'

/** The columns of a new task besides its fields. */
export interface NewRow {
  position: string
  uid?: string | undefined
  extra?: string | null
  dueWall?: string | null
  closedAt?: string | undefined
  changedBy: string | null
}

type Deps = Pick<Platform, 'clock' | 'changes'> & { reminders: Pick<TaskReminders, 'arm'> }

/** Writes tasks with what belongs to them: tags, reminders and changes. */
export class TaskWriter {
  private readonly deps: Deps

  constructor(deps: Deps) {
    this.deps = deps
  }

  now(): string {
    return this.deps.clock.now().toISOString()
  }

  async insert(
    tx: Db,
    userId: number,
    fields: TaskFields,
    personClock: PersonClock,
    more: NewRow,
  ): Promise<TaskRecord> {
    const { dueWall = null, closedAt, changedBy, position, uid = newUid(), extra = null } = more
    const row = {
      ...rowOf(userId, fields, undefined, this.now(), personClock, closedAt),
      dueWall,
      remindedFor: null,
      successorId: null,
      changedBy,
      position,
      uid,
      extra,
    }
    const task = await insertTask(tx, { ...row, version: 1 })
    if (fields.tags.length > 0) await replaceTags(tx, task, fields.tags.map(tagKeyOf))
    await this.deps.reminders.arm(tx, task.nextReminderAt)
    await this.record(tx, 'task.created', task)
    return task
  }

  record(
    tx: Db,
    type: 'task.created' | 'task.updated' | 'task.completed',
    task: TaskRecord,
    movedFrom?: number,
  ): Promise<void> {
    return this.deps.changes.record(tx, { ...toTaskChange(type, task), movedFrom })
  }

  /** Deletes a task with its subtasks. */
  async remove(tx: Db, { id, userId, listId }: TaskRecord): Promise<void> {
    const ids = (await listTree(tx, userId, id)).map((node) => node.id)
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = ids.slice(at, at + BATCH)
      await deleteTasks(tx, userId, batch)
      await this.deps.changes.recordAll(
        tx,
        batch.map((taskId) => ({
          userId,
          type: 'task.deleted',
          subject: String(taskId),
          data: { listId },
        })),
      )
    }
  }
}
