import { sql } from 'kysely'
import { readCatalogue, type TableShape } from './catalogue.ts'
import type { Engine } from './database.ts'
import type { Db } from './db.ts'

/** The highest id that each table with an identity ever gave out: also of rows that are gone, for none is used again. */
export const readSequences = async (db: Db, engine: Engine): Promise<Record<string, number>> => {
  const last: Record<string, number> = {}
  for (const [table, shape] of await readCatalogue(db, engine))
    if (shape.identity !== null) last[table] = await readSequence(db, engine, table, shape)
  return last
}

/** From here on the table gives out ids above `last`, and above those it holds. */
export const raiseSequence = async (
  tx: Db,
  engine: Engine,
  table: string,
  { identity }: TableShape,
  last: number,
): Promise<void> => {
  if (identity === null) return
  const { rows } = await sql<{ highest: number | null }>`
    select max(${sql.ref(identity)}) as highest from ${sql.table(table)}`.execute(tx)
  const least = Math.max(last, rows[0]?.highest ?? 0)
  if (least === 0) return
  if (engine === 'postgres') {
    await sql`select setval(${sequenceOf(table, identity)}, ${least}::bigint)`.execute(tx)
    return
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(tx)
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${least})`.execute(tx)
}

const sequenceOf = (table: string, identity: string) =>
  sql`pg_get_serial_sequence(quote_ident(${table}), ${identity})`

const readSequence = async (
  db: Db,
  engine: Engine,
  table: string,
  { identity }: TableShape,
): Promise<number> => {
  if (engine === 'sqlite') {
    const { rows } = await sql<{
      seq: number
    }>`select seq from sqlite_sequence where name = ${table}`.execute(db)
    return rows[0]?.seq ?? 0
  }
  const { rows } = await sql<{ last: number | null }>`
    select pg_sequence_last_value(${sequenceOf(table, identity as string)}::regclass) as last`.execute(db)
  return rows[0]?.last ?? 0
}
