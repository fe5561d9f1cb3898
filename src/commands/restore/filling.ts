import type { Kysely } from 'kysely'
import { readCatalogue, type TableShape } from '../../database/catalogue.ts'
import type { Engine } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { withReferencesCheckedLast } from '../../database/foreign-keys.ts'
import { migrate, migrationTables } from '../../database/migrate.ts'
import { raiseSequence } from '../../database/sequences.ts'
import { type Tables, tableKeys } from '../../database/tables.ts'
import type { Contents, CopiedRow } from './contents.ts'

const BATCH_BYTES = 4 * 1024 * 1024
/** Below what either engine takes in one statement. */
const BATCH_PARAMETERS = 30_000
const BATCH_ROWS = 500

type AnyTables = Kysely<Record<string, CopiedRow>>

const sizeOf = (row: CopiedRow): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

const fits = (row: CopiedRow, columns: readonly string[]): boolean =>
  Object.keys(row).length === columns.length && columns.every((column) => Object.hasOwn(row, column))

/** Inserts every row of a table, and says how many there were. */
const fillTable = async (
  tx: Db,
  table: string,
  shape: TableShape,
  rows: AsyncIterable<CopiedRow>,
): Promise<number> => {
  const most = Math.min(BATCH_ROWS, Math.floor(BATCH_PARAMETERS / shape.columns.length))
  let batch: CopiedRow[] = []
  let bytes = 0
  let count = 0
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await (tx as unknown as AnyTables).insertInto(table).values(batch).execute()
    count += batch.length
    batch = []
    bytes = 0
  }
  for await (const row of rows) {
    if (!fits(row, shape.columns)) throw new Error(`its rows of ${table} have other columns`)
    batch.push(row)
    bytes += sizeOf(row)
    if (batch.length >= most || bytes >= BATCH_BYTES) await flush()
  }
  await flush()
  return count
}

/** Makes the schema of the backup in an empty database and says which of its tables are to be filled. */
const makeTables = async (tx: Db, engine: Engine, migration: string): Promise<Map<string, TableShape>> => {
  // PostgreSQL may hold tables that are none of ours.
  const before = await readCatalogue(tx, engine)
  await migrate({ db: tx, engine }, migration)
  const isCopied = (table: string): boolean =>
    !before.has(table) && !migrationTables.includes(table) && tableKeys[table as keyof Tables] !== null
  return new Map([...(await readCatalogue(tx, engine))].filter(([table]) => isCopied(table)))
}

/** Fills an empty database with the rows of the backup, as they were, and then brings its schema up to date. */
export const fillDatabase = async (
  tx: Db,
  engine: Engine,
  contents: Contents,
  note: (text: string) => void,
): Promise<void> => {
  const { manifest, tables, sequences } = contents
  const shapes = await makeTables(tx, engine, manifest.migration)
  const missing = [...shapes.keys()].find((table) => !tables.includes(table))
  if (missing !== undefined) throw new Error(`it lacks the rows of ${missing}`)
  await withReferencesCheckedLast(tx, engine, async () => {
    for (const table of tables) {
      const shape = shapes.get(table)
      if (!shape) throw new Error(`it has rows of ${table}, which never was a table`)
      const count = await fillTable(tx, table, shape, contents.rows(table))
      await raiseSequence(tx, engine, table, shape, sequences[table] ?? 0)
      note(`${table.padEnd(18)}${count} ${count === 1 ? 'row' : 'rows'}`)
    }
  })
  await migrate({ db: tx, engine })
}
