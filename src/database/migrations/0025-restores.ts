import type { Kysely } from 'kysely'

/** When what is here was brought back from a backup, if it was: see epoch.ts. */
export const restores = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('restores')
    .addColumn('epoch', 'bigint', (column) => column.primaryKey())
    .execute()
}
