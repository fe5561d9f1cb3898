/*
 * Runs the benchmarks and prints one table. `npm run bench` measures all promises in about half an hour on two cores,
 * `npm run bench -- accounts live` only these two. Progress goes to standard error. Exits with 1 if a promise fails
 * by more than the measured noise. Absolute figures depend on the machine; the ratios do not.
 *
 * Settings in the environment, with their defaults:
 * - `EMAILS=1000000`, `EVENTS=1000000`, `TASKS=100000`, `CONTACTS=20000`: the rows of the largest account
 * - `ACCOUNTS=100`, `ENGINES=sqlite,postgres`: the accounts of one database, and its engines
 * - `MESSAGES=10000`: the emails of the first sync
 * - `CONSOLE_EMAILS=100000`, `CONSOLE_ROUNDS=9`: the mailbox in Chromium
 * - `ROUNDS=7`, `SECONDS=1`: the length of each measurement
 */
import { benchAccounts } from './accounts.ts'
import { benchAi } from './ai.ts'
import { benchBookings } from './bookings.ts'
import { benchCalendar } from './calendar.ts'
import { benchConsole } from './console.ts'
import { benchContacts } from './contacts.ts'
import { benchEmails } from './emails.ts'
import { benchHostile } from './hostile.ts'
import { benchLive } from './live.ts'
import { benchMailSync } from './mail-sync.ts'
import { benchEngine } from './nlu-speed.ts'
import { benchPostgres } from './postgres.ts'
import { benchRecurrence } from './recurrence.ts'
import { benchScale } from './scale.ts'
import { benchStalls } from './stalls.ts'
import { benchStart } from './start.ts'
import { type Bench, formatProgress, formatTable, type Measurement, type Row, toRow } from './table.ts'
import { benchTasks } from './tasks.ts'

/** These measure every promise. */
const PROMISED: Record<string, Bench> = {
  accounts: benchAccounts,
  tasks: benchTasks,
  emails: benchEmails,
  calendar: benchCalendar,
  contacts: benchContacts,
  scale: benchScale,
  start: benchStart,
  hostile: benchHostile,
  'mail-sync': benchMailSync,
  console: benchConsole,
  postgres: benchPostgres,
  stalls: benchStalls,
}

const OTHERS: Record<string, Bench> = {
  ai: benchAi,
  bookings: benchBookings,
  live: benchLive,
  engine: benchEngine,
  recurrence: benchRecurrence,
}

const BENCHES = { ...PROMISED, ...OTHERS }

const rows: Row[] = []
const report = (measurement: Measurement): void => {
  const row = toRow(measurement)
  rows.push(row)
  process.stderr.write(`  ${formatProgress(row)}\n`)
}

const names = process.argv.slice(2)
for (const name of names.length > 0 ? names : Object.keys(PROMISED)) {
  const bench = BENCHES[name]
  if (!bench) throw new Error(`Unknown benchmark ${name}. Choose one of: ${Object.keys(BENCHES).join(', ')}.`)
  process.stderr.write(`${name}\n`)
  await bench(report)
}
console.log(formatTable(rows))
const failed = rows.filter(({ holds }) => holds === 'no')
if (failed.length > 0) {
  console.log(`\n${failed.length} promises fail by more than the noise.`)
  process.exitCode = 1
}
