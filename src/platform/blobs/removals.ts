import { sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { LocalBlobPlace } from './storage.ts'

/** Columns that contain blob hashes. */
const USES = [
  ['emails', 'rawBlob'],
  ['attachments', 'blob'],
  ['file_import_pieces', 'blob'],
] as const

/** Whether no row refers to the blob. */
export const isUnused = sql<boolean>`${ALL_ACCOUNTS} not exists (${sql.join(
  USES.map(
    ([table, column]) =>
      sql`select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = blobs.hash`,
  ),
  sql` union all `,
)})`

/** Whether the blob is in use. A mark alone may be outdated. */
export const isUsed = sql<boolean>`(blobs."unusedSince" is null or not (${isUnused}))`

/** Locks the rows in the order of their hashes. */
export const lockBlobs = async (tx: Db, hashes: readonly string[]): Promise<void> => {
  const query = tx.selectFrom('blobs').select('hash').where('hash', 'in', hashes)
  await query.orderBy('hash').forUpdate().execute()
}

/** Returns those of the blobs that are marked as unused. */
export const findMarked = async (db: Db, hashes: readonly string[]): Promise<string[]> => {
  const query = db.selectFrom('blobs').select('hash').where('hash', 'in', hashes)
  return (await query.where('unusedSince', 'is not', null).execute()).map(({ hash }) => hash)
}

interface RemovalDeps {
  db: Db
  local: LocalBlobPlace
  /** False while a reader needs the bytes of its snapshot. */
  mayRemove: () => boolean
}

/**
 * Removes the local bytes of marked blobs, and their rows unless `keepRows` is set. Returns their hashes. The mark is
 * cleared if a row refers to the blob after all.
 */
export const removeMarked = async (
  { db, local, mayRemove }: RemovalDeps,
  hashes: readonly string[],
  { keepRows }: { keepRows: boolean },
): Promise<string[]> => {
  if (hashes.length === 0) return []
  return inTransaction(db, async (tx) => {
    await lockBlobs(tx, hashes)
    const marked = tx.updateTable('blobs').where('hash', 'in', hashes).where('unusedSince', 'is not', null)
    await marked.set({ unusedSince: null }).where(sql<boolean>`not (${isUnused})`).execute()
    const unused = await findMarked(tx, hashes)
    // A snapshot that begins after this check contains the marks.
    if (unused.length === 0 || !mayRemove()) return []
    await local.erase(tx, unused)
    if (!keepRows) await tx.deleteFrom('blobs').where('hash', 'in', unused).execute()
    return unused
  })
}
