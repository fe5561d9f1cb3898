import type { Db } from '../../database/db.ts'
import { afterCommit } from '../../database/transaction.ts'
import type { RecordedChange } from '../../platform/changes.ts'
import { toEventPayload } from '../../platform/live/live.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { holdWebhooks, insertDeliveries, listEnabled } from './repository.ts'
import { includes } from './schema.ts'

export const newMessageId = (random: Random): string => `msg_${randomId(random)}`

/**
 * Inserts the deliveries to endpoints of the account in the transaction of its change, so that neither exists without
 * the other. Without endpoints this costs one query on an empty index.
 */
export const createWebhookOutbox =
  ({ changes, clock, random }: Platform, wake: () => void) =>
  async (tx: Db, recorded: readonly RecordedChange[]): Promise<void> => {
    const outgoing = recorded.filter(({ type }) => changes.declarationOf(type)?.webhook)
    if (outgoing.length === 0) return
    const endpoints = await listEnabled(tx, [...new Set(outgoing.map(({ userId }) => userId))])
    if (endpoints.length === 0) return
    const now = clock.now().toISOString()
    const chosen = endpoints.map(({ id, userId, events }) => ({
      id,
      userId,
      events: JSON.parse(events) as string[],
    }))
    const rows = outgoing.flatMap(({ data, ...change }) => {
      const recipients = chosen.filter(
        ({ userId, events }) => userId === change.userId && includes(events, change.type),
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
