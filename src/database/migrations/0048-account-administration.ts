import type { Kysely } from 'kysely'

/** The owner can disable accounts and choose who may register. */
export const accountAdministration = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('users').addColumn('disabledAt', 'text').execute()
  await db.schema
    .createTable('instance_settings')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('registration', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
}
