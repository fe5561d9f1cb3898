import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import { NoResultError, sql } from 'kysely'
import type { Db } from './db.ts'
import { isSqlite } from './engine-access.ts'

const MAX_ATTEMPTS = 6
const MAX_ATTEMPTS_AT_ROWS = 2
const FIRST_WAIT_MS = 10
const MAX_WAIT_MS = 250

/** PostgreSQL rolled back a transaction because of another one: a serialization failure or a deadlock. */
export const CONFLICT_CODES: readonly string[] = ['40001', '40P01']
/**
 * A newer version added a column to a table, and a prepared statement returned all columns of that table.
 * PostgreSQL rejects the statement; a new one with the same text runs.
 */
export const isOutdatedStatement = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'
/** PostgreSQL rejected a row because of a foreign or a unique key. */
const KEY_CODES: readonly string[] = ['23503', '23505']

/**
 * Returns the maximum number of attempts for this error. A conflict ends with the other transaction. A
 * violated key or a missing row may also be the result of a concurrent transaction. With READ COMMITTED, a
 * row that was just read may be deleted, or a missing one may exist. A retry sees the new state and returns
 * the proper error.
 */
const attemptsFor = (error: unknown): number => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (CONFLICT_CODES.includes(code) || isOutdatedStatement(error)) return MAX_ATTEMPTS
  return KEY_CODES.includes(code) || error instanceof NoResultError ? MAX_ATTEMPTS_AT_ROWS : 1
}

/** Retries `work` a few times, after a delay, if it conflicts with another transaction. */
export const retryConflicts = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (attempt >= attemptsFor(error)) throw error
      // Random, so that two conflicting transactions do not meet again.
      await setTimeout(Math.random() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt))
    }
}

interface Unit {
  tx: Db
  open: boolean
  beforeCommit: Map<string, (tx: Db) => Promise<void>>
  afterCommit: (() => void)[]
}

/** The transaction of the current async call, which nested calls share. */
const current = new AsyncLocalStorage<Unit>()

const openUnit = (): Unit | undefined => {
  const unit = current.getStore()
  return unit?.open ? unit : undefined
}

const runOnce = async <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> => {
  const callbacks: (() => void)[] = []
  const result = await db.transaction().execute(async (tx) => {
    const unit: Unit = { tx, open: true, beforeCommit: new Map(), afterCommit: callbacks }
    try {
      return await current.run(unit, async () => {
        const made = await work(tx)
        for (const [key, last] of unit.beforeCommit) {
          // The work may add more of its kind.
          unit.beforeCommit.delete(key)
          await last(tx)
        }
        return made
      })
    } finally {
      unit.open = false
    }
  })
  for (const callback of callbacks) callback()
  return result
}

/**
 * Runs `work` in one transaction, or as part of the open one. Every write of `work` must use the `tx` that it
 * gets. The outermost call retries `work` after a conflict and drops its `afterCommit` callbacks. Side
 * effects of `work` outside the database must therefore be repeatable.
 */
export const inTransaction = async <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> => {
  const outer = openUnit()
  if (outer) return work(outer.tx)
  return retryConflicts(() => runOnce(db, work))
}

/** Waits until no other transaction holds this name. On SQLite, transactions run one after another. */
export const lockName = async (tx: Db, name: string): Promise<void> => {
  if (!isSqlite(tx)) await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx)
}

/**
 * Returns the open transaction, or `db` if there is none, for reads that do not depend on it. A second
 * connection per request could deadlock the pool.
 */
export const transactionOr = (db: Db): Db => openUnit()?.tx ?? db

/** Runs `work` once at the end of the open transaction. Only the first call with a key counts until it runs. */
export const beforeCommit = (key: string, work: (tx: Db) => Promise<void>): void => {
  const unit = openUnit()
  if (!unit) throw new Error('beforeCommit was called outside a transaction.')
  if (!unit.beforeCommit.has(key)) unit.beforeCommit.set(key, work)
}

/** Calls back after the commit of the open transaction, and never after a rollback. */
export const afterCommit = (callback: () => void): void => {
  const unit = openUnit()
  if (!unit) throw new Error('afterCommit was called outside a transaction.')
  unit.afterCommit.push(callback)
}

export const isInTransaction = (): boolean => openUnit() !== undefined
