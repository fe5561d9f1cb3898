import type { Kysely } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Stores actions that run in parts, such as an import, part by part. */
export const actionParts = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('action_parts'))
    .addColumn('actionId', 'bigint', (column) =>
      column.notNull().references('actions.id').onDelete('cascade'),
    )
    .addColumn('payload', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('action_parts_action').on('action_parts').columns(['actionId', 'id']).execute()
}
