import type { Kysely } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Creates tables for calendar objects and bookings that could not be parsed or stored. */
export const unreadableItems = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('unreadable_objects'))
    .addColumn('accountId', 'text', (column) => column.notNull())
    .addColumn('calendarId', 'bigint', (column) =>
      column.notNull().references('remote_calendars.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('etag', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('body', 'text')
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('readerVersion', 'text', (column) => column.notNull())
    .addColumn('failedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('unreadable_objects_name')
    .on('unreadable_objects')
    .columns(['calendarId', 'name'])
    .unique()
    .execute()
  await db.schema
    .createIndex('unreadable_objects_account')
    .on('unreadable_objects')
    .columns(['accountId', 'id'])
    .execute()

  await withIdentity(engine, db.schema.createTable('unreadable_bookings'))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('bookingId', 'text')
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('body', 'text')
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('readerVersion', 'text', (column) => column.notNull())
    .addColumn('failedAt', 'text', (column) => column.notNull())
    .execute()
}
