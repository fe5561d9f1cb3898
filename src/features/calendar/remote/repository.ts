import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { countRows, hasRows } from '../../../database/rows.ts'
import { type CalendarAccountRow, HELD, type RemoteCalendarRow } from '../../../database/tables/calendar.ts'
import { notFound } from '../../../platform/errors.ts'
import { versionedRows } from '../../../platform/resources.ts'

export const countUnreadable = (db: Db, accountId: string): Promise<number> =>
  countRows(db.selectFrom('unreadable_objects').where('accountId', '=', accountId))

export type AccountRecord = Selectable<CalendarAccountRow>

/** All accounts, including those that are being removed. */
export const accountRows = versionedRows('calendar_accounts', 'calendar account')

export const insertAccount = async (tx: Db, row: Insertable<CalendarAccountRow>): Promise<AccountRecord> => {
  const account = await accountRows.insert(tx, row)
  await tx
    .insertInto('calendar_sync')
    .values({
      accountId: row.id,
      status: row.enabled ? 'waiting' : 'off',
      error: null,
      lastSyncAt: null,
      requestedAt: null,
      done: 0,
      total: 0,
      etag: null,
      modified: null,
    })
    .execute()
  return account
}

export const selectAccounts = (db: Db, userId: number) =>
  accountRows.select(db, userId).where('removing', 'is', null)

/** Undefined for an account that is being removed. */
const unlessRemoved = (account: AccountRecord | undefined): AccountRecord | undefined =>
  account?.removing === null ? account : undefined

export const getAccount = async (db: Db, userId: number, id: string): Promise<AccountRecord> => {
  const account = unlessRemoved(await accountRows.find(db, userId, id))
  if (!account) throw notFound('calendar account')
  return account
}

/** Locks the account. Undefined if it was removed, or is being removed. */
export const lockAccount = async (
  tx: Db,
  { id, userId }: Pick<AccountRecord, 'id' | 'userId'>,
): Promise<AccountRecord | undefined> => unlessRemoved(await accountRows.lock(tx, userId, id))

/** The account of a user that uses, or used, the tokens of a mail account with this address. */
export const findProviderAccount = async (
  db: Db,
  userId: number,
  { mailAccountId, address }: { mailAccountId: string; address: string },
): Promise<AccountRecord | undefined> => {
  const accounts = await selectAccounts(db, userId)
    .where('signIn', '=', 'google')
    .orderBy('createdAt')
    .execute()
  return (
    accounts.find((account) => account.mailAccountId === mailAccountId) ??
    accounts.find(({ username }) => username?.toLowerCase() === address.toLowerCase())
  )
}

export const isProviderConnected = (db: Db, userId: number, mailAccountId: string): Promise<boolean> =>
  hasRows(
    db
      .selectFrom('calendar_accounts')
      .where('userId', '=', userId)
      .where('mailAccountId', '=', mailAccountId)
      .where('removing', 'is', null),
  )

export const findAccount = (db: Db, id: string): Promise<AccountRecord | undefined> =>
  db
    .selectFrom('calendar_accounts')
    .selectAll()
    .where('id', '=', id)
    .where('removing', 'is', null)
    .executeTakeFirst()

/** Lists servers, and files that were last synced before the given time. */
export const listDue = (db: Db, before: string): Promise<{ id: string }[]> =>
  db
    .selectFrom('calendar_accounts')
    .innerJoin('calendar_sync', 'calendar_sync.accountId', 'calendar_accounts.id')
    .select('id')
    .where('enabled', '=', 1)
    .where(({ eb, or }) =>
      or([
        eb('kind', '=', 'caldav'),
        eb('lastSyncAt', 'is', null),
        eb('lastSyncAt', '<', before),
        eb('status', '=', 'failing'),
      ]),
    )
    .execute()

/** The ETag and modification date of a published file at the last sync. */
export const readFileState = (db: Db, accountId: string) =>
  db
    .selectFrom('calendar_sync')
    .select(['etag', 'modified'])
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()

export const hasReceiver = (tx: Db, userId: number): Promise<boolean> =>
  hasRows(tx.selectFrom('calendar_accounts').where('userId', '=', userId).where('receivesNew', '=', 1))

export const clearReceiver = async (tx: Db, userId: number, updatedAt: string): Promise<void> => {
  await tx
    .updateTable('calendar_accounts')
    .set((row) => ({ receivesNew: 0, updatedAt, version: row('version', '+', 1) }))
    .where('userId', '=', userId)
    .where('receivesNew', '=', 1)
    .execute()
}

export const readSync = async (db: Db, accountId: string) => {
  const sync = await db
    .selectFrom('calendar_sync')
    .select(['status', 'error', 'lastSyncAt', 'done', 'total'])
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  const { waiting, held } = await db
    .selectFrom('event_pushes')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('waiting'),
      fn
        .coalesce(fn.sum<number>(eb.case().when('tryAt', '=', HELD).then(1).else(0).end()), eb.lit(0))
        .as('held'),
    ])
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  const { done, total, ...state } = sync
  return {
    ...state,
    waiting: Number(waiting) - Number(held),
    held: Number(held),
    unreadable: await countUnreadable(db, accountId),
    progress: { done, total },
  }
}

export const lockSync = async (tx: Db, accountId: string): Promise<void> => {
  await tx
    .updateTable('calendar_sync')
    .set((row) => ({ status: row.ref('status') }))
    .where('accountId', '=', accountId)
    .execute()
}

export const isSyncRequested = (db: Db, accountId: string): Promise<boolean> =>
  hasRows(
    db.selectFrom('calendar_sync').where('accountId', '=', accountId).where('requestedAt', 'is not', null),
  )

export const listVisibleCalendars = (
  db: Db,
  { id, userId }: Pick<AccountRecord, 'id' | 'userId'>,
): Promise<
  (Pick<Selectable<RemoteCalendarRow>, 'id' | 'name' | 'writable' | 'followed'> & {
    color: string | null
    calendarId: number | null
  })[]
> =>
  db
    .selectFrom('remote_calendars as remote')
    .leftJoin('calendars', (join) =>
      join
        .onRef('calendars.remoteCalendarId', '=', 'remote.id')
        .on('calendars.userId', '=', userId)
        .on('remote.followed', '=', 1),
    )
    .select([
      'remote.id',
      'remote.name',
      'colour as color',
      'writable',
      'followed',
      'calendars.id as calendarId',
    ])
    .where('remote.accountId', '=', id)
    .orderBy('remote.href')
    .execute()

/** Returns false if the account has no such calendar. */
export const follow = async (
  tx: Db,
  accountId: string,
  { id, followed }: { id: number; followed: boolean },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('remote_calendars')
    .set({ followed: followed ? 1 : 0 })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const findRemoved = (
  db: Db,
  id: string,
): Promise<Pick<Selectable<CalendarAccountRow>, 'userId' | 'removing'> | undefined> =>
  db
    .selectFrom('calendar_accounts')
    .select(['userId', 'removing'])
    .where('id', '=', id)
    .where('removing', 'is not', null)
    .executeTakeFirst()

/** Lists accounts marked as removed, of all users or of one. Without paging: there are few. */
export const listRemoved = (db: Db, userId?: number): Promise<{ id: string }[]> =>
  db
    .selectFrom('calendar_accounts')
    .select('id')
    .where('removing', 'is not', null)
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId as number))
    .orderBy('id')
    .execute()

/** Lists UIDs of events on the account, up to a limit. */
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

/** Selects the events that have no unsent local change and are on no other account of the user. */
export const listCopies = async (
  db: Db,
  userId: number,
  accountId: string,
  uids: readonly string[],
): Promise<string[]> => {
  const rows = await db
    .selectFrom('event_placements as placed')
    .select('placed.uid')
    .distinct()
    .where('placed.uid', 'in', uids)
    .where('placed.accountId', '=', accountId)
    // An event that was moved to another calendar stays.
    .where('placed.leaving', '=', 0)
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
            .where('other.accountId', '<>', accountId)
            .where(
              'other.accountId',
              'in',
              db.selectFrom('calendar_accounts').select('calendar_accounts.id').where('userId', '=', userId),
            ),
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
