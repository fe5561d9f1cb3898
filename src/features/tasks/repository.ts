import {
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Updateable,
} from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import { filterOnly } from '../../database/planner.ts'
import { prepare } from '../../database/prepared.ts'
import { countRows } from '../../database/rows.ts'
import type { TaskBlockRow, TaskRow, TaskTagRow } from '../../database/tables/tasks.ts'
import type { Tables } from '../../database/tables.ts'
import { readUsedTags } from '../../database/used-tags.ts'
import { versionedRows } from '../../platform/resources.ts'
import type { Task } from './schema.ts'

export type TaskRecord = Selectable<TaskRow>

/** The columns that a list reads. The search words of a task are longer than all other columns together. */
export type ListedColumn =
  | Exclude<keyof Task, 'nextTaskId'>
  | 'successorId'
  | 'userId'
  | 'place'
  | 'duePlace'
  | 'lateAt'
export type ListedTask = Pick<TaskRecord, ListedColumn>

export const {
  insert: insertTask,
  lock: lockTask,
  update: updateTask,
  delete: deleteTask,
} = versionedRows('tasks', 'task')

const selectTask = prepare<{ userId: number; id: number }, TaskRecord>((db, values) =>
  db.selectFrom('tasks').selectAll().where('userId', '=', values.userId).where('id', '=', values.id),
)

export const findTask = async (db: Db, userId: number, id: number): Promise<TaskRecord | undefined> =>
  (await selectTask(db, { userId, id }))[0]

/** Sets columns that the API does not show. The version stays. */
export const setHidden = async (
  tx: Db,
  userId: number,
  id: number,
  change: Pick<Updateable<TaskRow>, 'successorId' | 'sourceKey' | 'uid' | 'extra'>,
): Promise<void> => {
  await tx.updateTable('tasks').set(change).where('userId', '=', userId).where('id', '=', id).execute()
}

export const deleteTasks = async (tx: Db, userId: number, ids: readonly number[]): Promise<void> => {
  await tx.deleteFrom('tasks').where('userId', '=', userId).where('id', 'in', ids).execute()
}

export const replaceTags = async (
  tx: Db,
  task: Pick<TaskRecord, 'id' | 'userId' | 'status' | 'priority' | 'place' | 'duePlace'>,
  keys: readonly string[],
): Promise<void> => {
  const { id: taskId, userId, status, priority, place, duePlace } = task
  await tx
    .deleteFrom('task_tags')
    .where(filterOnly('userId'), '=', userId)
    .where('taskId', '=', taskId)
    .execute()
  if (keys.length === 0) return
  const rows = keys.map(
    (tag): Insertable<TaskTagRow> => ({ taskId, userId, tag, status, priority, place, duePlace }),
  )
  await tx.insertInto('task_tags').values(rows).execute()
}

/** Filters of a task list. `from` and `before` are bounds of the column `by`, without the latter. */
export interface ListFilter {
  by: 'place' | 'duePlace'
  from?: number | undefined
  status?: string | undefined
  priority?: string | undefined
  tag?: string | undefined
  listId?: number | undefined
  before?: number | undefined
}

/** Matches tasks with the tag. Used with the index of another filter. */
export const hasTag = (tag: string) => sql<boolean>`exists (
  select 1 from task_tags where task_tags."taskId" = tasks.id and task_tags.tag = ${tag}
)`

interface ListValues extends Omit<ListFilter, 'by'> {
  userId: number
  afterPlace: number | undefined
  afterId: number | undefined
  limit: number
}

/** Selects the variant of a page, besides the given filters. */
interface ListShape {
  by: ListFilter['by']
  columns: readonly ListedColumn[]
}

const queryPage = (db: Db, values: ListValues, { by, columns }: ListShape) => {
  const { status, priority, tag, listId, from, before, afterPlace, afterId } = values
  const usesTags = tag !== undefined && listId === undefined
  const table = usesTags ? 'task_tags' : 'tasks'
  const id = usesTags ? 'task_tags.taskId' : 'tasks.id'
  const place = `${table}.${by}` as const
  // Both tables have the same filter columns, so that the rest of the query works for either.
  let query = (
    usesTags
      ? db
          .selectFrom('task_tags')
          .innerJoin('tasks', 'tasks.id', 'task_tags.taskId')
          .where('task_tags.tag', '=', tag)
      : db.selectFrom('tasks')
  ) as SelectQueryBuilder<Tables, 'tasks' | 'task_tags', unknown>
  query = query.where(`${table}.userId`, '=', values.userId)
  if (listId !== undefined) {
    query = query.where('tasks.listId', '=', listId)
    if (tag !== undefined) query = query.where(hasTag(tag))
  }
  if (status !== undefined) query = query.where(`${table}.status`, '=', status)
  if (priority !== undefined) query = query.where(`${table}.priority`, '=', priority)
  if (from !== undefined) query = query.where(place, '>=', from)
  if (before !== undefined) query = query.where(place, '<', before)
  if (by === 'duePlace') query = query.where(place, 'is not', null)
  if (afterPlace !== undefined && afterId !== undefined)
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple(place, id), '>', tuple(afterPlace, afterId)))
  return query
    .select(columns.map((name) => `tasks.${name}` as const))
    .orderBy(place)
    .orderBy(id)
    .limit(values.limit)
}

const selectPage = prepare<ListValues, ListedTask, ListShape>(queryPage)

/** Lists a page of tasks in the order of the column `by`, which has an index for each filter. */
export const listTasks = (
  db: Db,
  columns: readonly ListedColumn[],
  userId: number,
  { by, ...filters }: ListFilter,
  { limit, after }: { limit: number; after: readonly [number, number] | undefined },
): Promise<ListedTask[]> => {
  const [afterPlace, afterId] = after ?? []
  return selectPage(db, { userId, ...filters, afterPlace, afterId, limit: limit + 1 }, { by, columns })
}

/**
 * Lists a page of the tasks that also meet a condition. The filters choose the index; the condition is tested in its order,
 * so that a page is full unless it is the last one.
 */
export const listMatching = (
  db: Db,
  columns: readonly ListedColumn[],
  userId: number,
  { by, condition, ...filters }: ListFilter & { condition: RawBuilder<boolean> },
  { limit, after }: { limit: number; after: readonly [number, number] | undefined },
): Promise<ListedTask[]> => {
  const [afterPlace, afterId] = after ?? []
  const values = { userId, ...filters, afterPlace, afterId, limit: limit + 1 }
  return queryPage(db, values, { by, columns }).where(condition).execute()
}

/** The fields that planning needs. */
export type OpenTask = Pick<TaskRecord, 'id' | 'title' | 'lateAt' | 'estimateMinutes' | 'tags'>

/** Lists open tasks in list order. */
export const listOpen = (db: Db, userId: number, firstClosed: number, limit: number): Promise<OpenTask[]> =>
  db
    .selectFrom('tasks')
    .select(['id', 'title', 'lateAt', 'estimateMinutes', 'tags'])
    .where('userId', '=', userId)
    .where('place', '<', firstClosed)
    .orderBy('place')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Returns those of the given tasks that are open, in the order of `listOpen`. */
export const findOpen = async (
  db: Db,
  userId: number,
  firstClosed: number,
  ids: readonly number[],
): Promise<OpenTask[]> => {
  const tasks = await db
    .selectFrom('tasks')
    .select(['id', 'title', 'lateAt', 'estimateMinutes', 'tags', 'place'])
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .where('place', '<', firstClosed)
    .execute()
  return tasks.sort((one, other) => one.place - other.place || one.id - other.id)
}

export const countPlaced = (db: Db, userId: number, from: number | null, before: number): Promise<number> => {
  const earlier = db.selectFrom('tasks').where('userId', '=', userId).where('place', '<', before)
  return countRows(from === null ? earlier : earlier.where('place', '>=', from))
}

/** Counts completed tasks in each of the given time ranges. */
export const countCompleted = async (
  db: Db,
  userId: number,
  ranges: readonly { from: string; to: string }[],
): Promise<number[]> => {
  const counts = await db
    .selectNoFrom((row) =>
      ranges.map(({ from, to }, index) =>
        row
          .selectFrom('tasks')
          .select((inner) => inner.fn.countAll<number>().as('tasks'))
          .where('userId', '=', userId)
          .where('completedAt', '>=', from)
          .where('completedAt', '<', to)
          .as(`range${index}`),
      ),
    )
    .executeTakeFirstOrThrow()
  const named = counts as Record<string, number | null>
  return ranges.map((_, index) => Number(named[`range${index}`] ?? 0))
}

/** Counts created and completed tasks in each range with one query. Deleted tasks do not count. */
export const countProgress = async (
  db: Db,
  userId: number,
  ranges: readonly { from: string; to: string }[],
): Promise<{ created: number; completed: number }[]> => {
  // PostgreSQL needs the type of the values.
  const values = ranges.map(
    ({ from, to }, number) => sql`(${sql.lit(number)}, cast(${from} as text), cast(${to} as text))`,
  )
  const within = (column: string) =>
    sql`t."userId" = ${userId} and ${sql.ref(`t.${column}`)} >= ranges.first
      and ${sql.ref(`t.${column}`)} < ranges.below`
  const { rows } = await sql<{ number: number; created: number; completed: number }>`
    with ranges (number, first, below) as (values ${sql.join(values)})
    select number,
      (select count(*) from tasks as t where ${within('createdAt')}) as created,
      (select count(*) from tasks as t where ${within('completedAt')}) as completed
    from ranges`.execute(db)
  const counts = ranges.map(() => ({ created: 0, completed: 0 }))
  for (const { number, created, completed } of rows)
    counts[Number(number)] = { created: Number(created), completed: Number(completed) }
  return counts
}

/** Claims up to `limit` tasks of all accounts whose reminder is due. Concurrent callers never claim the same task. */
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
    .modifyEnd(ALL_ACCOUNTS)
    .execute()

const findNextIn = async (tx: Db, table: 'tasks' | 'task_reminders'): Promise<string | null> => {
  const row = await tx
    .selectFrom(table)
    .select('nextReminderAt')
    .where('nextReminderAt', 'is not', null)
    .orderBy('nextReminderAt')
    .limit(1)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()
  return row?.nextReminderAt ?? null
}

/** Returns the time of the earliest reminder of all accounts: of owners in tasks, and of members. */
export const findNextReminder = async (tx: Db): Promise<string | null> => {
  const [ofOwners, ofMembers] = [await findNextIn(tx, 'tasks'), await findNextIn(tx, 'task_reminders')]
  if (ofOwners === null || ofMembers === null) return ofOwners ?? ofMembers
  return ofOwners < ofMembers ? ofOwners : ofMembers
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

const MAX_TAGS = 1000

export const listUsedTags = (db: Db, userId: number) => readUsedTags(db, userId, 'tasks', MAX_TAGS)

/** Returns those of the given emails that have a task. */
export const listWithTasks = async (
  db: Db,
  userId: number,
  emailIds: readonly number[],
): Promise<number[]> => {
  const rows = await db
    .selectFrom('tasks')
    .select('emailId')
    .distinct()
    .where('userId', '=', userId)
    .where('emailId', 'in', emailIds)
    .$narrowType<{ emailId: number }>()
    .execute()
  return rows.map(({ emailId }) => emailId)
}

/** Lists the tasks of an email. One page is enough, because an email has few tasks. */
export const listByEmail = (
  db: Db,
  userId: number,
  emailId: number,
): Promise<Pick<TaskRecord, 'id' | 'title'>[]> =>
  db
    .selectFrom('tasks')
    .select(['id', 'title'])
    .where('userId', '=', userId)
    .where('emailId', '=', emailId)
    .orderBy('id')
    .limit(200)
    .execute()

/** Lists the tasks of parcels and invoices, newest last. */
export const listBySource = (db: Db, userId: number, keys: readonly string[]): Promise<TaskRecord[]> =>
  db
    .selectFrom('tasks')
    .selectAll()
    .where('userId', '=', userId)
    .where('sourceKey', 'in', keys)
    .orderBy(filterOnly('id'))
    .execute()

/** Filters of the list of overdue tasks. */
export interface LateFilter {
  now: string
  priority?: string | undefined
  tag?: string | undefined
  listId?: number | undefined
  dueBefore?: string | undefined
}

/** Lists up to `limit` + 1 overdue tasks, the longest overdue first. */
export const listLate = (
  db: Db,
  columns: readonly ListedColumn[],
  userId: number,
  { now, priority, tag, listId, dueBefore }: LateFilter,
  { limit, after }: { limit: number; after: readonly [string, number] | undefined },
): Promise<ListedTask[]> => {
  let query = db.selectFrom('tasks').where('userId', '=', userId).where('lateAt', '<=', now)
  if (priority !== undefined) query = query.where('priority', '=', priority)
  if (dueBefore !== undefined) query = query.where('dueAt', '<', dueBefore)
  if (listId !== undefined) query = query.where('listId', '=', listId)
  if (tag !== undefined) query = query.where(hasTag(tag))
  if (after !== undefined)
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('lateAt', 'id'), '>', tuple(...after)))
  return query
    .select(columns)
    .orderBy('lateAt')
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

export const countLate = (db: Db, userId: number, now: string): Promise<number> =>
  countRows(db.selectFrom('tasks').where('userId', '=', userId).where('lateAt', '<=', now))

/** Lists the open tasks of an account that are due on a day. */
export const listDueOnDay = async (db: Db, userId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('tasks')
    .select('id')
    .where('userId', '=', userId)
    .where('dueZone', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Lists the accounts with open tasks that were calculated in another time zone than the one of the account. These are
 * two index ranges per account, which are usually empty. `local` replaces the zone of one account.
 */
export const listAccountsInOtherZones = async (
  db: Db,
  local: { userId: number; timezone: string },
): Promise<number[]> => {
  const zone = sql`case when users.id = ${local.userId} then ${local.timezone} else users.timezone end`
  const hasTask = (comparison: RawBuilder<unknown>) => sql`exists (
    select 1 from tasks
    where tasks."userId" = users.id and tasks."dueZone" is not null and tasks."dueZone" ${comparison} ${zone}
  )`
  const { rows } = await sql<{ id: number }>`
    select users.id as id from users
    where ${hasTask(sql`<`)} or ${hasTask(sql`>`)}
    order by users.id`.execute(db)
  return rows.map(({ id }) => id)
}

export const insertBlock = async (tx: Db, row: TaskBlockRow): Promise<void> => {
  await tx.insertInto('task_blocks').values(row).execute()
}

export const listBlocks = (db: Db, userId: number, taskIds: readonly number[]): Promise<TaskBlockRow[]> =>
  taskIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('task_blocks')
        .selectAll()
        .where('userId', '=', userId)
        .where('taskId', 'in', taskIds)
        .execute()

/** Lists the tasks that the given events reserve time for. */
export const listTasksOfEvents = (
  db: Db,
  userId: number,
  eventIds: readonly number[],
): Promise<(TaskRecord & { blockEventId: number })[]> =>
  eventIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('task_blocks')
        .innerJoin('tasks', 'tasks.id', 'task_blocks.taskId')
        .selectAll('tasks')
        .select('task_blocks.eventId as blockEventId')
        .where('task_blocks.userId', '=', userId)
        .where('task_blocks.eventId', 'in', eventIds)
        .execute()

export const deleteBlocks = async (tx: Db, userId: number, eventIds: readonly number[]): Promise<void> => {
  if (eventIds.length > 0)
    await tx.deleteFrom('task_blocks').where('userId', '=', userId).where('eventId', 'in', eventIds).execute()
}
