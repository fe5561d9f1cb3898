import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from './db.ts'
import { retryConflicts } from './transaction-conflict.ts'

interface Unit {
  tx: Db
  open: boolean
  afterCommit: (() => void)[]
}

/** The transaction that the present call is part of, so that rules which each open one share it. */
const current = new AsyncLocalStorage<Unit>()

const openUnit = (): Unit | undefined => {
  const unit = current.getStore()
  return unit?.open ? unit : undefined
}

const runOnce = async <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> => {
  const callbacks: (() => void)[] = []
  const result = await db.transaction().execute(async (tx) => {
    const unit: Unit = { tx, open: true, afterCommit: callbacks }
    try {
      return await current.run(unit, () => work(tx))
    } finally {
      unit.open = false
    }
  })
  for (const callback of callbacks) callback()
  return result
}

/**
 * Runs `work` in one transaction, or as part of the one that is already open. Every write of `work` must go
 * through the `tx` it is given. The outermost call runs `work` again after a conflict with another transaction, with
 * the callbacks of `afterCommit` dropped, so `work` must not change anything outside the database that it cannot
 * change twice.
 */
export const inTransaction = async <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> => {
  const outer = openUnit()
  if (outer) return work(outer.tx)
  return retryConflicts(() => runOnce(db, work))
}

/**
 * The open transaction, or `db` where there is none: for reading what does not depend on it. To ask for a second
 * connection while holding one is how a pool comes to a standstill.
 */
export const readingIn = (db: Db): Db => openUnit()?.tx ?? db

/** Calls back once the open transaction has been committed, and not at all when it is rolled back. */
export const afterCommit = (callback: () => void): void => {
  const unit = openUnit()
  if (!unit) throw new Error('afterCommit was called outside a transaction.')
  unit.afterCommit.push(callback)
}

/** The transaction that the present call is part of, or else the database: for reading what may be part of it. */
export const transactionOr = (db: Db): Db => openUnit()?.tx ?? db

export const isInTransaction = (): boolean => openUnit() !== undefined
