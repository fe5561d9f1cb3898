/*
 * Runs the benchmarks and compares each with a baseline: `npm run bench`, or `npm run bench -- accounts`.
 * Absolute figures depend on the machine; the ratios do not.
 */
import { benchAccounts } from './accounts.ts'
import { benchAi } from './ai.ts'
import { benchBookings } from './bookings.ts'
import { benchCalendar } from './calendar.ts'
import { benchContacts } from './contacts.ts'
import { benchEmails } from './emails.ts'
import { benchHostile } from './hostile.ts'
import { benchLive } from './live.ts'
import { benchMailScroll } from './mail-scroll.ts'
import { benchMailSync } from './mail-sync.ts'
import { benchEngine } from './nlu-speed.ts'
import { benchRecurrence } from './recurrence.ts'
import { benchScale } from './scale.ts'
import { benchStalls } from './stalls.ts'
import { benchStart } from './start.ts'
import { benchTasks } from './tasks.ts'

const BENCHES: Record<string, () => Promise<void>> = {
  accounts: benchAccounts,
  ai: benchAi,
  bookings: benchBookings,
  calendar: benchCalendar,
  contacts: benchContacts,
  emails: benchEmails,
  live: benchLive,
  engine: benchEngine,
  hostile: benchHostile,
  'mail-scroll': benchMailScroll,
  'mail-sync': benchMailSync,
  recurrence: benchRecurrence,
  scale: benchScale,
  stalls: benchStalls,
  start: benchStart,
  tasks: benchTasks,
}

const names = process.argv.slice(2)
for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
  const bench = BENCHES[name]
  if (!bench) throw new Error(`Unknown benchmark ${name}. Choose one of: ${Object.keys(BENCHES).join(', ')}.`)
  console.log(`\n${name}`)
  await bench()
}
