import type { Kysely } from 'kysely'

/** The model that the owner selected on a model server of this machine. */
export const localModels = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('ai_keys').addColumn('model', 'text').execute()
  await db.schema
    .alterTable('ai_keys')
    .addColumn('isLocal', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
