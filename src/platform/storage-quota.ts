import { readStorage, readStorageLimit } from '../database/account-storage.ts'
import type { Db } from '../database/db.ts'
import { transactionOr } from '../database/transaction.ts'
import { AppError } from './errors.ts'

const GIGABYTE = 1_000_000_000
const MEGABYTE = 1_000_000

const formatSize = (bytes: number): string =>
  bytes >= GIGABYTE ? `${(bytes / GIGABYTE).toFixed(1)} GB` : `${(bytes / MEGABYTE).toFixed(1)} MB`

const storageFull = (limit: number): AppError =>
  new AppError(
    'too_large',
    'storage_full',
    `Your storage is full: the limit is ${formatSize(limit)}. Delete emails, or ask the owner of this instance for more storage.`,
  )

export interface StorageUsage {
  storageBytes: number
  /** Null: no limit. */
  storageQuotaBytes: number | null
  status: 'ok' | 'nearly_full' | 'full'
}

const NEARLY_FULL = 0.9

const toStatus = (bytes: number, limit: number | null): StorageUsage['status'] => {
  if (limit === null || bytes < limit * NEARLY_FULL) return 'ok'
  return bytes < limit ? 'nearly_full' : 'full'
}

/** The limit of the storage of each account. Deleting is never limited. */
export interface StorageQuota {
  read(userId: number): Promise<StorageUsage>
  /** Returns false if the storage is full. Accounts without a limit always have room. */
  hasSpace(userId: number): Promise<boolean>
  /** Rejects content that this transaction has stored, if the storage exceeds the limit (413 `storage_full`). */
  requireSpace(tx: Db, userId: number): Promise<void>
}

export const createStorageQuota = ({ db }: { db: Db }): StorageQuota => ({
  async read(userId) {
    const view = transactionOr(db)
    const storageBytes = await readStorage(view, userId)
    const storageQuotaBytes = await readStorageLimit(view, userId)
    return { storageBytes, storageQuotaBytes, status: toStatus(storageBytes, storageQuotaBytes) }
  },

  async hasSpace(userId) {
    const view = transactionOr(db)
    const limit = await readStorageLimit(view, userId)
    return limit === null || (await readStorage(view, userId)) < limit
  },

  async requireSpace(tx, userId) {
    const limit = await readStorageLimit(tx, userId)
    if (limit !== null && (await readStorage(tx, userId)) > limit) throw storageFull(limit)
  },
})
