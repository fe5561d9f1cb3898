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
  // PostgreSQL tells of every schema; ours is the one that an unqualified name means.
  const schema = engine === 'sqlite' ? undefined : await currentSchema(db)
  const hidden = engine === 'sqlite' ? await shadowTables(db) : []
  return new Map(
    tables
      .filter((table) => !table.isView && table.schema === schema && !hidden.includes(table.name))
      .map(({ name, columns }) => [
        name,
        {
          columns: columns.map((column) => column.name),
          identity: columns.find((column) => column.isAutoIncrementing)?.name ?? null,
        },
      ]),
  )
}

/** What an index of words keeps its own in. */
const shadowTables = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{
    name: string
  }>`select name from pragma_table_list where type = 'shadow'`.execute(db)
  return rows.map((row) => row.name)
}

const currentSchema = async (db: Db): Promise<string | undefined> => {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
  return rows[0]?.schema
}
