import type { Kysely } from 'kysely'

/** Creates the marker of a restore: see change-order.ts. */
export const restores = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('restores')
    .addColumn('epoch', 'bigint', (column) => column.primaryKey())
    .execute()
}
