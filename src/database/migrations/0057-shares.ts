import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Calendars and task lists can be shared with other accounts. */
export const shares = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('shares'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('resourceId', 'bigint', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('emailKey', 'text', (column) => column.notNull())
    .addColumn('memberId', 'bigint', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('visible', 'integer', (column) => column.notNull())
    .addColumn('color', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('shares_resource')
    .on('shares')
    .columns(['userId', 'kind', 'resourceId', 'emailKey'])
    .unique()
    .execute()
  await db.schema
    .createIndex('shares_member')
    .on('shares')
    .columns(['memberId', 'kind', 'resourceId'])
    .where(sql.ref('memberId'), 'is not', null)
    .execute()
  await db.schema.createIndex('shares_email').on('shares').columns(['emailKey', 'status']).execute()
}
