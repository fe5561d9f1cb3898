import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Dispatcher } from './dispatcher.ts'
import {
  clearNotification,
  clearNotifications,
  countUnread,
  type DeliveryRecord,
  deleteBefore,
  getNotification,
  listDeliveriesOf,
  listNotifications,
  lockNotification,
  type NotificationRecord,
  setAllRead,
  setRead,
} from './repository.ts'
import type { Kind } from './settings.ts'

/** The fields of a notification that the API and webhooks share. */
export const toNotificationData = (row: NotificationRecord) => ({
  id: row.id,
  kind: row.kind as Kind,
  title: row.title,
  body: row.body,
  link: row.link,
  createdAt: row.createdAt,
})

/** Returns the delivery by a channel, or null if there is none. */
const toDeliveryView = (deliveries: readonly DeliveryRecord[], channel: DeliveryRecord['channel']) => {
  const found = deliveries.find((delivery) => delivery.channel === channel)
  if (!found) return null
  const { state, heldBy, dueAt, finishedAt, error } = found
  return { state: state === 'mailing' ? ('waiting' as const) : state, heldBy, dueAt, finishedAt, error }
}

export const viewOf = (row: NotificationRecord, deliveries: readonly DeliveryRecord[]) => {
  const own = deliveries.filter(({ notificationId }) => notificationId === row.id)
  return {
    ...toNotificationData(row),
    read: row.readAt !== null,
    readAt: row.readAt,
    actionId: row.actionId,
    email: toDeliveryView(own, 'email'),
    webhook: toDeliveryView(own, 'webhook'),
    version: row.version,
    extra: own.map(({ state }) => state).join('.') || null,
  }
}

export type Inbox = ReturnType<typeof createInbox>

/** The notifications of a person in the console. */
export const createInbox = (deps: {
  db: Db
  clock: Clock
  dispatcher: Pick<Dispatcher, 'announceChange'>
}) => {
  const { db, clock, dispatcher } = deps
  const now = (): string => clock.now().toISOString()

  const viewAll = async (tx: Db, rows: readonly NotificationRecord[]) => {
    const ids = rows.map(({ id }) => id)
    const deliveries = ids.length > 0 ? await listDeliveriesOf(tx, ids) : []
    return rows.map((row) => viewOf(row, deliveries))
  }
  const viewOne = async (tx: Db, row: NotificationRecord) => viewOf(row, await listDeliveriesOf(tx, [row.id]))

  return {
    async list(
      userId: number,
      {
        limit,
        cursor,
        unread,
        kind,
      }: PageRequest & { unread?: boolean | undefined; kind?: Kind | undefined },
    ) {
      const below = readCursor(cursor, 'integer')?.[0]
      const rows = await listNotifications(db, userId, { unread: unread === true, kind, below, limit })
      const { page, nextCursor } = pageOf(rows, limit, ({ id }) => [id])
      return { notifications: await viewAll(db, page), unread: await countUnread(db, userId), nextCursor }
    },

    get: async (userId: number, id: number) => viewOne(db, await getNotification(db, userId, id)),

    mark: (userId: number, id: number, read: boolean, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const row = await lockNotification(tx, userId, id)
        requireMatch(ifMatch, row)
        if ((row.readAt !== null) === read) return viewOne(tx, row)
        const marked = await setRead(tx, id, read ? now() : null)
        await dispatcher.announceChange(tx, userId)
        return viewOne(tx, marked)
      }),

    /** `upTo` is the newest notification that the person has seen. Later ones stay unread. */
    markAll: (userId: number, upTo: number | undefined) =>
      inTransaction(db, async (tx) => {
        const marked = await setAllRead(tx, userId, upTo, now())
        if (marked > 0) await dispatcher.announceChange(tx, userId)
        return { marked, unread: await countUnread(tx, userId) }
      }),

    remove: (userId: number, id: number, ifMatch: string | undefined): Promise<void> =>
      inTransaction(db, async (tx) => {
        requireMatch(ifMatch, await lockNotification(tx, userId, id))
        await clearNotification(tx, id, now())
        await dispatcher.announceChange(tx, userId)
      }),

    clear: (userId: number, what: { upTo: number | undefined; onlyRead: boolean }): Promise<void> =>
      inTransaction(db, async (tx) => {
        if ((await clearNotifications(tx, userId, what, now())) > 0)
          await dispatcher.announceChange(tx, userId)
      }),

    /** Deletes all notifications created before this time. */
    prune: (before: string): Promise<void> => deleteBefore(db, before),
  }
}
