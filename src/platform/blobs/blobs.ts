import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { prepareWrite } from '../../database/prepared.ts'
import { afterCommit, inTransaction, isInTransaction } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Random } from '../random.ts'
import {
  type BlobPlace,
  type BlobSource,
  createFileBlobs,
  createTableBlobs,
  placeAllFiles,
  type StagedBlob,
} from './storage.ts'

/** A column that contains blob hashes. */
export interface BlobUse {
  table: 'emails' | 'attachments' | 'file_import_pieces'
  column: 'rawBlob' | 'blob'
}

/**
 * Stores bytes by their SHA-256, so equal bytes are stored once. A blob exists exactly as long as a row
 * refers to it. The row in `blobs` is the lock: keeping and removing a blob both lock it, so neither can miss
 * the other. An unused blob is first marked, in the transaction that released it. A later transaction removes
 * its bytes and its row. A crash at any point leaves either a complete blob, or a marked one for the next
 * sweep.
 */
export interface Blobs {
  /** Call it outside a transaction, because it writes to the disk. */
  stage(source: BlobSource): Promise<StagedBlob>
  keep(tx: Db, staged: StagedBlob): Promise<void>
  /**
   * Prepares many blobs for `keep`, which must follow in the same transaction, with few waits for the disk. The sweep
   * removes the bytes of a blob that is not kept.
   */
  placeAll(tx: Db, staged: readonly StagedBlob[]): Promise<void>
  /** Reports that rows no longer refer to these hashes. Unused blobs are removed soon after the commit. */
  release(tx: Db, hashes: readonly string[]): Promise<void>
  /** The same for all unused blobs. */
  releaseUnused(tx: Db): Promise<void>
  read(db: Db, hash: string): Readable
  readWhole(db: Db, hash: string): Promise<Buffer>
  /** Returns at least the first `bytes`, or all if there are fewer. */
  readStart(db: Db, hash: string, bytes: number): Promise<Buffer>
  has(db: Db, hash: string): Promise<boolean>
  /**
   * Removes nothing while `work` reads from a snapshot, because files are not part of it. Pending removals
   * run afterwards.
   */
  withoutRemovals<T>(work: () => Promise<T>): Promise<T>
  /**
   * Waits until released blobs are removed. Returns at once inside a transaction, where waiting would
   * deadlock.
   */
  settled(): Promise<void>
  /** Removes marked blobs, and scans a part of the storage for leftovers of crashes. */
  sweep(part?: number, parts?: number): Promise<void>
}

export interface BlobsDeps {
  database: Pick<Database, 'engine' | 'db'>
  dataDir: string
  clock: Clock
  random: Random
  log: Logger
  uses: readonly BlobUse[]
}

const BATCH_SIZE = 100

const holdBlob = prepareWrite<{ hash: string; size: number }, unknown>((db, parameter) =>
  db
    .insertInto('blobs')
    .values({ hash: parameter('hash'), size: parameter('size'), unusedSince: null })
    .onConflict((existing) => existing.column('hash').doUpdateSet({ unusedSince: null })),
)

/**
 * SQLite stores blobs in files beside the database. PostgreSQL stores them in a table, because its instances
 * share no disk.
 */
export const openBlobPlace = (
  deps: Pick<BlobsDeps, 'database' | 'dataDir' | 'random' | 'clock'>,
): BlobPlace => (deps.database.engine === 'sqlite' ? createFileBlobs(deps) : createTableBlobs())

export const createBlobs = (deps: BlobsDeps): Blobs => {
  const { database, clock, log, uses } = deps
  const { db } = database
  const place = openBlobPlace(deps)

  const isUnused = sql<boolean>`${ALL_ACCOUNTS} not exists (${sql.join(
    uses.map(
      ({ table, column }) =>
        sql`select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = blobs.hash`,
    ),
    sql` union all `,
  )})`

  let snapshots = 0

  /** Uses one transaction per blob, so that others do not wait for many. */
  const removeMarked = async (hash: string): Promise<void> => {
    if (snapshots > 0) return
    await inTransaction(db, async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('blobs')
        .where('hash', '=', hash)
        .where('unusedSince', 'is not', null)
        .where(isUnused)
        .executeTakeFirst()
      if (numDeletedRows > 0n) await place.erase(tx, hash)
      // The blob is in use again although it was marked.
      else await tx.updateTable('blobs').set({ unusedSince: null }).where('hash', '=', hash).execute()
    })
  }

  const removeAllMarked = async (): Promise<void> => {
    while (snapshots === 0) {
      const marked = await db
        .selectFrom('blobs')
        .select('hash')
        .where('unusedSince', 'is not', null)
        .orderBy('unusedSince')
        .limit(BATCH_SIZE)
        .execute()
      for (const { hash } of marked) await removeMarked(hash)
      if (marked.length < BATCH_SIZE) return
    }
  }

  let removing = Promise.resolve()
  /** Runs after the response, one after the other. The next sweep repeats failed removals. */
  const runLater = (work: () => Promise<void>): void => {
    removing = removing
      .then(work)
      .catch((error: unknown) => log.warn({ err: error }, 'could not remove a blob'))
  }

  const readStart = async (view: Db, hash: string, bytes: number): Promise<Buffer> => {
    try {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of place.read(view, hash)) {
        chunks.push(chunk)
        size += chunk.length
        if (size >= bytes) break
      }
      return Buffer.concat(chunks, size)
    } catch (error) {
      // The owner of the blob may have been deleted since its hash was read.
      const row = await view
        .selectFrom('blobs')
        .select('hash')
        .where('hash', '=', hash)
        .where('unusedSince', 'is', null)
        .executeTakeFirst()
      if (row) throw error
      throw new AppError('not_found', 'not_found', 'This content was just deleted.', {
        cause: error,
      })
    }
  }

  return {
    stage: (source) => place.stage(source),

    async keep(tx, staged) {
      const { hash, size } = staged
      await holdBlob(tx, { hash, size })
      await staged.place(tx)
    },

    placeAll: (_tx, staged) => placeAllFiles(staged),

    async release(tx, hashes) {
      const distinct = [...new Set(hashes)]
      for (const hash of distinct)
        await tx
          .updateTable('blobs')
          .set({ unusedSince: clock.now().toISOString() })
          .where('hash', '=', hash)
          .where(isUnused)
          .execute()
      if (distinct.length > 0)
        afterCommit(() =>
          runLater(async () => {
            for (const hash of distinct) await removeMarked(hash)
          }),
        )
    },

    async releaseUnused(tx) {
      await tx.updateTable('blobs').set({ unusedSince: clock.now().toISOString() }).where(isUnused).execute()
      afterCommit(() => runLater(removeAllMarked))
    },

    read: (view, hash) => Readable.from(place.read(view, hash), { objectMode: false }),
    readWhole: (view, hash) => readStart(view, hash, Number.POSITIVE_INFINITY),
    readStart,
    has: (view, hash) => place.has(view, hash),

    async withoutRemovals(work) {
      snapshots++
      try {
        await removing
        return await work()
      } finally {
        snapshots--
        if (snapshots === 0) runLater(removeAllMarked)
      }
    },

    settled: () => (isInTransaction() ? Promise.resolve() : removing),

    async sweep(part = 0, parts = 1) {
      await removing
      await removeAllMarked()
      await place.tidy(db, part, parts)
    },
  }
}
