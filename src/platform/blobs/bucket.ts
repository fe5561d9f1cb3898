import { createHash } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import {
  type BucketSettings,
  createObjectStorage,
  ObjectMissing,
  type RequestLimits,
  type StoredObject,
} from '../object-storage.ts'
import type { Outbound } from '../outbound/port.ts'
import { BlobDamaged, BlobMissing, type BlobPlace, type LocalBlobPlace } from './storage.ts'

/** Precedes the hash in the key of an object. */
const FOLDER = 'blobs/'
/** Names the database that the objects belong to. */
const OWNER = 'factotum.json'
const HASH = /^[0-9a-f]{64}$/
/** A request of a user waits for the answer. */
const QUICK: RequestLimits = { tries: 2, timeoutMs: 15_000 }
/** No upload without a row is this old, unless its row was deleted. */
const ORPHAN_AGE_MS = 86_400_000
const FANS = 256
const PAGE = 500
const RETRY_AFTER_SECONDS = 30

export interface BucketBlob {
  hash: string
  size: number
}

/** Blobs in a bucket. Fails with `storage_unavailable` if the bucket cannot be used. */
export interface BlobBucket {
  /** Names the bucket without its keys. */
  readonly location: string
  put(hash: string, bytes: Buffer, signal?: AbortSignal): Promise<void>
  /** Yields the last bytes only if all bytes match the hash. */
  open(hash: string): Promise<AsyncIterable<Buffer>>
  /** Returns undefined if there is no such object. */
  readSize(hash: string): Promise<number | undefined>
  /** Must not run at the same time as `put`: see bucket-moves.ts. */
  remove(hash: string, signal: AbortSignal): Promise<void>
  /** Yields the objects in the order of their hashes. `start` limits them to hashes that begin with it. */
  list(start?: string): AsyncGenerator<BucketBlob & { modifiedAt: string }>
  /** Fails if another database owns the objects. The first database to call it becomes the owner. */
  requireOwner(db: string): Promise<void>
  /** Returns the id of the database that owns the objects; undefined if none does. */
  findOwner(): Promise<string | undefined>
  /** Makes this database the owner. */
  claim(db: string): Promise<void>
  /** Lets any other database become the owner. */
  disown(): Promise<void>
  /** Fails with the reason if the bucket cannot be read. */
  check(): Promise<void>
  /** Fails with the reason if the bucket rejects writes. */
  checkWrites(): Promise<void>
}

/** The caller gets no name of the server. The cause is logged. */
const toUnavailable = (error: unknown): unknown => {
  if (!(error instanceof AppError) || error.code === 'storage_unavailable') return error
  return new AppError(
    'unavailable',
    'storage_unavailable',
    'The storage of messages and attachments does not respond. Try again later.',
    { cause: error, details: { retryAfterSeconds: RETRY_AFTER_SECONDS } },
  )
}

const explained = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw toUnavailable(error)
  }
}

async function* verified(hash: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const sum = createHash('sha256')
  let held: Buffer | undefined
  try {
    for await (const chunk of chunks) {
      sum.update(chunk)
      if (held) yield held
      held = chunk
    }
  } catch (error) {
    throw toUnavailable(error)
  }
  if (sum.digest('hex') !== hash) throw new BlobDamaged(hash)
  if (held) yield held
}

export const createBlobBucket = (
  settings: BucketSettings,
  deps: { outbound: Pick<Outbound, 'fetch'>; clock: Clock },
): BlobBucket => {
  const { clock } = deps
  const patient = createObjectStorage(settings, { ...deps, trust: 'bucket' })
  const quick = createObjectStorage(settings, { ...deps, trust: 'bucket' }, QUICK)
  const location = `${settings.endpoint}/${settings.bucket}/${settings.prefix}`

  const readOwner = async (): Promise<string | undefined> => {
    try {
      const text = Buffer.concat(await Array.fromAsync(await quick.open(OWNER))).toString()
      return (JSON.parse(text) as { database?: string }).database
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined
      throw error
    }
  }

  const claim = (db: string): Promise<void> =>
    quick.putBytes(OWNER, Buffer.from(`${JSON.stringify({ database: db })}\n`))

  const requireOwner = async (db: string): Promise<void> => {
    const found = await readOwner()
    if (found === undefined) return claim(db)
    if (found !== db)
      throw new AppError(
        'unavailable',
        'storage_unavailable',
        'The bucket in BLOBS_URL belongs to another database. Use another prefix, or run "factotum blobs claim" if that database is gone.',
      )
  }

  const toBlob = ({ key, size, modifiedAt }: StoredObject) => ({
    hash: key.slice(FOLDER.length),
    size,
    modifiedAt,
  })

  return {
    location,
    put: (hash, bytes, signal) => explained(patient.putBytes(`${FOLDER}${hash}`, bytes, { signal })),

    async open(hash) {
      try {
        return verified(hash, await quick.open(`${FOLDER}${hash}`))
      } catch (error) {
        throw error instanceof ObjectMissing ? new BlobMissing(hash, error) : toUnavailable(error)
      }
    },

    readSize: (hash) => explained(quick.readSize(`${FOLDER}${hash}`)),

    // With the long timeout: a server that removes the object after the failure might remove a new upload.
    remove: (hash, signal) => explained(patient.remove(`${FOLDER}${hash}`, { signal })),

    async *list(start = '') {
      try {
        for await (const object of patient.list(`${FOLDER}${start}`)) {
          const blob = toBlob(object)
          if (HASH.test(blob.hash)) yield blob
        }
      } catch (error) {
        throw toUnavailable(error)
      }
    },

    requireOwner: (db) => explained(requireOwner(db)),
    findOwner: () => explained(readOwner()),
    claim: (db) => explained(claim(db)),
    disown: () => explained(quick.remove(OWNER)),
    check: () => quick.check(),

    async checkWrites() {
      const probe = 'probe'
      await quick.putBytes(probe, Buffer.from(clock.now().toISOString()))
      await quick.remove(probe)
    },
  }
}

/**
 * Finds the sizes of objects with one listing. The hashes must be in ascending order. Another order costs one request
 * for each object.
 */
export const createSizeFinder = (
  bucket: Pick<BlobBucket, 'list' | 'readSize'>,
): ((hash: string) => Promise<number | undefined>) => {
  const objects = bucket.list()
  let next: IteratorResult<BucketBlob> | undefined
  return async (hash) => {
    next ??= await objects.next()
    while (!next.done && next.value.hash < hash) next = await objects.next()
    if (!next.done && next.value.hash === hash) return next.value.size
    // It may have been uploaded after its part was listed.
    return bucket.readSize(hash)
  }
}

async function* skipBytes(chunks: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count
  for await (const chunk of chunks) {
    if (left < chunk.length) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

/**
 * Reads from the local storage first, then from the bucket. New blobs are stored locally in the transaction that
 * keeps them, and moved later (bucket-moves.ts). No change of data therefore waits for the bucket.
 */
export const createBucketBlobs = (
  local: LocalBlobPlace,
  bucket: BlobBucket,
  deps: { clock: Clock; readDatabaseId: () => Promise<string> },
): BlobPlace => {
  const { clock, readDatabaseId } = deps

  const open = async (db: Db, hash: string): Promise<AsyncIterable<Buffer>> =>
    (await local.has(db, hash)) ? read(db, hash) : bucket.open(hash)

  /** A move may remove the local bytes at any time. */
  async function* read(db: Db, hash: string): AsyncGenerator<Buffer> {
    let sent = 0
    try {
      for await (const chunk of local.read(db, hash)) {
        yield chunk
        sent += chunk.length
      }
      return
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error
    }
    yield* skipBytes(await bucket.open(hash), sent)
  }

  /** Adds objects without a row as unused blobs, which the next move removes. */
  const adopt = async (db: Db, objects: readonly BucketBlob[]): Promise<void> => {
    const hashes = objects.map(({ hash }) => hash)
    const rows = await db.selectFrom('blobs').select('hash').where('hash', 'in', hashes).execute()
    const known = new Set(rows.map(({ hash }) => hash))
    const orphans = objects.filter(({ hash }) => !known.has(hash))
    if (orphans.length === 0) return
    const unusedSince = clock.now().toISOString()
    await db
      .insertInto('blobs')
      .values(orphans.map(({ hash, size }) => ({ hash, size, unusedSince })))
      .onConflict((existing) => existing.column('hash').doNothing())
      .execute()
  }

  const adoptOrphans = async (db: Db, start: string): Promise<void> => {
    const before = clock.now().getTime() - ORPHAN_AGE_MS
    let page: BucketBlob[] = []
    for await (const object of bucket.list(start)) {
      if (Date.parse(object.modifiedAt) < before) page.push(object)
      if (page.length < PAGE) continue
      await adopt(db, page)
      page = []
    }
    if (page.length > 0) await adopt(db, page)
  }

  return {
    stage: (source) => local.stage(source),
    read,
    open,
    has: async (db, hash) => (await local.has(db, hash)) || (await bucket.readSize(hash)) !== undefined,

    async tidy(db, part, parts) {
      await local.tidy(db, part, parts)
      await bucket.requireOwner(await readDatabaseId())
      if (parts === 1) return adoptOrphans(db, '')
      for (let fan = part % parts; fan < FANS; fan += parts)
        await adoptOrphans(db, fan.toString(16).padStart(2, '0'))
    },
  }
}
