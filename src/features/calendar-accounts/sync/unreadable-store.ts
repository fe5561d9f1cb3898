import type { Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { UnreadableObjectRow } from '../../../database/tables/calendar-accounts.ts'

export type UnreadableRecord = Selectable<UnreadableObjectRow>
type NewUnreadable = Omit<UnreadableRecord, 'id'>
type Version = Pick<UnreadableRecord, 'name' | 'etag' | 'readerVersion'>

/** Of one calendar; there are few. */
export const listUnreadableVersions = (db: Db, calendarId: number): Promise<Version[]> =>
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

/** Whether another version of the service may be able to read some of them. */
export const hasStaleUnreadable = async (
  db: Db,
  accountId: string,
  readerVersion: string,
): Promise<boolean> =>
  (await db
    .selectFrom('unreadable_objects')
    .select('id')
    .where('accountId', '=', accountId)
    .where('readerVersion', '!=', readerVersion)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** With the names of their calendars, in the order in which they came. */
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
