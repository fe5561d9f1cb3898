import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepare } from '../../database/prepared.ts'
import type { NotificationRow, NotificationSettingsRow } from '../../database/tables/notifications.ts'
import { notFound } from '../../platform/errors.ts'

export type NotificationRecord = Selectable<NotificationRow>
export type SettingsRecord = Selectable<NotificationSettingsRow>

/** Someone who may be told something. */
export interface Person {
  id: number
  role: 'owner' | 'member'
  name: string
  email: string
  timezone: string
  locale: string
  createdAt: string
  /** JSON; null where nothing was chosen. */
  chosen: string | null
}

const people = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('notification_settings', 'notification_settings.userId', 'users.id')
    .select(['users.id', 'role', 'name', 'email', 'timezone', 'locale', 'createdAt', 'chosen'])

const MOST_PEOPLE = 1000

const selectPeople = prepare<object, Person>((db) =>
  people(db).where('users.id', '>', 0).orderBy('users.id').limit(MOST_PEOPLE),
)

/** Everyone: a household. */
export const listPeople = (db: Db): Promise<Person[]> => selectPeople(db, {})

export const findPerson = (db: Db, id: number): Promise<Person | undefined> =>
  people(db).where('users.id', '=', id).executeTakeFirst()

export const findSettings = (db: Db, userId: number): Promise<SettingsRecord | undefined> =>
  db.selectFrom('notification_settings').selectAll().where('userId', '=', userId).executeTakeFirst()

/** For a change: others wait for it. */
export const lockSettings = async (tx: Db, userId: number, now: string): Promise<SettingsRecord> => {
  await tx
    .insertInto('notification_settings')
    .values({ userId, chosen: '{}', version: 0, updatedAt: now })
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute()
  return tx
    .updateTable('notification_settings')
    .set((row) => ({ version: row.ref('version') }))
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const saveSettings = async (
  tx: Db,
  userId: number,
  change: Omit<SettingsRecord, 'userId'>,
): Promise<void> => {
  await tx.updateTable('notification_settings').set(change).where('userId', '=', userId).execute()
}

/** Those that were not there yet, in the order given; whoever comes second with the same key writes nothing. */
export const insertNotifications = async (
  tx: Db,
  rows: readonly Insertable<NotificationRow>[],
): Promise<NotificationRecord[]> => {
  const made = await tx
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['userId', 'key']).doNothing())
    .returningAll()
    .execute()
  return made.sort((a, b) => a.id - b.id)
}

/** Said as it stands in the index, which holds nothing else. */
const SHOWN = sql.lit(1)

const listed = (db: Db, userId: number) =>
  db
    .selectFrom('notifications')
    .where('userId', '=', userId)
    .where('inConsole', '=', SHOWN)
    .where('clearedAt', 'is', null)

export const listNotifications = (
  db: Db,
  userId: number,
  page: { unread: boolean; kind: string | undefined; below: number | undefined; limit: number },
): Promise<NotificationRecord[]> =>
  listed(db, userId)
    .selectAll()
    .$if(page.unread, (query) => query.where('readAt', 'is', null))
    .$if(page.kind !== undefined, (query) => query.where('kind', '=', page.kind as string))
    .$if(page.below !== undefined, (query) => query.where('id', '<', page.below as number))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()

export const countUnread = async (db: Db, userId: number): Promise<number> => {
  const { count } = await listed(db, userId)
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('readAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const getNotification = async (db: Db, userId: number, id: number): Promise<NotificationRecord> => {
  const row = await listed(db, userId).selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('notification')
  return row
}

/** Holds it until the commit. */
export const lockNotification = async (tx: Db, userId: number, id: number): Promise<NotificationRecord> => {
  await tx
    .updateTable('notifications')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .where('userId', '=', userId)
    .execute()
  return getNotification(tx, userId, id)
}

export const setRead = (tx: Db, id: number, readAt: string | null): Promise<NotificationRecord> =>
  tx
    .updateTable('notifications')
    .set((row) => ({ readAt, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const setAllRead = async (
  tx: Db,
  userId: number,
  upTo: number | undefined,
  readAt: string,
): Promise<number> => {
  const { numUpdatedRows } = await tx
    .updateTable('notifications')
    .set((row) => ({ readAt, version: row('version', '+', 1) }))
    .where('userId', '=', userId)
    .where('inConsole', '=', SHOWN)
    .where('clearedAt', 'is', null)
    .where('readAt', 'is', null)
    .$if(upTo !== undefined, (query) => query.where('id', '<=', upTo as number))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const CLEARED = { title: '', body: '', link: null }

/** Takes the words away and leaves the key, so that it is not told again. */
export const clearNotification = async (tx: Db, id: number, clearedAt: string): Promise<void> => {
  await tx
    .updateTable('notifications')
    .set((row) => ({ ...CLEARED, clearedAt, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export const clearNotifications = async (
  tx: Db,
  userId: number,
  { upTo, onlyRead }: { upTo: number | undefined; onlyRead: boolean },
  clearedAt: string,
): Promise<number> => {
  const { numUpdatedRows } = await tx
    .updateTable('notifications')
    .set((row) => ({ ...CLEARED, clearedAt, version: row('version', '+', 1) }))
    .where('userId', '=', userId)
    .where('inConsole', '=', SHOWN)
    .where('clearedAt', 'is', null)
    .$if(upTo !== undefined, (query) => query.where('id', '<=', upTo as number))
    .$if(onlyRead, (query) => query.where('readAt', 'is not', null))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** What could not be told otherwise is there to be read at least. */
export const showInConsole = async (tx: Db, ids: readonly number[]): Promise<void> => {
  await tx.updateTable('notifications').set({ inConsole: 1 }).where('id', 'in', ids).execute()
}

/** The oldest first. */
export const listByIds = async (db: Db, ids: readonly number[]): Promise<NotificationRecord[]> => {
  const rows = await db.selectFrom('notifications').selectAll().where('id', 'in', ids).execute()
  return rows.sort((a, b) => a.id - b.id)
}

/** What the log of changes says of a person who has gone: its subject is theirs. */
export const blankChanges = async (tx: Db, userId: string): Promise<void> => {
  await tx
    .updateTable('changes')
    .set({ data: '{}' })
    .where('type', 'in', ['notification.created', 'mail_account.failing', 'calendar_account.failing'])
    .where('subject', '=', userId)
    .execute()
}

/** With everything that hangs on them. */
export const deleteBefore = async (db: Db, before: string): Promise<void> => {
  await db.deleteFrom('notifications').where('createdAt', '<', before).execute()
  await db.deleteFrom('notification_mails').where('createdAt', '<', before).execute()
}
