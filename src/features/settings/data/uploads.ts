import { createHash } from 'node:crypto'
import { access, constants, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '../../../database/directory.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Random, randomId } from '../../../platform/random.ts'

/** What a backup leaves out: see commands/backup/instance-files.ts. */
const PREFIX = 'importing-'
/** In the system's temporary directory, which others use as well. */
const TEMPORARY_PREFIX = 'factotum-importing-'
/** Nothing that is still being read is this old. */
const OLD_MS = 86_400_000

const tooLarge = (message: string) => new AppError('too_large', 'too_large', message)

export interface Upload {
  readonly file: string
  /** The SHA-256 of what was sent. */
  readonly sum: string
  remove(): Promise<void>
}

export type Uploads = ReturnType<typeof createUploads>

/** Files that were sent, on the disk while they are read. What a crash leaves behind is removed later. */
export const createUploads = (deps: { dataDir: string; clock: Clock; random: Random }) => {
  const { dataDir, clock, random } = deps

  const list = async (directory: string, prefix: string): Promise<string[]> => {
    const names = await readdir(directory).catch(() => [])
    return names.filter((name) => name.startsWith(prefix)).map((name) => join(directory, name))
  }

  /**
   * The data directory, created if need be: with PostgreSQL nothing else may need it. Where it cannot be written to,
   * as in a container with a read-only file system, the system's temporary directory.
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

  /** Whoever sends may stop before the end. */
  const received = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* source
    } catch (error) {
      throw new AppError('invalid', 'validation_failed', 'The file was not sent to its end.', { cause: error })
    }
  }

  const write = async (path: string, source: AsyncIterable<Buffer>, most: number): Promise<string> => {
    const handle = await open(path, 'wx', 0o600)
    const sum = createHash('sha256')
    let size = 0
    try {
      for await (const chunk of received(source)) {
        size += chunk.length
        if (size > most) throw tooLarge(`The file is larger than ${most} bytes.`)
        sum.update(chunk)
        await handle.write(chunk)
      }
      return sum.digest('hex')
    } finally {
      await handle.close()
    }
  }

  return {
    async keep(source: AsyncIterable<Buffer>, most: number): Promise<Upload> {
      const { directory, prefix } = await findDirectory()
      const file = join(directory, `${prefix}${randomId(random)}.zip`)
      const remove = () => rm(file, { force: true })
      try {
        return { file, sum: await write(file, source, most), remove }
      } catch (error) {
        await remove()
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw tooLarge('There is no room for it on the disk.')
        throw error
      }
    },

    /** How much there is room for. */
    async room(): Promise<number> {
      const { bavail, bsize } = await statfs((await findDirectory()).directory)
      return bavail * bsize
    },

    /** Removes what crashes have left; with `all`, whatever there is. */
    async prune(all = false): Promise<void> {
      const oldest = clock.now().getTime() - OLD_MS
      const own = await list(dataDir, PREFIX)
      // Other instances may be reading theirs.
      const shared = await list(tmpdir(), TEMPORARY_PREFIX)
      for (const path of [...own, ...shared]) {
        const found = await stat(path).catch(() => undefined)
        if (found && ((all && own.includes(path)) || found.mtimeMs < oldest)) await rm(path, { force: true })
      }
    },
  }
}
