import type { Kysely } from 'kysely'

/** Creates the booking provider settings, sync state, and bookings with their events. */
export const bookings = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('booking_settings')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('baseUrl', 'text')
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('booking_sync')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('owner', 'text')
    .addColumn('leaseUntil', 'text')
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('endedEpoch', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('startedAt', 'text')
    .addColumn('isFull', 'integer', (column) => column.notNull())
    .addColumn('lastSyncAt', 'text')
    .addColumn('lastSyncStatus', 'text')
    .addColumn('lastError', 'text')
    .addColumn('watermark', 'text')
    .addColumn('lastFullAt', 'text')
    .execute()

  await db.schema
    .createTable('bookings')
    .addColumn('uid', 'text', (column) => column.primaryKey())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('eventId', 'bigint', (column) => column.references('events.id').onDelete('set null'))
    .addColumn('eventVersion', 'integer', (column) => column.notNull())
    .addColumn('replacedBy', 'text')
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('told', 'text', (column) => column.notNull())
    .addColumn('changedAt', 'text')
    .addColumn('noticedAt', 'text')
    .execute()
  await db.schema.createIndex('bookings_event').on('bookings').column('eventId').execute()
}
