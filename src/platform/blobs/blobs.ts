import { Readable } from 'node:stream'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { readMigrationState } from '../../database/migrate.ts'
import { prepare } from '../../database/prepared.ts'
import { afterCommit, isInTransaction, transactionOr } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { BucketSettings } from '../object-storage.ts'
import type { Outbound } from '../outbound/port.ts'
import type { Random } from '../random.ts'
import { type BlobBucket, createBlobBucket, createBucketBlobs } from './bucket.ts'
import {
  findInPages,
  type MoveDeps,
  type MoveOptions,
  type MoveResult,
  moveToBucket,
  removeFromBucket,
} from './bucket-moves.ts'
import { findMarked, isUnused, removeMarked } from './removals.ts'
import {
  type BlobPlace,
  type BlobSource,
  createFileBlobs,
  createTableBlobs,
  type LocalBlobPlace,
  placeAllFiles,
  type StagedBlob,
} from './storage.ts'

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
  /** Like `read`, but fails at once if the bytes are missing, or the bucket does not respond. */
  open(db: Db, hash: string): Promise<Readable>
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
   * Waits until the local bytes of released blobs are removed. Returns at once inside a transaction, where waiting
   * would deadlock.
   */
  settled(): Promise<void>
  /** Removes marked blobs, and scans a part of the storage for leftovers of crashes. */
  sweep(part?: number, parts?: number): Promise<void>
  /** Ends work in the background. The next start continues it. */
  close(): Promise<void>
  /** Null without BLOBS_URL. */
  bucket: {
    /** Removes the objects of released blobs, and moves all blobs that are still local to the bucket. */
    move(options?: MoveOptions): Promise<MoveResult>
    /** Fails with the reason if the bucket cannot be read. */
    check(): Promise<void>
  } | null
}

interface PlaceDeps {
  database: Pick<Database, 'engine' | 'db'>
  dataDir: string
  /** Null: blobs stay in the local storage. */
  bucket: BucketSettings | null
  outbound: Pick<Outbound, 'fetch'>
  clock: Clock
  random: Random
}

export interface BlobsDeps extends PlaceDeps {
  database: Database
  log: Logger
}

const BATCH_SIZE = 100

const holdBlob = prepare<{ hash: string; size: number }, unknown>((db, values) =>
  db
    .insertInto('blobs')
    .values({ hash: values.hash, size: values.size, unusedSince: null })
    .onConflict((existing) => existing.column('hash').doUpdateSet({ unusedSince: null })),
)

/**
 * SQLite stores blobs in files beside the database. PostgreSQL stores them in a table, because its instances
 * share no disk.
 */
const openLocalPlace = (deps: PlaceDeps): LocalBlobPlace =>
  deps.database.engine === 'sqlite' ? createFileBlobs(deps) : createTableBlobs()

/** Reads the id of the database once. */
const createIdReader = ({ db }: PlaceDeps['database']): (() => Promise<string>) => {
  let id: string | undefined
  return async () => {
    id ??= (await readMigrationState({ db: transactionOr(db) })).since ?? ''
    return id
  }
}

export interface OpenedPlace {
  place: BlobPlace
  local: LocalBlobPlace
  bucket: BlobBucket | null
  readDatabaseId: () => Promise<string>
}

/** Opens the local storage, with the bucket if there is one. */
export const openBlobPlace = (deps: PlaceDeps): OpenedPlace => {
  const local = openLocalPlace(deps)
  const readDatabaseId = createIdReader(deps.database)
  if (deps.bucket === null) return { place: local, local, bucket: null, readDatabaseId }
  const bucket = createBlobBucket(deps.bucket, deps)
  const place = createBucketBlobs(local, bucket, { clock: deps.clock, readDatabaseId })
  return { place, local, bucket, readDatabaseId }
}

const toReadable = (chunks: AsyncIterable<Buffer>): Readable => Readable.from(chunks, { objectMode: false })

export const createBlobs = (deps: BlobsDeps): Blobs => {
  const { database, clock, log } = deps
  const { db } = database
  const { place, local, bucket, readDatabaseId } = openBlobPlace(deps)
  let snapshots = 0
  const mayRemove = (): boolean => snapshots === 0
  const moves: MoveDeps | null = bucket && { database, local, bucket, readDatabaseId, mayRemove }

  /** With a bucket, the rows stay until the objects are removed. */
  const removeSome = async (hashes: readonly string[]): Promise<void> => {
    // One after the other, so that others do not wait long for the transaction.
    for (const hash of hashes)
      if (mayRemove()) await removeMarked({ db, local, mayRemove }, [hash], { keepRows: bucket !== null })
  }

  const removeAll = async (): Promise<void> => {
    if (bucket !== null) {
      const marked = findInPages(local.list(db), (page) => findMarked(db, page))
      for await (const hash of marked) await removeSome([hash])
      return
    }
    while (mayRemove()) {
      const marked = await db
        .selectFrom('blobs')
        .select('hash')
        .where('unusedSince', 'is not', null)
        .orderBy('unusedSince')
        .limit(BATCH_SIZE)
        .execute()
      await removeSome(marked.map(({ hash }) => hash))
      if (marked.length < BATCH_SIZE) return
    }
  }

  const warn = (error: unknown): void => log.warn({ err: error }, 'could not remove a blob')

  const closing = new AbortController()
  let removingObjects = Promise.resolve()
  let isRemovalQueued = false
  /** Runs in the background, because the bucket may be slow. One run removes the objects of many calls. */
  const removeObjects = (): void => {
    if (moves === null || isRemovalQueued) return
    isRemovalQueued = true
    removingObjects = removingObjects
      .then(() => {
        isRemovalQueued = false
        return removeFromBucket(moves, closing.signal)
      })
      .catch((error: unknown) => {
        if (!closing.signal.aborted) warn(error)
      })
  }

  let removing = Promise.resolve()
  /** Runs after the response, one after the other. The next sweep repeats failed removals. */
  const runLater = (work: () => Promise<void>): void => {
    removing = removing.then(work).then(removeObjects).catch(warn)
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
      if (distinct.length > 0) afterCommit(() => runLater(() => removeSome(distinct)))
    },

    async releaseUnused(tx) {
      await tx.updateTable('blobs').set({ unusedSince: clock.now().toISOString() }).where(isUnused).execute()
      afterCommit(() => runLater(removeAll))
    },

    read: (view, hash) => toReadable(place.read(view, hash)),
    open: async (view, hash) => toReadable(await place.open(view, hash)),
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
        if (snapshots === 0) runLater(removeAll)
      }
    },

    settled: () => (isInTransaction() ? Promise.resolve() : removing),

    async sweep(part = 0, parts = 1) {
      await removing
      await removeAll()
      await place.tidy(db, part, parts)
    },

    async close() {
      closing.abort()
      await removing
      await removingObjects
    },

    bucket: bucket &&
      moves && { move: (options) => moveToBucket(moves, options), check: () => bucket.check() },
  }
}
