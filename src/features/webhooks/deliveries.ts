import { createHmac } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import { afterCommit, inTransaction } from '../../database/transaction.ts'
import type { RecordedChange } from '../../platform/changes.ts'
import { AppError, conflict, invalidField, notFound } from '../../platform/errors.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { toEventPayload } from '../../platform/live/live.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { readByNumber } from '../../platform/resources.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { readInstant } from '../../platform/time.ts'
import type { Activity } from '../auth/activity.ts'
import {
  type AttemptRecord,
  type DeliveryRecord,
  type DeliveryState,
  deleteDeliveriesBefore,
  endPause,
  failWaiting,
  findFirstDue,
  findFirstWaiting,
  findWebhook,
  getDelivery,
  holdDelivery,
  holdWebhooks,
  insertAttempt,
  insertDeliveries,
  listAttempts,
  listDue,
  listEnabled,
  redeliverOne,
  redeliverRange,
  selectDeliveries,
  settleDelivery,
  settleWaiting,
  takeLease,
  type WebhookRecord,
  webhookRows,
  writeUnderLease,
} from './repository.ts'
import { includes, TEST_TYPE } from './schema.ts'

const contextOf = (id: string): string => `webhooks.secret:${id}`

export const sealSecret = (sealer: Sealer, id: string, secret: string): string =>
  sealer.seal(secret, contextOf(id))

export const openSecret = (sealer: Sealer, id: string, sealed: string): string =>
  sealer.open(sealed, contextOf(id))

/** Returns the current secret first, then the previous one while it is valid. */
const signingSecrets = (
  sealer: Sealer,
  webhook: Pick<WebhookRecord, 'id' | 'secret' | 'previousSecret' | 'previousSecretUntil'>,
  now: Date,
): string[] => {
  const { id, secret, previousSecret, previousSecretUntil } = webhook
  const isStillValid = previousSecretUntil !== null && previousSecretUntil > now.toISOString()
  return [secret, ...(previousSecret !== null && isStillValid ? [previousSecret] : [])].map((sealed) =>
    openSecret(sealer, id, sealed),
  )
}

/** Standard Webhooks: this prefix, then the bytes of the secret in base64. */
const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSecret = (random: Random): string =>
  `${PREFIX}${random.bytes(SECRET_BYTES).toString('base64')}`

const sign = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')}`

/** Creates one signature per valid secret. The receiver needs to know only one of them. */
const signedHeaders = (
  secrets: readonly string[],
  message: { id: string; body: string },
  at: Date,
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const content = `${message.id}.${timestamp}.${message.body}`
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, content)).join(' '),
  }
}

const TIMEOUT_MS = 15_000
const MAX_RESPONSE_BYTES = 64 * 1024
const MAX_STORED_LENGTH = 1_000
const UNEXPECTED = 'An internal error occurred. See the server log.'

/** The result of one delivery attempt. */
export interface Attempt {
  at: string
  durationMs: number
  status: number | null
  error: string | null
  response: string | null
}

const succeeded = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300

/** Makes text storable in both databases and short enough to display. */
const toDisplayText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, MAX_STORED_LENGTH).toWellFormed()

const errorOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'The endpoint responded with a redirect, which is not followed.'
  return `The endpoint responded with ${status}.`
}

type SendOnce = ReturnType<typeof createSendOnce>

/**
 * Makes one attempt with the guarded HTTP client. Errors of the other side become a result, not an exception.
 */
export const createSendOnce =
  ({ outbound, sealer, clock, log }: Platform) =>
  async (
    webhook: WebhookRecord,
    { messageId, body }: Pick<DeliveryRecord, 'messageId' | 'body'>,
    signal?: AbortSignal,
  ): Promise<Attempt> => {
    const now = clock.now()
    const began = performance.now()
    const done = (rest: Pick<Attempt, 'status' | 'error' | 'response'>): Attempt => ({
      at: now.toISOString(),
      durationMs: Math.round(performance.now() - began),
      ...rest,
    })
    try {
      const answer = await outbound.fetch(webhook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...signedHeaders(signingSecrets(sealer, webhook, now), { id: messageId, body }, now),
        },
        body,
        // The person entered the URL in the settings.
        trust: 'typed',
        maxRedirects: 0,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_RESPONSE_BYTES,
        ...(signal && { signal }),
      })
      // The body is only displayed. The status alone decides.
      const response = await answer.text().catch(() => '')
      return done({ status: answer.status, error: errorOf(answer.status), response: toDisplayText(response) })
    } catch (error) {
      if (signal?.aborted) throw error
      if (!(error instanceof AppError))
        log.error({ err: error, webhookId: webhook.id }, 'a webhook attempt failed unexpectedly')
      const detail = error instanceof AppError ? toDisplayText(error.message) : UNEXPECTED
      return done({ status: null, error: detail, response: null })
    }
  }

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
      if (succeeded(attempt)) {
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
