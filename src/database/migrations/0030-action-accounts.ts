import type { Kysely } from 'kysely'

/** Adds the account that may confirm an action; null means the first account. */
export const actionAccounts = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('ai_actions')
    .addColumn('userId', 'bigint', (column) => column.references('users.id').onDelete('cascade'))
    .execute()
}
