import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Calendars that show the events of another calendar, and the events that they show. */
export const calendarMirrors = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('calendar_mirrors'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('sourceCalendarId', 'bigint', (column) =>
      column.notNull().references('calendars.id').onDelete('cascade'),
    )
    .addColumn('targetCalendarId', 'bigint', (column) =>
      column.notNull().references('calendars.id').onDelete('cascade'),
    )
    .addColumn('detail', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await sql`create unique index calendar_mirrors_pair
    on calendar_mirrors ("userId", "sourceCalendarId", "targetCalendarId")`.execute(db)
  await sql`create index calendar_mirrors_source on calendar_mirrors ("sourceCalendarId")`.execute(db)
  await sql`create index calendar_mirrors_target on calendar_mirrors ("targetCalendarId")`.execute(db)
  // No foreign key: the mirrored event of a deleted original must be deleted on its server too.
  await sql`alter table events add column "mirrorOf" bigint`.execute(db)
  await sql`create unique index events_mirror on events ("mirrorOf", "calendarId", "recurrenceId")
    where "mirrorOf" is not null`.execute(db)
  await sql`create index events_mirrored on events ("userId", "mirrorOf")
    where "mirrorOf" is not null`.execute(db)
}
