import { readCatalogue, type TableShape } from '../../database/catalogue.ts'
import type { Engine } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { withReferencesCheckedLast } from '../../database/foreign-keys.ts'
import { migrate, migrationTables } from '../../database/migrate.ts'
import { raiseSequence } from '../../database/sequences.ts'
import { fillTable } from '../../database/table-filling.ts'
import type { PlainRow } from '../../database/table-pages.ts'
import { type Tables, tableKeys } from '../../database/tables.ts'
import type { Contents } from './contents.ts'

/** Each row as it is, if it has the columns that the table has. */
async function* fitting(
  table: string,
  { columns }: TableShape,
  rows: AsyncIterable<PlainRow>,
): AsyncGenerator<PlainRow> {
  for await (const row of rows) {
    const fits =
      Object.keys(row).length === columns.length && columns.every((name) => Object.hasOwn(row, name))
    if (!fits) throw new Error(`its rows of ${table} have other columns`)
    yield row
  }
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
  timezone: string | null,
): Promise<void> => {
  const { manifest, tables, sequences } = contents
  const shapes = await makeTables(tx, engine, manifest.migration)
  const missing = [...shapes.keys()].find((table) => !tables.includes(table))
  if (missing !== undefined) throw new Error(`it lacks the rows of ${missing}`)
  await withReferencesCheckedLast(tx, engine, async () => {
    for (const table of tables) {
      const shape = shapes.get(table)
      if (!shape) throw new Error(`it has rows of ${table}, which never was a table`)
      const count = await fillTable(tx, table, fitting(table, shape, contents.rows(table)))
      await raiseSequence(tx, engine, table, shape, sequences[table] ?? 0)
      note(`${table.padEnd(18)}${count} ${count === 1 ? 'row' : 'rows'}`)
    }
  })
  await migrate({ db: tx, engine }, undefined, timezone)
}
