import type { Kysely } from 'kysely'

/**
 * Adds the calendar for new events of an account, the import remark of a remote object, and the action that a
 * notification can undo.
 */
export const calendarChoices = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('calendar_accounts').addColumn('newEventsCalendarId', 'bigint').execute()
  await db.schema.alterTable('event_placements').addColumn('remark', 'text').execute()
  await db.schema.alterTable('notifications').addColumn('actionId', 'bigint').execute()
}
