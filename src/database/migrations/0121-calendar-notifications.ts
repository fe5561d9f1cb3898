import { type Kysely, sql } from 'kysely'

/** Which notifications of a calendar a person wants: the owner, or a member of a shared calendar. */
export const calendarNotifications = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['calendars', 'shares'])
    await sql`alter table ${sql.table(table)} add column notifications text not null default 'all'`.execute(
      db,
    )
}
