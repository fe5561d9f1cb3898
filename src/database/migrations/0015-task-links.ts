import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../database.ts'

const LINKS = [
  { table: 'emails', column: 'emailId' },
  { table: 'events', column: 'eventId' },
] as const

/**
 * Clears the reference of a task when its email or event is deleted. That happens in the same transaction,
 * whether it is deleted here, on its server, with its series or with its account. The stored JSON text is
 * updated as well. A quote within a JSON text is escaped, so the replacement can only match the field itself.
 */
const unlink = (column: string): RawBuilder<unknown> => sql`
  update tasks
  set ${sql.ref(column)} = null,
    shown = replace(
      shown,
      ${sql.lit(`"${column}":`)} || cast(old.id as text) || ',',
      ${sql.lit(`"${column}":null,`)}
    ),
    version = version + 1
  where ${sql.ref(column)} = old.id`

/** Removes the words of a deleted task from the index at once, and not at the next rewrite. */
const forgetAtOnce = sql`insert into task_words (task_words, rank) values ('secure-delete', 1)`

export const taskLinks = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  if (engine === 'sqlite') await forgetAtOnce.execute(db)
  for (const { table, column } of LINKS) {
    const trigger = sql.ref(`${table}_leave_tasks`)
    if (engine === 'sqlite') {
      await sql`create trigger ${trigger} after delete on ${sql.table(table)} begin ${unlink(column)}; end`.execute(
        db,
      )
      continue
    }
    await sql`create or replace function ${trigger}() returns trigger language plpgsql as $$
      begin ${unlink(column)}; return null; end $$`.execute(db)
    await sql`create trigger ${trigger} after delete on ${sql.table(table)}
      for each row execute function ${trigger}()`.execute(db)
  }
}
