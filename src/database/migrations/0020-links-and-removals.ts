import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../database.ts'

/**
 * Clears the reference of events to a deleted email. The stored JSON text is updated as well, like the links
 * of tasks.
 */
const unlink = (emailId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  update events
  set "emailId" = null,
    shown = replace(shown, '"emailId":' || cast("emailId" as text) || ',', '"emailId":null,'),
    version = version + 1
  where "emailId" ${emailId}`

/**
 * A changed occurrence is part of the representation of its series, so the version of the series must change.
 */
const touchSeries = sql`
  update events set version = version + 1
  where id in (select "seriesId" from events where "emailId" = old.id and "seriesId" is not null)
    and coalesce("emailId", 0) <> old.id`

const LOST = sql`is not null and not exists (select 1 from emails where emails.id = events."emailId")`

/**
 * Clears the reference of an event when its email is deleted in any way. Also repairs existing references to
 * deleted emails.
 */
const cutEventLinks = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await unlink(LOST).execute(db)
  const steps = sql`${touchSeries}; ${unlink(sql`= old.id`)};`
  if (engine === 'sqlite') {
    await sql`create trigger emails_leave_events after delete on emails begin ${steps} end`.execute(db)
    return
  }
  await sql`create or replace function emails_leave_events() returns trigger language plpgsql as $$
    begin ${steps} return null; end $$`.execute(db)
  await sql`create trigger emails_leave_events after delete on emails
    for each row execute function emails_leave_events()`.execute(db)
}

/**
 * Removing an account with many events takes several steps. This column marks it, and says whether the events
 * are removed or kept.
 */
const addRemovals = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('calendar_accounts').addColumn('removing', 'text').execute()
}

export const linksAndRemovals = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await cutEventLinks(db, engine)
  await addRemovals(db)
  // Bookings are now counted in the calendar.
  await sql`delete from tallies where name = 'bookings'`.execute(db)
}
