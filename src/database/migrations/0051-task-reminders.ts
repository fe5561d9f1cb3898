import { type Kysely, sql } from 'kysely'

/** Members of a shared list have their own reminders of its tasks. */
export const taskReminders = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('task_reminders')
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('taskId', 'bigint', (column) => column.notNull().references('tasks.id').onDelete('cascade'))
    .addColumn('remindAt', 'text', (column) => column.notNull())
    .addColumn('nextReminderAt', 'text')
    .addPrimaryKeyConstraint('task_reminders_pk', ['userId', 'taskId'])
    .execute()
  await db.schema.createIndex('task_reminders_task').on('task_reminders').column('taskId').execute()
  await db.schema
    .createIndex('task_reminders_next')
    .on('task_reminders')
    .column('nextReminderAt')
    .where(sql.ref('nextReminderAt'), 'is not', null)
    .execute()
}
