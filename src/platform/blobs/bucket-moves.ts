import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import type { ExclusiveLock } from '../../database/exclusive-lock.ts'
import { inTransaction } from '../../database/transaction.ts'
import { AppError } from '../errors.ts'
import type { BlobBucket, BucketBlob } from './bucket.ts'
import { lockBlobs, removeMarked } from './removals.ts'
import { BlobDamaged, BlobMissing, type LocalBlobPlace } from './storage.ts'

/** Requests at the same time, and blobs per transaction. */
const BATCH_BLOBS = 16
/** Limits the memory. A larger blob is moved alone. */
const BATCH_BYTES = 32 * 1024 * 1024
const LOCK = 'blobs'
const LOCK_ATTEMPTS = 60
const FIRST_WAIT_MS = 10
const MAX_WAIT_MS = 500

export interface MoveResult {
  moved: number
  /** Hashes whose stored bytes do not match. They stay. */
  damaged: string[]
}

export interface MoveOptions {
  signal?: AbortSignal | undefined
  onProgress?: (moved: number) => void
}

export interface MoveDeps {
  database: Pick<Database, 'db' | 'tryLock'>
  local: LocalBlobPlace
  bucket: BlobBucket
  readDatabaseId: () => Promise<string>
  /** See `RemovalDeps`. */
  mayRemove: () => boolean
}

/** The right to upload and remove objects, which one process has at a time. */
interface Turn extends Pick<ExclusiveLock, 'check'> {
  /** Aborts when the turn is lost, or the caller stops. */
  signal: AbortSignal
}

/**
 * Waits for the turn. Otherwise one process could remove an object that another has just uploaded, and whose local
 * bytes it then drops.
 */
const inTurn = async <T>(
  { tryLock }: MoveDeps['database'],
  stop: AbortSignal | undefined,
  work: (turn: Turn) => Promise<T>,
): Promise<T> => {
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
    stop?.throwIfAborted()
    const lock = await tryLock(LOCK)
    if (lock)
      try {
        return await work({
          check: lock.check,
          signal: AbortSignal.any([lock.signal, ...(stop ? [stop] : [])]),
        })
      } finally {
        await lock.release()
      }
    await setTimeout(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt), undefined, { signal: stop })
  }
  throw new AppError(
    'unavailable',
    'storage_unavailable',
    'Another process is moving blobs to or from the bucket. Try again later.',
  )
}

/** Fails after all requests have ended, because none may continue after the turn. */
const waitForAll = async <T>(requests: readonly Promise<T>[]): Promise<T[]> => {
  await Promise.allSettled(requests)
  return Promise.all(requests)
}

const PAGE = 500

/** Looks up hashes in pages. */
export async function* findInPages<T>(
  hashes: AsyncIterable<string>,
  find: (page: readonly string[]) => Promise<T[]>,
): AsyncGenerator<T> {
  let page: string[] = []
  for await (const hash of hashes) {
    page.push(hash)
    if (page.length < PAGE) continue
    yield* await find(page)
    page = []
  }
  if (page.length > 0) yield* await find(page)
}

/** Returns the blobs that are in use. */
const findUsed = async (db: Db, hashes: readonly string[]): Promise<BucketBlob[]> => {
  const rows = await db
    .selectFrom('blobs')
    .select(['hash', 'size'])
    .where('hash', 'in', hashes)
    .where('unusedSince', 'is', null)
    .orderBy('hash')
    .execute()
  return rows.map(({ hash, size }) => ({ hash, size: Number(size) }))
}

const lockUsed = async (tx: Db, hashes: readonly string[]): Promise<string[]> => {
  await lockBlobs(tx, hashes)
  return (await findUsed(tx, hashes)).map(({ hash }) => hash)
}

async function* batchesOf(blobs: AsyncIterable<BucketBlob>): AsyncGenerator<BucketBlob[]> {
  let batch: BucketBlob[] = []
  let bytes = 0
  for await (const blob of blobs) {
    if (batch.length === BATCH_BLOBS || (batch.length > 0 && bytes + blob.size > BATCH_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(blob)
    bytes += blob.size
  }
  if (batch.length > 0) yield batch
}

const readBytes = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(chunks))

/**
 * Removes the objects of all marked blobs, then their rows. No transaction waits for the bucket. A blob that is stored
 * again meanwhile has local bytes, and is uploaded in a later turn.
 */
const removeInTurn = async (deps: MoveDeps, { check, signal }: Turn): Promise<void> => {
  const { database, local, bucket, readDatabaseId, mayRemove } = deps
  const { db } = database
  const removal = { db, local, mayRemove }
  for (;;) {
    signal.throwIfAborted()
    const rows = await db
      .selectFrom('blobs')
      .select('hash')
      .where('unusedSince', 'is not', null)
      .orderBy('unusedSince')
      .limit(BATCH_BLOBS)
      .execute()
    const hashes = rows.map(({ hash }) => hash)
    if (hashes.length === 0) return
    await bucket.requireOwner(await readDatabaseId())
    const unused = await removeMarked(removal, hashes, { keepRows: true })
    await check()
    if (!mayRemove()) return
    const removed: string[] = []
    const remove = async (hash: string): Promise<void> => {
      await bucket.remove(hash, signal)
      removed.push(hash)
    }
    try {
      await waitForAll(unused.map(remove))
    } finally {
      await removeMarked(removal, removed, { keepRows: false })
    }
  }
}

export const removeFromBucket = (deps: MoveDeps, signal: AbortSignal): Promise<void> =>
  inTurn(deps.database, signal, (turn) => removeInTurn(deps, turn))

/**
 * Moves all local blobs to the bucket, and removes the objects of marked ones. A crash leaves both copies of a blob,
 * and the next run continues with the blobs that are still local.
 */
export const moveToBucket = (
  deps: MoveDeps,
  { signal: stop, onProgress }: MoveOptions = {},
): Promise<MoveResult> =>
  inTurn(deps.database, stop, async (turn) => {
    const { database, local, bucket, readDatabaseId } = deps
    const { db } = database
    const { check, signal } = turn
    const result: MoveResult = { moved: 0, damaged: [] }

    const upload = async ({ hash, size }: BucketBlob): Promise<string[]> => {
      try {
        const bytes = await readBytes(local.read(db, hash))
        if (createHash('sha256').update(bytes).digest('hex') !== hash) {
          result.damaged.push(hash)
          return []
        }
        await bucket.put(hash, bytes, signal)
        return (await bucket.readSize(hash)) === size ? [hash] : []
      } catch (error) {
        // It was deleted in the meantime.
        if (error instanceof BlobMissing) return []
        throw error
      }
    }

    const dropLocal = (hashes: readonly string[]): Promise<number> =>
      inTransaction(db, async (tx) => {
        const used = await lockUsed(tx, hashes)
        // After the rows are locked: the next holder of the turn waits for them before it removes an object.
        await check()
        await local.erase(tx, used)
        return used.length
      })

    let failure: unknown
    const removeObjects = async (): Promise<void> => {
      if (failure === undefined) await removeInTurn(deps, turn).catch((error: unknown) => (failure = error))
    }

    await removeObjects()
    for await (const batch of batchesOf(findInPages(local.list(db), (page) => findUsed(db, page)))) {
      signal.throwIfAborted()
      await bucket.requireOwner(await readDatabaseId())
      const uploaded = (await waitForAll(batch.map(upload))).flat()
      if (uploaded.length > 0) result.moved += await dropLocal(uploaded)
      onProgress?.(result.moved)
      // The first move may take hours. Removals must not wait for its end.
      await removeObjects()
    }
    if (failure !== undefined) throw failure
    return result
  })

/** Moves all blobs of the bucket to the local storage, and removes the objects of marked ones. */
export const moveFromBucket = (
  deps: MoveDeps,
  { signal: stop, onProgress }: MoveOptions = {},
): Promise<MoveResult> =>
  inTurn(deps.database, stop, async (turn) => {
    const { database, local, bucket, readDatabaseId } = deps
    const { db } = database
    const result: MoveResult = { moved: 0, damaged: [] }
    await bucket.requireOwner(await readDatabaseId())
    await removeInTurn(deps, turn)

    const store = async (hash: string): Promise<void> => {
      if (await local.has(db, hash)) return
      const staged = await local.stage(await bucket.open(hash))
      try {
        await inTransaction(db, async (tx) => {
          if ((await lockUsed(tx, [hash])).length > 0) await staged.place(tx)
        })
      } finally {
        await staged.discard()
      }
    }

    const hashes = async function* () {
      for await (const { hash } of bucket.list()) yield hash
    }
    for await (const batch of batchesOf(findInPages(hashes(), (page) => findUsed(db, page)))) {
      const stored: string[] = []
      for (const { hash } of batch) {
        turn.signal.throwIfAborted()
        try {
          await store(hash)
          stored.push(hash)
        } catch (error) {
          if (!(error instanceof BlobDamaged)) throw error
          result.damaged.push(hash)
        }
      }
      await turn.check()
      await waitForAll(stored.map((hash) => bucket.remove(hash, turn.signal)))
      result.moved += stored.length
      onProgress?.(result.moved)
    }
    return result
  })
