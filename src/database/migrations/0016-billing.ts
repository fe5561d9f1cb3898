import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/** Creates billing accounts, budgets with warnings, and daily storage usage. */
export const billing = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema
    .createTable('billing_accounts')
    .addColumn('userId', 'bigint', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('customerId', 'text')
    .addColumn('details', 'text')
    .addColumn('toldVersion', 'integer', (column) => column.notNull())
    .addColumn('subscription', 'text')
    .addColumn('askedTicket', 'integer', (column) => column.notNull())
    .addColumn('heldTicket', 'integer', (column) => column.notNull())
    .addColumn('checkoutId', 'text')
    .addColumn('checkoutPlan', 'text')
    .addColumn('checkoutAttempt', 'integer', (column) => column.notNull())
    .addColumn('checkoutAt', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('billing_accounts_customer')
    .on('billing_accounts')
    .column('customerId')
    .unique()
    .where(sql.ref('customerId'), 'is not', null)
    .execute()

  await db.schema
    .createTable('billing_budgets')
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('measure', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('billing_budgets_pk', ['userId', 'measure'])
    .execute()

  await db.schema
    .createTable('billing_warnings')
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('measure', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('billing_warnings_pk', ['userId', 'measure', 'period'])
    .execute()

  await db.schema
    .createTable('billing_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('billing_events_at').on('billing_events').column('at').execute()

  await db.schema
    .createTable('storage_days')
    .addColumn('day', 'text', (column) => column.primaryKey())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('measuredAt', 'text', (column) => column.notNull())
    .execute()
  // Lets SQLite sum up blob sizes from this index alone. PostgreSQL knows its own size.
  if (engine === 'sqlite') await db.schema.createIndex('blobs_size').on('blobs').column('size').execute()
}
