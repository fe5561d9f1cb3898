import type { RawBuilder } from 'kysely'
import type { Db } from './db.ts'
import { withoutLongReads } from './long-reads.ts'

type Run<Result> = (sql: string, parameters: readonly unknown[]) => Result

/** What an engine does besides Kysely's executor. Only `database/` uses it. */
export interface EngineAccess {
  /** Reads outside a transaction. */
  read?: <R>(...statement: Parameters<Run<R>>) => R[] | Promise<R[]>
  /** SQLite: runs a statement of the open transaction at once. */
  runInTurn?: <R>(...statement: Parameters<Run<R>>) => R[]
  /** SQLite: the same, but right before the commit. The transaction does not see the result. */
  runBeforeCommit?: Run<void>
  /** SQLite: counts the commits of this process. */
  countCommits?: () => number
  /**
   * PostgreSQL: runs the reads that `read` starts before it awaits one. They see the same state. Returns undefined if
   * it needs a transaction instead.
   */
  readSnapshot?: <T>(read: () => Promise<T>) => Promise<T> | undefined
}

export interface AdapterWithAccess {
  access?: EngineAccess
}

const NONE: EngineAccess = {}

/** Any database or transaction, also that of a migration. */
export type AnyDb = Pick<Db, 'getExecutor'>

export const accessOf = (db: AnyDb): EngineAccess =>
  (db.getExecutor().adapter as object & AdapterWithAccess).access ?? NONE

export const isSqlite = (db: AnyDb): boolean => accessOf(db).runInTurn !== undefined

/**
 * Runs prepared queries that must see the same state. `read` starts all of them before it awaits one. On
 * SQLite, each runs when it starts, so that no write comes in between. PostgreSQL needs a transaction that
 * keeps its snapshot.
 */
export const readSnapshot = <T>(db: Db, read: (view: Db) => Promise<T>): Promise<T> => {
  if (isSqlite(db) || db.isTransaction) return withoutLongReads(() => read(db))
  return (
    accessOf(db).readSnapshot?.(() => read(db)) ??
    db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
  )
}

/** Runs a write that returns nothing: on SQLite right before the commit of the open transaction. */
export const executeLate = async (db: Db, write: RawBuilder<unknown>): Promise<void> => {
  const query = write.compile(db)
  const { runBeforeCommit } = accessOf(db)
  if (runBeforeCommit && db.isTransaction) runBeforeCommit(query.sql, query.parameters)
  else await db.executeQuery(query)
}
