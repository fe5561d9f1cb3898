import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from '../../database/tables/integrations.ts'
import { notFound } from '../../platform/errors.ts'
import { versionedRows } from '../../platform/resources.ts'

export type WebhookRecord = Selectable<WebhookRow>

export const webhookRows = versionedRows('webhooks', 'webhook')

/** For the dispatcher, which sends the deliveries of all accounts. */
export const findWebhook = (db: Db, id: string): Promise<WebhookRecord | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).modifyEnd(ALL_ACCOUNTS).executeTakeFirst()

/** Allows the next attempt at once. */
export const endPause = async (tx: Db, userId: number, id: string): Promise<void> => {
  await tx
    .updateTable('webhooks')
    .set({ pausedUntil: null })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .execute()
}

type Endpoint = Pick<WebhookRecord, 'id' | 'userId' | 'events'>

/** Lists the enabled endpoints of these accounts. */
export const listEnabled = (db: Db, userIds: readonly number[]): Promise<Endpoint[]> =>
  db
    .selectFrom('webhooks')
    .select(['id', 'userId', 'events'])
    .where('userId', 'in', userIds)
    // A literal, so that the partial index on enabled endpoints is used.
    .where('enabled', '=', sql.lit(1))
    .execute()

export type DeliveryRecord = Selectable<WebhookDeliveryRow>
export type DeliveryState = DeliveryRecord['state']
export type AttemptRecord = Selectable<WebhookAttemptRow>

const BATCH_SIZE = 200

export const insertDeliveries = async (
  tx: Db,
  rows: readonly Insertable<WebhookDeliveryRow>[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += BATCH_SIZE)
    await tx
      .insertInto('webhook_deliveries')
      .values(rows.slice(from, from + BATCH_SIZE))
      .execute()
}

export const getDelivery = async (db: Db, webhookId: string, messageId: string): Promise<DeliveryRecord> => {
  const row = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('messageId', '=', messageId)
    .where('webhookId', '=', webhookId)
    .executeTakeFirst()
  if (!row) throw notFound('delivery')
  return row
}

export const selectDeliveries = (db: Db, webhookId: string, state: DeliveryState | undefined) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhookId', '=', webhookId)
    .$if(state !== undefined, (query) => query.where('state', '=', state as DeliveryState))

/** Lists the newest 50 attempts, oldest first. */
export const listAttempts = (db: Db, deliveryId: number): Promise<AttemptRecord[]> =>
  db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('deliveryId', '=', deliveryId)
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
    .then((rows) => rows.reverse())

const waitingOf = (db: Db, webhookId: string) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhookId', '=', webhookId)
    .where('state', '=', 'waiting')
    .orderBy('id')
    .limit(1)

export const findFirstWaiting = (db: Db, webhookId: string): Promise<DeliveryRecord | undefined> =>
  waitingOf(db, webhookId).executeTakeFirst()

export const findFirstDue = (
  db: Db,
  webhookId: string,
  now: string,
  after: number,
): Promise<DeliveryRecord | undefined> =>
  waitingOf(db, webhookId).where('nextAttemptAt', '<=', now).where('id', '>', after).executeTakeFirst()

/**
 * Returns the ids that exist and locks them against deletion until the commit. Rows that refer to them can
 * then be inserted without violating the foreign key. Other holders and updates of a webhook do not wait.
 */
export const holdWebhooks = async (tx: Db, ids: readonly string[]): Promise<Set<string>> => {
  const query = tx.selectFrom('webhooks').select('id').where('id', 'in', ids).modifyEnd(ALL_ACCOUNTS)
  const rows = await query.forKeyShare().execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Locks a delivery and its webhook against deletion until the commit. Returns false if one no longer exists.
 * Locks the webhook first, in the same order as a deletion, to avoid a deadlock.
 */
export const holdDelivery = async (
  tx: Db,
  { id, webhookId }: Pick<DeliveryRecord, 'id' | 'webhookId'>,
): Promise<boolean> => {
  if ((await holdWebhooks(tx, [webhookId])).size === 0) return false
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set((row) => ({ attempts: row.ref('attempts') }))
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const insertAttempt = async (tx: Db, row: Insertable<WebhookAttemptRow>): Promise<void> => {
  await tx.insertInto('webhook_attempts').values(row).execute()
}

type Outcome = Pick<DeliveryRecord, 'state' | 'attempts' | 'nextAttemptAt' | 'finishedAt'>

export const settleDelivery = async (tx: Db, id: number, outcome: Outcome): Promise<void> => {
  await tx.updateTable('webhook_deliveries').set(outcome).where('id', '=', id).execute()
}

/** Settles a delivery only if it is still waiting. */
export const settleWaiting = async (tx: Db, id: number, outcome: Outcome): Promise<void> => {
  await tx
    .updateTable('webhook_deliveries')
    .set(outcome)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** Fails all waiting deliveries of an endpoint. */
export const failWaiting = async (tx: Db, webhookId: string, at: string): Promise<void> => {
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', nextAttemptAt: null, finishedAt: at })
    .where('webhookId', '=', webhookId)
    .where('state', '=', 'waiting')
    .execute()
}

const toWaiting = (now: string) =>
  ({ state: 'waiting', attempts: 0, nextAttemptAt: now, finishedAt: null }) as const

export const redeliverOne = async (tx: Db, id: number, now: string): Promise<void> => {
  await tx.updateTable('webhook_deliveries').set(toWaiting(now)).where('id', '=', id).execute()
}

/** Queues all deliveries of a period in one of `states` again, and returns their number. */
export const redeliverRange = async (
  tx: Db,
  webhookId: string,
  range: { from: string; to: string; states: readonly DeliveryState[] },
  now: string,
): Promise<number> => {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set(toWaiting(now))
    .where('webhookId', '=', webhookId)
    .where('state', 'in', [...range.states])
    .where('createdAt', '>=', range.from)
    .where('createdAt', '<', range.to)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export const deleteDeliveriesBefore = async (db: Db, before: string): Promise<void> => {
  await db.deleteFrom('webhook_deliveries').where('createdAt', '<', before).execute()
}

/** Lists endpoints with due deliveries and without a lease. */
export const listDue = async (db: Db, now: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('webhooks')
    .select('id')
    .where('enabled', '=', sql.lit(1))
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<=', now)]))
    .where((eb) => eb.or([eb('pausedUntil', 'is', null), eb('pausedUntil', '<=', now)]))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('webhook_deliveries')
          .select('webhook_deliveries.id')
          .whereRef('webhook_deliveries.webhookId', '=', 'webhooks.id')
          // A literal, so that the partial index on waiting deliveries is used.
          .where('webhook_deliveries.state', '=', sql.lit('waiting'))
          .where('webhook_deliveries.nextAttemptAt', '<=', now),
      ),
    )
    .limit(limit)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  return rows.map(({ id }) => id)
}

/** Takes the lease. Only one of several concurrent calls succeeds. */
export const takeLease = async (
  db: Db,
  id: string,
  lease: { owner: string; now: string; until: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set({ leaseOwner: lease.owner, leaseUntil: lease.until })
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<=', lease.now)]))
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Updates the endpoint while the lease is held. Returns false if another owner has the lease. */
export const writeUnderLease = async (
  db: Db,
  id: string,
  owner: string,
  change: Updateable<WebhookRow>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set(change)
    .where('id', '=', id)
    .where('leaseOwner', '=', owner)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
