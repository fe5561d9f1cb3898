import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/**
 * Adds the commit-order position of every change, because ids do not provide it: see change-order.ts.
 * Existing rows are already in order. Old changes are found by position.
 */
export const live = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema
    .alterTable('changes')
    .addColumn('position', engine === 'sqlite' ? 'integer' : 'bigint')
    .execute()
  await db.schema.dropIndex('changes_age').execute()
  if (engine === 'sqlite') return
  await sql`update changes set position = id`.execute(db)
  await db.schema.createIndex('changes_order').on('changes').column('position').unique().execute()
  await db.schema
    .createIndex('changes_unplaced')
    .on('changes')
    .column('id')
    .where(sql.ref('position'), 'is', null)
    .execute()
}
