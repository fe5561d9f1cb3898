import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Creates remote calendars, the locations of their events, and pending pushes. */
export const calendarAccounts = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema
    .createTable('calendar_accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('username', 'text')
    .addColumn('secret', 'text')
    .addColumn('receivesNew', 'integer', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('calendar_accounts_user')
    .on('calendar_accounts')
    .columns(['userId', 'createdAt', 'id'])
    .execute()
  // At most one account receives new local events.
  await db.schema
    .createIndex('calendar_accounts_receiver')
    .on('calendar_accounts')
    .column('receivesNew')
    .unique()
    .where(sql.ref('receivesNew'), '=', sql.lit(1))
    .execute()

  await db.schema
    .createTable('calendar_sync')
    .addColumn('accountId', 'text', (column) =>
      column.primaryKey().references('calendar_accounts.id').onDelete('cascade'),
    )
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('lastSyncAt', 'text')
    .addColumn('requestedAt', 'text')
    .addColumn('done', 'integer', (column) => column.notNull())
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('etag', 'text')
    .addColumn('modified', 'text')
    .execute()

  await withIdentity(engine, db.schema.createTable('remote_calendars'))
    .addColumn('accountId', 'text', (column) =>
      column.notNull().references('calendar_accounts.id').onDelete('cascade'),
    )
    .addColumn('href', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('colour', 'text')
    .addColumn('writable', 'integer', (column) => column.notNull())
    .addColumn('followed', 'integer', (column) => column.notNull())
    .addColumn('syncToken', 'text')
    .execute()
  await db.schema
    .createIndex('remote_calendars_href')
    .on('remote_calendars')
    .columns(['accountId', 'href'])
    .unique()
    .execute()

  // Deleted by cascade with their calendar, and that with its account.
  await withIdentity(engine, db.schema.createTable('event_placements'))
    .addColumn('accountId', 'text', (column) => column.notNull())
    .addColumn('calendarId', 'bigint', (column) =>
      column.notNull().references('remote_calendars.id').onDelete('cascade'),
    )
    .addColumn('href', 'text', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('etag', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('event_placements_href')
    .on('event_placements')
    .columns(['calendarId', 'href'])
    .unique()
    .execute()
  await db.schema
    .createIndex('event_placements_uid')
    .on('event_placements')
    .columns(['uid', 'accountId'])
    .execute()

  await db.schema
    .createTable('event_pushes')
    .addColumn('accountId', 'text', (column) =>
      column.notNull().references('calendar_accounts.id').onDelete('cascade'),
    )
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('changes', 'integer', (column) => column.notNull())
    .addColumn('notedAt', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('tryAt', 'text')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('event_pushes_pk', ['accountId', 'uid'])
    .execute()
}
