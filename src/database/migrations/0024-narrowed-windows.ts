import type { Kysely } from 'kysely'

/** Index for events of one status and one source. With one of the two alone, a query scanned all its rows. */
export const narrowedWindows = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createIndex('events_status_source')
    .on('events')
    .columns(['status', 'source', 'start', 'id'])
    .execute()
}
