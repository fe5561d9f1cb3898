import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Bookings are counted by their time of arrival. */
const indexBookings = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createIndex('events_booked')
    .on('events')
    .columns(['createdAt', 'status'])
    .where(sql.ref('bookingId'), 'is not', null)
    .execute()
}

/** Creates the overlay state, streams with captions, milestones, and credentials of streaming platforms. */
export const stream = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema
    .createTable('stream_state')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('scene', 'text', (column) => column.notNull())
    .addColumn('viewers', 'bigint', (column) => column.notNull())
    .addColumn('held', 'integer', (column) => column.notNull())
    .addColumn('clearedThrough', 'bigint', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()

  await withIdentity(engine, db.schema.createTable('streams'))
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('scene', 'text', (column) => column.notNull())
    .addColumn('rehearsal', 'integer', (column) => column.notNull())
    .addColumn('startedAt', 'text', (column) => column.notNull())
    .addColumn('stoppedAt', 'text')
    .addColumn('open', 'integer')
    .addColumn('peakViewers', 'bigint', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('streams_open')
    .unique()
    .on('streams')
    .column('open')
    .where(sql.ref('open'), 'is not', null)
    .execute()

  await db.schema
    .createTable('caption_tracks')
    .addColumn('streamId', 'bigint', (column) =>
      column.notNull().references('streams.id').onDelete('cascade'),
    )
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('captions', 'bigint', (column) => column.notNull())
    .addColumn('blocks', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('caption_tracks_pk', ['streamId', 'language'])
    .execute()

  await withIdentity(engine, db.schema.createTable('captions'))
    .addColumn('streamId', 'bigint', (column) =>
      column.notNull().references('streams.id').onDelete('cascade'),
    )
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('speaker', 'text')
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('markup', 'text')
    .addColumn('cueId', 'text')
    .addColumn('settings', 'text')
    .addColumn('startMs', 'bigint', (column) => column.notNull())
    .addColumn('endMs', 'bigint', (column) => column.notNull())
    .addColumn('imported', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('captions_order')
    .on('captions')
    .columns(['streamId', 'startMs', 'id'])
    .execute()
  await db.schema
    .createIndex('captions_language')
    .on('captions')
    .columns(['streamId', 'language', 'startMs', 'id'])
    .execute()
  // The overlay displays the latest captions by arrival, whatever their time says.
  await db.schema
    .createIndex('captions_latest')
    .on('captions')
    .columns(['streamId', 'language', 'imported', 'id'])
    .execute()

  await withIdentity(engine, db.schema.createTable('milestones'))
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('unit', 'text', (column) => column.notNull())
    .addColumn('target', 'bigint', (column) => column.notNull())
    .addColumn('current', 'bigint', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('countsFrom', 'text', (column) => column.notNull())
    .addColumn('reachedAt', 'text')
    .addColumn('hidden', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('milestones_source').on('milestones').columns(['source', 'id']).execute()

  await db.schema
    .createTable('stream_credentials')
    .addColumn('platform', 'text', (column) => column.primaryKey())
    .addColumn('serverUrl', 'text')
    .addColumn('fields', 'text', (column) => column.notNull())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await indexBookings(db)
}
