import { existsSync } from 'node:fs'
import SQLite from 'better-sqlite3'
import { sqliteFile } from '../src/database/database.ts'
import { fillCalendar } from './calendar-rows.ts'
import { fillContactDatabase } from './contact-rows.ts'
import { fillMailbox } from './mailbox.ts'
import { fillTasks } from './task-rows.ts'

const TASKS = 10_000
const CALENDAR = { events: 20_000, series: 100 }
const CONTACTS = 5_000

/** Spreads the emails over folders, accounts, mailing lists and threads, and sets common and rare flags. */
const VARY = `update emails set
  folder = case when id % 100 < 40 then 'archive' when id % 100 < 50 then 'sent' when id % 100 < 53 then 'trash'
    when id % 100 < 55 then 'junk' else 'inbox' end,
  "hasAttachments" = (id % 21 = 0),
  starred = (id % 3001 = 0),
  pinned = (id % 50021 = 0),
  urgency = case when id % 37 = 0 then 'high' when id % 3 = 0 then 'normal' else null end,
  "listId" = case when id % 10 = 3 then 'list' || (id % 400) || '.example.org' else null end,
  "threadId" = case when id % 4 = 0 then id - 1 else "threadId" end,
  "accountId" = case when id % 2 = 0 then 'even' when id % 5 = 0 then 'five' else null end,
  "snoozedUntil" = case when id % 20011 = 0 then '2031-01-01T00:00:00.000Z' else null end`

/** Creates a database of one account with `emails` emails, and tasks, events and contacts. Keeps an existing one. */
export const fillVariedMailbox = async (dataDir: string, emails: number): Promise<void> => {
  if (existsSync(sqliteFile(dataDir))) return
  await fillMailbox(dataDir, emails)
  const file = new SQLite(sqliteFile(dataDir))
  file.pragma('synchronous = OFF')
  file.pragma('cache_size = -400000')
  file.exec(VARY)
  file.close()
  await fillTasks(dataDir, TASKS)
  await fillCalendar(dataDir, CALENDAR)
  await fillContactDatabase(dataDir, CONTACTS)
}
