import type { Db } from '../../database/db.ts'
import { afterCommit, inTransaction } from '../../database/transaction.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { toEventPayload } from '../../platform/live/live.ts'
import type { Platform } from '../../platform/platform.ts'
import { readByNumber } from '../../platform/resources.ts'
import { readInstant } from '../../platform/time.ts'
import { isSuccess, type SendOnce } from './attempt.ts'
import { newMessageId } from './outbox.ts'
import {
  type AttemptRecord,
  type DeliveryRecord,
  type DeliveryState,
  deleteDeliveriesBefore,
  endPause,
  getDelivery,
  holdDelivery,
  holdWebhooks,
  insertAttempt,
  insertDeliveries,
  listAttempts,
  redeliverOne,
  redeliverRange,
  selectDeliveries,
  settleDelivery,
  type WebhookRecord,
  webhookRows,
} from './repository.ts'
import { TEST_TYPE } from './schema.ts'

/** Builds the body of the test event. */
const toTestBody = (now: Date): string =>
  toEventPayload({
    id: 0,
    type: TEST_TYPE,
    subject: '',
    at: now.toISOString(),
    data: JSON.stringify({
      message: 'This is a test event. If its signature is valid, your receiver works.',
    }),
  })

const RETENTION_MS = 30 * 86_400_000

const viewOf = ({ id: _, webhookId: __, messageId, body: ___, ...row }: DeliveryRecord) => ({
  id: messageId,
  ...row,
})

const attemptView = ({ id: _, deliveryId: __, ...attempt }: AttemptRecord) => attempt

export type Deliveries = ReturnType<typeof createDeliveries>

/** Lists, redelivers and tests deliveries. */
export const createDeliveries = (
  { db, clock, random }: Platform,
  {
    sendOnce,
    zoneOf,
    wake,
  }: {
    sendOnce: SendOnce
    zoneOf: (userId: number) => Promise<string>
    wake: () => void
  },
) => {
  const now = (): string => clock.now().toISOString()

  const requireEnabled = ({ enabled }: WebhookRecord): void => {
    if (enabled === 0) throw conflict('This webhook is disabled. Enable it first.')
  }

  const whole = async (view: Db, row: DeliveryRecord) => ({
    ...viewOf(row),
    body: row.body,
    tries: (await listAttempts(view, row.id)).map(attemptView),
  })

  return {
    async list(userId: number, webhookId: string, query: PageRequest & { state?: DeliveryState }) {
      await webhookRows.get(db, userId, webhookId)
      const deliveries = selectDeliveries(db, webhookId, query.state)
      const { page, nextCursor } = await readByNumber(deliveries, query, 'desc')
      return { deliveries: page.map(viewOf), nextCursor }
    },

    async get(userId: number, webhookId: string, messageId: string) {
      await webhookRows.get(db, userId, webhookId)
      return whole(db, await getDelivery(db, webhookId, messageId))
    },

    redeliver: (userId: number, webhookId: string, messageId: string) =>
      inTransaction(db, async (tx) => {
        requireEnabled(await webhookRows.get(tx, userId, webhookId))
        const { id } = await getDelivery(tx, webhookId, messageId)
        await redeliverOne(tx, id, now())
        await endPause(tx, userId, webhookId)
        afterCommit(wake)
        return whole(tx, await getDelivery(tx, webhookId, messageId))
      }),

    async redeliverAll(
      userId: number,
      webhookId: string,
      input: { from: string; to?: string; states?: readonly DeliveryState[] },
    ) {
      const zone = await zoneOf(userId)
      const from = readInstant('from', input.from, zone)
      const to = input.to === undefined ? '9999-12-31T23:59:59.999Z' : readInstant('to', input.to, zone)
      if (from >= to) throw invalidField('to', 'must be after from')
      return inTransaction(db, async (tx) => {
        requireEnabled(await webhookRows.get(tx, userId, webhookId))
        const range = { from, to, states: input.states ?? (['failed'] as const) }
        const redelivered = await redeliverRange(tx, webhookId, range, now())
        await endPause(tx, userId, webhookId)
        afterCommit(wake)
        return { redelivered }
      })
    },

    /** Sends a test event immediately, ahead of waiting deliveries, without retries. Returns the result. */
    async test(userId: number, webhookId: string) {
      const webhook = await webhookRows.get(db, userId, webhookId)
      const messageId = newMessageId(random)
      const at = now()
      const body = toTestBody(clock.now())
      const row = { messageId, webhookId, type: TEST_TYPE, body, createdAt: at, nextAttemptAt: null }
      // Inserted as failed, in case the process ends before the result is known.
      const { id } = await inTransaction(db, async (tx) => {
        if ((await holdWebhooks(tx, [webhookId])).size === 0) throw notFound('webhook')
        await insertDeliveries(tx, [{ ...row, state: 'failed', attempts: 1, finishedAt: at }])
        return getDelivery(tx, webhookId, messageId)
      })
      const attempt = await sendOnce(webhook, { messageId, body })
      return inTransaction(db, async (tx) => {
        if (!(await holdDelivery(tx, { id, webhookId }))) throw notFound('webhook')
        await insertAttempt(tx, { deliveryId: id, ...attempt })
        const state = isSuccess(attempt) ? 'delivered' : 'failed'
        await settleDelivery(tx, id, { state, attempts: 1, nextAttemptAt: null, finishedAt: now() })
        return whole(tx, await getDelivery(tx, webhookId, messageId))
      })
    },

    prune: () => deleteDeliveriesBefore(db, new Date(clock.now().getTime() - RETENTION_MS).toISOString()),
  }
}
