import { sql } from 'kysely'
import type { Engine } from './database.ts'
import type { Db } from './db.ts'

export interface TableShape {
  readonly columns: readonly string[]
  /** The column that the engine counts up by itself. */
  readonly identity: string | null
}

/** The tables as the database has them now, by name. */
export const readCatalogue = async (db: Db, engine: Engine): Promise<ReadonlyMap<string, TableShape>> => {
  const tables = await db.introspection.getTables()
  const derived = engine === 'sqlite' ? await namesOfDerived(db) : new Set<string>()
  // PostgreSQL tells of every schema; ours is the one that an unqualified name means.
  const schema = engine === 'sqlite' ? undefined : await currentSchema(db)
  return new Map(
    tables
      .filter((table) => !table.isView && table.schema === schema && !derived.has(table.name))
      .map(({ name, columns }) => [
        name,
        {
          columns: columns.map((column) => column.name),
          identity: columns.find((column) => column.isAutoIncrementing)?.name ?? null,
        },
      ]),
  )
}

/** Indexes of words are tables to SQLite, with further ones behind them: none holds rows of its own. */
const namesOfDerived = async (db: Db): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_list where type in ('virtual', 'shadow')`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

const currentSchema = async (db: Db): Promise<string | undefined> => {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
  return rows[0]?.schema
}
