import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/** A changed occurrence is part of the representation of its series, so the version of the series must change. */
const touchSeries = sql`
  update events set version = version + 1
  where id in (select "seriesId" from events where "emailId" = old.id and "seriesId" is not null)
    and coalesce("emailId", 0) <> old.id`

const unlink = sql`update events set "emailId" = null, version = version + 1 where "emailId" = old.id`

/**
 * Responses are serialised from the columns, so events no longer hold rendered JSON. Each of its fields has a
 * column since migration 0004.
 */
export const eventRows = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  const steps = sql`${touchSeries}; ${unlink};`
  if (engine === 'sqlite') {
    await sql`drop trigger emails_leave_events`.execute(db)
    await sql`create trigger emails_leave_events after delete on emails begin ${steps} end`.execute(db)
  } else
    await sql`create or replace function emails_leave_events() returns trigger language plpgsql as $$
      begin ${steps} return null; end $$`.execute(db)
  await db.schema.alterTable('events').dropColumn('shown').execute()
}
