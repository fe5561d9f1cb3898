import { createHash } from 'node:crypto'
import { access, constants, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '../../../database/directory.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Random, randomId } from '../../../platform/random.ts'

/** Backups skip files with this prefix. See commands/backup.ts. */
const PREFIX = 'importing-'
/** Used in the temporary directory of the system, which other programs share. */
const TEMPORARY_PREFIX = 'factotum-importing-'
/** Older files are leftovers of a crash. */
const MAX_AGE_MS = 86_400_000

const tooLarge = (message: string) => new AppError('too_large', 'too_large', message)

export interface Upload {
  readonly file: string
  /** The SHA-256 of the upload. */
  readonly sum: string
  remove(): Promise<void>
}

export type Uploads = ReturnType<typeof createUploads>

/** Stores uploads on disk while they are read. `prune` removes leftovers of a crash. */
export const createUploads = (deps: { dataDir: string; clock: Clock; random: Random }) => {
  const { dataDir, clock, random } = deps

  const list = async (directory: string, prefix: string): Promise<string[]> => {
    const names = await readdir(directory).catch(() => [])
    return names.filter((name) => name.startsWith(prefix)).map((name) => join(directory, name))
  }

  /**
   * Returns the data directory and creates it if necessary, because with PostgreSQL nothing else may have
   * done so. Falls back to the temporary directory of the system, for containers with a read-only file
   * system.
   */
  const findDirectory = async (): Promise<{ directory: string; prefix: string }> => {
    try {
      makeDirectory(dataDir)
      await access(dataDir, constants.W_OK)
      return { directory: dataDir, prefix: PREFIX }
    } catch {
      return { directory: tmpdir(), prefix: TEMPORARY_PREFIX }
    }
  }

  /** The client may disconnect during the upload. */
  const received = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* source
    } catch (error) {
      throw new AppError('invalid', 'validation_failed', 'The upload was interrupted. Send the file again.', {
        cause: error,
      })
    }
  }

  const write = async (path: string, source: AsyncIterable<Buffer>, maxBytes: number): Promise<string> => {
    const handle = await open(path, 'wx', 0o600)
    const sum = createHash('sha256')
    let size = 0
    try {
      for await (const chunk of received(source)) {
        size += chunk.length
        if (size > maxBytes) throw tooLarge(`The file is larger than ${maxBytes} bytes.`)
        sum.update(chunk)
        await handle.write(chunk)
      }
      return sum.digest('hex')
    } finally {
      await handle.close()
    }
  }

  return {
    async keep(source: AsyncIterable<Buffer>, maxBytes: number): Promise<Upload> {
      const { directory, prefix } = await findDirectory()
      const file = join(directory, `${prefix}${randomId(random)}.zip`)
      const remove = () => rm(file, { force: true })
      try {
        return { file, sum: await write(file, source, maxBytes), remove }
      } catch (error) {
        await remove()
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
          throw tooLarge('There is not enough disk space for the file.')
        throw error
      }
    },

    /** Returns the free disk space in bytes. */
    async freeSpace(): Promise<number> {
      const { bavail, bsize } = await statfs((await findDirectory()).directory)
      return bavail * bsize
    },

    /** Removes leftovers of crashes, or with `all` every upload. */
    async prune(all = false): Promise<void> {
      const oldest = clock.now().getTime() - MAX_AGE_MS
      const own = await list(dataDir, PREFIX)
      // Other instances may be reading files in the shared directory.
      const shared = await list(tmpdir(), TEMPORARY_PREFIX)
      for (const path of [...own, ...shared]) {
        const found = await stat(path).catch(() => undefined)
        if (found && ((all && own.includes(path)) || found.mtimeMs < oldest)) await rm(path, { force: true })
      }
    },
  }
}
