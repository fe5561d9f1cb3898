import { posix } from 'node:path'
import { sql } from 'kysely'
import type { Engine } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { fillTable } from '../../database/fill-table.ts'
import { migrate, migrationTables } from '../../database/migrate.ts'
import {
  type PlainRow,
  raiseSequence,
  readCatalogue,
  type TableShape,
  withReferencesCheckedLast,
} from '../../database/schema-info.ts'
import { type Tables, tableKeys } from '../../database/tables.ts'
import { blobPath, createTableBlobs } from '../../platform/blobs/storage.ts'
import { AppError } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { BLOBS } from '../backup/manifest.ts'
import type { ArchiveReader } from './archive.ts'
import type { Contents } from './contents.ts'

/** Yields each row if it has exactly the columns of the table. */
async function* fitting(
  table: string,
  { columns }: TableShape,
  rows: AsyncIterable<PlainRow>,
): AsyncGenerator<PlainRow> {
  for await (const row of rows) {
    const fits =
      Object.keys(row).length === columns.length && columns.every((name) => Object.hasOwn(row, name))
    if (!fits) throw new Error(`its rows of ${table} have the wrong columns`)
    yield row
  }
}

/** Creates the schema of the backup in an empty database. Returns the tables to fill. */
const makeTables = async (tx: Db, engine: Engine, migration: string): Promise<Map<string, TableShape>> => {
  // PostgreSQL may contain tables of other applications.
  const before = await readCatalogue(tx, engine)
  await migrate({ db: tx, engine }, migration)
  const isCopied = (table: string): boolean =>
    !before.has(table) && !migrationTables.includes(table) && tableKeys[table as keyof Tables] !== null
  return new Map([...(await readCatalogue(tx, engine))].filter(([table]) => isCopied(table)))
}

/** Fills an empty database with the rows of the backup, then migrates it to the current schema. */
export const fillDatabase = async (
  tx: Db,
  engine: Engine,
  contents: Contents,
  note: (text: string) => void,
  timezone: string | null,
): Promise<void> => {
  const { manifest, tables, sequences } = contents
  const shapes = await makeTables(tx, engine, manifest.migration)
  const missing = [...shapes.keys()].find((table) => !tables.includes(table))
  if (missing !== undefined) throw new Error(`it lacks the rows of ${missing}`)
  await withReferencesCheckedLast(tx, engine, async () => {
    for (const table of tables) {
      const shape = shapes.get(table)
      if (!shape) throw new Error(`it has rows of ${table}, which is not a known table`)
      const count = await fillTable(tx, table, fitting(table, shape, contents.rows(table)))
      await raiseSequence(tx, engine, table, shape, sequences[table] ?? 0)
      note(`${table.padEnd(26)}${count} ${count === 1 ? 'row' : 'rows'}`)
    }
  })
  await migrate({ db: tx, engine }, undefined, timezone)
}

export interface BlobFile {
  /** Relative to DATA_DIR. */
  path: string
  entry: string
}

/** Returns the blobs as files for SQLite; PostgreSQL stores them in a table. */
export const blobFiles = ({ blobs }: Contents, engine: Engine): BlobFile[] =>
  engine === 'postgres'
    ? []
    : blobs.map((hash) => ({ path: posix.join('blobs', blobPath(hash)), entry: `${BLOBS}${hash}` }))

/** Writes the blobs to PostgreSQL's table. Their rows must exist. */
export const fillBlobs = async (
  tx: Db,
  engine: Engine,
  archive: ArchiveReader,
  { blobs }: Contents,
): Promise<void> => {
  if (engine === 'sqlite') return
  const place = createTableBlobs()
  for (const hash of blobs) await (await place.stage(archive.read(`${BLOBS}${hash}`))).place(tx)
}

/** Deletes all jobs. Those of SQLite were dropped with its tables. */
export const deleteJobs = async (tx: Db, engine: Engine): Promise<void> => {
  if (engine === 'postgres') await sql`delete from pgboss.job`.execute(tx)
}

/**
 * Enqueues unfinished jobs; parked ones get another attempt. Jobs whose name or payload this version does not
 * accept are skipped and reported.
 */
export const restoreJobs = async (
  tx: Db,
  jobs: Jobs,
  contents: Contents,
  note: (text: string) => void,
): Promise<void> => {
  let count = 0
  let parked = 0
  // If two jobs have the same key, one is parked and the other waits. The waiting one is kept, so it comes
  // first.
  for (const isTurnOfParked of [false, true])
    for await (const job of contents.jobs()) {
      if ((job.state === 'parked') !== isTurnOfParked) continue
      const options = { runAt: new Date(job.runAt), ...(job.key !== null && { key: job.key }) }
      try {
        if ((await jobs.enqueue(tx, job.name, job.payload, options)) === null) continue
        count++
        if (isTurnOfParked) parked++
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        note(`skipped: a job ${job.name}. ${error.message}`)
      }
    }
  note(
    `${'jobs'.padEnd(18)}${count}${parked > 0 ? `, of which ${parked} had failed and will be retried` : ''}`,
  )
}
