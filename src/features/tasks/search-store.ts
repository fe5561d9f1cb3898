import { sql } from 'kysely'
import type { Engine } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { holdWords, matchWords } from '../../database/word-index.ts'
import type { ListedTask } from './store.ts'

const LISTED = [
  ...(['tasks.id', 'tasks.version', 'tasks.shown'] as const),
  ...(['tasks.place', 'tasks.duePlace', 'tasks.lateAt'] as const),
]

interface Wanted {
  words: readonly string[]
  marks: readonly string[]
  /** Those that stand before this place by their due date. */
  dueBelow: number | undefined
  /** Those that are late by then. */
  lateBy: string | undefined
}
interface SearchPage {
  limit: number
  below: number | undefined
}

/** All that are late by then, or are due: a stretch of an index. */
const listDue = (db: Db, { dueBelow, lateBy }: Wanted) => {
  const query = db.selectFrom('tasks').select('id')
  if (lateBy !== undefined) return query.where('lateAt', '<=', lateBy)
  return dueBelow === undefined
    ? undefined
    : query.where('duePlace', '<', dueBelow).where('duePlace', 'is not', null)
}
type Due = NonNullable<ReturnType<typeof listDue>>

/** So many are looked through one by one sooner than a common word is followed through all that hold it. */
const FEW_DUE = 2_000

const areFew = async (db: Db, due: Due): Promise<boolean> => {
  const { tasks } = await db
    .selectFrom(due.limit(FEW_DUE + 1).as('due'))
    .select((row) => row.fn.countAll<number>().as('tasks'))
    .executeTakeFirstOrThrow()
  return Number(tasks) <= FEW_DUE
}

const searchDue = (db: Db, engine: Engine, due: Due, wanted: Wanted, { limit, below }: SearchPage) => {
  const { words, marks, dueBelow } = wanted
  let query = db
    .selectFrom('tasks')
    .where('id', 'in', due)
    .where(holdWords(engine, words, marks))
  if (dueBelow !== undefined) query = query.where('duePlace', '<', dueBelow)
  if (below !== undefined) query = query.where('id', '<', below)
  return query.select(LISTED).orderBy('id', 'desc').limit(limit).execute()
}

/** The index of words gives out the newest first, and no more than are wanted. */
const searchSqlite = (db: Db, wanted: Wanted, { limit, below }: SearchPage) => {
  const { words, marks, dueBelow, lateBy } = wanted
  let query = db
    .selectFrom('task_words')
    .innerJoin('tasks', 'tasks.id', 'task_words.rowid')
    .where(matchWords('sqlite', 'task_words', words, marks))
  if (dueBelow !== undefined) query = query.where('tasks.duePlace', '<', dueBelow)
  if (lateBy !== undefined) query = query.where('tasks.lateAt', '<=', lateBy)
  if (below !== undefined) query = query.where('task_words.rowid', '<', below)
  return query.select(LISTED).orderBy('task_words.rowid', 'desc').limit(limit).execute()
}

/** So many are looked through one by one: a word that is common is found among them. */
const LOOKED_THROUGH = 200

/** Its index of words knows no order: it is for words that are rare, and is not left to guess which ones are. */
const searchPostgres = async (db: Db, wanted: Wanted, page: SearchPage) => {
  const { words, marks, dueBelow, lateBy } = wanted
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
        .limit(LOOKED_THROUGH)
        .as('tasks'),
    )
    .where(matches)
    .where(isDue)
    .select(LISTED)
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
    .select(LISTED)
    .orderBy('tasks.id', 'desc')
    .execute()
}

/** Tasks that have the words and the marks, the newest first. */
export const searchTasks = async (
  db: Db,
  engine: Engine,
  wanted: Wanted,
  page: SearchPage,
): Promise<ListedTask[]> => {
  const due = listDue(db, wanted)
  if (due && (await areFew(db, due))) return searchDue(db, engine, due, wanted, page)
  return engine === 'sqlite' ? searchSqlite(db, wanted, page) : searchPostgres(db, wanted, page)
}
