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
export const otherAlarms = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  const now = NOW[engine]
  await sql`update events set "nextReminderAt" = ${now}
    where extra like '%BEGIN:VALARM%' and "lastEnd" > ${now}
      and ("nextReminderAt" is null or "nextReminderAt" > ${now})`.execute(db)
}
