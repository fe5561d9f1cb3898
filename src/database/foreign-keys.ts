import { sql } from 'kysely'
import type { Engine } from './database.ts'
import type { Db } from './db.ts'

interface ForeignKey {
  table: string
  name: string
}

/**
 * Runs `work` with references left unchecked until its end, so that rows which refer to each other, or to later rows
 * of their own table, can be written in any order. Part of the transaction.
 */
export const withReferencesCheckedLast = async <T>(
  tx: Db,
  engine: Engine,
  work: () => Promise<T>,
): Promise<T> => {
  if (engine === 'sqlite') {
    // Ends by itself with the transaction. Its commit would check as well, but too late to be told apart from others.
    await sql`pragma defer_foreign_keys = on`.execute(tx)
    const result = await work()
    const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(tx)
    if (rows[0])
      throw new Error(`a row of ${rows[0].table} refers to one of ${rows[0].parent} that is not there`)
    return result
  }
  const { rows: keys } = await sql<ForeignKey>`
    select relation.relname as "table", conname as name
    from pg_constraint join pg_class relation on relation.oid = conrelid
    where contype = 'f' and not condeferrable and connamespace = current_schema()::regnamespace`.execute(tx)
  for (const key of keys) await alter(tx, key, 'deferrable initially deferred')
  const result = await work()
  await sql`set constraints all immediate`.execute(tx)
  for (const key of keys) await alter(tx, key, 'not deferrable')
  return result
}

const alter = async (tx: Db, { table, name }: ForeignKey, how: string): Promise<void> => {
  await sql`alter table ${sql.table(table)} alter constraint ${sql.ref(name)} ${sql.raw(how)}`.execute(tx)
}
