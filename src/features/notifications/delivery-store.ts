import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { NotificationDeliveryRow } from '../../database/tables/notifications.ts'

export type DeliveryRecord = Selectable<NotificationDeliveryRow>

/** Said as it stands in the index of what waits. */
const WAITING = sql.lit('waiting' as const)

export const insertDeliveries = async (
  tx: Db,
  rows: readonly Insertable<NotificationDeliveryRow>[],
): Promise<void> => {
  await tx.insertInto('notification_deliveries').values(rows).execute()
}

export const listDeliveriesOf = (db: Db, notificationIds: readonly number[]): Promise<DeliveryRecord[]> =>
  db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('notificationId', 'in', notificationIds)
    .execute()

/** Whom something is due for, whose has been waiting longest. */
export const findDuePerson = async (db: Db, now: string): Promise<number | undefined> => {
  const row = await db
    .selectFrom('notification_deliveries')
    .select('userId')
    .where('state', '=', WAITING)
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(1)
    .executeTakeFirst()
  return row?.userId
}

const waitingOf = (tx: Db, userId: number) =>
  tx
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')

/** Those that are due; of any number who take them at once, each is taken by one. */
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
    .execute()
  return taken.sort((a, b) => a.id - b.id)
}

export const listWaiting = (tx: Db, userId: number): Promise<DeliveryRecord[]> =>
  waitingOf(tx, userId).orderBy('dueAt').execute()

export const changeDeliveries = async (
  tx: Db,
  ids: readonly number[],
  change: Updateable<NotificationDeliveryRow>,
): Promise<void> => {
  if (ids.length === 0) return
  await tx.updateTable('notification_deliveries').set(change).where('id', 'in', ids).execute()
}

/** Still waiting ones alone: whoever is being told is told. */
export const postponeDelivery = async (
  tx: Db,
  id: number,
  change: Pick<DeliveryRecord, 'dueAt' | 'heldBy'>,
): Promise<void> => {
  await tx
    .updateTable('notification_deliveries')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

export const listOfMail = (tx: Db, mailId: number): Promise<DeliveryRecord[]> =>
  tx.selectFrom('notification_deliveries').selectAll().where('mailId', '=', mailId).orderBy('id').execute()
