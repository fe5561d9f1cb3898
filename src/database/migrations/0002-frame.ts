import type { Kysely } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Creates the tables that all features share: idempotency keys, the change log, markers of sample data. */
export const frame = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('scope', 'text', (column) => column.primaryKey())
    .addColumn('bodyHash', 'text', (column) => column.notNull())
    .addColumn('claim', 'text', (column) => column.notNull())
    .addColumn('claimedUntil', 'text', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('expiresAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('idempotency_keys_expiry').on('idempotency_keys').column('expiresAt').execute()

  await withIdentity(engine, db.schema.createTable('changes'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('changes_age').on('changes').column('at').execute()

  await db.schema
    .createTable('samples')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('samples_pk', ['kind', 'reference'])
    .execute()
}
