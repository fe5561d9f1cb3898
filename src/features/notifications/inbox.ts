import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { listDeliveriesOf } from './delivery-store.ts'
import type { Kind } from './kinds.ts'
import {
  clearNotification,
  clearNotifications,
  countUnread,
  deleteBefore,
  getNotification,
  listNotifications,
  lockNotification,
  type NotificationRecord,
  setAllRead,
  setRead,
} from './store.ts'
import type { Telling } from './telling.ts'
import { viewOf } from './view.ts'

export type Inbox = ReturnType<typeof createInbox>

/** What a person was told, to be read in the console. */
export const createInbox = (deps: { db: Db; clock: Clock; telling: Pick<Telling, 'announceChange'> }) => {
  const { db, clock, telling } = deps
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
        await telling.announceChange(tx, userId)
        return viewOne(tx, marked)
      }),

    /** `upTo` is the newest that the person has seen: what came since stays unread. */
    markAll: (userId: number, upTo: number | undefined) =>
      inTransaction(db, async (tx) => {
        const marked = await setAllRead(tx, userId, upTo, now())
        if (marked > 0) await telling.announceChange(tx, userId)
        return { marked, unread: await countUnread(tx, userId) }
      }),

    remove: (userId: number, id: number, ifMatch: string | undefined): Promise<void> =>
      inTransaction(db, async (tx) => {
        requireMatch(ifMatch, await lockNotification(tx, userId, id))
        await clearNotification(tx, id, now())
        await telling.announceChange(tx, userId)
      }),

    clear: (userId: number, what: { upTo: number | undefined; onlyRead: boolean }): Promise<void> =>
      inTransaction(db, async (tx) => {
        if ((await clearNotifications(tx, userId, what, now())) > 0) await telling.announceChange(tx, userId)
      }),

    /** What was told before then is forgotten. */
    prune: (before: string): Promise<void> => deleteBefore(db, before),
  }
}
