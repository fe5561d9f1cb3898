import type { Db } from '../../database/db.ts'
import { inTransaction, lockName } from '../../database/transaction.ts'
import { conflict, forbidden, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { readInstant } from '../../platform/time.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import { findUserName } from './member-repository.ts'
import type { TaskMembers } from './members.ts'
import type { TaskRecord } from './repository.ts'
import type { Status } from './schema.ts'
import { isOpen } from './task.ts'
import {
  countTimeEntries,
  deleteTimeEntry,
  findRunningTimer,
  getLockedTimeEntry,
  insertTimeEntry,
  listOwnTimeEntries,
  listTimeEntries,
  sumSeconds,
  type TimeEntryRecord,
  updateTimeEntry,
} from './time-entry-repository.ts'
import type {
  NewTimeEntry,
  OwnTimeEntryCollection,
  OwnTimeEntryQuery,
  TimeEntryChange,
  TimeEntryCollection,
} from './time-entry-schema.ts'
import { secondsBetween, type Timers, toTimeEntry, type VersionedTimeEntry } from './timers.ts'

const MAX_ENTRIES = 5000

interface StartedVersion extends VersionedTimeEntry {
  stopped: VersionedTimeEntry | null
}

const readKey = (cursor: string | undefined) => readCursor(cursor, 'instant', 'integer')
const keyOf = ({ startedAt, id }: { startedAt: string; id: number }) => [startedAt, id]

/** Returns the duration. Null while the timer runs. */
const measure = ({ startedAt, endedAt }: { startedAt: string; endedAt: string | null }): number | null => {
  if (endedAt === null) return null
  if (endedAt < startedAt) throw invalidField('endedAt', 'is before the start')
  return secondsBetween(startedAt, endedAt)
}

/**
 * The time that people spent on tasks. Members who can edit a list can record their time, and all members can see the
 * time of all. A person has one running timer at most.
 */
export class TimeEntries {
  private readonly deps: Pick<Platform, 'database' | 'clock' | 'changes'> & {
    members: TaskMembers
    timers: Timers
    preferences: Pick<PreferenceRules, 'get'>
  }

  constructor(deps: TimeEntries['deps']) {
    this.deps = deps
  }

  async list(userId: number, taskId: number, { limit, cursor }: PageRequest): Promise<TimeEntryCollection> {
    const { db } = this.deps.database
    const { userId: ownerId } = await this.deps.members.find(db, userId, taskId)
    const rows = await listTimeEntries(db, ownerId, taskId, { limit, after: readKey(cursor) })
    const { page, nextCursor } = pageOf(rows, limit, keyOf)
    const ownerName = await findUserName(db, ownerId)
    return {
      timeEntries: page.map((row) => toTimeEntry(row, ownerName)),
      trackedSeconds: await sumSeconds(db, ownerId, taskId),
      nextCursor,
    }
  }

  /** Lists the entries of a person, of all tasks that the person sees. */
  async listOwn(
    userId: number,
    { limit, cursor, running }: OwnTimeEntryQuery,
  ): Promise<OwnTimeEntryCollection> {
    const { db } = this.deps.database
    const rows = await listOwnTimeEntries(db, userId, { limit, after: readKey(cursor), running })
    const { page, nextCursor } = pageOf(rows, limit, keyOf)
    return {
      timeEntries: page.map(({ ownerName, taskTitle, ...row }) => ({
        ...toTimeEntry(row, ownerName),
        taskTitle,
      })),
      nextCursor,
    }
  }

  /** Starts the timer of a person. Returns the timer of another task that it stopped. */
  start(userId: number, taskId: number): Promise<StartedVersion> {
    return this.edit(userId, taskId, async (tx, task) => {
      const running = await findRunningTimer(tx, userId)
      if (running?.taskId === taskId) return { ...(await this.toView(tx, running)), stopped: null }
      if (!isOpen(task.status as Status)) throw conflict('This task is closed. Reopen it first.')
      const stopped = running ? await this.deps.timers.stop(tx, running) : null
      const startedAt = this.now()
      const entry = await this.insert(tx, userId, task, { startedAt, endedAt: null, seconds: null, note: '' })
      return { ...entry, stopped: stopped && (await this.toView(tx, stopped)) }
    })
  }

  stop(userId: number, taskId: number): Promise<VersionedTimeEntry> {
    return inTransaction(this.deps.database.db, async (tx) => {
      await lockName(tx, `timer:${userId}`)
      // A person who may only view the list now can still stop the own timer.
      await this.deps.members.find(tx, userId, taskId)
      const running = await findRunningTimer(tx, userId)
      if (running?.taskId !== taskId) throw conflict('No timer of yours runs on this task.')
      return this.toView(tx, await this.deps.timers.stop(tx, running))
    })
  }

  /** Records time that has passed. */
  async create(userId: number, taskId: number, input: NewTimeEntry): Promise<VersionedTimeEntry> {
    const zone = await this.timezone(userId)
    const startedAt = readInstant('startedAt', input.startedAt, zone)
    const endedAt = readInstant('endedAt', input.endedAt, zone)
    const seconds = measure({ startedAt, endedAt })
    const note = input.note?.trim() ?? ''
    return this.edit(userId, taskId, (tx, task) =>
      this.insert(tx, userId, task, { startedAt, endedAt, seconds, note }),
    )
  }

  async change(
    userId: number,
    { taskId, id }: { taskId: number; id: number },
    given: TimeEntryChange,
    ifMatch: string | undefined,
  ): Promise<VersionedTimeEntry> {
    const zone = await this.timezone(userId)
    const read = (field: 'startedAt' | 'endedAt') =>
      given[field] === undefined ? undefined : readInstant(field, given[field], zone)
    const times = { startedAt: read('startedAt'), endedAt: read('endedAt') }
    return this.edit(userId, taskId, async (tx, task) => {
      const before = await this.getLocked(tx, task, id, ifMatch)
      if (before.personId !== userId) throw forbidden('Only the person who worked can change a time entry.')
      const startedAt = times.startedAt ?? before.startedAt
      const endedAt = times.endedAt ?? before.endedAt
      const note = given.note?.trim() ?? before.note
      const seconds = measure({ startedAt, endedAt })
      if (startedAt === before.startedAt && endedAt === before.endedAt && note === before.note)
        return this.toView(tx, before)
      const changed = { startedAt, endedAt, seconds, note, updatedAt: this.now() }
      return this.record(tx, 'task.time_entry_updated', await updateTimeEntry(tx, before, changed))
    })
  }

  /** Lets a stopped timer run on, unless the person has started another one. */
  resume(
    userId: number,
    { taskId, id }: { taskId: number; id: number },
    ifMatch: string | undefined,
  ): Promise<VersionedTimeEntry> {
    return this.edit(userId, taskId, async (tx, task) => {
      const before = await this.getLocked(tx, task, id, ifMatch)
      if (await findRunningTimer(tx, userId)) throw conflict('Another timer runs. Stop it first.')
      const changed = { endedAt: null, seconds: null, updatedAt: this.now() }
      return this.record(tx, 'task.time_entry_updated', await updateTimeEntry(tx, before, changed))
    })
  }

  remove(
    userId: number,
    { taskId, id }: { taskId: number; id: number },
    ifMatch: string | undefined,
  ): Promise<void> {
    return this.edit(userId, taskId, async (tx, task) => {
      const { personId } = await this.getLocked(tx, task, id, ifMatch)
      if (personId !== userId && task.userId !== userId)
        throw forbidden('Only the person who worked and the owner of the list can delete a time entry.')
      await deleteTimeEntry(tx, task.userId, id)
      await this.deps.changes.record(tx, {
        userId: task.userId,
        type: 'task.time_entry_deleted',
        subject: String(id),
        data: { taskId, listId: task.listId },
      })
    })
  }

  /** Runs a change of the time of a person. Two at once must not start two timers. */
  private edit<T>(
    userId: number,
    taskId: number,
    change: (tx: Db, task: TaskRecord) => Promise<T>,
  ): Promise<T> {
    return inTransaction(this.deps.database.db, async (tx) => {
      await lockName(tx, `timer:${userId}`)
      return change(tx, await this.deps.members.lockAsEditor(tx, userId, taskId))
    })
  }

  private async insert(
    tx: Db,
    personId: number,
    { id: taskId, userId: ownerId }: TaskRecord,
    fields: Pick<TimeEntryRecord, 'startedAt' | 'endedAt' | 'seconds' | 'note'>,
  ): Promise<VersionedTimeEntry> {
    if ((await countTimeEntries(tx, ownerId, taskId)) >= MAX_ENTRIES)
      throw conflict(`A task can have ${MAX_ENTRIES} time entries. Delete one first.`)
    const now = this.now()
    const row = await insertTimeEntry(tx, {
      ...fields,
      userId: ownerId,
      taskId,
      personId,
      memberName: personId === ownerId ? null : await findUserName(tx, personId),
      version: 1,
      createdAt: now,
      updatedAt: now,
    })
    return this.record(tx, 'task.time_entry_created', row)
  }

  private async record(
    tx: Db,
    type: 'task.time_entry_created' | 'task.time_entry_updated',
    row: TimeEntryRecord,
  ): Promise<VersionedTimeEntry> {
    await this.deps.timers.record(tx, type, row)
    return this.toView(tx, row)
  }

  private async toView(tx: Db, row: TimeEntryRecord): Promise<VersionedTimeEntry> {
    return toTimeEntry(row, await findUserName(tx, row.userId))
  }

  private async getLocked(
    tx: Db,
    task: TaskRecord,
    id: number,
    ifMatch: string | undefined,
  ): Promise<TimeEntryRecord> {
    const entry = await getLockedTimeEntry(tx, task.userId, id, ifMatch)
    if (entry.taskId !== task.id) throw notFound('time entry')
    return entry
  }

  private async timezone(userId: number): Promise<string> {
    return (await this.deps.preferences.get(userId)).timezone
  }

  private now(): string {
    return this.deps.clock.now().toISOString()
  }
}
