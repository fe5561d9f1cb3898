import { sql } from 'kysely'
import { readCatalogue } from '../../../database/catalogue.ts'
import type { Database } from '../../../database/database.ts'
import type { Db } from '../../../database/db.ts'
import { isRejectedRow } from '../../../database/rejected-row.ts'
import { raiseSequence, readSequences } from '../../../database/sequences.ts'
import { fillTable } from '../../../database/table-filling.ts'
import type { PlainRow } from '../../../database/table-pages.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Visit } from '../../../platform/access/visit.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import { createBreather } from '../../../platform/breather.ts'
import type { Changes } from '../../../platform/changes.ts'
import { AppError, conflict } from '../../../platform/errors.ts'
import type { PortableTable } from '../../../platform/portable/table.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import type { Activity } from '../../auth/activity.ts'
import { type Archive, openArchive, refused } from './archive.ts'
import { fileOf } from './format.ts'
import type { DataPart } from './parts.ts'
import type { Upload, Uploads } from './uploads.ts'

const LARGEST_UPLOAD = 4 * 1024 ** 3
/** Beside what is unpacked, the database writes some of it twice. */
const ROOM_TIMES = 2
const TOLD_EVERY = 500

/** How many rows of how many are in. */
export interface ImportProgress {
  done: number
  total: number
}

export interface ImportReport {
  madeBy: string
  madeAt: string
  /** How many rows each file has brought. */
  rows: Record<string, number>
}

/** Something that was sent, found to be in order, and not yet brought in. */
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

/** A row that anybody may have written is at fault, unless the machine is. */
const faultIn = (error: unknown, place: string): unknown => {
  if (isRejectedRow(error)) return refused(`${place} is there twice, or refers to something that is not there`)
  if (error instanceof AppError || (error instanceof Error && error.constructor === Error && !('code' in error)))
    return refused(`${place}: ${error.message.replace(/\.$/, '')}`)
  const isOfValues = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
  return isOfValues ? refused(`${place} is not what an export has`) : error
}

interface Importing {
  archive: Archive
  userId: number
  counted(): void
}

export type Import = ReturnType<typeof createImport>

/**
 * Brings an export into an instance that has nothing yet: all of it in one transaction, or nothing. Whatever has a
 * number keeps it, so that everything that refers to it still does.
 */
export const createImport = ({
  database,
  blobs,
  changes,
  activity,
  uploads,
  workers,
  parts,
}: ImportDeps) => {
  const { db, engine } = database
  const restored = parts.flatMap((part) =>
    part.tables.flatMap((table) => (table.isRestored ? [{ part, table }] : [])),
  )
  let isRunning = false

  /** Nobody may add anything between the look whether there is something and the end. */
  const lockAll = async (tx: Db): Promise<void> => {
    if (engine === 'sqlite') return
    const names = sql.join([...new Set(restored.map(({ table }) => table.table))].map((name) => sql.table(name)))
    await sql`lock table ${names} in share row exclusive mode`.execute(tx)
  }

  const requireEmpty = async (view: Db): Promise<void> => {
    const found: string[] = []
    for (const { part, table } of restored) {
      if (table.beside !== 'nothing') continue
      const { rows } = await sql`select 1 from ${sql.table(table.table)} limit 1`.execute(view)
      if (rows.length > 0) found.push(fileOf(part, table).replace(/\.jsonl$/, ''))
    }
    if (found.length > 0)
      throw conflict(
        `An export is imported into an empty instance only, and this one has something already: ${found.join(', ')}. Nothing was changed.`,
      )
  }

  const keepBlob = async (tx: Db, { archive }: Importing, sum: string): Promise<void> => {
    const content = archive.content(sum)
    if (!content) throw new Error(`the bytes with the sum ${sum} are not in it`)
    const staged = await blobs.stage(content)
    if (staged.hash === sum) return blobs.keep(tx, staged)
    await staged.discard()
    throw new Error(`the bytes with the sum ${sum} are not what was written`)
  }

  const fill = async (tx: Db, importing: Importing, part: DataPart, table: PortableTable): Promise<number> => {
    const { archive, userId } = importing
    const reading = { userId }
    const kept = new Set<string>()
    const breathe = createBreather()
    let at = 0
    if (table.beside === 'replaced') await sql`delete from ${sql.table(table.table)}`.execute(tx)
    const rows = async function* (): AsyncGenerator<PlainRow> {
      for await (const { given, line } of archive.lines(part, table)) {
        at = line
        const row = table.read(given, reading)
        for (const sum of table.blobsOf(row)) {
          if (!kept.has(sum)) await keepBlob(tx, importing, sum)
          kept.add(sum)
        }
        yield row
        importing.counted()
        await breathe()
      }
    }
    try {
      if (!table.put) return await fillTable(tx, table.table, rows())
      let count = 0
      for await (const row of rows()) {
        await table.put(tx, row, reading)
        count++
      }
      return count
    } catch (error) {
      throw faultIn(error, `line ${at} of "${fileOf(part, table)}"`)
    }
  }

  const raiseSequences = async (tx: Db, archive: Archive): Promise<void> => {
    const catalogue = await readCatalogue(tx, engine)
    const here = await readSequences(tx, engine)
    for (const { table } of restored) {
      const shape = catalogue.get(table.table)
      const last = Math.max(here[table.table] ?? 0, archive.manifest.sequences[table.table] ?? 0)
      if (shape) await raiseSequence(tx, engine, table.table, shape, last)
    }
  }

  const writeAll = (
    archive: Archive,
    { sum }: Upload,
    userId: number,
    visit: Visit,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportReport> =>
    inTransaction(db, async (tx) => {
      await lockAll(tx)
      await requireEmpty(tx)
      const { madeBy, madeAt } = archive.manifest
      await activity.record(tx, userId, visit, 'data.imported', { madeBy, madeAt, sha256: sum })
      const total = restored.reduce(
        (rows, { part, table }) => rows + (archive.manifest.rows[fileOf(part, table)] ?? 0),
        0,
      )
      let done = 0
      const counted = (): void => {
        done++
        if (done % TOLD_EVERY === 0) onProgress({ done, total })
      }
      const rows: Record<string, number> = {}
      for (const { part, table } of restored)
        rows[fileOf(part, table)] = await fill(tx, { archive, userId, counted }, part, table)
      for (const part of parts) await part.afterImport?.(tx)
      await raiseSequences(tx, archive)
      await changes.record(tx, { type: 'data.imported', subject: String(userId), data: {} })
      onProgress({ done, total })
      return { madeBy, madeAt, rows }
    })

  return {
    /** The largest file that is taken. */
    mostBytes: LARGEST_UPLOAD,

    /** Takes what is sent and looks at all of it. Nothing is changed yet. */
    async check(source: AsyncIterable<Buffer>, userId: number, visit: Visit): Promise<CheckedImport> {
      if (isRunning) throw conflict('Something is being imported already. Wait until that is done.')
      isRunning = true
      let upload: Upload | undefined
      let archive: Archive | undefined
      const discard = async (): Promise<void> => {
        archive?.close()
        await upload?.remove()
        isRunning = false
      }
      try {
        const room = await uploads.room()
        upload = await uploads.keep(source, Math.min(LARGEST_UPLOAD, room))
        const sent = upload
        archive = await openArchive(sent.file, { parts, mostBytes: room / ROOM_TIMES, workers })
        const checked = archive
        await requireEmpty(db)
        return {
          discard,
          async write(onProgress) {
            try {
              return await writeAll(checked, sent, userId, visit, onProgress)
            } catch (error) {
              // Bytes that were placed for rows which now do not exist.
              await blobs.sweep()
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
    },
  }
}
