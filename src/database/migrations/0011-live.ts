import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/**
 * A place in the order of commits for every change, where ids do not tell it: see change-order.ts. What is here has
 * been committed in order. What is old is found by its place.
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
