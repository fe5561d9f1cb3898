import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

const COLORS = ['#3366cc', '#2e8b57', '#c2410c', '#7c3aed', '#b91c1c', '#0e7490', '#a16207', '#be185d']
const COLOR = /^#[0-9a-f]{6}$/
const LONGEST_NAME = 100

interface RemoteCalendar {
  id: number
  userId: number
  name: string
  colour: string | null
  writable: number
  receivesNew: number
  newEventsCalendarId: number | null
}

/** Returns the calendar to which new events of the account have been sent until now. */
const findReceiver = (calendars: readonly RemoteCalendar[]): RemoteCalendar | undefined => {
  const open = calendars.filter(({ receivesNew, writable }) => receivesNew === 1 && writable === 1)
  return open.find(({ id, newEventsCalendarId }) => id === newEventsCalendarId) ?? open[0]
}

const createCalendars = async (db: Kysely<unknown>): Promise<void> => {
  const { rows: users } = await sql<{
    id: number
    createdAt: string
  }>`select id, "createdAt" from users order by id`.execute(db)
  const { rows: remotes } = await sql<RemoteCalendar>`
    select remote.id, account."userId", remote.name, remote.colour, remote.writable, account."receivesNew",
      account."newEventsCalendarId"
    from remote_calendars as remote join calendar_accounts as account on account.id = remote."accountId"
    where (remote.followed = 1 or account.kind = 'ics') and account.removing is null
    order by remote."accountId", remote.href`.execute(db)
  const ofUsers = Map.groupBy(remotes, ({ userId }) => userId)
  for (const { id: userId, createdAt } of users) {
    const own = ofUsers.get(userId) ?? []
    const receiver = findReceiver(own)
    const insert = (name: string, color: string, isDefault: boolean, remoteCalendarId: number | null) =>
      sql`insert into calendars ("userId", name, color, "isDefault", visible, "remoteCalendarId", version,
        "createdAt", "updatedAt")
        values (${userId}, ${name}, ${color}, ${isDefault ? 1 : 0}, 1, ${remoteCalendarId}, 1, ${createdAt}, ${createdAt})`.execute(
        db,
      )
    await insert('Calendar', COLORS[0] as string, receiver === undefined, null)
    for (const [index, remote] of own.entries()) {
      const color = remote.colour?.toLowerCase() ?? ''
      await insert(
        remote.name.trim().slice(0, LONGEST_NAME) || 'Calendar',
        COLOR.test(color) ? color : (COLORS[(index + 1) % COLORS.length] as string),
        remote === receiver,
        remote.id,
      )
    }
  }
}

/** The calendars of the places of an event, of which the first counts. */
const placed = sql`
  from event_placements as placed
  join calendars on calendars."remoteCalendarId" = placed."calendarId" and calendars."userId" = events."userId"
  where placed.uid = events.uid`

/** Events that wait to be sent to the server for new events. */
const isWaiting = sql`exists (
  select 1 from event_pushes as push
  join calendar_accounts as account on account.id = push."accountId" and account."receivesNew" = 1
  where push.uid = events.uid and account."userId" = events."userId")`

/**
 * Every event belongs to a calendar. Each account has a default calendar, and one for each remote calendar that it
 * follows. Events of a server or a published file belong to its calendar, and all others to the local one.
 */
export const calendars = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('calendars'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('color', 'text', (column) => column.notNull())
    .addColumn('isDefault', 'integer', (column) => column.notNull())
    .addColumn('visible', 'integer', (column) => column.notNull())
    .addColumn('remoteCalendarId', 'bigint', (column) =>
      column.references('remote_calendars.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await sql`create index "calendars_user" on "calendars" ("userId", "id")`.execute(db)
  await sql`create unique index "calendars_default" on "calendars" ("userId") where "isDefault" = 1`.execute(
    db,
  )
  await sql`create unique index "calendars_remote" on "calendars" ("remoteCalendarId")`.execute(db)
  await createCalendars(db)

  await sql`alter table events add column "calendarId" bigint references calendars (id)`.execute(db)
  await sql`alter table events add column "changedBy" text`.execute(db)
  await sql`alter table event_placements add column leaving integer not null default 0`.execute(db)
  await sql`update events set "calendarId" = (
    select id from calendars where calendars."userId" = events."userId" and "remoteCalendarId" is null)`.execute(
    db,
  )
  await sql`update events set "calendarId" = (
    select id from calendars where calendars."userId" = events."userId" and "isDefault" = 1)
    where uid in (select uid from event_pushes) and ${isWaiting}`.execute(db)
  await sql`update events set "calendarId" = (select calendars.id ${placed} order by placed.id limit 1)
    where uid in (select uid from event_placements) and exists (select 1 ${placed})`.execute(db)
  // The foreign key finds the events of a deleted calendar by the first column.
  await sql`create index "events_calendar" on "events" ("calendarId", "userId", "start", "id")`.execute(db)
}
