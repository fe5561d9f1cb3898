import { createHash } from 'node:crypto'
import { access, constants, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { Db } from '../../../database/db.ts'
import { makeDirectory } from '../../../database/directory.ts'
import { isRejectedRow } from '../../../database/errors.ts'
import { fillTable } from '../../../database/fill-table.ts'
import { type PlainRow, raiseSequence, readCatalogue, readSequences } from '../../../database/schema-info.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Visit } from '../../../platform/access/caller.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import type { Changes } from '../../../platform/changes.ts'
import { compileChecker } from '../../../platform/checker.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError, conflict, invalid } from '../../../platform/errors.ts'
import type { PortableTable } from '../../../platform/portable/table.ts'
import { type Random, randomId } from '../../../platform/random.ts'
import { defineTask, runTask } from '../../../platform/workers/run-task.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { createYielder } from '../../../platform/yield.ts'
import { byteLinesOf, linesOf, type ZipReader, type ZipRules } from '../../../platform/zip/reader.ts'
import type { Activity } from '../../auth/activity.ts'
import { parseJson } from './line-task.ts'
import { type DataPart, fileOf, MANIFEST, Manifest, README, SUMS, VERSION } from './parts.ts'

/** Backups skip files with this prefix. See commands/backup/instance-files.ts. */
const PREFIX = 'importing-'
/** Used in the temporary directory of the system, which other programs share. */
const TEMPORARY_PREFIX = 'factotum-importing-'
/** Older files are leftovers of a crash. */
const MAX_AGE_MS = 86_400_000

const tooLarge = (message: string) => new AppError('too_large', 'too_large', message)

interface Upload {
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

/** The longest texts of emails and calendar objects have several megabytes. */
const MAX_LINE_BYTES = 32 * 1024 * 1024
/** Parsing a line of this size takes a few milliseconds at most. */
const SHORT_LINE = 128 * 1024
const MAX_SUM_LINE_BYTES = 64 * 1024
const MAX_ENTRIES = 1_000_000
const MAX_RATIO = 100
const RATIO_COUNTS_FROM = 64 * 1024 * 1024

/** Rejects an uploaded file with the reason. Nothing has been written at this point. */
const rejected = (reason: string) => invalid(`This file cannot be imported: ${reason}. Nothing was changed.`)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** An export that has been read to its end once. Its names, sizes, checksums and lines are valid. */
interface Archive {
  readonly manifest: Manifest
  /** Yields the rows of a table as JSON. */
  lines(part: DataPart, table: PortableTable): AsyncIterable<{ given: unknown; line: number }>
  /** Returns the content with this checksum, or undefined if the archive does not contain it. */
  content(sum: string): AsyncIterable<Buffer> | undefined
  close(): void
}

const rulesOf = (parts: readonly DataPart[], mostBytes: number): ZipRules => {
  const tables = new Set(parts.flatMap((part) => part.tables.map((table) => fileOf(part, table))))
  const isFile = (name: string): boolean =>
    parts.some(
      ({ folder, files }) =>
        name.startsWith(`${folder}/`) && files?.names.test(name.slice(folder.length + 1)),
    )
  return {
    isKnown: (name) => [README, SUMS, MANIFEST].includes(name) || tables.has(name) || isFile(name),
    mostEntries: MAX_ENTRIES,
    mostBytes,
    largestRatio: MAX_RATIO,
    ratioCountsFrom: RATIO_COUNTS_FROM,
  }
}

const readManifest = async (zip: ZipReader): Promise<Manifest> => {
  const written = await zip.readText(MANIFEST)
  if (written === undefined) throw new Error('it is not an export of Factotum')
  let given: unknown
  try {
    given = JSON.parse(written)
  } catch {
    throw new Error(`"${MANIFEST}" is not JSON`)
  }
  const version = (given as { version?: unknown } | null)?.version
  if (typeof version === 'number' && version !== VERSION)
    throw new Error(
      version > VERSION
        ? 'a newer version of Factotum created it; upgrade this instance first'
        : 'an older version of Factotum created it, and its exports cannot be imported',
    )
  if (!compileChecker(Manifest).Check(given)) throw new Error(`"${MANIFEST}" has an invalid format`)
  return given
}

const SUM = /^([0-9a-f]{64}) {2}(.+)$/

/** Reads the expected checksum of each file. Every file must be listed, and every listed file must exist. */
const readSums = async (zip: ZipReader, manifest: Manifest): Promise<Map<string, string>> => {
  const all = createHash('sha256')
  const summed = async function* () {
    for await (const chunk of zip.read(SUMS)) {
      all.update(chunk)
      yield chunk
    }
  }
  const sums = new Map<string, string>()
  for await (const line of linesOf(summed(), MAX_SUM_LINE_BYTES)) {
    const [, sum, name] = SUM.exec(line) ?? []
    if (sum === undefined || name === undefined || sums.has(name))
      throw new Error(`"${SUMS}" has an invalid format`)
    sums.set(name, sum)
  }
  if (all.digest('hex') !== manifest.sums) throw new Error(`"${SUMS}" does not match its checksum`)
  const yieldIfNeeded = createYielder()
  let listed = 0
  for (const name of zip.names) {
    await yieldIfNeeded()
    if (name === SUMS || name === MANIFEST) continue
    if (!sums.has(name)) throw new Error(`"${name}" has no checksum`)
    listed++
  }
  if (listed !== sums.size || listed !== manifest.files) throw new Error('a file is missing')
  return sums
}

const PARSE_LINE = defineTask<{ bytes: Uint8Array }, { value: unknown }>(
  new URL('./line-task.ts', import.meta.url),
  'parseLine',
)

/** Parses a long line in a worker thread, because its content is untrusted and may be slow to parse. */
const parseLong = async (workers: WorkerPool, line: Buffer): Promise<unknown> => {
  const bytes = new Uint8Array(line)
  const terms = {
    isCheap: false,
    subject: 'it',
    code: 'validation_failed',
    transfer: [bytes.buffer],
  }
  return (await runTask(workers, PARSE_LINE, { bytes }, terms)).value
}

const parse = async (workers: WorkerPool, name: string, line: number, written: Buffer): Promise<unknown> => {
  try {
    return written.length <= SHORT_LINE ? parseJson(written) : await parseLong(workers, written)
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invalid')
      throw new Error(`line ${line} of "${name}": ${error.message.replace(/\.$/, '')}`)
    throw error
  }
}

/** Opens and verifies the whole upload, so that every defect is found before anything is written. */
const openArchive = async (
  file: string,
  { parts, mostBytes, workers }: { parts: readonly DataPart[]; mostBytes: number; workers: WorkerPool },
): Promise<Archive> => {
  let zip: ZipReader | undefined
  try {
    const { openZip } = await import('../../../platform/zip/reader.ts')
    const open = await openZip(file, rulesOf(parts, mostBytes))
    zip = open
    const manifest = await readManifest(open)
    const sums = await readSums(open, manifest)

    /** Throws at the end if the checksum is wrong, so the caller must read to the end. */
    const verified = async function* (name: string): AsyncGenerator<Buffer> {
      const sum = createHash('sha256')
      for await (const chunk of open.read(name)) {
        sum.update(chunk)
        yield chunk
      }
      if (sum.digest('hex') !== sums.get(name)) throw new Error(`"${name}" does not match its checksum`)
    }

    const rowsIn = async function* (name: string, source: AsyncIterable<Buffer>) {
      let line = 0
      const yieldIfNeeded = createYielder()
      for await (const written of byteLinesOf(source, MAX_LINE_BYTES)) {
        line++
        yield { given: await parse(workers, name, line, written), line }
        await yieldIfNeeded()
      }
    }

    const tables = new Set<string>()
    for (const part of parts)
      for (const table of part.tables) {
        const name = fileOf(part, table)
        tables.add(name)
        if (!sums.has(name) && table.isAdded) continue
        if (!sums.has(name)) throw new Error(`"${name}" is missing`)
        let count = 0
        for await (const { given, line } of rowsIn(name, verified(name))) {
          count++
          const fault = table.faultOf(given)
          if (fault !== undefined) throw new Error(`line ${line} of "${name}": ${fault}`)
        }
        if (count !== manifest.rows[name])
          throw new Error(`"${name}" does not have the expected number of lines`)
      }
    for (const name of sums.keys()) if (!tables.has(name)) for await (const _ of verified(name));

    const named = new Map<string, string>()
    const yieldIfNeeded = createYielder()
    for (const [name, sum] of sums) {
      if (!tables.has(name)) named.set(sum, name)
      await yieldIfNeeded()
    }
    return {
      manifest,
      async *lines(part, table) {
        const name = fileOf(part, table)
        if (sums.has(name)) yield* rowsIn(name, open.read(name))
      },
      content(sum) {
        const name = named.get(sum)
        return name === undefined ? undefined : open.read(name)
      },
      close: () => open.close(),
    }
  } catch (error) {
    zip?.close()
    if (error instanceof AppError && error.kind === 'unavailable') throw error
    throw rejected(messageOf(error))
  }
}

const MAX_UPLOAD_BYTES = 4 * 1024 ** 3
/** The database writes part of the unpacked data twice. */
const SPACE_FACTOR = 2
const PROGRESS_INTERVAL = 500

/** Imported rows and their total. */
export interface ImportProgress {
  done: number
  total: number
}

export interface ImportReport {
  madeBy: string
  madeAt: string
  /** The number of imported rows per file. */
  rows: Record<string, number>
}

/** An upload that passed all checks and is not imported yet. */
export interface CheckedImport {
  write(onProgress: (progress: ImportProgress) => void): Promise<ImportReport>
  discard(): Promise<void>
}

export interface ImportDeps {
  database: Database
  blobs: Blobs
  changes: Changes
  activity: Activity
  uploads: Uploads
  workers: WorkerPool
  parts: readonly DataPart[]
}

/** Converts errors that the content of a row causes to a validation error. Other errors pass through. */
const toValidationError = (error: unknown, place: string): unknown => {
  if (isRejectedRow(error)) return rejected(`${place} is a duplicate, or refers to a missing row`)
  if (
    error instanceof AppError ||
    (error instanceof Error && error.constructor === Error && !('code' in error))
  )
    return rejected(`${place}: ${error.message.replace(/\.$/, '')}`)
  const isOfValues = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
  return isOfValues ? rejected(`${place} has an invalid format`) : error
}

interface Importing {
  archive: Archive
  userId: number
  counted(): void
}

/**
 * Imports an export into an empty instance, in one transaction. Ids are preserved, so that references stay
 * valid.
 */
export class Import {
  private readonly deps: ImportDeps
  private readonly restored: { part: DataPart; table: PortableTable }[]
  private isRunning = false
  /** The largest accepted upload. */
  readonly mostBytes = MAX_UPLOAD_BYTES

  constructor(deps: ImportDeps) {
    this.deps = deps
    this.restored = this.deps.parts.flatMap((part) =>
      part.tables.flatMap((table) => (table.isRestored ? [{ part, table }] : [])),
    )
  }

  /** Receives the upload and verifies all of it. Writes nothing yet. */
  async check(source: AsyncIterable<Buffer>, userId: number, visit: Visit): Promise<CheckedImport> {
    if (this.isRunning) throw conflict('Another import is running. Wait until it has finished.')
    this.isRunning = true
    let upload: Upload | undefined
    let archive: Archive | undefined
    const discard = async (): Promise<void> => {
      archive?.close()
      await upload?.remove()
      this.isRunning = false
    }
    try {
      const freeSpace = await this.deps.uploads.freeSpace()
      upload = await this.deps.uploads.keep(source, Math.min(MAX_UPLOAD_BYTES, freeSpace))
      const sent = upload
      archive = await openArchive(sent.file, {
        parts: this.deps.parts,
        mostBytes: freeSpace / SPACE_FACTOR,
        workers: this.deps.workers,
      })
      const checked = archive
      await this.requireEmpty(this.deps.database.db)
      return {
        discard,
        write: async (onProgress) => {
          try {
            return await this.writeAll(checked, sent, userId, visit, onProgress)
          } catch (error) {
            // Removes blobs that were stored for rows of the failed transaction.
            await this.deps.blobs.sweep()
            throw error
          } finally {
            await discard()
          }
        },
      }
    } catch (error) {
      await discard()
      throw error
    }
  }

  /** Prevents inserts between the check for an empty instance and the commit. */
  private async lockAll(tx: Db): Promise<void> {
    if (this.deps.database.engine === 'sqlite') return
    const names = sql.join(
      [...new Set(this.restored.map(({ table }) => table.table))].map((name) => sql.table(name)),
    )
    await sql`lock table ${names} in share row exclusive mode`.execute(tx)
  }

  private async requireEmpty(view: Db): Promise<void> {
    const found: string[] = []
    for (const { part, table } of this.restored) {
      if (table.beside !== 'nothing') continue
      const { rows } = await sql`select 1 from ${sql.table(table.table)} limit 1`.execute(view)
      if (rows.length > 0) found.push(fileOf(part, table).replace(/\.jsonl$/, ''))
    }
    if (found.length > 0)
      throw conflict(
        `An export can only be imported into an empty instance. This instance already has: ${found.join(', ')}. Nothing was changed.`,
      )
  }

  private async keepBlob(tx: Db, { archive }: Importing, sum: string): Promise<void> {
    const content = archive.content(sum)
    if (!content) throw new Error(`the content with the checksum ${sum} is missing`)
    const staged = await this.deps.blobs.stage(content)
    if (staged.hash === sum) return this.deps.blobs.keep(tx, staged)
    await staged.discard()
    throw new Error(`the content with the checksum ${sum} is damaged`)
  }

  /** Reads the rows of a table and stores the contents that they refer to. `place` follows the line. */
  private async *readRows(
    tx: Db,
    importing: Importing,
    part: DataPart,
    table: PortableTable,
    place: { line: number },
  ): AsyncGenerator<PlainRow> {
    const kept = new Set<string>()
    const yieldIfNeeded = createYielder()
    for await (const { given, line } of importing.archive.lines(part, table)) {
      place.line = line
      const row = table.read(given, { userId: importing.userId })
      for (const sum of table.blobsOf(row)) {
        if (!kept.has(sum)) await this.keepBlob(tx, importing, sum)
        kept.add(sum)
      }
      yield row
      importing.counted()
      await yieldIfNeeded()
    }
  }

  private async fill(tx: Db, importing: Importing, part: DataPart, table: PortableTable): Promise<number> {
    const place = { line: 0 }
    if (table.beside === 'replaced') await sql`delete from ${sql.table(table.table)}`.execute(tx)
    const rows = this.readRows(tx, importing, part, table, place)
    try {
      if (!table.put) return await fillTable(tx, table.table, rows)
      let count = 0
      for await (const row of rows) {
        await table.put(tx, row, { userId: importing.userId })
        count++
      }
      return count
    } catch (error) {
      throw toValidationError(error, `line ${place.line} of "${fileOf(part, table)}"`)
    }
  }

  private async raiseSequences(tx: Db, archive: Archive): Promise<void> {
    const catalogue = await readCatalogue(tx, this.deps.database.engine)
    const here = await readSequences(tx, this.deps.database.engine)
    for (const { table } of this.restored) {
      const shape = catalogue.get(table.table)
      const last = Math.max(here[table.table] ?? 0, archive.manifest.sequences[table.table] ?? 0)
      if (shape) await raiseSequence(tx, this.deps.database.engine, table.table, shape, last)
    }
  }

  private writeAll(
    archive: Archive,
    { sum }: Upload,
    userId: number,
    visit: Visit,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportReport> {
    return inTransaction(this.deps.database.db, async (tx) => {
      await this.lockAll(tx)
      await this.requireEmpty(tx)
      const { madeBy, madeAt } = archive.manifest
      await this.deps.activity.record(tx, userId, visit, 'data.imported', { madeBy, madeAt, sha256: sum })
      const total = this.restored.reduce(
        (rows, { part, table }) => rows + (archive.manifest.rows[fileOf(part, table)] ?? 0),
        0,
      )
      let done = 0
      const counted = (): void => {
        done++
        if (done % PROGRESS_INTERVAL === 0) onProgress({ done, total })
      }
      const rows: Record<string, number> = {}
      for (const { part, table } of this.restored)
        rows[fileOf(part, table)] = await this.fill(tx, { archive, userId, counted }, part, table)
      for (const part of this.deps.parts) await part.afterImport?.(tx)
      await this.raiseSequences(tx, archive)
      await this.deps.changes.record(tx, { type: 'data.imported', subject: String(userId), data: {} })
      onProgress({ done, total })
      return { madeBy, madeAt, rows }
    })
  }
}
