import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/** The canonical format of instants. */
const NOW = {
  sqlite: sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
  postgres: sql<string>`to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
}

/**
 * Alarms in files that are not relative to the start in minutes now create reminders as well. Rows with such
 * alarms are scheduled at once, which computes their next reminder.
 */
const findAlarms = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  const now = NOW[engine]
  await sql`update events set "nextReminderAt" = ${now}
    where extra like '%BEGIN:VALARM%' and "lastEnd" > ${now}
      and ("nextReminderAt" is null or "nextReminderAt" > ${now})`.execute(db)
}

/**
 * Adds the language of a pending question. Until now, English questions started with the verb, German ones
 * never did.
 */
const addLanguages = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('ai_actions')
    .addColumn('language', 'text', (column) => column.notNull().defaultTo('en'))
    .execute()
  await sql`update ai_actions set language = 'de'
    where summary not like 'Delete %' and summary not like 'Send %' and summary not like 'Move %'`.execute(db)
}

export const alarmsAndLanguages = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await findAlarms(db, engine)
  await addLanguages(db)
}
