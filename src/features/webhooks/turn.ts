import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/log.ts'
import type { Random } from '../../platform/random.ts'
import type { Activity } from '../auth/activity.ts'
import { drawLot, pauseAfter, waitAfter } from './backoff.ts'
import {
  type DeliveryRecord,
  failWaiting,
  findFirstDue,
  findFirstWaiting,
  holdDelivery,
  insertAttempt,
  settleDelivery,
  settleWaiting,
} from './delivery-store.ts'
import { writeUnderLease } from './lease-store.ts'
import { type Attempt, type SendOnce, succeeded } from './outgoing.ts'
import { findWebhook, type WebhookRecord } from './store.ts'

export const LEASE_MS = 30_000
/** While a delivery has had fewer attempts, those behind it wait: order first. After that it is passed. */
const IN_ORDER_ATTEMPTS = 4
const DISABLED_AFTER_MS = 3 * 86_400_000
const GONE = 410

const disabledBecause = (webhook: WebhookRecord, attempt: Attempt, now: Date): string | null => {
  if (attempt.status === GONE) return 'The endpoint said that it is gone (410).'
  const since = webhook.failingSince
  if (since === null || now.getTime() - Date.parse(since) < DISABLED_AFTER_MS) return null
  return `Nothing could be delivered since ${since}.`
}

export type TakeTurn = ReturnType<typeof createTurn>

/** Sends what is due for one endpoint, one after the other, while its lease is held. */
export const createTurn = (deps: {
  db: Db
  clock: Clock
  random: Random
  log: Logger
  activity: Activity
  sendOnce: SendOnce
}) => {
  const { db, clock, random, log, activity, sendOnce } = deps
  const instant = (afterMs = 0): string => new Date(clock.now().getTime() + afterMs).toISOString()

  /** In order, unless the first has been tried often enough to let the others pass. */
  const nextOf = async (webhookId: string, after: number): Promise<DeliveryRecord | undefined> => {
    const first = await findFirstWaiting(db, webhookId)
    if (first && (first.nextAttemptAt as string) > instant() && first.attempts < IN_ORDER_ATTEMPTS)
      return undefined
    return findFirstDue(db, webhookId, instant(), after)
  }

  const disable = async (tx: Db, webhook: WebhookRecord, owner: string, reason: string): Promise<void> => {
    const off = { enabled: 0, disabledReason: reason, version: webhook.version + 1, updatedAt: instant() }
    if (!(await writeUnderLease(tx, webhook.id, owner, off))) return
    await failWaiting(tx, webhook.id, instant())
    const nobody = { ip: '', userAgent: '' }
    const details = { name: webhook.name, reason }
    await activity.record(tx, webhook.userId, nobody, 'webhook.disabled', details)
    log.warn({ webhookId: webhook.id, reason }, 'a webhook was turned off')
  }

  const noteSuccess = (webhook: WebhookRecord, owner: string, delivery: DeliveryRecord, attempt: Attempt) =>
    inTransaction(db, async (tx) => {
      if (!(await holdDelivery(tx, delivery))) return
      await insertAttempt(tx, { deliveryId: delivery.id, ...attempt })
      await settleDelivery(tx, delivery.id, {
        state: 'delivered',
        attempts: delivery.attempts + 1,
        nextAttemptAt: null,
        finishedAt: instant(),
      })
      if (webhook.failures > 0)
        await writeUnderLease(tx, webhook.id, owner, { failures: 0, failingSince: null, pausedUntil: null })
    })

  const noteFailure = (webhook: WebhookRecord, owner: string, delivery: DeliveryRecord, attempt: Attempt) =>
    inTransaction(db, async (tx) => {
      if (!(await holdDelivery(tx, delivery))) return
      await insertAttempt(tx, { deliveryId: delivery.id, ...attempt })
      const attempts = delivery.attempts + 1
      // One lot for both, or the endpoint would be left alone beyond the moment that is told for the delivery.
      const lot = drawLot(random)
      const wait = waitAfter(attempts, lot)
      await settleWaiting(tx, delivery.id, {
        attempts,
        ...(wait === undefined
          ? { state: 'failed', nextAttemptAt: null, finishedAt: instant() }
          : { state: 'waiting', nextAttemptAt: instant(wait), finishedAt: null }),
      })
      const failures = webhook.failures + 1
      await writeUnderLease(tx, webhook.id, owner, {
        failures,
        failingSince: webhook.failingSince ?? attempt.at,
        pausedUntil: instant(pauseAfter(failures, lot)),
      })
      const reason = disabledBecause(webhook, attempt, clock.now())
      if (reason !== null) await disable(tx, webhook, owner, reason)
    })

  return async (webhookId: string, owner: string, signal: AbortSignal): Promise<void> => {
    let after = 0
    let hasFailed = false
    while (!signal.aborted) {
      // Renewed before each attempt, which is shorter than the lease.
      if (!(await writeUnderLease(db, webhookId, owner, { leaseUntil: instant(LEASE_MS) }))) return
      const webhook = await findWebhook(db, webhookId)
      if (!webhook?.enabled) return
      const delivery = await nextOf(webhookId, after)
      if (!delivery) return
      after = delivery.id
      const attempt = await sendOnce(webhook, delivery, signal)
      if (succeeded(attempt)) {
        await noteSuccess(webhook, owner, delivery, attempt)
        hasFailed = false
        continue
      }
      await noteFailure(webhook, owner, delivery, attempt)
      // One that fails for itself alone is passed; when the next fails too, it is the endpoint.
      if (hasFailed || delivery.attempts + 1 < IN_ORDER_ATTEMPTS) return
      hasFailed = true
    }
  }
}
