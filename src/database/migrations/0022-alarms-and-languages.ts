import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/** As all instants are kept. */
const NOW = {
  sqlite: sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
  postgres: sql<string>`to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
}

/**
 * Alarms of files that are no minutes before the start remind as well from here on. Whatever has some is looked at
 * right away, which finds out when it is to be told of next.
 */
const findAlarms = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  const now = NOW[engine]
  await sql`update events set "nextReminderAt" = ${now}
    where extra like '%BEGIN:VALARM%' and "lastEnd" > ${now}
      and ("nextReminderAt" is null or "nextReminderAt" > ${now})`.execute(db)
}

/** What waits for a person says in which language they are asked. Up to now English began with the verb, and German never. */
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
