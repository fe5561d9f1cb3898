import type { Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { CalendarAccountRow } from '../../database/tables/calendar-accounts.ts'

export const findRemoved = (
  db: Db,
  id: string,
): Promise<Pick<Selectable<CalendarAccountRow>, 'removing'> | undefined> =>
  db
    .selectFrom('calendar_accounts')
    .select('removing')
    .where('id', '=', id)
    .where('removing', 'is not', null)
    .executeTakeFirst()

/** Everybody's, or one's own. There are few accounts. */
export const listRemoved = (db: Db, userId?: number): Promise<{ id: string }[]> =>
  db
    .selectFrom('calendar_accounts')
    .select('id')
    .where('removing', 'is not', null)
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId as number))
    .orderBy('id')
    .execute()

/** Some of what lies there. */
export const listSomePlaced = async (db: Db, accountId: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('remote_calendars')
    .innerJoin('event_placements as placed', 'placed.calendarId', 'remote_calendars.id')
    .select('placed.uid')
    .where('remote_calendars.accountId', '=', accountId)
    .limit(limit)
    .execute()
  return rows.map(({ uid }) => uid)
}

/** Of these, what is here as it is there, and comes from nowhere else. */
export const listCopies = async (db: Db, accountId: string, uids: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('event_placements as placed')
    .select('placed.uid')
    .distinct()
    .where('placed.uid', 'in', uids)
    .where('placed.accountId', '=', accountId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event_pushes')
            .select('event_pushes.uid')
            .where('event_pushes.accountId', '=', accountId)
            .whereRef('event_pushes.uid', '=', 'placed.uid'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event_placements as other')
            .select('other.id')
            .whereRef('other.uid', '=', 'placed.uid')
            .where('other.accountId', '<>', accountId),
        ),
      ),
    )
    .execute()
  return rows.map(({ uid }) => uid).sort()
}

export const deletePlaced = async (tx: Db, accountId: string, uids: readonly string[]): Promise<void> => {
  await tx
    .deleteFrom('event_placements')
    .where('uid', 'in', uids)
    .where('accountId', '=', accountId)
    .execute()
}

export const deleteAccount = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('calendar_accounts').where('id', '=', id).execute()
}
