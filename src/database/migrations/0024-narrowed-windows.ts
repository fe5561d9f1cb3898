import type { Kysely } from 'kysely'

/** Events of one status and one source: by either alone, all that there is of it was looked through for the other. */
export const narrowedWindows = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createIndex('events_status_source')
    .on('events')
    .columns(['status', 'source', 'start', 'id'])
    .execute()
}
