import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../../database/all-accounts.ts'
import type { Database } from '../../../database/database.ts'
import type { Db } from '../../../database/db.ts'
import { isRejectedRow } from '../../../database/errors.ts'
import { fillTable } from '../../../database/fill-table.ts'
import {
  lockTables,
  type PlainRow,
  raiseSequence,
  readCatalogue,
  readSequences,
} from '../../../database/schema-info.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { SessionCaller, Visit } from '../../../platform/access/caller.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import type { Changes } from '../../../platform/changes.ts'
import { compileChecker } from '../../../platform/checker.ts'
import { AppError, conflict, invalid } from '../../../platform/errors.ts'
import { SAME_IDS } from '../../../platform/portable/references.ts'
import type { PortableTable, Reading } from '../../../platform/portable/table.ts'
import type { Random } from '../../../platform/random.ts'
import { runTask } from '../../../platform/workers/run-task.ts'
import { defineTask } from '../../../platform/workers/task.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { createYielder } from '../../../platform/yield.ts'
import { byteLinesOf, linesOf, type ZipReader, type ZipRules } from '../../../platform/zip/reader.ts'
import type { Activity } from '../../auth/activity.ts'
import { lockUser } from '../../auth/repository.ts'
import { assignNewIds, IdCollector } from './imported-ids.ts'
import { parseJson } from './line-task.ts'
import { type DataPart, fileOf, MANIFEST, Manifest, README, SUMS, VERSION } from './parts.ts'
import type { Upload, Uploads } from './uploads.ts'

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
  /** All ids in rows that are imported. */
  readonly ids: IdCollector
  /** Returns the content with this checksum, or undefined if the archive does not contain it. */
  content(sum: string): AsyncIterable<Buffer> | undefined
  close(): void
}

const rulesOf = (parts: readonly DataPart[], maxBytes: number): ZipRules => {
  const tables = new Set(parts.flatMap((part) => part.tables.map((table) => fileOf(part, table))))
  const isFile = (name: string): boolean =>
    parts.some(
      ({ folder, files }) =>
        name.startsWith(`${folder}/`) && files?.names.test(name.slice(folder.length + 1)),
    )
  return {
    isKnown: (name) => [README, SUMS, MANIFEST].includes(name) || tables.has(name) || isFile(name),
    maxEntries: MAX_ENTRIES,
    maxBytes,
    maxRatio: MAX_RATIO,
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
  { parts, maxBytes, workers }: { parts: readonly DataPart[]; maxBytes: number; workers: WorkerPool },
): Promise<Archive> => {
  let zip: ZipReader | undefined
  try {
    const { openZip } = await import('../../../platform/zip/reader.ts')
    const open = await openZip(file, rulesOf(parts, maxBytes))
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
    const ids = new IdCollector()
    for (const part of parts)
      for (const table of part.tables) {
        const name = fileOf(part, table)
        tables.add(name)
        if (!sums.has(name) && table.isAdded) continue
        if (!sums.has(name)) throw new Error(`"${name}" is missing`)
        let count = 0
        for await (const { given, line } of rowsIn(name, verified(name))) {
          count++
          const fault = table.faultOf(given, table.isRestored ? ids : SAME_IDS)
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
      ids,
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
  random: Random
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

/** The account that imports. Only the owner may choose ids, because they decide which ids other rows get. */
export type Importer = Pick<SessionCaller, 'userId' | 'isOwner'>

interface Importing extends Reading {
  archive: Archive
  counted(): void
}

/** More would compete for the disk space. */
const MAX_IMPORTS = 3

/**
 * Imports an export into an account without data, in one transaction. In an empty instance, the ids of the export are
 * kept. Otherwise the rows get new ids, and the references between them follow.
 */
export class Import {
  private readonly deps: ImportDeps
  private readonly restored: { part: DataPart; table: PortableTable }[]
  /** The accounts that are importing. */
  private readonly running = new Set<number>()
  /** The largest accepted upload. */
  readonly maxBytes = MAX_UPLOAD_BYTES

  constructor(deps: ImportDeps) {
    this.deps = deps
    this.restored = this.deps.parts.flatMap((part) =>
      part.tables.flatMap((table) => (table.isRestored ? [{ part, table }] : [])),
    )
  }

  /** Receives the upload and verifies all of it. Writes nothing yet. */
  async check(source: AsyncIterable<Buffer>, importer: Importer, visit: Visit): Promise<CheckedImport> {
    const { userId } = importer
    if (this.running.has(userId) || this.running.size >= MAX_IMPORTS)
      throw conflict('Another import is running. Wait until it has finished.')
    this.running.add(userId)
    let upload: Upload | undefined
    let archive: Archive | undefined
    const discard = async (): Promise<void> => {
      archive?.close()
      await upload?.remove()
      this.running.delete(userId)
    }
    try {
      const freeSpace = await this.deps.uploads.freeSpace()
      upload = await this.deps.uploads.keep(source, Math.min(MAX_UPLOAD_BYTES, freeSpace))
      const sent = upload
      archive = await openArchive(sent.file, {
        parts: this.deps.parts,
        maxBytes: freeSpace / SPACE_FACTOR,
        workers: this.deps.workers,
      })
      const checked = archive
      await this.requireEmpty(this.deps.database.db, userId)
      return {
        discard,
        write: async (onProgress) => {
          try {
            return await this.writeAll(checked, sent, importer, visit, onProgress)
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
    await lockTables(tx, [...new Set(this.restored.map(({ table }) => table.table))])
  }

  private async isInstanceEmpty(view: Db, userId: number): Promise<boolean> {
    for (const { table } of this.restored) {
      if (table.beside !== 'nothing') continue
      const counted = table.given
        ? sql`where not (${table.given} and ${sql.join(table.of(userId), sql` and `)})`
        : sql``
      const { rows } =
        await sql`select 1 from ${sql.table(table.table)} ${counted} limit 1 ${ALL_ACCOUNTS}`.execute(view)
      if (rows.length > 0) return false
    }
    return true
  }

  /** Tells whether the ids of the export are free, and will be until the commit. */
  private async mayKeepIds(tx: Db, { isOwner, userId }: Importer): Promise<boolean> {
    if (!isOwner || !(await this.isInstanceEmpty(tx, userId))) return false
    await this.lockAll(tx)
    return this.isInstanceEmpty(tx, userId)
  }

  private async requireEmpty(view: Db, userId: number): Promise<void> {
    const found: string[] = []
    for (const { part, table } of this.restored) {
      if (table.beside !== 'nothing') continue
      for (const where of table.of(userId)) {
        const counted = table.given ? sql`${where} and not (${table.given})` : where
        const { rows } = await sql`select 1 from ${sql.table(table.table)} where ${counted} limit 1`.execute(
          view,
        )
        if (rows.length > 0) found.push(fileOf(part, table).replace(/\.jsonl$/, ''))
      }
    }
    if (found.length > 0)
      throw conflict(
        `An export can only be imported into an account without data. This account already has: ${[...new Set(found)].join(', ')}. Nothing was changed.`,
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
      const row = table.read(given, importing)
      importing.counted()
      if (!row) continue
      for (const sum of table.blobsOf(row)) {
        if (!kept.has(sum)) await this.keepBlob(tx, importing, sum)
        kept.add(sum)
      }
      yield row
      await yieldIfNeeded()
    }
  }

  private async fill(tx: Db, importing: Importing, part: DataPart, table: PortableTable): Promise<number> {
    const place = { line: 0 }
    const isFilled = (importing.archive.manifest.rows[fileOf(part, table)] ?? 0) > 0
    if (table.beside === 'replaced' || (table.given && isFilled))
      for (const where of table.of(importing.userId)) {
        const replaced = table.given ? sql`${where} and ${table.given}` : where
        await sql`delete from ${sql.table(table.table)} where ${replaced}`.execute(tx)
      }
    const rows = this.readRows(tx, importing, part, table, place)
    try {
      if (!table.put) return await fillTable(tx, table.table, rows)
      let count = 0
      for await (const row of rows) {
        await table.put(tx, row, importing)
        count++
      }
      return count
    } catch (error) {
      throw toValidationError(error, `line ${place.line} of "${fileOf(part, table)}"`)
    }
  }

  private async raiseSequences(tx: Db, archive: Archive): Promise<void> {
    const catalogue = await readCatalogue(tx)
    const here = await readSequences(tx)
    for (const { table } of this.restored) {
      const shape = catalogue.get(table.table)
      const last = Math.max(here[table.table] ?? 0, archive.manifest.sequences[table.table] ?? 0)
      if (shape) await raiseSequence(tx, table.table, shape, last)
    }
  }

  private writeAll(
    archive: Archive,
    { sum }: Upload,
    importer: Importer,
    visit: Visit,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportReport> {
    const { database, activity, random, parts, changes } = this.deps
    const { userId } = importer
    return inTransaction(database.db, async (tx) => {
      const keepsIds = await this.mayKeepIds(tx, importer)
      // Another import into the account waits for this one.
      await lockUser(tx, userId)
      await this.requireEmpty(tx, userId)
      const ids = keepsIds ? SAME_IDS : await assignNewIds(tx, archive.ids, random)
      const { madeBy, madeAt } = archive.manifest
      await activity.record(tx, userId, visit, 'data.imported', { madeBy, madeAt, sha256: sum })
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
        rows[fileOf(part, table)] = await this.fill(tx, { archive, userId, ids, counted }, part, table)
      for (const part of parts) await part.afterImport?.(tx, { userId })
      if (keepsIds) await this.raiseSequences(tx, archive)
      await changes.record(tx, { userId, type: 'data.imported', subject: String(userId), data: {} })
      onProgress({ done, total })
      return { madeBy, madeAt, rows }
    })
  }
}
