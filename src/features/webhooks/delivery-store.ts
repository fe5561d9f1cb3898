import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { engineOf } from '../../database/prepared.ts'
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../../database/tables/webhooks.ts'
import { notFound } from '../../platform/errors.ts'

export type DeliveryRecord = Selectable<WebhookDeliveryRow>
export type DeliveryState = DeliveryRecord['state']
export type AttemptRecord = Selectable<WebhookAttemptRow>

const AT_ONCE = 200

export const insertDeliveries = async (
  tx: Db,
  rows: readonly Insertable<WebhookDeliveryRow>[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += AT_ONCE)
    await tx
      .insertInto('webhook_deliveries')
      .values(rows.slice(from, from + AT_ONCE))
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

/** The newest first. */
export const listDeliveries = (
  db: Db,
  webhookId: string,
  page: { state: DeliveryState | undefined; limit: number; before: number | undefined },
): Promise<DeliveryRecord[]> =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhookId', '=', webhookId)
    .$if(page.state !== undefined, (query) => query.where('state', '=', page.state as DeliveryState))
    .$if(page.before !== undefined, (query) => query.where('id', '<', page.before as number))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()

/** The oldest first; no more than a page needs. */
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
 * Which of these still exist. They do until the commit: a deletion waits for it, so rows that refer to them can be
 * inserted without violating the foreign key. Other holders and changes of a webhook do not wait.
 */
export const holdWebhooks = async (tx: Db, ids: readonly string[]): Promise<Set<string>> => {
  const query = tx.selectFrom('webhooks').select('id').where('id', 'in', ids)
  // In SQLite nobody else writes while a transaction is open.
  const rows = await (engineOf(tx) === 'sqlite' ? query : query.forKeyShare()).execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Keeps a delivery and its webhook from being deleted until the commit; false when one of them is gone already. The
 * webhook comes first, as it does when it is deleted with its deliveries, so that neither waits for the other forever.
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

/** Likewise, unless it was given up in the meantime. */
export const settleWaiting = async (tx: Db, id: number, outcome: Outcome): Promise<void> => {
  await tx
    .updateTable('webhook_deliveries')
    .set(outcome)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** What waits for an endpoint that is no longer sent to. */
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

/** Everything made in a stretch of time that is in one of `states`, and says how many that is. */
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
