import type { Kysely } from 'kysely'

/** The data from which the text of a notification is rendered. */
export const notificationData = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('notifications').addColumn('data', 'text').execute()
}
