import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  write,
  writeSync,
} from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/schema-info.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import { type Random, randomId } from '../random.ts'
import { createYielder } from '../yield.ts'

export type BlobSource = Buffer | AsyncIterable<Buffer>

/** Hashing one piece takes a few milliseconds. */
const PIECE = 1024 * 1024

/**
 * Yields the bytes in pieces and lets other work run in between. Hashing a large message at once takes 100
 * ms.
 */
export async function* piecesOf(source: BlobSource): AsyncGenerator<Buffer> {
  if (!Buffer.isBuffer(source)) return yield* source
  const yieldIfNeeded = createYielder()
  for (let at = 0; at < source.length || at === 0; at += PIECE) {
    yield source.subarray(at, at + PIECE)
    await yieldIfNeeded()
  }
}

/** Staged bytes without an owner: a transaction keeps them, or they are discarded. */
export interface StagedBlob {
  readonly hash: string
  readonly size: number
  /** Moves the bytes to their final location. Call it inside a transaction that locks the blob's row. */
  place(tx: Db): Promise<void>
  /** Moves a file like `place`, but without the flush. Returns the directory that must be flushed. */
  moveFile?(): Promise<string | undefined>
  discard(): Promise<void>
}

/**
 * Moves the files of many blobs and flushes each directory once. A later `place` of each finds its file. The first
 * flush usually writes all renames to the disk, so this takes a fraction of the time of single calls.
 */
export const placeAllFiles = async (staged: readonly StagedBlob[]): Promise<void> => {
  const directories = new Set<string>()
  for (const blob of staged) {
    const directory = await blob.moveFile?.()
    if (directory !== undefined) directories.add(directory)
  }
  await Promise.all([...directories].map(flushDirectory))
}

export class BlobMissing extends Error {
  constructor(hash: string, cause?: unknown) {
    super(`The bytes of the blob ${hash} are missing or incomplete.`, { cause })
  }
}

/** The stored bytes do not match the hash. */
export class BlobDamaged extends Error {
  constructor(hash: string) {
    super(`The stored bytes of the blob ${hash} do not match its hash. Restore it from a backup.`)
  }
}

/** Storage of blob contents. */
export interface BlobPlace {
  stage(source: BlobSource): Promise<StagedBlob>
  /** Reads lazily. Missing bytes are an error (`BlobMissing`) when they are read. */
  read(db: Db, hash: string): AsyncIterable<Buffer>
  /** Like `read`, but fails at once. The content may stay unread. */
  open(db: Db, hash: string): Promise<AsyncIterable<Buffer>>
  has(db: Db, hash: string): Promise<boolean>
  /** Removes leftovers of crashes. Each call scans `part` of `parts`, because there may be many files. */
  tidy(db: Db, part: number, parts: number): Promise<void>
}

/** Storage on this machine or in the database. */
export interface LocalBlobPlace extends BlobPlace {
  /** Call it inside a transaction that locks the rows of the blobs, or their absence. */
  erase(tx: Db, hashes: readonly string[]): Promise<void>
  /** Yields the hashes of all stored contents. */
  list(db: Db): AsyncIterable<string>
}

const DIRECTORY = 'blobs'
const DRAFTS = 'drafts'
const READ_SIZE = 256 * 1024
/** No upload that is still being written is this old. */
const MAX_DRAFT_AGE_MS = 86_400_000
const FANS = 256
/** Well below the parameter limit of a statement. */
const BATCH_SIZE = 500

export const blobDirectory = (dataDir: string): string => join(dataDir, DIRECTORY)

/**
 * Returns the path of a blob below `blobDirectory`, in one of 256 directories to keep each small. With more
 * directories, nearly every one of the first hundred thousand blobs would create and flush one.
 */
export const blobPath = (hash: string): string => join(hash.slice(0, 2), hash)

/*
 * Only operations that wait for the disk use another thread. Opening a file or writing a little takes
 * microseconds, and passing that to a thread takes many times as long.
 */
const flush = promisify(fsync)
const writeSome = promisify(write)
const SMALL = 256 * 1024

const nameFan = (fan: number): string => fan.toString(16).padStart(2, '0')

const flushDirectory = async (path: string): Promise<void> => {
  const file = openSync(path, 'r')
  try {
    await flush(file)
  } finally {
    closeSync(file)
  }
}

const writeWhole = async (file: number, chunk: Buffer): Promise<void> => {
  for (let at = 0; at < chunk.length; )
    at +=
      chunk.length <= SMALL
        ? writeSync(file, chunk, at)
        : (await writeSome(file, chunk, at, chunk.length - at)).bytesWritten
}

const ignoreMissing = (error: unknown): void => {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

const list = async (path: string): Promise<string[]> => {
  try {
    return await readdir(path)
  } catch (error) {
    ignoreMissing(error)
    return []
  }
}

/**
 * Stores blobs as files. A file is written under a temporary name, flushed, and then renamed, so a file with
 * its final name is complete. Renames and removals happen inside a transaction, and SQLite has a single
 * writer.
 */
export const createFileBlobs = (deps: { dataDir: string; random: Random; clock: Clock }): LocalBlobPlace => {
  const root = blobDirectory(deps.dataDir)
  const drafts = join(root, DRAFTS)
  const fileOf = (hash: string): string => join(root, blobPath(hash))

  const write = async (draft: string, source: BlobSource) => {
    const sum = createHash('sha256')
    let size = 0
    const file = openSync(draft, 'wx', 0o600)
    try {
      for await (const chunk of piecesOf(source)) {
        sum.update(chunk)
        size += chunk.length
        await writeWhole(file, chunk)
      }
      await flush(file)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    } finally {
      closeSync(file)
    }
    return { hash: sum.digest('hex'), size }
  }

  /** The entries of the file and of new directories must be on disk before the row is. */
  const settle = async (file: string): Promise<void> => {
    const made = mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return made === undefined ? undefined : flushUpTo(dirname(made), dirname(dirname(file)))
  }
  const flushUpTo = async (top: string, from: string): Promise<void> => {
    for (let path = from; path.length >= top.length; path = dirname(path)) await flushDirectory(path)
  }

  async function* read(_db: Db, hash: string): AsyncGenerator<Buffer> {
    const handle = await open(fileOf(hash), 'r').catch((error: unknown) => {
      ignoreMissing(error)
      throw new BlobMissing(hash, error)
    })
    try {
      // Most blobs are small, so do not allocate a full-size buffer.
      for (let left = (await handle.stat()).size; left > 0; ) {
        const wanted = Math.min(left, READ_SIZE)
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted)
        if (bytesRead === 0) throw new BlobMissing(hash)
        left -= bytesRead
        yield buffer.subarray(0, bytesRead)
      }
    } finally {
      await handle.close()
    }
  }

  return {
    async stage(source) {
      mkdirSync(drafts, { recursive: true, mode: 0o700 })
      const draft = join(drafts, randomId(deps.random))
      const { hash, size } = await write(draft, source)
      let isMoved = false
      const moveFile = async (): Promise<string | undefined> => {
        const file = fileOf(hash)
        if (statSync(file, { throwIfNoEntry: false })?.size === size) {
          if (!isMoved) rmSync(draft, { force: true })
          return undefined
        }
        await settle(file)
        renameSync(draft, file)
        isMoved = true
        return dirname(file)
      }
      return {
        hash,
        size,
        moveFile,
        async place() {
          const directory = await moveFile()
          if (directory !== undefined) await flushDirectory(directory)
        },
        discard: () => rm(draft, { force: true }),
      }
    },

    read,

    async open(db, hash) {
      if (!existsSync(fileOf(hash))) throw new BlobMissing(hash)
      return read(db, hash)
    },

    has: async (_db, hash) => existsSync(fileOf(hash)),

    async erase(_tx, hashes) {
      for (const hash of hashes) await rm(fileOf(hash), { force: true })
    },

    async *list() {
      for (let fan = 0; fan < FANS; fan++) yield* await list(join(root, nameFan(fan)))
    },

    async tidy(db, part, parts) {
      const oldest = deps.clock.now().getTime() - MAX_DRAFT_AGE_MS
      for (const name of await list(drafts)) {
        const path = join(drafts, name)
        const at = await stat(path).catch(ignoreMissing)
        if (at && at.mtimeMs < oldest) await rm(path, { force: true })
      }
      for (let fan = part % parts; fan < FANS; fan += parts) {
        const hashes = await list(join(root, nameFan(fan)))
        for (let from = 0; from < hashes.length; from += BATCH_SIZE)
          await removeOrphans(db, hashes.slice(from, from + BATCH_SIZE), fileOf)
      }
    },
  }
}

/**
 * Removes files whose transaction was never committed. Inside our own transaction, no other can be in
 * progress.
 */
const removeOrphans = async (
  db: Db,
  hashes: readonly string[],
  fileOf: (hash: string) => string,
): Promise<void> => {
  if (hashes.length === 0) return
  const find = async (view: Db) => {
    const rows = await view.selectFrom('blobs').select('hash').where('hash', 'in', hashes).execute()
    const known = new Set(rows.map((row) => row.hash))
    return hashes.filter((hash) => !known.has(hash))
  }
  // There are almost never any, so this avoids the write lock.
  if ((await find(db)).length === 0) return
  await inTransaction(db, async (tx) => {
    for (const hash of await find(tx)) rmSync(fileOf(hash), { force: true })
  })
}

const CHUNK = 256 * 1024

/** Stores blobs in a table, in chunks. Reading holds only one chunk in memory. */
export const createTableBlobs = (): LocalBlobPlace => {
  async function* read(db: Db, hash: string): AsyncGenerator<Buffer> {
    const blob = await db.selectFrom('blobs').select('size').where('hash', '=', hash).executeTakeFirst()
    let left = blob?.size ?? Number.NaN
    for (let number = 0; left > 0; number++) {
      const chunk = await db
        .selectFrom('blob_chunks')
        .select('content')
        .where('hash', '=', hash)
        .where('number', '=', number)
        .executeTakeFirst()
      if (!chunk) break
      left -= chunk.content.length
      yield chunk.content
    }
    if (left !== 0) throw new BlobMissing(hash)
  }

  const has = async (db: Db, hash: string): Promise<boolean> => {
    const blob = await db
      .selectFrom('blobs')
      .leftJoin('blob_chunks', 'blob_chunks.hash', 'blobs.hash')
      .select(['blobs.size', 'blob_chunks.number'])
      .where('blobs.hash', '=', hash)
      .limit(1)
      .executeTakeFirst()
    return blob !== undefined && (blob.size === 0 || blob.number !== null)
  }

  return {
    async stage(source) {
      // Held in memory until the transaction; the caller limits the size.
      const chunks: Buffer[] = []
      const sum = createHash('sha256')
      for await (const chunk of piecesOf(source)) {
        sum.update(chunk)
        chunks.push(chunk)
      }
      const content = Buffer.isBuffer(source) ? source : Buffer.concat(chunks)
      const hash = sum.digest('hex')
      return {
        hash,
        size: content.length,
        async place(tx) {
          // The holder of the blob's row lock is the only writer of its chunks.
          const there = await tx
            .selectFrom('blob_chunks')
            .select('number')
            .where('hash', '=', hash)
            .limit(1)
            .executeTakeFirst()
          if (there) return
          for (let number = 0; number * CHUNK < content.length; number++)
            await tx
              .insertInto('blob_chunks')
              .values({ hash, number, content: content.subarray(number * CHUNK, (number + 1) * CHUNK) })
              .execute()
        },
        discard: async () => {},
      }
    },

    read,

    async open(db, hash) {
      if (!(await has(db, hash))) throw new BlobMissing(hash)
      return read(db, hash)
    },

    has,

    async erase(tx, hashes) {
      if (hashes.length > 0) await tx.deleteFrom('blob_chunks').where('hash', 'in', hashes).execute()
    },

    tidy: async () => {},

    async *list(db) {
      const rows = everyRow<{ hash: string }>((after, limit) =>
        db
          .selectFrom('blob_chunks')
          .select('hash')
          .where('number', '=', 0)
          .where('hash', '>', after?.hash ?? '')
          .orderBy('hash')
          .limit(limit)
          .execute(),
      )
      for await (const { hash } of rows) yield hash
    },
  }
}
