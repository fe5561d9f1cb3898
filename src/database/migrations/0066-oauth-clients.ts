import type { Kysely } from 'kysely'

/** The OAuth clients of the instance, which the owner enters in the console. At most one row per provider. */
export const oauthClients = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('oauth_clients')
    .addColumn('provider', 'text', (column) => column.primaryKey())
    .addColumn('clientId', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
}
