import { type AccountsTables, accountsKeys } from './tables/accounts.ts'
import { type CalendarTables, calendarKeys } from './tables/calendar.ts'
import { type FrameTables, frameKeys } from './tables/frame.ts'
import { type JobsTables, jobsKeys } from './tables/jobs.ts'
import type { TableKeys } from './tables/keys.ts'

/*
 * The rows as both engines hold them: integers and text, 0/1 for yes and no, JSON as text, instants as canonical
 * UTC text with milliseconds (see platform/time.ts), secrets sealed (platform/secrets) or hashed.
 */

export interface Tables extends AccountsTables, FrameTables, JobsTables, CalendarTables {}

export const tableKeys: TableKeys<Tables> = {
  ...accountsKeys,
  ...frameKeys,
  ...jobsKeys,
  ...calendarKeys,
}
