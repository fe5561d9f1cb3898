import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/**
 * A claim of an Idempotency-Key names its process and lasts as long as that process, instead of a minute.
 * Claims without a response belong to ended processes, because migrations run before the first request.
 */
export const idempotencyProcesses = async (db: Kysely<unknown>): Promise<void> => {
  await (db as Kysely<Tables>).deleteFrom('idempotency_keys').where('answer', 'is', null).execute()
  await db.schema.alterTable('idempotency_keys').dropColumn('claimedUntil').execute()
  await db.schema.alterTable('idempotency_keys').addColumn('processId', 'bigint').execute()
}
