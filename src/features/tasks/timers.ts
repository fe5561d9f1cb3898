import type { Db } from '../../database/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { findUserName } from './member-repository.ts'
import { findTask } from './repository.ts'
import {
  findRunningTimer,
  listLostTimers,
  listRunningTimers,
  lockTimeEntry,
  type TimeEntryRecord,
  updateTimeEntry,
} from './time-entry-repository.ts'
import type { TimeEntry } from './time-entry-schema.ts'

export type VersionedTimeEntry = TimeEntry & { version: number }

export const toTimeEntry = (row: TimeEntryRecord, ownerName: string): VersionedTimeEntry => {
  const { userId: _, memberName, ...rest } = row
  return { ...rest, personName: memberName ?? ownerName }
}

export const secondsBetween = (startedAt: string, endedAt: string): number =>
  Math.floor((Date.parse(endedAt) - Date.parse(startedAt)) / 1000)

/** Stops running timers, also those that may not run on because of another change. */
export class Timers {
  private readonly deps: Pick<Platform, 'clock' | 'changes'>

  constructor(deps: Timers['deps']) {
    this.deps = deps
  }

  async stop(tx: Db, { userId, id }: TimeEntryRecord): Promise<TimeEntryRecord> {
    // Another change may have stopped it in the meantime.
    const row = (await lockTimeEntry(tx, userId, id)) as TimeEntryRecord
    if (row.endedAt !== null) return row
    const now = this.deps.clock.now().toISOString()
    // The clock may have been set back.
    const endedAt = now < row.startedAt ? row.startedAt : now
    const seconds = secondsBetween(row.startedAt, endedAt)
    const stopped = await updateTimeEntry(tx, row, { endedAt, seconds, updatedAt: now })
    await this.record(tx, 'task.time_entry_updated', stopped)
    return stopped
  }

  /** Stops the timers of a task that was closed. */
  async stopOfTask(tx: Db, userId: number, taskId: number): Promise<void> {
    for (const timer of await listRunningTimers(tx, userId, taskId)) await this.stop(tx, timer)
  }

  /** Stops the timers of people who do not see a list to which tasks were moved. */
  async stopLost(tx: Db, userId: number, listId: number): Promise<void> {
    for (const timer of await listLostTimers(tx, userId, listId)) await this.stop(tx, timer)
  }

  /** Stops the timer of a former member of a list. */
  async stopOfMember(
    tx: Db,
    { ownerId, memberId, listId }: { ownerId: number; memberId: number; listId: number },
  ): Promise<void> {
    const timer = await findRunningTimer(tx, memberId)
    if (timer?.userId !== ownerId) return
    const task = await findTask(tx, ownerId, timer.taskId)
    if (task?.listId === listId) await this.stop(tx, timer)
  }

  /** Stops the timer of an account that is being deleted. */
  async leave(tx: Db, userId: number): Promise<void> {
    const timer = await findRunningTimer(tx, userId)
    if (timer) await this.stop(tx, timer)
  }

  async record(
    tx: Db,
    type: 'task.time_entry_created' | 'task.time_entry_updated',
    row: TimeEntryRecord,
  ): Promise<void> {
    const { userId, id } = row
    const task = await findTask(tx, userId, row.taskId)
    if (!task) return
    const { version: _, ...data } = toTimeEntry(row, await findUserName(tx, userId))
    const { listId } = task
    await this.deps.changes.record(tx, { userId, type, subject: String(id), data: { ...data, listId } })
  }
}
