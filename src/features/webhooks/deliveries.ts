import type { Db } from '../../database/db.ts'
import { afterCommit, inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Random } from '../../platform/random.ts'
import { readInstant } from '../../platform/time.ts'
import {
  type AttemptRecord,
  type DeliveryRecord,
  type DeliveryState,
  deleteDeliveriesBefore,
  getDelivery,
  holdDelivery,
  holdWebhooks,
  insertAttempt,
  insertDeliveries,
  listAttempts,
  listDeliveries,
  redeliverOne,
  redeliverRange,
  settleDelivery,
} from './delivery-store.ts'
import { TEST_TYPE } from './event-types.ts'
import { newMessageId, testBody } from './outbox.ts'
import { type SendOnce, succeeded } from './outgoing.ts'
import { endPause, getWebhook, type WebhookRecord } from './store.ts'

const KEPT_MS = 30 * 86_400_000

const viewOf = ({ id: _, webhookId: __, messageId, body: ___, ...row }: DeliveryRecord) => ({
  id: messageId,
  ...row,
})

const attemptView = ({ id: _, deliveryId: __, ...attempt }: AttemptRecord) => attempt

export type Deliveries = ReturnType<typeof createDeliveries>

/** What endpoints were told, how that went, and having it told again. */
export const createDeliveries = (deps: {
  db: Db
  clock: Clock
  random: Random
  sendOnce: SendOnce
  timezone: () => Promise<string>
  wake: () => void
}) => {
  const { db, clock, random, sendOnce, wake } = deps
  const now = (): string => clock.now().toISOString()

  const requireEnabled = ({ enabled }: WebhookRecord): void => {
    if (enabled === 0) throw conflict('This webhook is turned off: turn it on first.')
  }

  const whole = async (view: Db, row: DeliveryRecord) => ({
    ...viewOf(row),
    body: row.body,
    tries: (await listAttempts(view, row.id)).map(attemptView),
  })

  return {
    async list(userId: number, webhookId: string, query: PageRequest & { state?: DeliveryState }) {
      await getWebhook(db, userId, webhookId)
      const { limit, state } = query
      const before = readCursor(query.cursor, 'integer')?.[0]
      const rows = await listDeliveries(db, webhookId, { state, limit, before })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.id])
      return { deliveries: page.map(viewOf), nextCursor }
    },

    async get(userId: number, webhookId: string, messageId: string) {
      await getWebhook(db, userId, webhookId)
      return whole(db, await getDelivery(db, webhookId, messageId))
    },

    redeliver: (userId: number, webhookId: string, messageId: string) =>
      inTransaction(db, async (tx) => {
        requireEnabled(await getWebhook(tx, userId, webhookId))
        const { id } = await getDelivery(tx, webhookId, messageId)
        await redeliverOne(tx, id, now())
        await endPause(tx, webhookId)
        afterCommit(wake)
        return whole(tx, await getDelivery(tx, webhookId, messageId))
      }),

    async redeliverAll(
      userId: number,
      webhookId: string,
      wish: { from: string; to?: string; states?: readonly DeliveryState[] },
    ) {
      const zone = await deps.timezone()
      const from = readInstant('from', wish.from, zone)
      const to = wish.to === undefined ? '9999-12-31T23:59:59.999Z' : readInstant('to', wish.to, zone)
      if (from >= to) throw invalidField('to', 'must be after from')
      return inTransaction(db, async (tx) => {
        requireEnabled(await getWebhook(tx, userId, webhookId))
        const range = { from, to, states: wish.states ?? (['failed'] as const) }
        const redelivered = await redeliverRange(tx, webhookId, range, now())
        await endPause(tx, webhookId)
        afterCommit(wake)
        return { redelivered }
      })
    },

    /** Sends a test at once, past what waits, and says how it went. It is not tried again. */
    async test(userId: number, webhookId: string) {
      const webhook = await getWebhook(db, userId, webhookId)
      const messageId = newMessageId(random)
      const at = now()
      const body = testBody(clock.now())
      const row = { messageId, webhookId, type: TEST_TYPE, body, createdAt: at, nextAttemptAt: null }
      // Should the process end in the middle, it has failed.
      const { id } = await inTransaction(db, async (tx) => {
        if ((await holdWebhooks(tx, [webhookId])).size === 0) throw notFound('webhook')
        await insertDeliveries(tx, [{ ...row, state: 'failed', attempts: 1, finishedAt: at }])
        return getDelivery(tx, webhookId, messageId)
      })
      const attempt = await sendOnce(webhook, { messageId, body })
      return inTransaction(db, async (tx) => {
        if (!(await holdDelivery(tx, { id, webhookId }))) throw notFound('webhook')
        await insertAttempt(tx, { deliveryId: id, ...attempt })
        const state = succeeded(attempt) ? 'delivered' : 'failed'
        await settleDelivery(tx, id, { state, attempts: 1, nextAttemptAt: null, finishedAt: now() })
        return whole(tx, await getDelivery(tx, webhookId, messageId))
      })
    },

    prune: () => deleteDeliveriesBefore(db, new Date(clock.now().getTime() - KEPT_MS).toISOString()),
  }
}
