import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Activity } from '../auth/activity.ts'
import { failWaiting } from './delivery-store.ts'
import { type EventChoice, hearsOfNotifications } from './event-types.ts'
import { openSecret, sealSecret } from './secrets.ts'
import { newSecret } from './signature.ts'
import {
  countWebhooks,
  deleteWebhook,
  getWebhook,
  insertWebhook,
  listEnabled,
  listWebhooks,
  lockWebhook,
  updateWebhook,
  type WebhookRecord,
} from './store.ts'

const MOST_WEBHOOKS = 50
/** How long the secret before a rotation signs as well. */
const BOTH_GOOD_MS = 86_400_000

export interface WebhookWish {
  url: string
  events: readonly EventChoice[]
  name?: string
}
export type WebhookChange = Partial<WebhookWish> & { enabled?: boolean }

export const checkUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw invalidField('url', 'must be an http or https address')
  if (url.username !== '' || url.password !== '')
    throw invalidField('url', 'must not hold a password: what is sent is signed')
  if (url.hash !== '') throw invalidField('url', 'must not have a fragment')
  return url.href
}

const viewOf = (row: WebhookRecord, now: Date) => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: JSON.parse(row.events) as EventChoice[],
  enabled: row.enabled === 1,
  disabledReason: row.disabledReason,
  failingSince: row.failingSince,
  pausedUntil: row.pausedUntil,
  previousSecretUntil:
    row.previousSecretUntil !== null && row.previousSecretUntil > now.toISOString()
      ? row.previousSecretUntil
      : null,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  version: row.version,
  shown: row.failingSince,
})

export type Webhooks = ReturnType<typeof createWebhooks>

/** Endpoints that are told what happens. */
export const createWebhooks = (deps: {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
  activity: Activity
}) => {
  const { db, clock, random, sealer, activity } = deps
  const now = (): string => clock.now().toISOString()
  const view = (row: WebhookRecord) => viewOf(row, clock.now())

  const locked = async (tx: Db, userId: number, id: string): Promise<WebhookRecord> => {
    await lockWebhook(tx, id)
    return getWebhook(tx, userId, id)
  }

  return {
    add: (userId: number, wish: WebhookWish, visit: Visit) =>
      inTransaction(db, async (tx) => {
        if ((await countWebhooks(tx, userId)) >= MOST_WEBHOOKS)
          throw conflict(`There are ${MOST_WEBHOOKS} webhooks already. Remove one first.`)
        const id = randomId(random)
        const secret = newSecret(random)
        const url = checkUrl(wish.url)
        const row = await insertWebhook(tx, {
          ...{ id, userId, url, name: wish.name ?? new URL(url).host },
          ...{ events: JSON.stringify([...new Set(wish.events)]), enabled: 1, disabledReason: null },
          ...{ secret: sealSecret(sealer, id, secret), previousSecret: null, previousSecretUntil: null },
          ...{ failures: 0, failingSince: null, pausedUntil: null, leaseOwner: null, leaseUntil: null },
          ...{ version: 1, createdAt: now(), updatedAt: now() },
        })
        await activity.record(tx, userId, visit, 'webhook.added', { name: row.name })
        return { ...view(row), secret }
      }),

    async list(userId: number, { limit, cursor }: PageRequest) {
      const rows = await listWebhooks(db, userId, { limit, after: readCursor(cursor, 'instant', 'text') })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.createdAt, row.id])
      return { webhooks: page.map(view), nextCursor }
    },

    get: async (userId: number, id: string) => view(await getWebhook(db, userId, id)),

    change: (userId: number, id: string, change: WebhookChange, ifMatch: string | undefined, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const row = await locked(tx, userId, id)
        requireMatch(ifMatch, row)
        const { url, events, name, enabled } = change
        // Whoever turns it on again begins anew; whoever turns it off wants nothing more sent.
        const afresh = { failures: 0, failingSince: null, pausedUntil: null, disabledReason: null }
        if (enabled === false) await failWaiting(tx, id, now())
        const changed = await updateWebhook(tx, row, {
          ...(url !== undefined && { url: checkUrl(url), pausedUntil: null }),
          ...(events !== undefined && { events: JSON.stringify([...new Set(events)]) }),
          ...(name !== undefined && { name }),
          ...(enabled !== undefined && { enabled: enabled ? 1 : 0, ...afresh }),
          updatedAt: now(),
        })
        await activity.record(tx, userId, visit, 'webhook.changed', { name: changed.name })
        return view(changed)
      }),

    /** A new secret; the old one signs as well for a day, so that a receiver can change over without losing anything. */
    rotate: (userId: number, id: string, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const row = await locked(tx, userId, id)
        const secret = newSecret(random)
        const changed = await updateWebhook(tx, row, {
          secret: sealSecret(sealer, id, secret),
          previousSecret: row.secret,
          previousSecretUntil: new Date(clock.now().getTime() + BOTH_GOOD_MS).toISOString(),
          updatedAt: now(),
        })
        await activity.record(tx, userId, visit, 'webhook.rotated', { name: row.name })
        return { ...view(changed), secret }
      }),

    remove: (userId: number, id: string, ifMatch: string | undefined, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const row = await locked(tx, userId, id)
        requireMatch(ifMatch, row)
        await deleteWebhook(tx, id)
        await activity.record(tx, userId, visit, 'webhook.removed', { name: row.name })
      }),

    /** How many of a person's endpoints hear of what the person is told. */
    countHearing: async (view: Db, userId: number): Promise<number> =>
      (await listEnabled(view)).filter(
        (endpoint) =>
          endpoint.userId === userId && hearsOfNotifications(JSON.parse(endpoint.events) as string[]),
      ).length,

    /** Seals anew what a previous SECRET_KEY sealed. */
    async reseal(tx: Db): Promise<void> {
      const rows = await tx.selectFrom('webhooks').select(['id', 'secret', 'previousSecret']).execute()
      const anew = (id: string, sealed: string): string =>
        sealer.isStale(sealed) ? sealSecret(sealer, id, openSecret(sealer, id, sealed)) : sealed
      for (const { id, secret, previousSecret } of rows)
        await tx
          .updateTable('webhooks')
          .set({
            secret: anew(id, secret),
            previousSecret: previousSecret === null ? null : anew(id, previousSecret),
          })
          .where('id', '=', id)
          .execute()
    },
  }
}
