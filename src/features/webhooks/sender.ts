import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { Activity } from '../auth/activity.ts'
import { type Attempt, isSuccess, type SendOnce } from './attempt.ts'
import {
  type DeliveryRecord,
  failWaiting,
  findFirstDue,
  findFirstWaiting,
  findWebhook,
  holdDelivery,
  insertAttempt,
  listDue,
  settleDelivery,
  settleWaiting,
  takeLease,
  type WebhookRecord,
  writeUnderLease,
} from './repository.ts'

const MINUTE = 60
const HOUR = 3600
/** The waits between attempts, in seconds. The last attempt is about a day after the first. */
const WAITS = [
  5,
  30,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  5 * HOUR,
  6 * HOUR,
  6 * HOUR,
]
/** The longest pause of a failing endpoint. */
const MAX_PAUSE_SECONDS = 15 * MINUTE
/** Up to 5 % more, so that deliveries that failed together are not retried together. */
const JITTER = 0.05

/** Returns a random factor from 0 to 1. One failure draws it once for everything that waits because of it. */
const drawJitter = (random: Random): number => random.bytes(4).readUInt32BE() / 2 ** 32

const spread = (seconds: number, jitter: number): number => Math.round(seconds * 1000 * (1 + jitter * JITTER))

/** Returns the wait after this many failed attempts of a delivery, or undefined after the last attempt. */
const waitAfter = (attempts: number, jitter: number): number | undefined => {
  const seconds = WAITS[attempts - 1]
  return seconds === undefined ? undefined : spread(seconds, jitter)
}

/** Returns the pause of an endpoint after this many failures in a row. */
const pauseAfter = (failures: number, jitter: number): number =>
  spread(Math.min(WAITS[failures - 1] ?? MAX_PAUSE_SECONDS, MAX_PAUSE_SECONDS), jitter)

export const LEASE_MS = 30_000
/**
 * Deliveries keep their order up to this many attempts of the first one. After that, others may overtake it.
 */
const IN_ORDER_ATTEMPTS = 4
const DISABLED_AFTER_MS = 3 * 86_400_000
const GONE = 410

const findDisableReason = (webhook: WebhookRecord, attempt: Attempt, now: Date): string | null => {
  if (attempt.status === GONE) return 'The endpoint responded that it no longer exists (410).'
  const since = webhook.failingSince
  if (since === null || now.getTime() - Date.parse(since) < DISABLED_AFTER_MS) return null
  return `All deliveries have failed since ${since}.`
}

export type TakeTurn = ReturnType<typeof createTurn>

/** Sends the due deliveries of one endpoint, one after the other, while the lease is held. */
export const createTurn = (
  { db, clock, random, log }: Platform,
  { activity, sendOnce }: { activity: Activity; sendOnce: SendOnce },
) => {
  const instant = (afterMs = 0): string => new Date(clock.now().getTime() + afterMs).toISOString()

  /** Returns the next delivery in order. Skips the first one if it has been tried often enough. */
  const findNext = async (webhookId: string, after: number): Promise<DeliveryRecord | undefined> => {
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
    log.warn({ webhookId: webhook.id, reason }, 'a webhook was disabled')
  }

  const recordSuccess = (webhook: WebhookRecord, owner: string, delivery: DeliveryRecord, attempt: Attempt) =>
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

  const recordFailure = (webhook: WebhookRecord, owner: string, delivery: DeliveryRecord, attempt: Attempt) =>
    inTransaction(db, async (tx) => {
      if (!(await holdDelivery(tx, delivery))) return
      await insertAttempt(tx, { deliveryId: delivery.id, ...attempt })
      const attempts = delivery.attempts + 1
      // Both use the same factor. Otherwise the endpoint could stay paused beyond `nextAttemptAt` of the
      // delivery.
      const jitter = drawJitter(random)
      const wait = waitAfter(attempts, jitter)
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
        pausedUntil: instant(pauseAfter(failures, jitter)),
      })
      const reason = findDisableReason(webhook, attempt, clock.now())
      if (reason !== null) await disable(tx, webhook, owner, reason)
    })

  return async (webhookId: string, owner: string, signal: AbortSignal): Promise<void> => {
    let after = 0
    let hasFailed = false
    while (!signal.aborted) {
      // An attempt is shorter than the lease, which is renewed before each one.
      if (!(await writeUnderLease(db, webhookId, owner, { leaseUntil: instant(LEASE_MS) }))) return
      const webhook = await findWebhook(db, webhookId)
      if (!webhook?.enabled) return
      const delivery = await findNext(webhookId, after)
      if (!delivery) return
      after = delivery.id
      const attempt = await sendOnce(webhook, delivery, signal)
      if (isSuccess(attempt)) {
        await recordSuccess(webhook, owner, delivery, attempt)
        hasFailed = false
        continue
      }
      await recordFailure(webhook, owner, delivery, attempt)
      // A single delivery may fail because of its content. If the next one fails too, the endpoint is the
      // cause.
      if (hasFailed || delivery.attempts + 1 < IN_ORDER_ATTEMPTS) return
      hasFailed = true
    }
  }
}

/** The delay until this process sees deliveries of other processes, and retries that are due. */
const POLL_INTERVAL_MS = 1_000
const MAX_CONCURRENT = 8

/** Takes a lease on endpoints with due deliveries, so that one instance at a time sends to each. */
export const createSending = (
  { db, clock, random, log }: Pick<Platform, 'db' | 'clock' | 'random' | 'log'>,
  takeTurn: TakeTurn,
) => {
  const stopping = new AbortController()
  const turns = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let isPolling = false
  let isRequested = false

  const work = async (webhookId: string): Promise<void> => {
    const owner = randomId(random)
    const now = clock.now()
    const until = new Date(now.getTime() + LEASE_MS).toISOString()
    if (!(await takeLease(db, webhookId, { owner, now: now.toISOString(), until }))) return
    try {
      await takeTurn(webhookId, owner, stopping.signal)
    } finally {
      await writeUnderLease(db, webhookId, owner, { leaseOwner: null, leaseUntil: null })
    }
  }

  const begin = (webhookId: string): void => {
    const turn = work(webhookId).then(
      () => {
        turns.delete(webhookId)
        wake()
      },
      (error: unknown) => {
        turns.delete(webhookId)
        // The deliveries are still due. The cause, such as a full disk, may persist, so only the timer
        // retries.
        if (!stopping.signal.aborted)
          log.error({ err: error, webhookId }, 'could not process the deliveries of a webhook')
      },
    )
    turns.set(webhookId, turn)
  }

  let polling: Promise<void> | undefined
  const poll = async (): Promise<void> => {
    const free = MAX_CONCURRENT - turns.size
    if (free <= 0) return
    const due = await listDue(db, clock.now().toISOString(), free + turns.size)
    for (const id of due.filter((each) => !turns.has(each)).slice(0, free)) begin(id)
  }

  const wake = (): void => {
    isRequested = true
    if (isPolling || timer === undefined || stopping.signal.aborted) return
    isPolling = true
    isRequested = false
    polling = poll()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'could not read due webhook deliveries')
      })
      .finally(() => {
        isPolling = false
        if (isRequested) wake()
      })
  }

  return {
    wake,
    start(): void {
      timer ??= setInterval(wake, POLL_INTERVAL_MS)
      wake()
    },
    /** Aborts running attempts. The next process repeats them. */
    async stop(): Promise<void> {
      clearInterval(timer)
      timer = undefined
      stopping.abort(new Error('The process is shutting down.'))
      // A query that is still running would fail on the closed database.
      await polling
      await Promise.all(turns.values())
    },
  }
}
