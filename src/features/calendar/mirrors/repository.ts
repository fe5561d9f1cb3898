import type { Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { CalendarMirrorRow } from '../../../database/tables/calendar.ts'
import { versionedRows } from '../../../platform/resources.ts'
import type { EventRecord } from '../event.ts'

export type MirrorRecord = Selectable<CalendarMirrorRow>

export const mirrorRows = versionedRows('calendar_mirrors', 'mirror')

/** Lists the mirrors of an account. There are few. */
export const listMirrors = async (db: Db, userId: number): Promise<MirrorRecord[]> =>
  (await mirrorRows.select(db, userId).execute()).sort((one, other) => one.id - other.id)

/** Lists the events that show the given originals, with their changed occurrences. */
export const listMirrored = (
  db: Db,
  userId: number,
  originalIds: readonly number[],
): Promise<EventRecord[]> =>
  originalIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('events')
        .selectAll()
        .where('userId', '=', userId)
        .where('mirrorOf', 'in', originalIds)
        .execute()

/** Lists the ids of originals that other calendars show, in order. They may no longer exist. */
export const listMirroredIds = async (
  db: Db,
  userId: number,
  after: number,
  limit: number,
): Promise<number[]> => {
  const rows = await db
    .selectFrom('events')
    .select('mirrorOf')
    .distinct()
    .where('userId', '=', userId)
    .where('mirrorOf', '>', after)
    .orderBy('mirrorOf')
    .limit(limit)
    .$narrowType<{ mirrorOf: number }>()
    .execute()
  return rows.map(({ mirrorOf }) => mirrorOf)
}

/** Lists the ids of the events and series of some calendars, in order, without those that are shown from others. */
export const listOriginalIds = async (
  db: Db,
  userId: number,
  calendarIds: readonly number[],
  after: number,
  limit: number,
): Promise<number[]> => {
  if (calendarIds.length === 0) return []
  const rows = await db
    .selectFrom('events')
    .select('id')
    .where('userId', '=', userId)
    .where('calendarId', 'in', calendarIds)
    .where('seriesId', 'is', null)
    .where('mirrorOf', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The calendars of events, by the id of the event. */
export const readCalendarIds = async (
  db: Db,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, number>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('events')
    .select(['id', 'calendarId'])
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, calendarId }) => [id, calendarId]))
}
