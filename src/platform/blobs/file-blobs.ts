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
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import { type Random, randomId } from '../random.ts'
import { type BlobPlace, type BlobSource, piecesOf } from './blob-place.ts'

const DIRECTORY = 'blobs'
const DRAFTS = 'drafts'
const READ_AT_ONCE = 256 * 1024
/** Nothing that is still being written is this old. */
const OLD_DRAFT_MS = 86_400_000
const FANS = 256
/** Well below what a statement takes. */
const AT_ONCE = 500

export const blobDirectory = (dataDir: string): string => join(dataDir, DIRECTORY)

/**
 * Where a blob lies below `blobDirectory`: in one of 256 directories, so that none grows too large. More would be made,
 * and flushed to the disk, with nearly every blob of the first hundred thousand.
 */
export const blobPath = (hash: string): string => join(hash.slice(0, 2), hash)

/*
 * Only what waits for the disk is left to another thread. To open a file, or to hand a little to the system, takes a
 * few microseconds, and handing it to a thread takes many times that.
 */
const flush = promisify(fsync)
const writeSome = promisify(write)
const SMALL = 256 * 1024

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
 * Blobs as files. Written under another name, flushed, and only then given their own: a file that has its name is
 * whole. Whoever names or removes one does so inside a transaction, and the embedded database has one writer.
 */
export const createFileBlobs = (deps: { dataDir: string; random: Random; clock: Clock }): BlobPlace => {
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

  /** The file's name, and the names of directories that were made for it, must be on the disk before the row is. */
  const settle = async (file: string): Promise<void> => {
    const made = mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return made === undefined ? undefined : flushUpTo(dirname(made), dirname(dirname(file)))
  }
  const flushUpTo = async (top: string, from: string): Promise<void> => {
    for (let path = from; path.length >= top.length; path = dirname(path)) await flushDirectory(path)
  }

  return {
    async stage(source) {
      mkdirSync(drafts, { recursive: true, mode: 0o700 })
      const draft = join(drafts, randomId(deps.random))
      const { hash, size } = await write(draft, source)
      return {
        hash,
        size,
        async place() {
          const file = fileOf(hash)
          if (statSync(file, { throwIfNoEntry: false })?.size === size) return rmSync(draft, { force: true })
          await settle(file)
          renameSync(draft, file)
          await flushDirectory(dirname(file))
        },
        discard: () => rm(draft, { force: true }),
      }
    },

    async *read(_db, hash) {
      const handle = await open(fileOf(hash), 'r')
      try {
        // Most are small, and memory that is asked for in vain is memory all the same.
        for (let left = (await handle.stat()).size; left > 0; ) {
          const wanted = Math.min(left, READ_AT_ONCE)
          const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted)
          if (bytesRead === 0) throw new Error('A blob is missing, or not whole.')
          left -= bytesRead
          yield buffer.subarray(0, bytesRead)
        }
      } finally {
        await handle.close()
      }
    },

    has: async (_db, hash) => existsSync(fileOf(hash)),

    erase: (_tx, hash) => rm(fileOf(hash), { force: true }),

    async tidy(db, part, parts) {
      const oldest = deps.clock.now().getTime() - OLD_DRAFT_MS
      for (const name of await list(drafts)) {
        const path = join(drafts, name)
        const at = await stat(path).catch(ignoreMissing)
        if (at && at.mtimeMs < oldest) await rm(path, { force: true })
      }
      for (let fan = part % parts; fan < FANS; fan += parts) {
        const first = fan.toString(16).padStart(2, '0')
        const hashes = await list(join(root, first))
        for (let from = 0; from < hashes.length; from += AT_ONCE)
          await removeStrangers(db, hashes.slice(from, from + AT_ONCE), fileOf)
      }
    },
  }
}

/** Files whose transaction was never committed: in a transaction of our own no other can be under way. */
const removeStrangers = async (
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
  // Nearly always there are none, and then nobody has to wait.
  if ((await find(db)).length === 0) return
  await inTransaction(db, async (tx) => {
    for (const hash of await find(tx)) rmSync(fileOf(hash), { force: true })
  })
}
