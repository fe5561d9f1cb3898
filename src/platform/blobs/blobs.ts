import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { prepareWrite } from '../../database/prepared.ts'
import { afterCommit, inTransaction, isInTransaction } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Random } from '../random.ts'
import type { BlobPlace, BlobSource, StagedBlob } from './blob-place.ts'
import { createFileBlobs } from './file-blobs.ts'
import { createTableBlobs } from './table-blobs.ts'

/** A column that holds hashes of blobs. */
export interface BlobUse {
  table: 'emails' | 'attachments'
  column: 'rawBlob' | 'blob'
}

/**
 * Bytes by their SHA-256: the same bytes are kept once. A blob is there exactly as long as a row refers to it.
 * The row in `blobs` decides: who keeps a blob and who removes it both hold that row, so neither can miss the other.
 * A blob that nothing uses is first marked, in the transaction that let go of it; its bytes go in a later one, with
 * the row. So a crash at any point leaves either a whole blob, or one that is marked and goes with the next sweep.
 */
export interface Blobs {
  /** Best outside a transaction: it writes to the disk. */
  stage(source: BlobSource): Promise<StagedBlob>
  keep(tx: Db, staged: StagedBlob): Promise<void>
  /** Says that rows have let go of these. Those that no row uses are removed soon after the commit. */
  release(tx: Db, hashes: readonly string[]): Promise<void>
  /** The same, whichever they are. */
  releaseUnused(tx: Db): Promise<void>
  read(db: Db, hash: string): Readable
  readWhole(db: Db, hash: string): Promise<Buffer>
  has(db: Db, hash: string): Promise<boolean>
  /** Removes nothing while `work` reads from a snapshot: files are no part of it. Afterwards all that waited goes. */
  withoutRemovals<T>(work: () => Promise<T>): Promise<T>
  /** Until what was released before is gone; at once inside a transaction, for there it cannot be waited for. */
  settled(): Promise<void>
  /** Removes what is marked, and looks a part of the place through for what crashes have left. */
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

const AT_ONCE = 100

const holdBlob = prepareWrite<{ hash: string; size: number }, unknown>((db, parameter) =>
  db
    .insertInto('blobs')
    .values({ hash: parameter('hash'), size: parameter('size'), unusedSince: null })
    .onConflict((existing) => existing.column('hash').doUpdateSet({ unusedSince: null })),
)

/** The embedded database has its blobs in files beside it; PostgreSQL has them in a table, for its instances share no disk. */
export const openBlobPlace = (
  deps: Pick<BlobsDeps, 'database' | 'dataDir' | 'random' | 'clock'>,
): BlobPlace => (deps.database.engine === 'sqlite' ? createFileBlobs(deps) : createTableBlobs())

export const createBlobs = (deps: BlobsDeps): Blobs => {
  const { database, clock, log, uses } = deps
  const { db } = database
  const place = openBlobPlace(deps)

  const isUnused = sql<boolean>`not exists (${sql.join(
    uses.map(
      ({ table, column }) =>
        sql`select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = blobs.hash`,
    ),
    sql` union all `,
  )})`

  let snapshots = 0

  /** One transaction a blob: others need not wait for many. */
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
      // Someone uses it again, and it was marked all the same.
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
        .limit(AT_ONCE)
        .execute()
      for (const { hash } of marked) await removeMarked(hash)
      if (marked.length < AT_ONCE) return
    }
  }

  let removing = Promise.resolve()
  /** After the answer, one after the other. What fails is left to the next sweep. */
  const soon = (work: () => Promise<void>): void => {
    removing = removing
      .then(work)
      .catch((error: unknown) => log.warn({ err: error }, 'a blob was not removed yet'))
  }

  return {
    stage: (source) => place.stage(source),

    async keep(tx, staged) {
      const { hash, size } = staged
      await holdBlob(tx, { hash, size })
      await staged.place(tx)
    },

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
          soon(async () => {
            for (const hash of distinct) await removeMarked(hash)
          }),
        )
    },

    async releaseUnused(tx) {
      await tx.updateTable('blobs').set({ unusedSince: clock.now().toISOString() }).where(isUnused).execute()
      afterCommit(() => soon(removeAllMarked))
    },

    read: (view, hash) => Readable.from(place.read(view, hash), { objectMode: false }),

    async readWhole(view, hash) {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of place.read(view, hash)) chunks.push(chunk)
        return Buffer.concat(chunks)
      } catch (error) {
        // Somebody may have deleted what it belongs to since its hash was read.
        const row = await view
          .selectFrom('blobs')
          .select('hash')
          .where('hash', '=', hash)
          .where('unusedSince', 'is', null)
          .executeTakeFirst()
        if (row) throw error
        throw new AppError('not_found', 'not_found', 'This content was deleted a moment ago.', {
          cause: error,
        })
      }
    },

    has: (view, hash) => place.has(view, hash),

    async withoutRemovals(work) {
      snapshots++
      try {
        await removing
        return await work()
      } finally {
        snapshots--
        if (snapshots === 0) soon(removeAllMarked)
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
