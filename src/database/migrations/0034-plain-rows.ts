import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../database.ts'

const LINKS = [
  { table: 'emails', column: 'emailId' },
  { table: 'events', column: 'eventId' },
] as const

const unlinkTask = (column: string): RawBuilder<unknown> => sql`
  update tasks set ${sql.ref(column)} = null, version = version + 1 where ${sql.ref(column)} = old.id`

/** Runs the statements after each deleted row, in place of the trigger that has this name. */
const replaceTrigger = async (
  db: Kysely<unknown>,
  engine: Engine,
  { name, table, statements }: { name: string; table: string; statements: RawBuilder<unknown> },
): Promise<void> => {
  const trigger = sql.ref(name)
  if (engine === 'sqlite') {
    await sql`drop trigger ${trigger}`.execute(db)
    await sql`create trigger ${trigger} after delete on ${sql.table(table)} begin ${statements}; end`.execute(
      db,
    )
    return
  }
  await sql`create or replace function ${trigger}() returns trigger language plpgsql as $$
    begin ${statements}; return null; end $$`.execute(db)
}

/** Responses are serialised from the columns, so rows no longer hold rendered JSON. */
export const plainRows = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  for (const { table, column } of LINKS)
    await replaceTrigger(db, engine, {
      name: `${table}_leave_tasks`,
      table,
      statements: unlinkTask(column),
    })
  await db.schema.alterTable('tasks').dropColumn('shown').execute()
}
