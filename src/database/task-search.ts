import { type Selectable, sql } from 'kysely'
import type { Db } from './db.ts'
import { isSqlite } from './engine-access.ts'
import type { TaskRow } from './tables/tasks.ts'
import { holdWords, matchWords } from './word-index.ts'

/* The search of tasks. Each engine needs its own query to find the newest matches quickly. */

interface SearchFilter {
  userId: number
  /** Its mark is in `marks`, too. */
  listId: number | undefined
  words: readonly string[]
  /** Contains the mark of the account, which keeps the search quick among many accounts. */
  marks: readonly string[]
  /** Exclusive upper bound on `duePlace`. */
  dueBelow: number | undefined
  /** Matches tasks that are overdue at this instant. */
  lateBy: string | undefined
}
interface SearchPage {
  columns: readonly `tasks.${keyof TaskRow}`[]
  limit: number
  below: number | undefined
}

/** Builds the query for overdue or due tasks. It reads one index range. */
const listDue = (db: Db, { userId, listId, dueBelow, lateBy }: SearchFilter) => {
  let query = db.selectFrom('tasks').select('id').where('userId', '=', userId)
  if (listId !== undefined) query = query.where('listId', '=', listId)
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

const searchDue = (db: Db, due: Due, search: SearchFilter, { columns, limit, below }: SearchPage) => {
  const { words, marks, dueBelow } = search
  // `due` selects the account. Repeating it here would make SQLite sort all due tasks.
  let query = db
    .selectFrom('tasks')
    .where('id', 'in', due)
    .where(holdWords(db, words, marks))
  if (dueBelow !== undefined) query = query.where('duePlace', '<', dueBelow)
  if (below !== undefined) query = query.where('id', '<', below)
  return query.select(columns).orderBy('id', 'desc').limit(limit).execute()
}

/** SQLite's word index returns the newest first and stops at the limit. */
const searchSqlite = (db: Db, search: SearchFilter, { columns, limit, below }: SearchPage) => {
  const { userId, listId, words, marks, dueBelow, lateBy } = search
  let query = db
    .selectFrom('task_words')
    .innerJoin('tasks', 'tasks.id', 'task_words.rowid')
    .where('tasks.userId', '=', userId)
    .where(matchWords(db, 'task_words', words, marks))
  if (listId !== undefined) query = query.where('tasks.listId', '=', listId)
  if (dueBelow !== undefined) query = query.where('tasks.duePlace', '<', dueBelow)
  if (lateBy !== undefined) query = query.where('tasks.lateAt', '<=', lateBy)
  if (below !== undefined) query = query.where('task_words.rowid', '<', below)
  return query.select(columns).orderBy('task_words.rowid', 'desc').limit(limit).execute()
}

/** This many recent tasks are filtered one by one, which finds common words quickly. */
const RECENT_TASKS = 200

/**
 * PostgreSQL's word index has no order, so it is only fast for rare words. This function makes that choice
 * instead of the query planner.
 */
const searchPostgres = async (db: Db, search: SearchFilter, page: SearchPage) => {
  const { userId, listId, words, marks, dueBelow, lateBy } = search
  const { columns, limit, below = Number.MAX_SAFE_INTEGER } = page
  const matches = matchWords(db, 'task_words', words, marks)
  const isBefore = dueBelow === undefined ? sql`true` : sql`"duePlace" < ${dueBelow}`
  const isLate = lateBy === undefined ? sql`true` : sql`"lateAt" <= ${lateBy}`
  const isDue = sql<boolean>`${isBefore} and ${isLate}`
  const isListed = listId === undefined ? sql<boolean>`true` : sql<boolean>`"listId" = ${listId}`
  const newest = await db
    .selectFrom((inner) =>
      inner
        .selectFrom('tasks')
        .selectAll()
        .where('userId', '=', userId)
        .where(isListed)
        .where('id', '<', below)
        .orderBy('id', 'desc')
        .limit(RECENT_TASKS)
        .as('tasks'),
    )
    .where(matches)
    .where(isDue)
    .select(columns)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  if (newest.length === limit) return newest
  return db
    .with(
      (found) => found('found').materialized(),
      (inner) =>
        inner
          .selectFrom('tasks')
          .select('id')
          .where(matches)
          .where(isDue)
          .where('userId', '=', userId)
          .where(isListed)
          .where('id', '<', below),
    )
    .selectFrom('tasks')
    .innerJoin(
      (inner) => inner.selectFrom('found').select('id').orderBy('id', 'desc').limit(limit).as('found'),
      (join) => join.onRef('found.id', '=', 'tasks.id'),
    )
    .select(columns)
    .orderBy('tasks.id', 'desc')
    .execute()
}

/** Finds tasks that match all words and marks, newest first. */
export const searchTasks = async <C extends keyof TaskRow>(
  db: Db,
  columns: readonly C[],
  search: SearchFilter,
  { limit, below }: { limit: number; below: number | undefined },
): Promise<Pick<Selectable<TaskRow>, C>[]> => {
  const page: SearchPage = { columns: columns.map((name) => `tasks.${name}` as const), limit, below }
  const due = listDue(db, search)
  if (due && (await areFew(db, due))) return searchDue(db, due, search, page)
  return isSqlite(db) ? searchSqlite(db, search, page) : searchPostgres(db, search, page)
}
