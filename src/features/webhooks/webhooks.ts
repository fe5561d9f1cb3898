import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/caller.ts'
import { conflict, invalidField } from '../../platform/errors.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { randomId } from '../../platform/random.ts'
import { readByAge } from '../../platform/resources.ts'
import type { Activity } from '../auth/activity.ts'
import { failWaiting, listEnabled, type WebhookRecord, webhookRows } from './repository.ts'
import { type EventChoice, includesNotifications } from './schema.ts'
import { newSecret, openSecret, sealSecret } from './signatures.ts'

const MAX_WEBHOOKS = 50
/** The previous secret also signs for this time after a rotation. */
const PREVIOUS_SECRET_MS = 86_400_000

export interface WebhookInput {
  url: string
  events: readonly EventChoice[]
  name?: string
}
export type WebhookChange = Partial<WebhookInput> & { enabled?: boolean }

export const checkUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw invalidField('url', 'must be an http or https URL')
  if (url.username !== '' || url.password !== '')
    throw invalidField('url', 'must not contain credentials; requests are authenticated by their signature')
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
  extra: row.failingSince,
})

export type Webhooks = ReturnType<typeof createWebhooks>

/** The webhook endpoints of a person. */
export const createWebhooks = ({ db, clock, random, sealer }: Platform, activity: Activity) => {
  const now = (): string => clock.now().toISOString()
  const view = (row: WebhookRecord) => viewOf(row, clock.now())

  return {
    add: (userId: number, input: WebhookInput, visit: Visit) =>
      inTransaction(db, async (tx) => {
        if ((await webhookRows.count(tx, userId)) >= MAX_WEBHOOKS)
          throw conflict(`You already have ${MAX_WEBHOOKS} webhooks. Delete one first.`)
        const id = randomId(random)
        const secret = newSecret(random)
        const url = checkUrl(input.url)
        const row = await webhookRows.insert(tx, {
          id,
          userId,
          url,
          name: input.name ?? new URL(url).host,
          events: JSON.stringify([...new Set(input.events)]),
          enabled: 1,
          disabledReason: null,
          secret: sealSecret(sealer, id, secret),
          previousSecret: null,
          previousSecretUntil: null,
          failures: 0,
          failingSince: null,
          pausedUntil: null,
          leaseOwner: null,
          leaseUntil: null,
          version: 1,
          createdAt: now(),
          updatedAt: now(),
        })
        await activity.record(tx, userId, visit, 'webhook.added', {
          name: row.name,
          host: new URL(url).host,
        })
        return { ...view(row), secret }
      }),

    async list(userId: number, request: PageRequest) {
      const { page, nextCursor } = await readByAge(webhookRows.select(db, userId), request)
      return { webhooks: page.map(view), nextCursor }
    },

    get: async (userId: number, id: string) => view(await webhookRows.get(db, userId, id)),

    change: (userId: number, id: string, change: WebhookChange, ifMatch: string | undefined, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const row = await webhookRows.getLocked(tx, userId, id, ifMatch)
        const { url, events, name, enabled } = change
        // Enabling resets the failure state. Disabling fails all waiting deliveries.
        const reset = { failures: 0, failingSince: null, pausedUntil: null, disabledReason: null }
        if (enabled === false) await failWaiting(tx, id, now())
        const changed = await webhookRows.update(tx, row, {
          ...(url !== undefined && { url: checkUrl(url), pausedUntil: null }),
          ...(events !== undefined && { events: JSON.stringify([...new Set(events)]) }),
          ...(name !== undefined && { name }),
          ...(enabled !== undefined && { enabled: enabled ? 1 : 0, ...reset }),
          updatedAt: now(),
        })
        const isNewReceiver = changed.url !== row.url || changed.enabled > row.enabled
        await activity.record(tx, userId, visit, 'webhook.changed', {
          name: changed.name,
          ...(isNewReceiver && { host: new URL(changed.url).host }),
        })
        return view(changed)
      }),

    /**
     * Creates a new secret. The old one also signs for a day, so that a receiver can switch without losing
     * events.
     */
    rotate: (userId: number, id: string, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const row = await webhookRows.getLocked(tx, userId, id, undefined)
        const secret = newSecret(random)
        const changed = await webhookRows.update(tx, row, {
          secret: sealSecret(sealer, id, secret),
          previousSecret: row.secret,
          previousSecretUntil: new Date(clock.now().getTime() + PREVIOUS_SECRET_MS).toISOString(),
          updatedAt: now(),
        })
        await activity.record(tx, userId, visit, 'webhook.rotated', { name: row.name })
        return { ...view(changed), secret }
      }),

    remove: (userId: number, id: string, ifMatch: string | undefined, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const row = await webhookRows.remove(tx, userId, id, ifMatch)
        await activity.record(tx, userId, visit, 'webhook.removed', { name: row.name })
      }),

    /** Counts the endpoints of a person that subscribe to notifications. */
    countNotificationEndpoints: async (view: Db, userId: number): Promise<number> =>
      (await listEnabled(view, [userId])).filter(({ events }) =>
        includesNotifications(JSON.parse(events) as string[]),
      ).length,

    /** Seals secrets again that a previous SECRET_KEY sealed. */
    async reseal(tx: Db): Promise<void> {
      const rows = await tx
        .selectFrom('webhooks')
        .select(['id', 'secret', 'previousSecret'])
        .modifyEnd(ALL_ACCOUNTS)
        .execute()
      const resealIfStale = (id: string, sealed: string): string =>
        sealer.isStale(sealed) ? sealSecret(sealer, id, openSecret(sealer, id, sealed)) : sealed
      for (const { id, secret, previousSecret } of rows)
        await tx
          .updateTable('webhooks')
          .set({
            secret: resealIfStale(id, secret),
            previousSecret: previousSecret === null ? null : resealIfStale(id, previousSecret),
          })
          .where('id', '=', id)
          .modifyEnd(ALL_ACCOUNTS)
          .execute()
    },
  }
}
