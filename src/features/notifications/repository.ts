import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { toBatches } from '../../database/batches.ts'
import type { Db } from '../../database/db.ts'
import type { UserRow } from '../../database/tables/accounts.ts'
import type {
  NotificationDeliveryRow,
  NotificationMailRow,
  NotificationRow,
  NotificationSettingsRow,
} from '../../database/tables/notifications.ts'
import { notFound } from '../../platform/errors.ts'

export type NotificationRecord = Selectable<NotificationRow>
export type SettingsRecord = Selectable<NotificationSettingsRow>

/** A possible recipient. */
export interface Person {
  id: number
  role: UserRow['role']
  name: string
  email: string
  timezone: string
  locale: string
  createdAt: string
  /** JSON; null without stored settings. */
  chosen: string | null
}

const people = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('notification_settings', 'notification_settings.userId', 'users.id')
    .select(['users.id', 'role', 'name', 'email', 'timezone', 'locale', 'createdAt', 'chosen'])
    // Nobody can read the notifications of the local account before its registration.
    .where('role', '<>', 'local')

export const listPeople = (db: Db, ids: readonly number[]): Promise<Person[]> =>
  people(db).where('users.id', 'in', ids).orderBy('users.id').execute()

export const findPerson = (db: Db, id: number): Promise<Person | undefined> =>
  people(db).where('users.id', '=', id).executeTakeFirst()

export const findSettings = (db: Db, userId: number): Promise<SettingsRecord | undefined> =>
  db.selectFrom('notification_settings').selectAll().where('userId', '=', userId).executeTakeFirst()

/** Locks the settings for a change, and creates them if necessary. */
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

/** Inserts the notifications whose key is new, and returns them in the given order. */
export const insertNotifications = async (
  tx: Db,
  rows: readonly Insertable<NotificationRow>[],
): Promise<NotificationRecord[]> => {
  const inserted = await tx
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['userId', 'key']).doNothing())
    .returningAll()
    .execute()
  return inserted.sort((a, b) => a.id - b.id)
}

/** A literal, so that the partial index is used. */
const IN_CONSOLE = sql.lit(1)

const listed = (db: Db, userId: number) =>
  db
    .selectFrom('notifications')
    .where('userId', '=', userId)
    .where('inConsole', '=', IN_CONSOLE)
    .where('clearedAt', 'is', null)

export const selectNotifications = (
  db: Db,
  userId: number,
  { unread = false, kind }: { unread?: boolean | undefined; kind?: string | undefined },
) =>
  listed(db, userId)
    .selectAll()
    .$if(unread, (query) => query.where('readAt', 'is', null))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as string))

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

/** Locks the notification until the commit. */
export const lockNotification = async (tx: Db, userId: number, id: number): Promise<NotificationRecord> => {
  await tx
    .updateTable('notifications')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .where('userId', '=', userId)
    .execute()
  return getNotification(tx, userId, id)
}

type NotificationKey = Pick<NotificationRecord, 'id' | 'userId'>

export const setRead = (
  tx: Db,
  { id, userId }: NotificationKey,
  readAt: string | null,
): Promise<NotificationRecord> =>
  tx
    .updateTable('notifications')
    .set((row) => ({ readAt, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .where('userId', '=', userId)
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
    .where('inConsole', '=', IN_CONSOLE)
    .where('clearedAt', 'is', null)
    .where('readAt', 'is', null)
    .$if(upTo !== undefined, (query) => query.where('id', '<=', upTo as number))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const CLEARED = { title: '', body: '', data: null, link: null }

/** Removes the text and keeps the key, so that the occurrence does not notify again. */
export const clearNotification = async (
  tx: Db,
  { id, userId }: NotificationKey,
  clearedAt: string,
): Promise<void> => {
  await tx
    .updateTable('notifications')
    .set((row) => ({ ...CLEARED, clearedAt, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .where('userId', '=', userId)
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
    .where('inConsole', '=', IN_CONSOLE)
    .where('clearedAt', 'is', null)
    .$if(upTo !== undefined, (query) => query.where('id', '<=', upTo as number))
    .$if(onlyRead, (query) => query.where('readAt', 'is not', null))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Shows notifications in the console that no other channel could deliver. */
export const showInConsole = async (tx: Db, ids: readonly number[]): Promise<void> => {
  for (const batch of toBatches(ids))
    await tx
      .updateTable('notifications')
      .set({ inConsole: 1 })
      .where('id', 'in', batch)
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
}

/** Lists the notifications, oldest first. */
export const listByIds = async (db: Db, ids: readonly number[]): Promise<NotificationRecord[]> => {
  const rows = await db
    .selectFrom('notifications')
    .selectAll()
    .where('id', 'in', ids)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  return rows.sort((a, b) => a.id - b.id)
}

/** Removes the data of the changes of a deleted account. The rows stay: see `ChangeRow`. */
export const blankChanges = async (tx: Db, userId: number): Promise<void> => {
  await tx.updateTable('changes').set({ data: '{}' }).where('userId', '=', userId).execute()
}

/** Deletes notifications with their deliveries, and mails. */
export const deleteBefore = async (db: Db, before: string): Promise<void> => {
  for (const table of ['notifications', 'notification_mails'] as const)
    await db.deleteFrom(table).where('createdAt', '<', before).modifyEnd(ALL_ACCOUNTS).execute()
}

export type MailRecord = Selectable<NotificationMailRow>

export const insertMail = async (tx: Db, row: Insertable<NotificationMailRow>): Promise<number> => {
  const { id } = await tx
    .insertInto('notification_mails')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** For the job that sends it. */
export const findMail = (db: Db, id: number): Promise<MailRecord | undefined> =>
  db
    .selectFrom('notification_mails')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()

/**
 * Changes the mail if it is still in this state and attempt. Of several concurrent calls, only one succeeds.
 */
export const advanceMail = async (
  tx: Db,
  { id, userId }: Pick<MailRecord, 'id' | 'userId'>,
  from: { state: MailRecord['state']; attempt?: string },
  change: Updateable<NotificationMailRow>,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('notification_mails')
    .set(change)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('state', '=', from.state)
    .$if(from.attempt !== undefined, (query) => query.where('attempt', '=', from.attempt as string))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Returns which of these emails are our own notification mails. They must not cause notifications, or the
 * mails would never end.
 */
export const listOwnMail = async (tx: Db, emailIds: readonly number[]): Promise<Set<number>> => {
  const rows = await tx
    .selectFrom('emails')
    .innerJoin('notification_mails', 'notification_mails.messageId', 'emails.messageId')
    .select('emails.id')
    .where('emails.id', 'in', emailIds)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export type DeliveryRecord = Selectable<NotificationDeliveryRow>

/** A literal, so that the partial index on waiting deliveries is used. */
const WAITING = sql.lit('waiting' as const)

export const insertDeliveries = async (
  tx: Db,
  rows: readonly Insertable<NotificationDeliveryRow>[],
): Promise<void> => {
  await tx.insertInto('notification_deliveries').values(rows).execute()
}

export const listDeliveriesOf = (
  db: Db,
  userId: number,
  notificationIds: readonly number[],
): Promise<DeliveryRecord[]> =>
  db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('notificationId', 'in', notificationIds)
    .where('userId', '=', userId)
    .execute()

/** Returns the person whose delivery has been due for the longest time. */
export const findDuePerson = async (db: Db, now: string): Promise<number | undefined> => {
  const row = await db
    .selectFrom('notification_deliveries')
    .select('userId')
    .where('state', '=', WAITING)
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(1)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()
  return row?.userId
}

const waitingOf = (tx: Db, userId: number) =>
  tx
    .selectFrom('notification_deliveries')
    .selectAll('notification_deliveries')
    .where('notification_deliveries.userId', '=', userId)
    .where('state', '=', 'waiting')

/** Takes due deliveries. Of several concurrent calls, only one takes each delivery. */
export const takeDue = async (
  tx: Db,
  userId: number,
  now: string,
  most: number,
): Promise<DeliveryRecord[]> => {
  const due = await waitingOf(tx, userId)
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .orderBy('id')
    .limit(most)
    .execute()
  if (due.length === 0) return []
  const taken = await tx
    .updateTable('notification_deliveries')
    .set({ state: 'mailing' })
    .where(
      'id',
      'in',
      due.map(({ id }) => id),
    )
    .where('state', '=', 'waiting')
    .returningAll()
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  return taken.sort((a, b) => a.id - b.id)
}

/** Thousands can wait for a weekly digest. */
export const listWaiting = (tx: Db, userId: number): Promise<(DeliveryRecord & { kind: string })[]> =>
  waitingOf(tx, userId)
    .innerJoin('notifications', 'notifications.id', 'notification_deliveries.notificationId')
    .select('notifications.kind')
    .orderBy('dueAt')
    .execute()

/** By id only: with the account too, SQLite would search all its deliveries. The same holds below. */
export const changeDeliveries = async (
  tx: Db,
  ids: readonly number[],
  change: Updateable<NotificationDeliveryRow>,
): Promise<void> => {
  for (const batch of toBatches(ids))
    await tx
      .updateTable('notification_deliveries')
      .set(change)
      .where('id', 'in', batch)
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
}

/** Changes the deliveries that are still waiting. */
export const postponeDeliveries = async (
  tx: Db,
  ids: readonly number[],
  change: Pick<DeliveryRecord, 'dueAt' | 'heldBy'>,
): Promise<void> => {
  for (const batch of toBatches(ids))
    await tx
      .updateTable('notification_deliveries')
      .set(change)
      .where('id', 'in', batch)
      .where('state', '=', 'waiting')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
}

export const listOfMail = (
  tx: Db,
  { id, userId }: Pick<MailRecord, 'id' | 'userId'>,
): Promise<DeliveryRecord[]> =>
  tx
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('mailId', '=', id)
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
