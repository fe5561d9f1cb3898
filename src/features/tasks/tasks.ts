import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { foldWords } from '../../database/word-index.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import { readInstant } from '../../platform/time.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import { type DueInput, dependsOnTimeZone, dueAfter, looksLikeDay, type PersonClock, readDue } from './due.ts'
import { nextOccurrence, readRecurrence } from './occurrence.ts'
import type { TaskReminders } from './reminders.ts'
import {
  createTaskLists,
  deleteTask,
  findTask,
  insertTask,
  type ListFilter,
  listLate,
  lockTask,
  replaceTags,
  searchTasks,
  setSuccessor,
  type TaskRecord,
  updateTask,
} from './repository.ts'
import type { NewTask, Status, Task, TaskChange, TaskList, TaskQuery } from './schema.ts'
import {
  BLANK,
  FIRST_CLOSED,
  fieldsOf,
  isOpen,
  marks,
  placeAt,
  rowOf,
  type TaskFields,
  tagKeyOf,
  taskColumns,
  uniqueTags,
} from './task.ts'

type Filters = Omit<TaskQuery, 'limit' | 'cursor' | 'q' | 'dueBefore'> & { dueBefore?: string }
type Page = Pick<TaskQuery, 'limit' | 'cursor'>

const placeBefore = (dueBefore: string | undefined): number | undefined =>
  dueBefore === undefined ? undefined : placeAt(Date.parse(dueBefore))

/** Chooses the order and its index. `place` already orders open tasks by due date. */
const filterOf = ({ status, priority, tag, dueBefore }: Filters): ListFilter => {
  const onlyOpen = status === 'open' || (status !== undefined && isOpen(status as Status))
  const before = placeBefore(dueBefore)
  return {
    by: before === undefined || onlyOpen ? 'place' : 'duePlace',
    status: status === 'open' ? undefined : status,
    priority,
    tag: tag === undefined ? undefined : tagKeyOf(tag),
    before: before ?? (status === 'open' ? FIRST_CLOSED : undefined),
  }
}

/** Returns the groups to search in order: open tasks, then closed ones. A status filter leaves one group. */
const kindsOf = (status: TaskQuery['status']): readonly string[] => {
  if (status === undefined) return [marks.open, marks.closed]
  return status === 'open' || status === 'overdue' ? [marks.open] : [marks.status(status)]
}

const createListing = ({ database, clock }: { database: Database; clock: Clock }) => {
  const { db, engine } = database
  const listTasks = createTaskLists()
  const now = (): string => clock.now().toISOString()

  const browseLate = async ({ priority, tag, dueBefore }: Filters, { limit, cursor }: Page) => {
    const filter = { now: now(), priority, tag: tag === undefined ? undefined : tagKeyOf(tag), dueBefore }
    const after = readCursor(cursor, 'instant', 'integer')
    const rows = await listLate(db, filter, { limit, after })
    return pageOf(rows, limit, (row) => [row.lateAt as string, row.id])
  }

  const browse = async (filters: Filters, page: Page) => {
    if (filters.status === 'overdue') return browseLate(filters, page)
    const { limit, cursor } = page
    const filter = filterOf(filters)
    const after = readCursor(cursor, 'integer', 'integer')
    const rows = await listTasks(db, filter, { limit, after })
    return pageOf(rows, limit, (row) => [row[filter.by] as number, row.id])
  }

  const search = async (q: string, filters: Filters, { limit, cursor }: Page) => {
    const { status, priority, tag, dueBefore } = filters
    const words = foldWords(q)
    const always = [
      ...(priority === undefined ? [] : [marks.priority(priority)]),
      ...(tag === undefined ? [] : [marks.tag(tag)]),
      ...(dueBefore === undefined ? [] : [marks.due]),
    ]
    const kinds = kindsOf(status)
    const [kind, below] = readCursor(cursor, 'integer', 'integer') ?? [0, undefined]
    if (kinds[kind] === undefined) throw invalidField('cursor', 'is not a cursor of this list')
    const found: { row: TaskRecord; kind: number }[] = []
    // A query without letters or digits matches nothing.
    for (let n = kind; words.length > 0 && n < kinds.length && found.length <= limit; n++) {
      const lateBy = status === 'overdue' ? now() : undefined
      const wanted = {
        words,
        marks: [kinds[n] as string, ...always],
        dueBelow: placeBefore(dueBefore),
        lateBy,
      }
      const rest = limit + 1 - found.length
      const rows = await searchTasks(db, engine, wanted, {
        limit: rest,
        below: n === kind ? below : undefined,
      })
      found.push(...rows.map((row) => ({ row, kind: n })))
    }
    const { page, nextCursor } = pageOf(found, limit, (hit) => [hit.kind, hit.row.id])
    return { page: page.map(({ row }) => row), nextCursor }
  }

  return async (query: TaskQuery, timezone: () => Promise<string>): Promise<TaskList> => {
    const { q = '', dueBefore, ...rest } = query
    const filters =
      dueBefore === undefined
        ? rest
        : { ...rest, dueBefore: readInstant('dueBefore', dueBefore, await timezone()) }
    const { page, nextCursor } = await (q.trim() === '' ? browse(filters, query) : search(q, filters, query))
    return { tasks: page.map(taskColumns.fromRow), nextCursor }
  }
}

/**
 * Checks that the email or event of a task exists, and locks it until the transaction ends. The database
 * removes the link when the email or event is deleted (migration 0015).
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

/** A task with its version, which the ETag needs. */
export type VersionedTask = Task & { version: number }

/** Tasks without a due day do not depend on the person's time zone. */
const NO_CLOCK: PersonClock = { timezone: 'UTC', workingHours: [] }

const toVersioned = (row: TaskRecord): VersionedTask => ({
  ...taskColumns.fromRow(row),
  version: row.version,
})

export class Tasks {
  private readonly deps: TasksDeps
  private readonly listing: (query: TaskQuery, timezone: () => Promise<string>) => Promise<TaskList>

  constructor(deps: TasksDeps) {
    this.deps = deps
    this.listing = createListing({ database: this.deps.database, clock: this.deps.clock })
  }

  list(query: TaskQuery) {
    return this.listing(query, () => this.timezone())
  }

  async get(id: number) {
    const task = await findTask(this.deps.database.db, id)
    if (!task) throw notFound('task')
    return toVersioned(task)
  }

  create(input: NewTask): Promise<VersionedTask> {
    return inTransaction(this.deps.database.db, async (tx) => {
      const task = await this.createTask(tx, input)
      await this.createSuccessor(tx, task)
      return toVersioned(task)
    })
  }

  /** Imports an existing task. If it is completed, no next occurrence is created. */
  restore(input: NewTask, completedAt: string | undefined): Promise<VersionedTask> {
    return inTransaction(this.deps.database.db, async (tx) =>
      toVersioned(await this.createTask(tx, input, completedAt)),
    )
  }

  async change(id: number, input: TaskChange, ifMatch: string | undefined) {
    const { due, given } = await this.read(input)
    return inTransaction(this.deps.database.db, async (tx) => {
      const before = await lockTask(tx, id)
      if (!before) throw notFound('task')
      requireMatch(ifMatch, { id, version: before.version })
      const was = fieldsOf(before)
      const personClock = await this.clockFor(dependsOnTimeZone(due, was))
      const merged: TaskFields = { ...was, ...given }
      const keepsDue = due.kind === 'nothing' && !isOpen(merged.status)
      const fields = keepsDue ? merged : { ...merged, ...dueAfter(due, was, personClock.timezone) }
      if (JSON.stringify(fields) === JSON.stringify(was)) return toVersioned(before)
      await this.checkOrigins(tx, given)
      const row = rowOf(fields, before, this.deps.clock.now().toISOString(), personClock)
      const task = await updateTask(tx, id, row)
      if (was.tags.length > 0 || fields.tags.length > 0)
        await replaceTags(tx, task, fields.tags.map(tagKeyOf))
      if (task.nextReminderAt !== before.nextReminderAt)
        await this.deps.reminders.arm(tx, task.nextReminderAt)
      const isCompleted = task.status === 'done' && before.status !== 'done'
      await this.record(tx, isCompleted ? 'task.completed' : 'task.updated', task)
      if (isCompleted) await this.createSuccessor(tx, task)
      else if (isOpen(fields.status) && !isOpen(was.status)) await this.retractSuccessor(tx, task)
      return toVersioned(task)
    })
  }

  remove(id: number, ifMatch: string | undefined): Promise<void> {
    return inTransaction(this.deps.database.db, async (tx) => {
      const task = await lockTask(tx, id)
      if (!task) throw notFound('task')
      requireMatch(ifMatch, { id, version: task.version })
      await this.deleteRecord(tx, task)
    })
  }

  private async timezone(): Promise<string> {
    return (await this.deps.preferences.ofInstance()).timezone
  }

  /** Reads the settings in the transaction, so that on SQLite they cannot change in between. */
  private clockFor(ofDay: boolean): Promise<PersonClock> | PersonClock {
    return ofDay ? this.deps.preferences.ofInstance() : NO_CLOCK
  }

  private record(tx: Db, type: string, task: TaskRecord): Promise<void> {
    return this.deps.changes.record(tx, { type, subject: String(task.id), data: taskColumns.fromRow(task) })
  }

  /** Validates the input and converts it to stored values. */
  private async read({ dueAt, dueDay, remindAt, tags, recurrence, title, ...plain }: TaskChange) {
    const due: DueInput = readDue({ dueAt, dueDay })
    const zone = typeof remindAt === 'string' && looksLikeDay(remindAt) ? await this.timezone() : 'UTC'
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

  private async checkOrigins(tx: Db, { emailId, eventId }: Partial<TaskFields>): Promise<void> {
    if (emailId && !(await this.deps.origins.hasEmail(tx, emailId)))
      throw invalidField('emailId', 'names an email that does not exist')
    if (eventId && !(await this.deps.origins.hasEvent(tx, eventId)))
      throw invalidField('eventId', 'names an event that does not exist')
  }

  private async insert(
    tx: Db,
    fields: TaskFields,
    personClock: PersonClock,
    { dueWall = null, closedAt }: { dueWall?: string | null; closedAt?: string | undefined } = {},
  ): Promise<TaskRecord> {
    const now = this.deps.clock.now().toISOString()
    const row = {
      ...rowOf(fields, undefined, now, personClock, closedAt),
      dueWall,
      remindedFor: null,
      successorId: null,
    }
    const task = await insertTask(tx, { ...row, version: 1 })
    if (fields.tags.length > 0) await replaceTags(tx, task, fields.tags.map(tagKeyOf))
    await this.deps.reminders.arm(tx, task.nextReminderAt)
    await this.record(tx, 'task.created', task)
    return task
  }

  private async createTask(tx: Db, input: NewTask, closedAt?: string): Promise<TaskRecord> {
    const { due, given } = await this.read(input)
    const personClock = await this.clockFor(dependsOnTimeZone(due, undefined))
    const fields = { ...BLANK, ...given, ...dueAfter(due, undefined, personClock.timezone) }
    await this.checkOrigins(tx, given)
    return this.insert(tx, fields, personClock, { closedAt })
  }

  /** Creates the next occurrence of a completed recurring task, once, even if it is completed repeatedly. */
  private async createSuccessor(tx: Db, task: TaskRecord): Promise<void> {
    if (task.status !== 'done' || task.recurrence === null || task.successorId !== null) return
    const personClock = await this.deps.preferences.ofInstance()
    const { timezone: zone } = personClock
    const next = nextOccurrence(
      { ...task, recurrence: task.recurrence },
      this.deps.clock.now().getTime(),
      zone,
    )
    if (!next) return
    const { dueWall, ...moved } = next
    const fields: TaskFields = { ...fieldsOf(task), ...moved, status: 'todo' }
    const successor = await this.insert(tx, fields, personClock, { dueWall })
    await setSuccessor(tx, task.id, successor.id)
  }

  /** Deletes the next occurrence when a task is reopened, unless that occurrence was changed. */
  private async retractSuccessor(tx: Db, task: TaskRecord): Promise<void> {
    if (task.successorId === null) return
    const successor = await lockTask(tx, task.successorId)
    if (successor && (successor.version > 1 || !isOpen(successor.status as Status))) return
    if (successor) await this.deleteRecord(tx, successor)
    await setSuccessor(tx, task.id, null)
  }

  private async deleteRecord(tx: Db, task: TaskRecord): Promise<void> {
    await deleteTask(tx, task.id)
    await this.deps.changes.record(tx, { type: 'task.deleted', subject: String(task.id), data: {} })
  }
}
