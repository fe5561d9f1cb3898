import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../database.ts'

const LINKS = [
  { table: 'emails', column: 'emailId' },
  { table: 'events', column: 'eventId' },
] as const

/**
 * A task whose e-mail or event goes no longer names it, in the same transaction, by whatever way it goes: deleted here,
 * on its server, with its series or with its account. Its JSON is kept text, so that is written along; a quote within
 * a text is escaped there, so that only the field itself can read so.
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

/** Words of a task that is gone are taken out of the index at once, instead of when it is next rewritten. */
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
