import { sql, type Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { WebhookRow } from '../../database/tables/webhooks.ts'

/** Endpoints that something is due for, and that nobody sends to at the moment. */
export const listDue = async (db: Db, now: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('webhooks')
    .select('id')
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<=', now)]))
    .where((eb) => eb.or([eb('pausedUntil', 'is', null), eb('pausedUntil', '<=', now)]))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('webhook_deliveries')
          .select('webhook_deliveries.id')
          .whereRef('webhook_deliveries.webhookId', '=', 'webhooks.id')
          // Spelt out: the index is of those that wait.
          .where('webhook_deliveries.state', '=', sql.lit('waiting'))
          .where('webhook_deliveries.nextAttemptAt', '<=', now),
      ),
    )
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Of any number that try at once, one succeeds. */
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
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Writes on the endpoint's row while the lease is held; false when another has it by now. */
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
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
