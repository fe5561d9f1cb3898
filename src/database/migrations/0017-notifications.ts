import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Creates notification settings, notifications, and their deliveries. */
export const notifications = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema
    .createTable('notification_settings')
    .addColumn('userId', 'bigint', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('chosen', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()

  await withIdentity(engine, db.schema.createTable('notifications'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('link', 'text')
    .addColumn('inConsole', 'integer', (column) => column.notNull())
    .addColumn('readAt', 'text')
    .addColumn('clearedAt', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('notifications_once')
    .on('notifications')
    .columns(['userId', 'key'])
    .unique()
    .execute()
  await sql`create index notifications_listed on notifications ("userId", id)
    where "inConsole" = 1 and "clearedAt" is null`.execute(db)
  await sql`create index notifications_listed_kind on notifications ("userId", kind, id)
    where "inConsole" = 1 and "clearedAt" is null`.execute(db)
  await sql`create index notifications_unread on notifications ("userId", id)
    where "inConsole" = 1 and "clearedAt" is null and "readAt" is null`.execute(db)
  await db.schema.createIndex('notifications_age').on('notifications').column('createdAt').execute()

  await withIdentity(engine, db.schema.createTable('notification_mails'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('messageId', 'text', (column) => column.notNull().unique())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempt', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('notification_mails_user').on('notification_mails').column('userId').execute()
  await db.schema.createIndex('notification_mails_age').on('notification_mails').column('createdAt').execute()

  await withIdentity(engine, db.schema.createTable('notification_deliveries'))
    .addColumn('notificationId', 'bigint', (column) =>
      column.notNull().references('notifications.id').onDelete('cascade'),
    )
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('heldBy', 'text')
    .addColumn('dueAt', 'text', (column) => column.notNull())
    .addColumn('mailId', 'bigint', (column) =>
      column.references('notification_mails.id').onDelete('set null'),
    )
    .addColumn('error', 'text')
    .addColumn('finishedAt', 'text')
    .execute()
  const deliveries = (name: string) =>
    db.schema.createIndex(`notification_deliveries_${name}`).on('notification_deliveries')
  await deliveries('once').columns(['notificationId', 'channel']).unique().execute()
  await deliveries('mail').column('mailId').execute()
  await deliveries('user').columns(['userId', 'state', 'dueAt']).execute()
  await sql`create index notification_deliveries_due on notification_deliveries ("dueAt", "userId")
    where state = 'waiting'`.execute(db)
}
