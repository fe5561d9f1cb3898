import type { Kysely } from 'kysely'

/** Whether the server of a calendar sends invitations itself (RFC 6638). Null before the next sync. */
export const autoSchedule = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('remote_calendars').addColumn('schedules', 'integer').execute()
}
