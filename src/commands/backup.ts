import {
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import Type, { type Static } from 'typebox'
import { type Database, sqliteFile } from '../database/database.ts'
import type { Db } from '../database/db.ts'
import { isContract, latestMigration, type MigrationState, readMigrationState } from '../database/migrate.ts'
import { everyRow, type PlainRow, readSequences, tablePages } from '../database/schema-info.ts'
import { tableKeys } from '../database/tables.ts'
import type { OpenedPlace } from '../platform/blobs/blobs.ts'
import type { BlobBucket } from '../platform/blobs/bucket.ts'
import { isUsed } from '../platform/blobs/removals.ts'
import { BlobDamaged } from '../platform/blobs/storage.ts'
import { AppError } from '../platform/errors.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { openJobs } from '../platform/jobs/open-jobs.ts'
import { createLog } from '../platform/log.ts'
import { createEncryptedWriter } from '../platform/secrets/encrypted-file.ts'
import { deriveKeys } from '../platform/secrets/seal.ts'
import { createZipWriter, type ZipWriter } from '../platform/zip/writer.ts'
import { createTableChecksum, type Summary } from './backup-summary.ts'
import {
  type Command,
  type CommandContext,
  CommandError,
  findPassphrase,
  type Passphrase,
  readArguments,
} from './command.ts'
import { hasDatabase, openOrExplain, withBlobPlace } from './instance.ts'

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
 * - summary.json           numbers and checksums of the contents (backup-summary.ts)
 */

const FORMAT = 'factotum-backup'
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
export const SUMMARY = 'summary.json'
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

/** Reads up to the first bytes; undefined if they were removed since the snapshot. */
const openBlob = async (blob: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer> | undefined> => {
  const chunks = blob[Symbol.asyncIterator]()
  try {
    const first = await chunks.next()
    return (async function* () {
      for (let chunk = first; !chunk.done; chunk = await chunks.next()) yield chunk.value
    })()
  } catch (error) {
    // An unreachable bucket must not look like a bucket without objects.
    if (error instanceof AppError || error instanceof BlobDamaged) throw error
    return undefined
  }
}

async function* readObject({ open }: BlobBucket, hash: string): AsyncGenerator<Buffer> {
  yield* await open(hash)
}

/** The objects of a bucket that are requested before they are needed. */
const REQUESTED_AHEAD = 16

/** The blobs in use. The others are deleted content. */
export const usedBlobs = (view: Db) =>
  everyRow<{ hash: string }>((after, limit) =>
    view
      .selectFrom('blobs')
      .select('hash')
      .where('hash', '>', after?.hash ?? '')
      .where(isUsed)
      .orderBy('hash')
      .limit(limit)
      .execute(),
  )

/** Yields every blob in use of the snapshot `view` whose bytes exist. */
async function* backedUpBlobs(
  view: Db,
  { place, local, bucket }: OpenedPlace,
  skip: (hash: string) => void,
): AsyncGenerator<BackedUpBlob> {
  const waiting: { hash: string; object: ReturnType<typeof openBlob> | null }[] = []
  const finish = async function* (most: number): AsyncGenerator<BackedUpBlob> {
    while (waiting.length > most) {
      const { hash, object } = waiting.shift() as (typeof waiting)[number]
      const content = await (object ?? openBlob(place.read(view, hash)))
      if (content) yield { hash, content }
      else skip(hash)
    }
  }
  for await (const { hash } of usedBlobs(view)) {
    const isRemote = bucket !== null && !(await local.has(view, hash))
    const object = isRemote ? openBlob(readObject(bucket, hash)) : null
    // Handled when its turn comes.
    object?.catch(() => undefined)
    waiting.push({ hash, object })
    yield* finish(bucket === null ? 0 : REQUESTED_AHEAD)
  }
  yield* finish(0)
}

/** Prefix of the directories in DATA_DIR that hold temporary copies of backups. */
export const SCRATCH = 'verifying-'
/** Scheduled backups are stored in this directory of DATA_DIR by default. */
export const BACKUPS = 'backups'

/**
 * The database and its log files, the secret and its temporary files, blobs, backups, restores, imports and
 * verifications in progress, file system metadata.
 */
const NOT_FILES =
  /^(blobs($|\/)|backups($|\/)|factotum\.db($|-)|secret\.key($|\.)|restoring-|importing-|verifying-|lost\+found$)/

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
async function* instanceFiles(
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
const writeWhole = async (
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

const usage = 'backup FILE [--passphrase-file P] [--force]'

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Rejects a target inside DATA_DIR: the next backup would include it. */
const placeOf = (word: string, dataDir: string): string => {
  const file = resolve(word)
  const real = (path: string): string => {
    try {
      return realpathSync(path)
    } catch {
      return resolve(path)
    }
  }
  const place = join(real(dirname(file)), basename(file))
  const root = real(dataDir)
  // These directories of DATA_DIR are never part of a backup.
  const isLeftOut = [`${BACKUPS}${sep}`, SCRATCH].some((name) => place.startsWith(`${root}${sep}${name}`))
  if (!isLeftOut && `${place}${sep}`.startsWith(`${root}${sep}`))
    throw new CommandError(
      'A backup cannot be in DATA_DIR, because the next backup would contain it. Choose another directory.',
    )
  return file
}

/** Returns why this version cannot back up the database: it would miss tables that it does not know. */
export const explainOtherSchema = ({ at, pending, unknown }: MigrationState): string | undefined => {
  if (at === null) return 'There is nothing to back up: the database is empty.'
  if (unknown.length > 0)
    return `The database was migrated by a newer version of Factotum (${at}): upgrade this one.`
  if (pending.length === 0) return undefined
  return pending.every(isContract)
    ? `The upgrade is not complete: ${pending.join(', ')} must wait until no older version runs. Stop the older instances, run "factotum migrate", then back up.`
    : `The database is at ${at}, this version at ${latestMigration}. Back up with the version that wrote it, or run: factotum migrate`
}

export const requireCurrent = async (database: Database): Promise<void> => {
  const reason = explainOtherSchema(await readMigrationState(database))
  if (reason !== undefined) throw new CommandError(reason)
}

interface Source {
  context: CommandContext
  database: Database
  jobs: Jobs
  secretKey: string
}

const lineOf = (table: string, row: PlainRow): string => {
  for (const [column, value] of Object.entries(row))
    if (value !== null && typeof value !== 'string' && !(typeof value === 'number' && Number.isFinite(value)))
      throw new Error(`${table}.${column} has an unsupported type: a backup contains text, numbers and null.`)
  return `${JSON.stringify(row)}\n`
}

const addTables = async (
  archive: ZipWriter,
  view: Db,
  note: (text: string) => void,
): Promise<Summary['tables']> => {
  const tables: Summary['tables'] = {}
  for (const [table, key] of Object.entries(tableKeys)) {
    if (key === null) continue
    const checksum = createTableChecksum()
    const lines = async function* () {
      for await (const rows of tablePages(view, table, key)) {
        for (const row of rows) checksum.add(row)
        yield rows.map((row) => lineOf(table, row)).join('')
      }
    }
    await archive.add(tableEntry(table), lines())
    const summary = checksum.finish()
    tables[table] = summary
    note(`${table.padEnd(26)}${summary.rows} ${summary.rows === 1 ? 'row' : 'rows'}`)
  }
  return tables
}

const addFiles = async (
  archive: ZipWriter,
  dataDir: string,
  note: (text: string) => void,
): Promise<number> => {
  let count = 0
  const skip = (path: string) => note(`skipped: ${path} is not a plain file`)
  for await (const { path, handle } of instanceFiles(dataDir, skip)) {
    try {
      await archive.add(`${FILES}${path}`, createReadStream('', { fd: handle.fd, autoClose: false }))
      count++
    } finally {
      await handle.close()
    }
  }
  note(`${'files'.padEnd(26)}${count}`)
  return count
}

const addBlobs = async (
  archive: ZipWriter,
  view: Db,
  opened: OpenedPlace,
  note: (text: string) => void,
): Promise<{ count: number; skipped: string[] }> => {
  let count = 0
  const skipped: string[] = []
  const skip = (hash: string): void => {
    skipped.push(hash)
    note(`skipped: the bytes of blob ${hash} are missing`)
  }
  for await (const { hash, content } of backedUpBlobs(view, opened, skip)) {
    await archive.add(`${BLOBS}${hash}`, content)
    count++
  }
  note(`${'blobs'.padEnd(26)}${count}`)
  return { count, skipped }
}

/** A blob that was deleted since the snapshot is no loss. A blob that is still in use should have bytes. */
const sortSkipped = async (
  live: Db,
  skipped: readonly string[],
): Promise<Pick<Summary, 'deletedBlobs' | 'missingBlobs'>> => {
  const missingBlobs: string[] = []
  for (const hash of skipped) {
    const row = await live
      .selectFrom('blobs')
      .select('hash')
      .where('hash', '=', hash)
      .where('unusedSince', 'is', null)
      .executeTakeFirst()
    if (row) missingBlobs.push(hash)
  }
  return { missingBlobs, deletedBlobs: skipped.filter((hash) => !missingBlobs.includes(hash)) }
}

const addJobs = async (
  archive: ZipWriter,
  view: Db,
  jobs: Jobs,
  note: (text: string) => void,
): Promise<number> => {
  let count = 0
  const lines = async function* () {
    for await (const job of jobs.dump(view)) {
      count++
      yield `${JSON.stringify(job)}\n`
    }
  }
  await archive.add(JOBS, lines())
  note(`${'jobs'.padEnd(26)}${count} unfinished`)
  return count
}

/** Reads everything from one snapshot, which starts with the first read. Later changes are not visible. */
const addEverything = ({ context, database, jobs, secretKey }: Source, archive: ZipWriter): Promise<void> =>
  database.snapshot(async (view) => {
    const { config, clock, version, note } = context
    const { engine } = database
    const { at } = await readMigrationState({ db: view })
    const manifest: Manifest = {
      format: FORMAT,
      version: VERSION,
      madeBy: version,
      madeAt: clock.now().toISOString(),
      engine,
      migration: at ?? latestMigration,
      keyId: deriveKeys(secretKey).id,
    }
    await archive.add(MANIFEST, [asJson(manifest)])
    if (config.secretKey === null) await archive.add(SECRET, [`${secretKey}\n`])
    await archive.add(SEQUENCES, [asJson(await readSequences(view))])
    // Files first and early: a file or blob of this snapshot may be removed as soon as its row is.
    const files = await addFiles(archive, config.dataDir, note)
    const { count: blobs, skipped } = await withBlobPlace(context, database, (opened) =>
      addBlobs(archive, view, opened, note),
    )
    const tables = await addTables(archive, view, note)
    const summary: Summary = {
      tables,
      files,
      blobs,
      jobs: await addJobs(archive, view, jobs, note),
      ...(await sortSkipped(database.db, skipped)),
    }
    await archive.add(SUMMARY, [asJson(summary)])
    await archive.end()
  })

/** Describes the content and protection of the file, to help decide where to store it. */
const describeBackup = (secretKey: string | null, passphrase: Passphrase | null): string[] => {
  const ofKey =
    secretKey === null
      ? []
      : [
          'It does not contain SECRET_KEY. Its stored passwords and keys cannot be decrypted without SECRET_KEY: store that key elsewhere.',
        ]
  if (passphrase !== null)
    return [
      `It is encrypted with the passphrase in ${passphrase.source}. Without the passphrase nobody can restore it, not even you: store a copy of the passphrase elsewhere.`,
      ...ofKey,
    ]
  return [
    'It is NOT encrypted. Anyone who can read the file can read all mail and attachments, contacts, tasks, events, notes and password hashes.',
    secretKey === null
      ? 'It contains the secret key in plain text, which decrypts the passwords of connected accounts and the provider keys.'
      : (ofKey[0] as string),
    'To encrypt it, add --passphrase-file P.',
  ]
}

export const backup: Command = {
  usage,
  summary: 'Write all data to one file, also while the server runs',
  async run(context) {
    const { config, args, clock, random, print } = context
    const options = {
      force: { type: 'boolean', default: false },
      'passphrase-file': { type: 'string' },
    } as const
    const { values, words } = readArguments(args, { usage, options, words: ['FILE'] })
    const file = placeOf(words[0] as string, config.dataDir)
    const passphrase = findPassphrase(config, values['passphrase-file'])
    if (!hasDatabase(config))
      throw new CommandError(`There is nothing to back up: ${sqliteFile(config.dataDir)} does not exist.`)
    const database = await openOrExplain(context)
    try {
      await requireCurrent(database)
      const { secretKey } = context.createDeps(database)
      const jobs = await openJobs({ database, clock, random, log: createLog('silent') })
      try {
        await writeWhole(file, { ...context, force: values.force }, async (handle) => {
          // The file stays open: the code that opened it flushes and closes it.
          const output =
            passphrase === null
              ? createWriteStream('', { fd: handle.fd, autoClose: false })
              : await createEncryptedWriter(handle, passphrase.bytes, random)
          const archive = createZipWriter(output, clock.now())
          try {
            await addEverything({ context, database, jobs, secretKey }, archive)
          } finally {
            archive.abandon()
          }
        })
      } finally {
        await jobs.drain(0)
      }
    } finally {
      await database.close()
    }
    print(`Backed up to ${file}.`)
    for (const line of describeBackup(config.secretKey, passphrase)) print(line)
    return 0
  },
}
