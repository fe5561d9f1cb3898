import type { Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { everyRow } from '../../../database/every-row.ts'
import type { EventPlacementRow, RemoteCalendarRow } from '../../../database/tables/calendar-accounts.ts'
import { duplicateRange, originalUid } from '../../calendar/icalendar/duplicate-uids.ts'
import type { RemoteCalendar } from '../calendar-server.ts'

export type CalendarRecord = Selectable<RemoteCalendarRow>
export type PlacementRecord = Selectable<EventPlacementRow>

export const listCalendars = (db: Db, accountId: string): Promise<CalendarRecord[]> =>
  db.selectFrom('remote_calendars').selectAll().where('accountId', '=', accountId).orderBy('href').execute()

/** What is new is followed; what the person chose stays. */
export const saveCalendar = async (
  tx: Db,
  accountId: string,
  { href, name, colour, isWritable }: RemoteCalendar,
): Promise<void> => {
  const told = { name, colour, writable: isWritable ? 1 : 0 }
  await tx
    .insertInto('remote_calendars')
    .values({ accountId, href, ...told, followed: 1, syncToken: null })
    .onConflict((existing) => existing.columns(['accountId', 'href']).doUpdateSet(told))
    .execute()
}

export const deleteCalendar = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('remote_calendars').where('id', '=', id).execute()
}

export const noteToken = async (tx: Db, id: number, syncToken: string | null): Promise<void> => {
  await tx.updateTable('remote_calendars').set({ syncToken }).where('id', '=', id).execute()
}

type Version = Pick<PlacementRecord, 'href' | 'etag'>

/** Which version of each is here: of all of them, in the order of their names. */
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

/** Likewise of some. */
export const listVersions = (db: Db, calendarId: number, hrefs: readonly string[]): Promise<Version[]> =>
  hrefs.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('event_placements')
        .select(['href', 'etag'])
        .where('calendarId', '=', calendarId)
        .where('href', 'in', hrefs)
        .execute()

/** With what the server held, in the order of their names. */
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

/** Where an event lies at an account. One that was moved lies in two places for a moment: the later counts. */
export const findPlaced = (db: Db, accountId: string, uid: string): Promise<PlacementRecord | undefined> =>
  db
    .selectFrom('event_placements')
    .selectAll()
    .where('uid', '=', uid)
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const listPlacedAt = (
  db: Db,
  uids: readonly string[],
): Promise<{ accountId: string; uid: string }[]> =>
  db.selectFrom('event_placements').select(['accountId', 'uid']).distinct().where('uid', 'in', uids).execute()

/** Those that are still here because their account is being removed, and go with that. */
export const listLeaving = async (db: Db, uids: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('event_placements')
    .innerJoin('calendar_accounts', 'calendar_accounts.id', 'event_placements.accountId')
    .select('event_placements.uid')
    .where('event_placements.uid', 'in', uids)
    .where('calendar_accounts.removing', '=', 'remove')
    .execute()
  return rows.map(({ uid }) => uid)
}

/** Objects of one calendar that the server knows by one UID, the oldest first. */
export const listSharing = async (db: Db, calendarId: number, uid: string): Promise<PlacementRecord[]> => {
  const rows = await db
    .selectFrom('event_placements')
    .selectAll()
    .where(({ or, eb, and }) => {
      const { from, until } = duplicateRange(uid)
      return or([eb('uid', '=', uid), and([eb('uid', '>=', from), eb('uid', '<', until)])])
    })
    .where('calendarId', '=', calendarId)
    .orderBy('id')
    .execute()
  return rows.filter((row) => row.uid === uid || originalUid(row.uid) === uid)
}

/** How many objects of an account were not taken over whole, and the reason of one of them. */
export const countRemarks = async (db: Db, accountId: string): Promise<{ count: number; remark: string }> => {
  const { count, remark } = await db
    .selectFrom('event_placements')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('remark').as('remark')])
    .where('accountId', '=', accountId)
    .where('remark', 'is not', null)
    .executeTakeFirstOrThrow()
  return { count: Number(count), remark: remark ?? '' }
}

export type NewPlacement = Omit<PlacementRecord, 'id' | 'remark'> & Partial<Pick<PlacementRecord, 'remark'>>

export const savePlacement = (tx: Db, placement: NewPlacement): Promise<void> =>
  savePlacements(tx, [placement])

export const savePlacements = async (tx: Db, placements: readonly NewPlacement[]): Promise<void> => {
  await tx
    .insertInto('event_placements')
    .values(placements.map((placement) => ({ remark: null, ...placement })))
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

export const deletePlacement = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('event_placements').where('id', '=', id).execute()
}
