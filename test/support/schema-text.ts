import { sql } from 'kysely'
import type { Database } from '../../src/database/database.ts'

const LINES = {
  sqlite: sql<{ line: string }>`select sql as line from sqlite_master
    where sql is not null and name not like 'sqlite_%' order by name`,
  postgres: sql<{ line: string }>`
    select table_name || '.' || column_name || ' ' || data_type
      || case when is_nullable = 'NO' then ' not null' else '' end as line
    from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f'
    order by 1`,
}

/** The schema as the golden files have it: one line for each table, column, index, trigger and foreign key. */
export const readSchemaText = async ({ db, engine }: Database): Promise<string> => {
  const { rows } = await LINES[engine].execute(db)
  return rows.map(({ line }) => `${line.replace(/\s+/g, ' ')}\n`).join('')
}
