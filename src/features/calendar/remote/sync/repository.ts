import type { Selectable } from 'kysely'
import type { Db } from '../../../../database/db.ts'
import { hasRows } from '../../../../database/rows.ts'
import { everyRow } from '../../../../database/schema-info.ts'
import {
  type EventPlacementRow,
  type EventPushRow,
  HELD,
  type RemoteCalendarRow,
  type UnreadableObjectRow,
} from '../../../../database/tables/calendar.ts'
import type { RemoteCalendar } from '../calendar-server.ts'

export type CalendarRecord = Selectable<RemoteCalendarRow>
export type PlacementRecord = Selectable<EventPlacementRow>

export const listCalendars = (db: Db, accountId: string): Promise<CalendarRecord[]> =>
  db.selectFrom('remote_calendars').selectAll().where('accountId', '=', accountId).orderBy('href').execute()

/** New calendars are followed by default. The user's choice is kept on updates. */
export const saveCalendar = (
  tx: Db,
  accountId: string,
  { href, name, color, isWritable, schedules }: RemoteCalendar,
): Promise<CalendarRecord> => {
  const properties = { name, colour: color, writable: isWritable ? 1 : 0, schedules: schedules ? 1 : 0 }
  return tx
    .insertInto('remote_calendars')
    .values({ accountId, href, ...properties, followed: 1, syncToken: null })
    .onConflict((existing) => existing.columns(['accountId', 'href']).doUpdateSet(properties))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const deleteCalendar = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('remote_calendars').where('id', '=', id).execute()
}

export const saveSyncToken = async (tx: Db, id: number, syncToken: string | null): Promise<void> => {
  await tx.updateTable('remote_calendars').set({ syncToken }).where('id', '=', id).execute()
}

type Version = Pick<PlacementRecord, 'href' | 'etag'>

/** Yields the ETags of all objects, ordered by href. */
export const everyVersion = (db: Db, calendarId: number): AsyncGenerator<Version> =>
  everyRow<Version>((after, limit) =>
    db
      .selectFrom('event_placements')
      .select(['href', 'etag'])
      .where('calendarId', '=', calendarId)
      .where('href', '>', after?.href ?? '')
      .orderBy('href')
      .limit(limit)
      .execute(),
  )

/** Lists the ETags of some objects. */
export const listVersions = (db: Db, calendarId: number, hrefs: readonly string[]): Promise<Version[]> =>
  hrefs.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('event_placements')
        .select(['href', 'etag'])
        .where('calendarId', '=', calendarId)
        .where('href', 'in', hrefs)
        .execute()

/** Yields all placements with their last server version, ordered by href. */
export const everyPlacement = (db: Db, calendarId: number): AsyncGenerator<PlacementRecord> =>
  everyRow<PlacementRecord>((after, limit) =>
    db
      .selectFrom('event_placements')
      .selectAll()
      .where('calendarId', '=', calendarId)
      .where('href', '>', after?.href ?? '')
      .orderBy('href')
      .limit(limit)
      .execute(),
  )

export const findPlacement = (
  db: Db,
  calendarId: number,
  href: string,
): Promise<PlacementRecord | undefined> =>
  db
    .selectFrom('event_placements')
    .selectAll()
    .where('calendarId', '=', calendarId)
    .where('href', '=', href)
    .executeTakeFirst()

/**
 * Finds the placement of an event on an account. A moved event has two for a moment: the later one counts.
 */
export const findPlaced = (db: Db, accountId: string, uid: string): Promise<PlacementRecord | undefined> =>
  db
    .selectFrom('event_placements')
    .selectAll()
    .where('uid', '=', uid)
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Lists the places of an event on an account, latest first. */
export const listPlacements = (db: Db, accountId: string, uid: string): Promise<PlacementRecord[]> =>
  db
    .selectFrom('event_placements')
    .selectAll()
    .where('uid', '=', uid)
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .execute()

/** UIDs are unique per user, so that placements are searched among the accounts of one user. */
const accountsOf = (db: Db, userId: number) =>
  db.selectFrom('calendar_accounts').select('calendar_accounts.id').where('userId', '=', userId)

export const listPlacedAt = (
  db: Db,
  userId: number,
  uids: readonly string[],
): Promise<{ accountId: string; uid: string }[]> =>
  db
    .selectFrom('event_placements')
    .select(['accountId', 'uid'])
    .distinct()
    .where('uid', 'in', uids)
    .where('accountId', 'in', accountsOf(db, userId))
    .execute()

/** Lists the places of an event on all accounts of a user, latest first. */
export const listPlacesOf = (
  db: Db,
  userId: number,
  uid: string,
): Promise<Pick<PlacementRecord, 'accountId' | 'calendarId' | 'leaving'>[]> =>
  db
    .selectFrom('event_placements')
    .select(['accountId', 'calendarId', 'leaving'])
    .where('uid', '=', uid)
    .where('accountId', 'in', accountsOf(db, userId))
    .orderBy('id', 'desc')
    .execute()

/** Lists the objects of an event, and whether the server of each may send invitations. */
export const listScheduling = (
  db: Db,
  userId: number,
  uid: string,
): Promise<{ body: string; schedules: number | null }[]> =>
  db
    .selectFrom('event_placements')
    .innerJoin('remote_calendars', 'remote_calendars.id', 'event_placements.calendarId')
    .select(['event_placements.body', 'remote_calendars.schedules'])
    .where('event_placements.uid', '=', uid)
    .where('event_placements.accountId', 'in', accountsOf(db, userId))
    .execute()

/** Selects the events whose account is being removed, and which are removed with it. */
export const listLeaving = async (db: Db, userId: number, uids: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('event_placements')
    .innerJoin('calendar_accounts', 'calendar_accounts.id', 'event_placements.accountId')
    .select('event_placements.uid')
    .where('event_placements.uid', 'in', uids)
    .where('calendar_accounts.userId', '=', userId)
    .where('calendar_accounts.removing', '=', 'remove')
    .execute()
  return rows.map(({ uid }) => uid)
}

/** Lists objects of one calendar with a UID or with a UID in a range, oldest first. */
export const listSharing = (
  db: Db,
  calendarId: number,
  uid: string,
  { from, until }: { from: string; until: string },
): Promise<PlacementRecord[]> =>
  db
    .selectFrom('event_placements')
    .selectAll()
    .where(({ or, eb, and }) =>
      or([eb('uid', '=', uid), and([eb('uid', '>=', from), eb('uid', '<', until)])]),
    )
    .where('calendarId', '=', calendarId)
    .orderBy('id')
    .execute()

/** Counts the objects of an account that were not stored completely, with one of the reasons. */
export const countRemarks = async (db: Db, accountId: string): Promise<{ count: number; remark: string }> => {
  const { count, remark } = await db
    .selectFrom('event_placements')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('remark').as('remark')])
    .where('accountId', '=', accountId)
    .where('remark', 'is not', null)
    .executeTakeFirstOrThrow()
  return { count: Number(count), remark: remark ?? '' }
}

export type NewPlacement = Omit<PlacementRecord, 'id' | 'remark' | 'leaving'> &
  Partial<Pick<PlacementRecord, 'remark' | 'leaving'>>

export const savePlacement = (tx: Db, placement: NewPlacement): Promise<void> =>
  savePlacements(tx, [placement])

export const savePlacements = async (tx: Db, placements: readonly NewPlacement[]): Promise<void> => {
  await tx
    .insertInto('event_placements')
    .values(placements.map((placement) => ({ remark: null, leaving: 0, ...placement })))
    .onConflict((existing) =>
      existing.columns(['calendarId', 'href']).doUpdateSet(({ ref }) => ({
        uid: ref('excluded.uid'),
        etag: ref('excluded.etag'),
        body: ref('excluded.body'),
        remark: ref('excluded.remark'),
      })),
    )
    .execute()
}

/** The event is in this place again. */
export const keepPlacement = async (tx: Db, calendarId: number, href: string): Promise<void> => {
  await tx
    .updateTable('event_placements')
    .set({ leaving: 0 })
    .where('calendarId', '=', calendarId)
    .where('href', '=', href)
    .execute()
}

export const deletePlacement = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('event_placements').where('id', '=', id).execute()
}

export type PushRecord = Selectable<EventPushRow>

type Server = { id: string; enabled: number }

/** Lists the servers that receive the changes of a user. */
export const listServers = (db: Db, userId: number): Promise<Server[]> =>
  db
    .selectFrom('calendar_accounts')
    .select(['id', 'enabled'])
    .where('userId', '=', userId)
    .where('kind', '=', 'caldav')
    .where('removing', 'is', null)
    .execute()

const BATCH_SIZE = 100

export const queuePushes = async (
  tx: Db,
  pushes: readonly Pick<PushRecord, 'accountId' | 'uid'>[],
  notedAt: string,
): Promise<void> => {
  const noted = { changes: 1, notedAt, attempts: 0, tryAt: null, error: null }
  for (let at = 0; at < pushes.length; at += BATCH_SIZE)
    await tx
      .insertInto('event_pushes')
      .values(pushes.slice(at, at + BATCH_SIZE).map((push) => ({ ...push, ...noted })))
      .onConflict((existing) =>
        existing.columns(['accountId', 'uid']).doUpdateSet((row) => ({
          changes: row('event_pushes.changes', '+', 1),
          notedAt,
          tryAt: null,
        })),
      )
      .execute()
}

export const findPush = (db: Db, accountId: string, uid: string): Promise<PushRecord | undefined> =>
  db
    .selectFrom('event_pushes')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('uid', '=', uid)
    .executeTakeFirst()

/** Lists pushes after a UID, ordered by UID. */
export const listPushes = (db: Db, accountId: string, after: string, limit: number): Promise<PushRecord[]> =>
  db
    .selectFrom('event_pushes')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('uid', '>', after)
    .orderBy('uid')
    .limit(limit)
    .execute()

/** Deletes a push that succeeded. If the event changed meanwhile, the push stays. */
export const completePush = async (
  tx: Db,
  { accountId, uid, changes }: Pick<PushRecord, 'accountId' | 'uid' | 'changes'>,
): Promise<void> => {
  await tx
    .deleteFrom('event_pushes')
    .where('accountId', '=', accountId)
    .where('uid', '=', uid)
    .where('changes', '=', changes)
    .execute()
}

/** Holds the push until somebody changes the event: see `queuePushes`. */
export const holdPush = async (tx: Db, accountId: string, uid: string): Promise<void> => {
  await tx
    .updateTable('event_pushes')
    .set({ tryAt: HELD })
    .where('accountId', '=', accountId)
    .where('uid', '=', uid)
    .execute()
}

export const listPushesOf = (db: Db, userId: number, uids: readonly string[]): Promise<PushRecord[]> =>
  db
    .selectFrom('event_pushes')
    .selectAll()
    .where('accountId', 'in', accountsOf(db, userId))
    .where('uid', 'in', uids)
    .execute()

export const deletePush = async (tx: Db, accountId: string, uid: string): Promise<void> => {
  await tx.deleteFrom('event_pushes').where('accountId', '=', accountId).where('uid', '=', uid).execute()
}

export const savePushFailure = async (
  tx: Db,
  { accountId, uid }: Pick<PushRecord, 'accountId' | 'uid'>,
  failure: { attempts: number; tryAt: string; error: string },
): Promise<void> => {
  await tx
    .updateTable('event_pushes')
    .set(failure)
    .where('accountId', '=', accountId)
    .where('uid', '=', uid)
    .execute()
}

/** Counts the pushes that failed, with one of the reasons. */
export const countFailedPushes = async (
  db: Db,
  accountId: string,
): Promise<{ count: number; error: string }> => {
  const { count, error } = await db
    .selectFrom('event_pushes')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('error').as('error')])
    .where('accountId', '=', accountId)
    .where('error', 'is not', null)
    .executeTakeFirstOrThrow()
  return { count: Number(count), error: error ?? '' }
}

/** Whether there is a push that was never attempted. */
export const hasNewPushes = (db: Db, accountId: string): Promise<boolean> =>
  hasRows(db.selectFrom('event_pushes').where('accountId', '=', accountId).where('tryAt', 'is', null))

export type UnreadableRecord = Selectable<UnreadableObjectRow>
type NewUnreadable = Omit<UnreadableRecord, 'id'>
type UnreadableVersion = Pick<UnreadableRecord, 'name' | 'etag' | 'readerVersion'>

/** Without paging: there are few per calendar. */
export const listUnreadableVersions = (db: Db, calendarId: number): Promise<UnreadableVersion[]> =>
  db
    .selectFrom('unreadable_objects')
    .select(['name', 'etag', 'readerVersion'])
    .where('calendarId', '=', calendarId)
    .orderBy('name')
    .execute()

export const saveUnreadable = async (tx: Db, row: NewUnreadable): Promise<void> => {
  await tx
    .insertInto('unreadable_objects')
    .values(row)
    .onConflict((existing) => existing.columns(['calendarId', 'name']).doUpdateSet(row))
    .execute()
}

export const deleteUnreadable = async (
  tx: Db,
  calendarId: number,
  names: readonly string[],
): Promise<void> => {
  if (names.length === 0) return
  await tx
    .deleteFrom('unreadable_objects')
    .where('calendarId', '=', calendarId)
    .where('name', 'in', names)
    .execute()
}

export const deleteAllUnreadable = async (tx: Db, calendarId: number): Promise<void> => {
  await tx.deleteFrom('unreadable_objects').where('calendarId', '=', calendarId).execute()
}

/** Whether another version of Factotum recorded some of them: this version may be able to parse them. */
export const hasStaleUnreadable = (db: Db, accountId: string, readerVersion: string): Promise<boolean> =>
  hasRows(
    db
      .selectFrom('unreadable_objects')
      .where('accountId', '=', accountId)
      .where('readerVersion', '!=', readerVersion),
  )

/** Includes the names of the calendars; in order of arrival. */
export const listUnreadable = (
  db: Db,
  accountId: string,
  { limit, after }: { limit: number; after: number },
) =>
  db
    .selectFrom('unreadable_objects')
    .innerJoin('remote_calendars', 'remote_calendars.id', 'unreadable_objects.calendarId')
    .select(['unreadable_objects.id', 'unreadable_objects.name', 'remote_calendars.name as calendar'])
    .select(['reason', 'size', 'failedAt'])
    .where('unreadable_objects.accountId', '=', accountId)
    .where('unreadable_objects.id', '>', after)
    .orderBy('unreadable_objects.id')
    .limit(limit + 1)
    .execute()

export const findUnreadable = (
  db: Db,
  accountId: string,
  id: number,
): Promise<UnreadableRecord | undefined> =>
  db
    .selectFrom('unreadable_objects')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
