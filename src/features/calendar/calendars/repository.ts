import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { prepare } from '../../../database/prepared.ts'
import type { CalendarRow, RemoteCalendarRow } from '../../../database/tables/calendar.ts'
import { versionedRows } from '../../../platform/resources.ts'

export type CalendarRecord = Selectable<CalendarRow>

/** A calendar with the properties of the remote calendar that it mirrors. They are null for a local calendar. */
export interface CalendarDetails extends CalendarRecord {
  accountId: string | null
  accountName: string | null
  kind: 'caldav' | 'ics' | null
  href: string | null
  writable: number | null
}

/** SQLite uses a partial index only if the query has the same constant, not a parameter. */
const DEFAULT = sql.lit(1)
const DEFAULT_NAME = 'Calendar'
const COLORS = ['#3366cc', '#2e8b57', '#c2410c', '#7c3aed', '#b91c1c', '#0e7490', '#a16207', '#be185d']

/** Returns the color for the next calendar of an account that has `count` calendars. */
export const pickColor = (count: number): string => COLORS[count % COLORS.length] as string

export const isReadOnly = ({ kind, writable }: Pick<CalendarDetails, 'kind' | 'writable'>): boolean =>
  kind === 'ics' || writable === 0

const selectCalendars = (db: Db, userId: number) => db.selectFrom('calendars').where('userId', '=', userId)

const updateCalendars = (tx: Db, userId: number) => tx.updateTable('calendars').where('userId', '=', userId)

const selectDefault = prepare<{ userId: number }, { id: number }>((db, { userId }) =>
  selectCalendars(db, userId)
    .select('id')
    .where('isDefault', '=', DEFAULT)
    // The calendar must not be deleted before the event is inserted.
    .forKeyShare(),
)

const ATTEMPTS = 5

/** Returns the default calendar, and creates it at the first need. Two requests at once create one. */
export const ensureDefaultId = async (tx: Db, userId: number, now: string): Promise<number> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [found] = await selectDefault(tx, { userId })
    if (found) return found.id
    await tx
      .insertInto('calendars')
      .values(newCalendar(userId, { name: DEFAULT_NAME, color: pickColor(0), isDefault: 1 }, now))
      .onConflict((existing) => existing.columns(['userId']).where('isDefault', '=', DEFAULT).doNothing())
      .execute()
  }
  throw new Error(`The account ${userId} has no default calendar.`)
}

export const newCalendar = (
  userId: number,
  given: { name: string; color: string; isDefault?: number; visible?: number; remoteCalendarId?: number },
  now: string,
): Insertable<CalendarRow> => ({
  userId,
  isDefault: 0,
  visible: 1,
  remoteCalendarId: null,
  ...given,
  version: 1,
  createdAt: now,
  updatedAt: now,
})

/** Excludes remote calendars that are not followed, or whose account is being removed. */
const selectDetails = (db: Db, userId: number) =>
  db
    .selectFrom('calendars')
    .leftJoin('remote_calendars as remote', 'remote.id', 'calendars.remoteCalendarId')
    .leftJoin('calendar_accounts as account', 'account.id', 'remote.accountId')
    .selectAll('calendars')
    .select([
      'account.id as accountId',
      'account.name as accountName',
      'account.kind',
      'remote.href',
      'remote.writable',
    ])
    .where('calendars.userId', '=', userId)
    .where(({ or, and, eb }) =>
      or([
        eb('calendars.remoteCalendarId', 'is', null),
        // The only calendar of a published file cannot be deselected.
        and([
          or([eb('remote.followed', '=', 1), eb('account.kind', '=', 'ics')]),
          eb('account.removing', 'is', null),
        ]),
      ]),
    )

/** Lists the calendars of an account. Without paging: there are about a hundred at most. */
export const listCalendars = (db: Db, userId: number): Promise<CalendarDetails[]> =>
  selectDetails(db, userId).orderBy('calendars.id').execute()

export const findCalendar = (db: Db, userId: number, id: number): Promise<CalendarDetails | undefined> =>
  selectDetails(db, userId).where('calendars.id', '=', id).executeTakeFirst()

/** Locks all calendars of an account, for changes of the default calendar and of their number. */
export const lockCalendars = async (tx: Db, userId: number): Promise<void> => {
  await updateCalendars(tx, userId)
    .set((row) => ({ version: row.ref('version') }))
    .execute()
}

/** Locks a calendar against deletion until the transaction ends. Returns false if it no longer exists. */
export const holdCalendar = async (tx: Db, userId: number, id: number): Promise<boolean> => {
  const query = selectCalendars(tx, userId).select('id').where('id', '=', id)
  return (await query.forKeyShare().executeTakeFirst()) !== undefined
}

export const {
  count: countCalendars,
  insert: insertCalendar,
  update: updateCalendar,
  delete: deleteCalendar,
} = versionedRows('calendars', 'calendar')

/** Moves the default flag. Call it with all calendars locked. */
export const moveDefault = async (tx: Db, userId: number, id: number, updatedAt: string): Promise<void> => {
  await updateCalendars(tx, userId)
    .set((row) => ({ isDefault: 0, updatedAt, version: row('version', '+', 1) }))
    .where('isDefault', '=', DEFAULT)
    .where('id', '!=', id)
    .execute()
  await updateCalendar(tx, { id, userId }, { isDefault: 1, updatedAt })
}

/** Returns the oldest local calendar, for events whose remote calendar is removed. Creates it at the first need. */
export const ensureLocalId = async (tx: Db, userId: number, now: string): Promise<number> => {
  const known = await selectCalendars(tx, userId)
    .select('id')
    .where('remoteCalendarId', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (known) return known.id
  const color = pickColor(await countCalendars(tx, userId))
  return (await insertCalendar(tx, newCalendar(userId, { name: DEFAULT_NAME, color }, now))).id
}

export const findByRemote = (
  db: Db,
  userId: number,
  remoteCalendarId: number,
): Promise<CalendarRecord | undefined> =>
  selectCalendars(db, userId).selectAll().where('remoteCalendarId', '=', remoteCalendarId).executeTakeFirst()

/** A calendar of a server or a published file. */
export type RemoteCalendarProperties = Pick<Selectable<RemoteCalendarRow>, 'id' | 'name' | 'colour'>

export const getRemote = (db: Db, id: number): Promise<RemoteCalendarProperties> =>
  db
    .selectFrom('remote_calendars')
    .select(['id', 'name', 'colour'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** The account that receives new events, with the calendar that its user has chosen. */
export interface Receiver {
  id: string
  newEventsCalendarId: number | null
}

export const findReceiver = (db: Db, userId: number): Promise<Receiver | undefined> =>
  db
    .selectFrom('calendar_accounts')
    .select(['id', 'newEventsCalendarId'])
    .where('userId', '=', userId)
    .where('receivesNew', '=', 1)
    .where('removing', 'is', null)
    .executeTakeFirst()

/** Makes one account of a user the receiver of new events, or none. */
export const setReceiver = async (
  tx: Db,
  userId: number,
  receiver: Receiver | undefined,
  updatedAt: string,
): Promise<void> => {
  await tx
    .updateTable('calendar_accounts')
    .set((row) => ({ receivesNew: 0, updatedAt, version: row('version', '+', 1) }))
    .where('userId', '=', userId)
    .where('receivesNew', '=', 1)
    .$if(receiver !== undefined, (query) => query.where('id', '!=', (receiver as Receiver).id))
    .execute()
  if (receiver === undefined) return
  await tx
    .updateTable('calendar_accounts')
    .set((row) => ({
      receivesNew: 1,
      newEventsCalendarId: receiver.newEventsCalendarId,
      updatedAt,
      version: row('version', '+', 1),
    }))
    .where('userId', '=', userId)
    .where('id', '=', receiver.id)
    .execute()
}

/** The calendar of an event, and its remote calendar if it has one. */
export interface EventCalendar {
  calendarId: number
  remoteCalendarId: number | null
  accountId: string | null
}

/** Finds the calendars of events by UID. All rows of a UID have the same calendar. */
export const listEventCalendars = async (
  db: Db,
  userId: number,
  uids: readonly string[],
): Promise<Map<string, EventCalendar>> => {
  if (uids.length === 0) return new Map()
  const rows = await db
    .selectFrom('events')
    .innerJoin('calendars', 'calendars.id', 'events.calendarId')
    .leftJoin('remote_calendars as remote', 'remote.id', 'calendars.remoteCalendarId')
    .select(['events.uid', 'events.calendarId', 'calendars.remoteCalendarId', 'remote.accountId'])
    .where('events.userId', '=', userId)
    .where('events.uid', 'in', uids)
    .execute()
  return new Map(rows.map(({ uid, ...calendar }) => [uid, calendar]))
}

/** The accounts of a user. Placements have no user of their own. */
const accountsOf = (db: Db, userId: number) =>
  db.selectFrom('calendar_accounts').select('calendar_accounts.id').where('userId', '=', userId)

/**
 * Marks the places of a moved event on its former servers, and keeps the place in its new calendar if there is one.
 */
export const leavePlaces = async (
  tx: Db,
  userId: number,
  uid: string,
  remoteCalendarId: number | null,
): Promise<void> => {
  const places = () =>
    tx.updateTable('event_placements').where('uid', '=', uid).where('accountId', 'in', accountsOf(tx, userId))
  await places()
    .set({ leaving: 1 })
    .$if(remoteCalendarId !== null, (query) => query.where('calendarId', '!=', remoteCalendarId as number))
    .execute()
  if (remoteCalendarId !== null)
    await places().set({ leaving: 0 }).where('calendarId', '=', remoteCalendarId).execute()
}

/** Lists followed remote calendars of all accounts that have no calendar here yet. */
export const listRemotesWithoutCalendar = (db: Db, userId: number): Promise<RemoteCalendarProperties[]> =>
  db
    .selectFrom('remote_calendars as remote')
    .innerJoin('calendar_accounts as account', 'account.id', 'remote.accountId')
    .leftJoin('calendars', 'calendars.remoteCalendarId', 'remote.id')
    .select(['remote.id', 'remote.name', 'remote.colour'])
    .where('account.userId', '=', userId)
    .where(({ or, eb }) => or([eb('remote.followed', '=', 1), eb('account.kind', '=', 'ics')]))
    .where('account.removing', 'is', null)
    .where('calendars.id', 'is', null)
    .orderBy('remote.id')
    .execute()

/** Gives events without a calendar to the one of their first place on a server. */
export const fillFromPlaces = async (tx: Db, userId: number): Promise<void> => {
  await tx
    .updateTable('events')
    .set(({ selectFrom }) => ({
      calendarId: selectFrom('event_placements as placed')
        .innerJoin('calendars', 'calendars.remoteCalendarId', 'placed.calendarId')
        .select('calendars.id')
        .whereRef('placed.uid', '=', 'events.uid')
        .where('calendars.userId', '=', userId)
        .orderBy('placed.id')
        .limit(1)
        .$castTo<{ id: number }>(),
    }))
    .where('userId', '=', userId)
    .where('calendarId', 'is', null)
    .execute()
}

export const fillFromDefault = async (tx: Db, userId: number, calendarId: number): Promise<void> => {
  await tx
    .updateTable('events')
    .set({ calendarId })
    .where('userId', '=', userId)
    .where('calendarId', 'is', null)
    .execute()
}
