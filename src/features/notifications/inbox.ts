import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { readByNumber } from '../../platform/resources.ts'
import { digest } from '../../platform/secrets/seal.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { Kind } from './kinds.ts'
import type { Reader } from './moments.ts'
import { toNotificationData } from './notification-text.ts'
import {
  clearNotification,
  clearNotifications,
  countUnread,
  type DeliveryRecord,
  deleteBefore,
  findPerson,
  getNotification,
  listDeliveriesOf,
  lockNotification,
  type NotificationRecord,
  selectNotifications,
  setAllRead,
  setRead,
} from './repository.ts'

/** The stored names are those of 0.2.0, which may run beside this version. */
const toState = (state: DeliveryRecord['state']) => {
  if (state === 'mailing') return 'waiting' as const
  return state === 'told' ? ('delivered' as const) : state
}

/** Returns the delivery by a channel, or null if there is none. */
const toDeliveryView = (deliveries: readonly DeliveryRecord[], channel: DeliveryRecord['channel']) => {
  const found = deliveries.find((delivery) => delivery.channel === channel)
  if (!found) return null
  const { state, heldBy, dueAt, finishedAt, error } = found
  return { state: toState(state), heldBy, dueAt, finishedAt, error }
}

const viewOf = (
  row: NotificationRecord,
  deliveries: readonly DeliveryRecord[],
  { reader, now }: { reader: Reader; now: Date },
) => {
  const own = deliveries.filter(({ notificationId }) => notificationId === row.id)
  const shared = toNotificationData(row, reader, now)
  return {
    ...shared,
    read: row.readAt !== null,
    readAt: row.readAt,
    actionId: row.actionId,
    email: toDeliveryView(own, 'email'),
    webhook: toDeliveryView(own, 'webhook'),
    version: row.version,
    // The text changes with the language and the day.
    extra: [...own.map(({ state }) => state), digest(`${shared.title}\n${shared.body}`).slice(0, 8)].join(
      '.',
    ),
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

  const viewAll = async (tx: Db, userId: number, rows: readonly NotificationRecord[]) => {
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return []
    const deliveries = await listDeliveriesOf(tx, userId, ids)
    const reader = await findPerson(tx, userId)
    if (!reader) throw notFound('account')
    return rows.map((row) => viewOf(row, deliveries, { reader, now: clock.now() }))
  }
  const viewOne = async (tx: Db, row: NotificationRecord) =>
    (await viewAll(tx, row.userId, [row]))[0] as ReturnType<typeof viewOf>

  return {
    async list(
      userId: number,
      request: PageRequest & { unread?: boolean | undefined; kind?: Kind | undefined },
    ) {
      const { page, nextCursor } = await readByNumber(
        selectNotifications(db, userId, request),
        request,
        'desc',
      )
      return {
        notifications: await viewAll(db, userId, page),
        unread: await countUnread(db, userId),
        nextCursor,
      }
    },

    get: async (userId: number, id: number) => viewOne(db, await getNotification(db, userId, id)),

    mark: (userId: number, id: number, read: boolean, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const row = await lockNotification(tx, userId, id)
        requireMatch(ifMatch, row)
        if ((row.readAt !== null) === read) return viewOne(tx, row)
        const marked = await setRead(tx, row, read ? now() : null)
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
        const row = await lockNotification(tx, userId, id)
        requireMatch(ifMatch, row)
        await clearNotification(tx, row, now())
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
