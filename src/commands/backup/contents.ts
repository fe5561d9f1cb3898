import { constants, existsSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Type, { type Static } from 'typebox'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/schema-info.ts'
import type { BlobPlace } from '../../platform/blobs/storage.ts'
import { CommandError } from '../command.ts'

/*
 * A backup is one zip, equal for both engines. With a passphrase the whole zip is encrypted
 * (platform/secrets/encrypted-file.ts). Its entries:
 *
 * - manifest.json          version and contents
 * - secret.key             only if the instance generated its own
 * - sequences.json         the highest id that each table ever assigned
 * - files/…                other files of DATA_DIR
 * - blobs/HASH             the bytes of a row in `blobs`
 * - tables/NAME.jsonl      one row per line
 * - jobs.jsonl             one unfinished job per line
 */

export const FORMAT = 'factotum-backup'
export const VERSION = 1

export const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Literal(VERSION),
  madeBy: Type.String(),
  madeAt: Type.String(),
  engine: Type.String(),
  /** The schema version of the rows. */
  migration: Type.String(),
  /** Identifies the SECRET_KEY of the sealed values. */
  keyId: Type.String(),
})
export type Manifest = Static<typeof Manifest>

export const MANIFEST = 'manifest.json'
export const SECRET = 'secret.key'
export const SEQUENCES = 'sequences.json'
export const JOBS = 'jobs.jsonl'
export const FILES = 'files/'
export const BLOBS = 'blobs/'

export const tableEntry = (table: string): string => `tables/${table}.jsonl`

/** Returns the blob hash of an entry; undefined for another entry. */
export const blobOf = (entry: string): string | undefined => /^blobs\/([0-9a-f]{64})$/.exec(entry)?.[1]

/** Returns the table name of an entry; undefined for another entry. */
export const tableOf = (entry: string): string | undefined =>
  /^tables\/([a-z][a-z0-9_]*)\.jsonl$/.exec(entry)?.[1]

interface BackedUpBlob {
  hash: string
  content: AsyncIterable<Buffer>
}

/** Opens a blob at its first bytes; undefined if they were removed since the snapshot. */
const openBlob = async (
  view: Db,
  place: BlobPlace,
  hash: string,
): Promise<AsyncIterable<Buffer> | undefined> => {
  const chunks = place.read(view, hash)[Symbol.asyncIterator]()
  const first = await chunks.next().catch(() => undefined)
  if (!first) return undefined
  return (async function* () {
    for (let chunk = first; !chunk.done; chunk = await chunks.next()) yield chunk.value
  })()
}

/** Yields every blob of the snapshot `view` whose bytes exist. */
export async function* backedUpBlobs(
  view: Db,
  place: BlobPlace,
  skip: (hash: string) => void,
): AsyncGenerator<BackedUpBlob> {
  const rows = everyRow<{ hash: string }>((after, limit) =>
    view
      .selectFrom('blobs')
      .select('hash')
      .where('hash', '>', after?.hash ?? '')
      .orderBy('hash')
      .limit(limit)
      .execute(),
  )
  for await (const { hash } of rows) {
    const content = await openBlob(view, place, hash)
    if (content) yield { hash, content }
    else skip(hash)
  }
}

/**
 * The database and its log files, the secret and its temporary files, blobs, restores and imports in
 * progress, file system metadata.
 */
const NOT_FILES = /^(blobs($|\/)|factotum\.db($|-)|secret\.key($|\.)|restoring-|importing-|lost\+found$)/

/** Whether a path in DATA_DIR is a plain file that is copied and restored unchanged. */
export const isPlainFile = (path: string): boolean => !NOT_FILES.test(path) && !path.endsWith('.lock')

export interface InstanceFile {
  /** Relative to DATA_DIR, with `/` as separator. */
  path: string
  handle: FileHandle
}

const openFile = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    // A running server removed it since the directory was read.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const list = async (directory: string) => {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Yields every plain file below DATA_DIR, opened; the consumer closes it. */
export async function* instanceFiles(
  dataDir: string,
  skip: (path: string) => void,
  below = '',
): AsyncGenerator<InstanceFile> {
  for (const entry of await list(join(dataDir, below))) {
    const path = `${below}${entry.name}`
    if (!isPlainFile(path)) continue
    if (entry.isDirectory()) yield* instanceFiles(dataDir, skip, `${path}/`)
    else if (entry.isFile() && !path.includes('\\')) {
      const handle = await openFile(join(dataDir, path))
      if (handle) yield { path, handle }
    } else skip(path)
  }
}

const flushDirectory = async (path: string): Promise<void> => {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

const explain = (file: string, error: unknown): unknown => {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new CommandError(`Could not write ${file}: the disk is full.`)
    case 'ENOENT':
      return new CommandError(`There is no directory ${dirname(file)}.`)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new CommandError(`No permission to write ${file}.`)
    default:
      return error
  }
}

/** Writes a file atomically, readable only by its owner. Until it is flushed, its name is FILE.partial. */
export const writeWhole = async (
  file: string,
  options: { force: boolean; onStop: (callback: () => void) => void; exit: (code: number) => never },
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> => {
  const partial = `${file}.partial`
  if (existsSync(file)) {
    if (statSync(file).isDirectory()) throw new CommandError(`${file} is a directory. Name a file.`)
    if (!options.force) throw new CommandError(`${file} already exists. Choose another name, or add --force.`)
  }
  let handle: FileHandle | undefined
  let isOurs = false
  try {
    // Removes the leftover of an earlier run, whatever its mode.
    await rm(partial, { force: true })
    handle = await open(partial, 'wx', 0o600)
    isOurs = true
    options.onStop(() => {
      rmSync(partial, { force: true })
      options.exit(1)
    })
    await write(handle)
    await handle.sync()
    // Another backup to the same file now uses the name and is not complete yet.
    isOurs = (await handle.stat()).ino === (await stat(partial)).ino
    if (!isOurs) throw new CommandError(`Another backup to ${file} is running.`)
    await rename(partial, file)
    await flushDirectory(dirname(file))
  } catch (error) {
    if (isOurs) await rm(partial, { force: true })
    throw explain(file, error)
  } finally {
    await handle?.close()
  }
}
