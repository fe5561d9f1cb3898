import { type Kysely, sql } from 'kysely'

/** Members of a shared calendar have reminders of their own. A private link may concern one calendar. */
export const eventMembers = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('event_reminders')
    .addColumn('eventId', 'bigint', (column) => column.notNull().references('events.id').onDelete('cascade'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('reminders', 'text', (column) => column.notNull())
    .addColumn('nextReminderAt', 'text')
    .addPrimaryKeyConstraint('event_reminders_pk', ['eventId', 'userId'])
    .execute()
  await db.schema
    .createIndex('event_reminders_user')
    .on('event_reminders')
    .columns(['userId', 'eventId'])
    .execute()
  await db.schema
    .createIndex('event_reminders_next')
    .on('event_reminders')
    .column('nextReminderAt')
    .where(sql.ref('nextReminderAt'), 'is not', null)
    .execute()
  await db.schema.alterTable('feed_tokens').addColumn('calendarId', 'bigint').execute()
}
