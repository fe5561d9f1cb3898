import type { Kysely } from 'kysely'

/** The parcel or invoice that a task was created from, so that a later email about it updates the task. */
export const taskSource = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('tasks').addColumn('sourceKey', 'text').execute()
  await db.schema
    .createIndex('tasks_source')
    .on('tasks')
    .columns(['userId', 'sourceKey'])
    .where('sourceKey' as never, 'is not', null)
    .execute()
}
