import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

const INDEXES = [
  'events_booked',
  'events_booking',
  'events_name',
  'events_series',
  'events_source',
  'events_span',
  'events_start',
  'events_status',
  'events_status_source',
  'events_unexpanded_after',
  'events_unexpanded_before',
  'occurrences_span',
  'occurrences_start',
  'calendar_accounts_receiver',
]

/** Reads the placements of another account's events again, so that its user gets an event of their own. */
const refetch = sql`
  select placed.id from event_placements as placed
  join calendar_accounts as account on account.id = placed."accountId"
  join events as event on event.uid = placed.uid
  where event."userId" <> account."userId"`

/**
 * Every account has its own events. Events from a calendar account belong to its user, and all others to the owner or
 * the local account.
 */
export const eventOwner = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  for (const table of ['events', 'occurrences'])
    await sql`alter table ${sql.table(table)} add column "userId" bigint references users (id) on delete cascade`.execute(
      db,
    )
  await sql`update events set "userId" = (select id from users where role in ('owner', 'local'))`.execute(db)
  await sql`update events set "userId" = coalesce((
      select account."userId" from event_placements as placed
      join calendar_accounts as account on account.id = placed."accountId"
      where placed.uid = events.uid order by placed.id limit 1
    ), "userId") where source in ('caldav', 'ics')`.execute(db)
  await sql`update events set "userId" = (select series."userId" from events as series where series.id = events."seriesId")
    where "seriesId" is not null`.execute(db)
  await sql`update occurrences set "userId" = (
      select series."userId" from events as series where series.id = occurrences."seriesId")`.execute(db)

  await sql`update calendar_sync set etag = null, modified = null where "accountId" in (
    select "accountId" from event_placements where id in (${refetch}))`.execute(db)
  await sql`update remote_calendars set "syncToken" = null where id in (
    select "calendarId" from event_placements where id in (${refetch}))`.execute(db)
  await sql`delete from event_pushes where exists (
    select 1 from event_placements as placed where placed."accountId" = event_pushes."accountId"
      and placed.uid = event_pushes.uid and placed.id in (${refetch}))`.execute(db)
  await sql`delete from event_placements where id in (${refetch})`.execute(db)

  if (engine === 'postgres')
    for (const table of ['events', 'occurrences'])
      await sql`alter table ${sql.table(table)} alter column "userId" set not null`.execute(db)

  // PostgreSQL would otherwise prefer `events_start`, and read all durations. Only these indexes have this collation.
  const start = engine === 'postgres' ? sql`"start" collate "C"` : sql`"start"`
  for (const index of INDEXES) await sql`drop index ${sql.ref(index)}`.execute(db)
  for (const statement of [
    sql`create index "events_booked" on "events" ("userId", "createdAt", "status") where "bookingId" is not null`,
    sql`create unique index "events_booking" on "events" ("userId", "bookingId") where "bookingId" is not null`,
    sql`create unique index "events_name" on "events" ("userId", "uid", "recurrenceId")`,
    // The foreign key finds the occurrences of a deleted series by the first column.
    sql`create index "events_series" on "events" ("seriesId", "userId", "recurrenceId") where "seriesId" is not null`,
    sql`create index "events_source" on "events" ("userId", "source", "start", "id")`,
    sql`create index "events_span" on "events" ("userId", "spanClass", ${start}, "lastEnd")`,
    sql`create index "events_start" on "events" ("userId", "start", "id")`,
    sql`create index "events_status" on "events" ("userId", "status", "start", "id")`,
    sql`create index "events_status_source" on "events" ("userId", "status", "source", "start", "id")`,
    sql`create index "events_unexpanded_after" on "events" ("userId", "expandedUntil") where "expandedUntil" is not null`,
    sql`create index "events_unexpanded_before" on "events" ("userId", "expandedFrom") where "expandedFrom" is not null`,
    // The job that stores occurrences in advance works for all accounts.
    sql`create index "events_expansion" on "events" ("expandedUntil") where "expandedUntil" is not null`,
    sql`create index "events_user" on "events" ("userId", "id")`,
    sql`create index "occurrences_span" on "occurrences" ("userId", "spanClass", ${start}, "end")`,
    sql`create index "occurrences_start" on "occurrences" ("userId", "start", "seriesId", "end")`,
    sql`create unique index "calendar_accounts_receiver" on "calendar_accounts" ("userId") where "receivesNew" = 1`,
  ])
    await statement.execute(db)
}
