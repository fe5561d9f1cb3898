import type { Kysely } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** What was done for the person piece by piece, such as an import, is written down piece by piece. */
export const actionParts = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('action_parts'))
    .addColumn('actionId', 'bigint', (column) =>
      column.notNull().references('actions.id').onDelete('cascade'),
    )
    .addColumn('payload', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('action_parts_action').on('action_parts').columns(['actionId', 'id']).execute()
}
