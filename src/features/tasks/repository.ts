import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { Engine } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { prepare } from '../../database/prepared.ts'
import type { TaskBlockRow, TaskRow, TaskTagRow } from '../../database/tables/tasks.ts'
import type { Tables } from '../../database/tables.ts'
import { readUsedTags } from '../../database/used-tags.ts'
import { holdWords, matchWords } from '../../database/word-index.ts'

export type TaskRecord = Selectable<TaskRow>

export const insertTask = (tx: Db, row: Insertable<TaskRow>): Promise<TaskRecord> =>
  tx.insertInto('tasks').values(row).returningAll().executeTakeFirstOrThrow()

const selectTask = prepare<{ id: number }, TaskRecord>((db, parameter) =>
  db.selectFrom('tasks').selectAll('tasks').where('id', '=', parameter('id')),
)

export const findTask = async (db: Db, id: number): Promise<TaskRecord | undefined> =>
  (await selectTask(db, { id }))[0]

/** Locks the task for a change that depends on its current values. */
export const lockTask = (tx: Db, id: number): Promise<TaskRecord | undefined> =>
  tx
    .updateTable('tasks')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const updateTask = (tx: Db, id: number, change: Updateable<TaskRow>): Promise<TaskRecord> =>
  tx
    .updateTable('tasks')
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const setSuccessor = async (tx: Db, id: number, successorId: number | null): Promise<void> => {
  await tx.updateTable('tasks').set({ successorId }).where('id', '=', id).execute()
}

export const deleteTask = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('tasks').where('id', '=', id).execute()
}

export const replaceTags = async (
  tx: Db,
  task: Pick<TaskRecord, 'id' | 'status' | 'priority' | 'place' | 'duePlace'>,
  keys: readonly string[],
): Promise<void> => {
  const { id: taskId, status, priority, place, duePlace } = task
  await tx.deleteFrom('task_tags').where('taskId', '=', taskId).execute()
  if (keys.length === 0) return
  const rows = keys.map((tag): Insertable<TaskTagRow> => ({ taskId, tag, status, priority, place, duePlace }))
  await tx.insertInto('task_tags').values(rows).execute()
}

/** Filters of a task list. `before` is an exclusive upper bound on the column `by`. */
export interface ListFilter {
  by: 'place' | 'duePlace'
  status?: string | undefined
  priority?: string | undefined
  tag?: string | undefined
  before?: number | undefined
}

interface ListParameters {
  status: string
  priority: string
  tag: string
  before: number
  afterPlace: number
  afterId: number
  limit: number
}
type ListPart = keyof ListParameters

/** Prepares a page query for one combination of filters, in the order of a matching index. */
const prepareList = (by: ListFilter['by'], asked: ReadonlySet<ListPart>) =>
  prepare<ListParameters, TaskRecord>((db, parameter) => {
    const isTagged = asked.has('tag')
    const table = isTagged ? 'task_tags' : 'tasks'
    const id = isTagged ? 'task_tags.taskId' : 'tasks.id'
    const place = `${table}.${by}` as const
    // Both tables have the same filter columns, so that the rest of the query works for either.
    let query = (
      isTagged
        ? db
            .selectFrom('task_tags')
            .innerJoin('tasks', 'tasks.id', 'task_tags.taskId')
            .where('task_tags.tag', '=', parameter('tag'))
        : db.selectFrom('tasks')
    ) as SelectQueryBuilder<Tables, 'tasks' | 'task_tags', unknown>
    if (asked.has('status')) query = query.where(`${table}.status`, '=', parameter('status'))
    if (asked.has('priority')) query = query.where(`${table}.priority`, '=', parameter('priority'))
    if (asked.has('before')) query = query.where(place, '<', parameter('before'))
    if (by === 'duePlace') query = query.where(place, 'is not', null)
    if (asked.has('afterPlace'))
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple(place, id), '>', tuple(parameter('afterPlace'), parameter('afterId'))),
      )
    return query.selectAll('tasks').orderBy(place).orderBy(id).limit(parameter('limit'))
  })

/** Returns a function that lists tasks. It prepares the SQL for each combination of filters once. */
export const createTaskLists = () => {
  const kinds = new Map<string, ReturnType<typeof prepareList>>()
  return (
    db: Db,
    { by, ...filter }: ListFilter,
    { limit, after }: { limit: number; after: readonly [number, number] | undefined },
  ): Promise<TaskRecord[]> => {
    const given = { ...filter, afterPlace: after?.[0], afterId: after?.[1], limit: limit + 1 }
    const asked = (Object.keys(given) as ListPart[]).filter((part) => given[part] !== undefined)
    const kind = `${by} ${asked.join()}`
    const read = kinds.get(kind) ?? prepareList(by, new Set(asked))
    kinds.set(kind, read)
    return read(db, given as ListParameters)
  }
}

/** The fields that planning needs. */
export type OpenTask = Pick<TaskRecord, 'id' | 'title' | 'lateAt' | 'estimateMinutes' | 'tags'>

/** Lists open tasks in list order. */
export const listOpen = (db: Db, firstClosed: number, limit: number): Promise<OpenTask[]> =>
  db
    .selectFrom('tasks')
    .select(['id', 'title', 'lateAt', 'estimateMinutes', 'tags'])
    .where('place', '<', firstClosed)
    .orderBy('place')
    .orderBy('id')
    .limit(limit)
    .execute()

const count = (db: Db) => db.selectFrom('tasks').select((row) => row.fn.countAll<number>().as('tasks'))

export const countPlaced = async (db: Db, from: number | null, before: number): Promise<number> => {
  const query = count(db).where('place', '<', before)
  const { tasks } = await (from === null ? query : query.where('place', '>=', from)).executeTakeFirstOrThrow()
  return Number(tasks)
}

/** Counts completed tasks in each of the given time ranges. */
export const countCompleted = async (
  db: Db,
  ranges: readonly { from: string; to: string }[],
): Promise<number[]> => {
  const counts = await db
    .selectNoFrom((row) =>
      ranges.map(({ from, to }, index) =>
        row
          .selectFrom('tasks')
          .select((inner) => inner.fn.countAll<number>().as('tasks'))
          .where('completedAt', '>=', from)
          .where('completedAt', '<', to)
          .as(`range${index}`),
      ),
    )
    .executeTakeFirstOrThrow()
  const named = counts as Record<string, number | null>
  return ranges.map((_, index) => Number(named[`range${index}`] ?? 0))
}

/** Claims up to `limit` tasks whose reminder is due. Concurrent callers never claim the same task. */
export const takeDue = (tx: Db, now: string, limit: number): Promise<TaskRecord[]> =>
  tx
    .updateTable('tasks')
    .set((row) => ({ nextReminderAt: null, remindedFor: row.ref('nextReminderAt') }))
    .where('id', 'in', (db) =>
      db
        .selectFrom('tasks')
        .select('id')
        .where('nextReminderAt', '<=', now)
        .orderBy('nextReminderAt')
        .limit(limit),
    )
    .where('nextReminderAt', '<=', now)
    .returningAll()
    .execute()

export const findNextReminder = async (tx: Db): Promise<string | null> => {
  const row = await tx
    .selectFrom('tasks')
    .select('nextReminderAt')
    .where('nextReminderAt', 'is not', null)
    .orderBy('nextReminderAt')
    .limit(1)
    .executeTakeFirst()
  return row?.nextReminderAt ?? null
}

const ALARM = 1

/** Reads when the next job runs, without a lock. */
export const readAlarm = async (tx: Db): Promise<string | null> =>
  (await tx.selectFrom('task_alarm').select('ringsAt').where('id', '=', ALARM).executeTakeFirst())?.ringsAt ??
  null

/** Reads when the next job runs, and locks the row until the transaction ends. */
export const lockAlarm = async (tx: Db): Promise<string | null> => {
  const { ringsAt } = await tx
    .insertInto('task_alarm')
    .values({ id: ALARM, ringsAt: null })
    .onConflict((existing) => existing.column('id').doUpdateSet({ ringsAt: sql.ref('task_alarm.ringsAt') }))
    .returning('ringsAt')
    .executeTakeFirstOrThrow()
  return ringsAt
}

export const setAlarm = async (tx: Db, ringsAt: string | null): Promise<void> => {
  await tx.updateTable('task_alarm').set({ ringsAt }).where('id', '=', ALARM).execute()
}

const MOST_TAGS = 1000

export const listUsedTags = (db: Db) => readUsedTags(db, 'tasks', MOST_TAGS)

/** Returns those of the given emails that have a task. */
export const listWithTasks = async (db: Db, emailIds: readonly number[]): Promise<number[]> => {
  const rows = await db
    .selectFrom('tasks')
    .select('emailId')
    .distinct()
    .where('emailId', 'in', emailIds)
    .$narrowType<{ emailId: number }>()
    .execute()
  return rows.map(({ emailId }) => emailId)
}

/** Lists the tasks of an email. One page is enough, because an email has few tasks. */
export const listByEmail = (db: Db, emailId: number): Promise<Pick<TaskRecord, 'id' | 'title'>[]> =>
  db
    .selectFrom('tasks')
    .select(['id', 'title'])
    .where('emailId', '=', emailId)
    .orderBy('id')
    .limit(200)
    .execute()

interface SearchFilter {
  words: readonly string[]
  marks: readonly string[]
  /** Exclusive upper bound on `duePlace`. */
  dueBelow: number | undefined
  /** Matches tasks that are overdue at this instant. */
  lateBy: string | undefined
}
interface SearchPage {
  limit: number
  below: number | undefined
}

/** Builds the query for overdue or due tasks. It reads one index range. */
const listDue = (db: Db, { dueBelow, lateBy }: SearchFilter) => {
  const query = db.selectFrom('tasks').select('id')
  if (lateBy !== undefined) return query.where('lateAt', '<=', lateBy)
  return dueBelow === undefined
    ? undefined
    : query.where('duePlace', '<', dueBelow).where('duePlace', 'is not', null)
}
type Due = NonNullable<ReturnType<typeof listDue>>

/** Up to this many tasks, filtering one by one is faster than following a common word. */
const FEW_DUE = 2_000

const areFew = async (db: Db, due: Due): Promise<boolean> => {
  const { tasks } = await db
    .selectFrom(due.limit(FEW_DUE + 1).as('due'))
    .select((row) => row.fn.countAll<number>().as('tasks'))
    .executeTakeFirstOrThrow()
  return Number(tasks) <= FEW_DUE
}

const searchDue = (db: Db, engine: Engine, due: Due, search: SearchFilter, { limit, below }: SearchPage) => {
  const { words, marks, dueBelow } = search
  let query = db
    .selectFrom('tasks')
    .where('id', 'in', due)
    .where(holdWords(engine, words, marks))
  if (dueBelow !== undefined) query = query.where('duePlace', '<', dueBelow)
  if (below !== undefined) query = query.where('id', '<', below)
  return query.selectAll('tasks').orderBy('id', 'desc').limit(limit).execute()
}

/** SQLite's word index returns the newest first and stops at the limit. */
const searchSqlite = (db: Db, search: SearchFilter, { limit, below }: SearchPage) => {
  const { words, marks, dueBelow, lateBy } = search
  let query = db
    .selectFrom('task_words')
    .innerJoin('tasks', 'tasks.id', 'task_words.rowid')
    .where(matchWords('sqlite', 'task_words', words, marks))
  if (dueBelow !== undefined) query = query.where('tasks.duePlace', '<', dueBelow)
  if (lateBy !== undefined) query = query.where('tasks.lateAt', '<=', lateBy)
  if (below !== undefined) query = query.where('task_words.rowid', '<', below)
  return query.selectAll('tasks').orderBy('task_words.rowid', 'desc').limit(limit).execute()
}

/** This many recent tasks are filtered one by one, which finds common words quickly. */
const RECENT_TASKS = 200

/**
 * PostgreSQL's word index has no order, so it is only fast for rare words. This function makes that choice
 * instead of the query planner.
 */
const searchPostgres = async (db: Db, search: SearchFilter, page: SearchPage) => {
  const { words, marks, dueBelow, lateBy } = search
  const { limit, below = Number.MAX_SAFE_INTEGER } = page
  const matches = matchWords('postgres', 'task_words', words, marks)
  const isBefore = dueBelow === undefined ? sql`true` : sql`"duePlace" < ${dueBelow}`
  const isLate = lateBy === undefined ? sql`true` : sql`"lateAt" <= ${lateBy}`
  const isDue = sql<boolean>`${isBefore} and ${isLate}`
  const newest = await db
    .selectFrom((inner) =>
      inner
        .selectFrom('tasks')
        .selectAll()
        .where('id', '<', below)
        .orderBy('id', 'desc')
        .limit(RECENT_TASKS)
        .as('tasks'),
    )
    .where(matches)
    .where(isDue)
    .selectAll('tasks')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  if (newest.length === limit) return newest
  return db
    .with(
      (found) => found('found').materialized(),
      (inner) => inner.selectFrom('tasks').select('id').where(matches).where(isDue).where('id', '<', below),
    )
    .selectFrom('tasks')
    .innerJoin(
      (inner) => inner.selectFrom('found').select('id').orderBy('id', 'desc').limit(limit).as('found'),
      (join) => join.onRef('found.id', '=', 'tasks.id'),
    )
    .selectAll('tasks')
    .orderBy('tasks.id', 'desc')
    .execute()
}

/** Finds tasks that match all words and marks, newest first. */
export const searchTasks = async (
  db: Db,
  engine: Engine,
  search: SearchFilter,
  page: SearchPage,
): Promise<TaskRecord[]> => {
  const due = listDue(db, search)
  if (due && (await areFew(db, due))) return searchDue(db, engine, due, search, page)
  return engine === 'sqlite' ? searchSqlite(db, search, page) : searchPostgres(db, search, page)
}

/** Filters of the list of overdue tasks. */
export interface LateFilter {
  now: string
  priority?: string | undefined
  tag?: string | undefined
  dueBefore?: string | undefined
}

/** Lists up to `limit` + 1 overdue tasks, the longest overdue first. */
export const listLate = (
  db: Db,
  { now, priority, tag, dueBefore }: LateFilter,
  { limit, after }: { limit: number; after: readonly [string, number] | undefined },
): Promise<TaskRecord[]> => {
  let query = db.selectFrom('tasks').where('lateAt', '<=', now)
  if (priority !== undefined) query = query.where('priority', '=', priority)
  if (dueBefore !== undefined) query = query.where('dueAt', '<', dueBefore)
  if (tag !== undefined)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('task_tags')
          .select('taskId')
          .whereRef('task_tags.taskId', '=', 'tasks.id')
          .where('task_tags.tag', '=', tag),
      ),
    )
  if (after !== undefined)
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('lateAt', 'id'), '>', tuple(...after)))
  return query
    .selectAll()
    .orderBy('lateAt')
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

export const countLate = async (db: Db, now: string): Promise<number> => {
  const { late } = await db
    .selectFrom('tasks')
    .select((row) => row.fn.countAll<number>().as('late'))
    .where('lateAt', '<=', now)
    .executeTakeFirstOrThrow()
  return Number(late)
}

const selectDueOnDay = (db: Db) => db.selectFrom('tasks').select('id').where('dueZone', 'is not', null)
const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id)

/** Lists open tasks that are due on a day. */
export const listDueOnDay = async (db: Db): Promise<number[]> => idsOf(await selectDueOnDay(db).execute())

/** Lists those calculated in another time zone, as two index ranges that are usually empty. */
export const listInOtherZones = async (db: Db, timezone: string): Promise<number[]> => [
  ...idsOf(await selectDueOnDay(db).where('dueZone', '<', timezone).execute()),
  ...idsOf(await selectDueOnDay(db).where('dueZone', '>', timezone).execute()),
]

export const insertBlock = async (tx: Db, row: TaskBlockRow): Promise<void> => {
  await tx.insertInto('task_blocks').values(row).execute()
}

export const listBlocks = (db: Db, taskIds: readonly number[]): Promise<TaskBlockRow[]> =>
  taskIds.length === 0
    ? Promise.resolve([])
    : db.selectFrom('task_blocks').selectAll().where('taskId', 'in', taskIds).execute()

/** Lists the tasks that the given events reserve time for. */
export const listTasksOfEvents = (
  db: Db,
  eventIds: readonly number[],
): Promise<(TaskRecord & { blockEventId: number })[]> =>
  eventIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('task_blocks')
        .innerJoin('tasks', 'tasks.id', 'task_blocks.taskId')
        .selectAll('tasks')
        .select('task_blocks.eventId as blockEventId')
        .where('task_blocks.eventId', 'in', eventIds)
        .execute()

export const deleteBlocks = async (tx: Db, eventIds: readonly number[]): Promise<void> => {
  if (eventIds.length > 0) await tx.deleteFrom('task_blocks').where('eventId', 'in', eventIds).execute()
}
