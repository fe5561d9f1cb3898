import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Creates webhook endpoints, their deliveries, and every attempt. */
export const webhooks = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('disabledReason', 'text')
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('previousSecret', 'text')
    .addColumn('previousSecretUntil', 'text')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('failingSince', 'text')
    .addColumn('pausedUntil', 'text')
    .addColumn('leaseOwner', 'text')
    .addColumn('leaseUntil', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('webhooks_user').on('webhooks').columns(['userId', 'createdAt', 'id']).execute()
  // Read with every recorded change.
  await db.schema.createIndex('webhooks_enabled').on('webhooks').columns(['enabled', 'id']).execute()

  await withIdentity(engine, db.schema.createTable('webhook_deliveries'))
    .addColumn('messageId', 'text', (column) => column.notNull().unique())
    .addColumn('webhookId', 'text', (column) =>
      column.notNull().references('webhooks.id').onDelete('cascade'),
    )
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('nextAttemptAt', 'text')
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('finishedAt', 'text')
    .execute()
  await db.schema
    .createIndex('webhook_deliveries_listed')
    .on('webhook_deliveries')
    .columns(['webhookId', 'id'])
    .execute()
  await db.schema
    .createIndex('webhook_deliveries_in_state')
    .on('webhook_deliveries')
    .columns(['webhookId', 'state', 'id'])
    .execute()
  await db.schema.createIndex('webhook_deliveries_age').on('webhook_deliveries').column('createdAt').execute()
  await sql`create index webhook_deliveries_due on webhook_deliveries ("webhookId", "nextAttemptAt")
    where state = 'waiting'`.execute(db)

  await withIdentity(engine, db.schema.createTable('webhook_attempts'))
    .addColumn('deliveryId', 'bigint', (column) =>
      column.notNull().references('webhook_deliveries.id').onDelete('cascade'),
    )
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('durationMs', 'integer', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('error', 'text')
    .addColumn('response', 'text')
    .execute()
  await db.schema
    .createIndex('webhook_attempts_delivery')
    .on('webhook_attempts')
    .columns(['deliveryId', 'id'])
    .execute()
}
