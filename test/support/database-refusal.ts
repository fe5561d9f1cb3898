import { sql } from 'kysely'
import type { Database } from '../../src/database/database.ts'

/**
 * Makes the database reject events with this title, like content that it cannot store. Returns a function
 * that undoes it.
 */
export const refuseEvents = async (
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  title: string,
): Promise<() => Promise<void>> => {
  const literal = sql.lit(title)
  if (engine === 'sqlite') {
    await sql`create trigger refuse_events before insert on events when new.title = ${literal}
      begin select raise(abort, 'refused'); end`.execute(db)
    return async () => {
      await sql`drop trigger refuse_events`.execute(db)
    }
  }
  await sql`create function refuse_event() returns trigger language plpgsql as
    $$ begin raise exception 'refused'; end $$`.execute(db)
  await sql`create trigger refuse_events before insert on events for each row when (new.title = ${literal})
    execute function refuse_event()`.execute(db)
  return async () => {
    await sql`drop trigger refuse_events on events`.execute(db)
    await sql`drop function refuse_event()`.execute(db)
  }
}
