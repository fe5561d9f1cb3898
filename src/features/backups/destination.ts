import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../../platform/clock.ts'
import { AppError, conflict, invalidField } from '../../platform/errors.ts'
import { type BucketSettings, createObjectStorage, ObjectMissing } from '../../platform/object-storage.ts'
import type { Outbound } from '../../platform/outbound/port.ts'
import type { BackupFolders } from './folders.ts'

/** The place that stores backup files. */
export interface BackupDestination {
  kind: 'folder' | 's3'
  /** Identifies the place in the list. */
  location: string
  /** Fails with the reason if nothing can be stored. */
  check(): Promise<void>
  /** Returns the path at which a backup is written: its final path, or a temporary one. */
  prepare(filename: string, scratch: string): Promise<string>
  /** Moves the written file to its place, if it is not there yet. */
  store(filename: string, file: string, signal: AbortSignal): Promise<void>
  /** Returns the path of a local copy of the stored file. */
  fetch(filename: string, scratch: string, signal: AbortSignal): Promise<string>
  read(filename: string): Promise<Readable>
  /** Succeeds if there is no such file. */
  remove(filename: string): Promise<void>
}

/**
 * Creates a directory and its parents. Node's own `recursive` never ends where the system denies a directory with
 * ENOENT, as in /proc.
 */
const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    const parent = dirname(folder)
    if (code !== 'ENOENT' || parent === folder || existsSync(parent)) throw error
    await makeFolder(parent)
    await mkdir(folder, { mode: 0o700 })
  }
}

const GONE = 'The file of this backup does not exist any more.'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'the server has no permission',
  EPERM: 'the server has no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
}

export const createFolderDestination = (typed: string, folders: BackupFolders): BackupDestination => {
  const folder = resolve(typed)
  const requireAllowed = async (): Promise<void> => {
    const refusal = await folders.explainRefusal(folder)
    if (refusal !== undefined) throw conflict(`The folder ${folder} ${refusal}.`)
  }
  const makeAllowedFolder = async (): Promise<void> => {
    await requireAllowed()
    await makeFolder(folder)
    // A link may have appeared in the meantime.
    await requireAllowed()
  }
  return {
    kind: 'folder',
    location: folder,
    async check() {
      if (!isAbsolute(typed)) throw invalidField('folder', 'must be an absolute path such as /mnt/backups')
      if (/\p{Cc}/u.test(typed)) throw invalidField('folder', 'must not contain control characters')
      const refusal = await folders.explainRefusal(folder)
      if (refusal !== undefined) throw invalidField('folder', refusal)
      const probe = join(folder, '.factotum-probe')
      try {
        await makeAllowedFolder()
        await writeFile(probe, '')
        await rm(probe, { force: true })
      } catch (error) {
        if (error instanceof AppError) throw error
        const code = (error as NodeJS.ErrnoException).code ?? ''
        throw invalidField('folder', `cannot be written: ${REASONS[code] ?? `it failed with ${code}`}`)
      }
    },
    async prepare(filename) {
      await makeAllowedFolder()
      return join(folder, filename)
    },
    store: async () => {},
    fetch: async (filename) => join(folder, filename),
    async read(filename) {
      await requireAllowed()
      const file = join(folder, filename)
      if (!(await stat(file).catch(() => undefined)))
        throw conflict(`${GONE} With several servers, it is on the one that made it.`)
      return createReadStream(file)
    },
    async remove(filename) {
      await requireAllowed()
      await rm(join(folder, filename), { force: true })
      await rm(join(folder, `${filename}.partial`), { force: true })
    },
  }
}

export const locationOf = ({
  endpoint,
  bucket,
  prefix,
}: Pick<BucketSettings, 'endpoint' | 'bucket' | 'prefix'>): string => `${endpoint}/${bucket}/${prefix}`

export const createBucketDestination = (
  settings: BucketSettings,
  deps: { outbound: Pick<Outbound, 'fetch'>; clock: Clock },
): BackupDestination => {
  const storage = createObjectStorage(settings, { ...deps, trust: 'typed' })
  return {
    kind: 's3',
    location: locationOf(settings),
    check: () => storage.check(),
    prepare: async (filename, scratch) => join(scratch, filename),
    async store(filename, file, signal) {
      await storage.putFile(filename, file, { signal })
      await rm(file, { force: true })
    },
    async fetch(filename, scratch, signal) {
      const file = join(scratch, filename)
      await pipeline(storage.read(filename, { signal }), createWriteStream(file, { mode: 0o600 }))
      return file
    },
    async read(filename) {
      const chunks = storage.read(filename)
      try {
        const first = await chunks.next()
        const whole = async function* () {
          for (let chunk = first; !chunk.done; chunk = await chunks.next()) yield chunk.value
        }
        return Readable.from(whole(), { objectMode: false })
      } catch (error) {
        throw error instanceof ObjectMissing ? new AppError('conflict', 'conflict', GONE) : error
      }
    },
    remove: (filename) => storage.remove(filename),
  }
}
