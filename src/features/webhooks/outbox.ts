import type { Db } from '../../database/db.ts'
import { afterCommit } from '../../database/transaction.ts'
import type { RecordedChange } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { tellingOf } from '../../platform/live/frames.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { holdWebhooks, insertDeliveries } from './delivery-store.ts'
import { includes, isTold, mayHear, TEST_TYPE } from './event-types.ts'
import { listEnabled } from './store.ts'

export const newMessageId = (random: Random): string => `msg_${randomId(random)}`

/** What is sent for an event that nothing caused. */
export const testBody = (now: Date): string =>
  tellingOf({
    id: 0,
    type: TEST_TYPE,
    subject: '',
    at: now.toISOString(),
    data: JSON.stringify({ message: 'This is a test. If its signature is right, so will be the rest.' }),
  })

/**
 * Writes what each endpoint is to be told in the transaction of the change itself, so that neither is there without
 * the other. Without endpoints it costs one look into an empty index.
 */
export const createWebhookOutbox =
  ({ clock, random, wake }: { clock: Clock; random: Random; wake: () => void }) =>
  async (tx: Db, changes: readonly RecordedChange[]): Promise<void> => {
    const outgoing = changes.filter(({ type }) => isTold(type))
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
      const told = chosen.filter(
        ({ userId, events }) => includes(events, change.type) && mayHear(userId, change),
      )
      if (told.length === 0) return []
      const body = tellingOf({ ...change, data: JSON.stringify(data) })
      return told.map(({ id }) => ({
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
