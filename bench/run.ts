/*
 * What we promise about speed, beside a limit in the same run: `npm run bench`, or `npm run bench -- accounts`.
 * Absolute figures are the machine's; the ratios are ours.
 */
import { benchAccounts } from './accounts.ts'
import { benchAi } from './ai.ts'
import { benchBookings } from './bookings.ts'
import { benchCalendar } from './calendar.ts'
import { benchEmails } from './emails.ts'
import { benchEngine } from './engine-speed.ts'
import { benchHostile } from './hostile.ts'
import { benchLive } from './live.ts'
import { benchMailSync } from './mail-sync.ts'
import { benchRecurrence } from './recurrence.ts'
import { benchStart } from './start.ts'
import { benchTasks } from './tasks.ts'

const BENCHES: Record<string, () => Promise<void>> = {
  accounts: benchAccounts,
  ai: benchAi,
  bookings: benchBookings,
  calendar: benchCalendar,
  emails: benchEmails,
  live: benchLive,
  engine: benchEngine,
  hostile: benchHostile,
  'mail-sync': benchMailSync,
  recurrence: benchRecurrence,
  start: benchStart,
  tasks: benchTasks,
}

const names = process.argv.slice(2)
for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
  const bench = BENCHES[name]
  if (!bench) throw new Error(`There is no bench ${name}: ${Object.keys(BENCHES).join(', ')}.`)
  console.log(`\n${name}`)
  await bench()
}
