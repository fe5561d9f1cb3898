import { randomUUID } from 'node:crypto'
import SQLite from 'better-sqlite3'
import { openDatabase, sqliteFile } from '../src/database/database.ts'
import { getLocalUserId } from '../src/database/local-account.ts'
import { migrate } from '../src/database/migrate.ts'
import { ensureDefaultId } from '../src/features/calendar/calendars/repository.ts'
import { BLANK, type EventFields, rowOf } from '../src/features/calendar/event.ts'

const DAY_MS = 86_400_000
/** The queried month, and its number of events, independent of the other months. */
export const MONTH = { start: '2026-06-01T00:00:00.000Z', end: '2026-07-01T00:00:00.000Z' }
export const IN_MONTH = 50

export const createEventFields = (startMs: number, n: number): EventFields => ({
  ...BLANK,
  uid: randomUUID(),
  title: `Event ${n}`,
  description: 'Bring the sketches, the figures of last quarter and the list of open questions.',
  location: 'Room 4',
  meetingUrl: 'https://meet.example.org/room-4',
  start: new Date(startMs).toISOString(),
  end: new Date(startMs + (1 + (n % 6)) * 900_000).toISOString(),
  allDay: false,
  timezone: 'Europe/Berlin',
  // Every fifth event comes from a booking page.
  source: n % 5 === 0 ? 'bookingsvc' : 'manual',
  bookingId: n % 5 === 0 ? `booking-${n}` : null,
  organizer: { name: 'Ana Ruiz', email: 'ana@example.org' },
  attendees: [
    { name: 'Ana Ruiz', email: 'ana@example.org', status: 'accepted' },
    { name: 'Li Wei', email: 'li@example.org', status: 'needs-action' },
  ],
  tags: ['work'],
})

/**
 * Creates a database with `events` events: 50 in the queried month, the others in the ten years before and
 * after.
 */
export const fillCalendar = async (
  dataDir: string,
  { events, series }: { events: number; series: number },
): Promise<void> => {
  const opened = await openDatabase({ dataDir, databaseUrl: null, onIdleError: () => {} })
  await migrate(opened)
  const userId = await getLocalUserId(opened.db)
  const calendarId = await ensureDefaultId(opened.db, userId, MONTH.start)
  await opened.close()
  const database = new SQLite(sqliteFile(dataDir))
  database.pragma('synchronous = OFF')
  const at = new Date(MONTH.start).toISOString()
  const storedFields = {
    userId,
    calendarId,
    changedBy: null,
    mirrorOf: null,
    seriesId: null,
    recurrenceId: '',
    sequence: 0,
    extra: null,
    revisedAt: null,
    nextReminderAt: null,
    createdAt: at,
    updatedAt: at,
    version: 1,
  }
  const [from, until] = [Date.parse(MONTH.start), Date.parse(MONTH.end)]
  const before = from - 3650 * DAY_MS
  const names = Object.keys(rowOf(createEventFields(from, 0), storedFields))
  const insert = database.prepare(
    `insert into events (${names.map((name) => `"${name}"`).join(', ')})
     values (${names.map((name) => `@${name}`).join(', ')})`,
  )
  database.exec('begin')
  for (let n = 0; n < events; n++) {
    const isInMonth = n < IN_MONTH
    const share = isInMonth ? n / IN_MONTH : (n - IN_MONTH) / (events - IN_MONTH)
    const beyond = before + share * 2 * (from - before)
    const start = isInMonth
      ? from + share * (until - from)
      : beyond >= from - DAY_MS
        ? beyond + (until - from) + DAY_MS
        : beyond
    insert.run(rowOf(createEventFields(Math.round(start / 60_000) * 60_000, n), storedFields))
  }
  for (let n = 0; n < series; n++) {
    const start = from - ((n * 7919) % 1500) * DAY_MS + (n % 24) * 3_600_000
    const day = ['MO', 'TU', 'WE', 'TH', 'FR'][n % 5]
    const rule = n % 3 === 0 ? 'FREQ=YEARLY' : `FREQ=WEEKLY;BYDAY=${day}`
    const fields: EventFields = {
      ...createEventFields(start, n),
      source: 'manual',
      bookingId: null,
      recurrence: rule,
    }
    insert.run(rowOf(fields, storedFields))
  }
  database.exec('commit')
  database.close()
}
