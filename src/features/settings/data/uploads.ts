import { createHash } from 'node:crypto'
import { open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Random, randomId } from '../../../platform/random.ts'

/** What a backup leaves out: see commands/backup/instance-files.ts. */
const PREFIX = 'importing-'
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
  const list = async (): Promise<string[]> => {
    const names = await readdir(dataDir).catch(() => [])
    return names.filter((name) => name.startsWith(PREFIX)).map((name) => join(dataDir, name))
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
      const file = join(dataDir, `${PREFIX}${randomId(random)}.zip`)
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
      const { bavail, bsize } = await statfs(dataDir)
      return bavail * bsize
    },

    /** Removes what crashes have left; with `all`, whatever there is. */
    async prune(all = false): Promise<void> {
      const oldest = clock.now().getTime() - OLD_MS
      for (const path of await list()) {
        const found = await stat(path).catch(() => undefined)
        if (found && (all || found.mtimeMs < oldest)) await rm(path, { force: true })
      }
    },
  }
}
