import type { Kysely } from 'kysely'

/** Statistics count the tasks that were created in each interval. */
export const taskCreation = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.createIndex('tasks_created').on('tasks').column('createdAt').execute()
}
