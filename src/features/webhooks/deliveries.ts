import type { Db } from '../../database/db.ts'
import { afterCommit, inTransaction } from '../../database/transaction.ts'
import type { RecordedChange } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { toEventPayload } from '../../platform/live/live.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { readInstant } from '../../platform/time.ts'
import { type SendOnce, succeeded } from './delivery-runner.ts'
import {
  type AttemptRecord,
  type DeliveryRecord,
  type DeliveryState,
  deleteDeliveriesBefore,
  endPause,
  getDelivery,
  getWebhook,
  holdDelivery,
  holdWebhooks,
  insertAttempt,
  insertDeliveries,
  listAttempts,
  listDeliveries,
  listEnabled,
  redeliverOne,
  redeliverRange,
  settleDelivery,
  type WebhookRecord,
} from './repository.ts'
import { includes, isPublished, mayReceive, TEST_TYPE } from './schema.ts'

export const newMessageId = (random: Random): string => `msg_${randomId(random)}`

/** Builds the body of the test event. */
export const testBody = (now: Date): string =>
  toEventPayload({
    id: 0,
    type: TEST_TYPE,
    subject: '',
    at: now.toISOString(),
    data: JSON.stringify({
      message: 'This is a test event. If its signature is valid, your receiver works.',
    }),
  })

/**
 * Inserts the deliveries in the transaction of the change, so that neither exists without the other. Without
 * endpoints this costs one query on an empty index.
 */
export const createWebhookOutbox =
  ({ clock, random, wake }: { clock: Clock; random: Random; wake: () => void }) =>
  async (tx: Db, changes: readonly RecordedChange[]): Promise<void> => {
    const outgoing = changes.filter(({ type }) => isPublished(type))
    if (outgoing.length === 0) return
    const endpoints = await listEnabled(tx)
    if (endpoints.length === 0) return
    const now = clock.now().toISOString()
    const chosen = endpoints.map(({ id, userId, events }) => ({
      id,
      userId,
      events: JSON.parse(events) as string[],
    }))
    const rows = outgoing.flatMap(({ data, ...change }) => {
      const recipients = chosen.filter(
        ({ userId, events }) => includes(events, change.type) && mayReceive(userId, change),
      )
      if (recipients.length === 0) return []
      const body = toEventPayload({ ...change, data: JSON.stringify(data) })
      return recipients.map(({ id }) => ({
        messageId: newMessageId(random),
        webhookId: id,
        type: change.type,
        body,
        state: 'waiting' as const,
        attempts: 0,
        nextAttemptAt: now,
        createdAt: now,
        finishedAt: null,
      }))
    })
    if (rows.length === 0) return
    const held = await holdWebhooks(tx, [...new Set(rows.map(({ webhookId }) => webhookId))])
    await insertDeliveries(
      tx,
      rows.filter(({ webhookId }) => held.has(webhookId)),
    )
    afterCommit(wake)
  }

const RETENTION_MS = 30 * 86_400_000

const viewOf = ({ id: _, webhookId: __, messageId, body: ___, ...row }: DeliveryRecord) => ({
  id: messageId,
  ...row,
})

const attemptView = ({ id: _, deliveryId: __, ...attempt }: AttemptRecord) => attempt

export type Deliveries = ReturnType<typeof createDeliveries>

/** Lists, redelivers and tests deliveries. */
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
    if (enabled === 0) throw conflict('This webhook is disabled. Enable it first.')
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
      input: { from: string; to?: string; states?: readonly DeliveryState[] },
    ) {
      const zone = await deps.timezone()
      const from = readInstant('from', input.from, zone)
      const to = input.to === undefined ? '9999-12-31T23:59:59.999Z' : readInstant('to', input.to, zone)
      if (from >= to) throw invalidField('to', 'must be after from')
      return inTransaction(db, async (tx) => {
        requireEnabled(await getWebhook(tx, userId, webhookId))
        const range = { from, to, states: input.states ?? (['failed'] as const) }
        const redelivered = await redeliverRange(tx, webhookId, range, now())
        await endPause(tx, webhookId)
        afterCommit(wake)
        return { redelivered }
      })
    },

    /** Sends a test event immediately, ahead of waiting deliveries, without retries. Returns the result. */
    async test(userId: number, webhookId: string) {
      const webhook = await getWebhook(db, userId, webhookId)
      const messageId = newMessageId(random)
      const at = now()
      const body = testBody(clock.now())
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
        const state = succeeded(attempt) ? 'delivered' : 'failed'
        await settleDelivery(tx, id, { state, attempts: 1, nextAttemptAt: null, finishedAt: now() })
        return whole(tx, await getDelivery(tx, webhookId, messageId))
      })
    },

    prune: () => deleteDeliveriesBefore(db, new Date(clock.now().getTime() - RETENTION_MS).toISOString()),
  }
}
