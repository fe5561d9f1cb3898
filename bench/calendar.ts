import SQLite from 'better-sqlite3'
import { sqliteFile } from '../src/database/database.ts'
import { compareGrowth, compareSubject, load, ROUNDS, SECONDS } from './beside.ts'
import { fillCalendar, IN_MONTH, MONTH } from './calendar-rows.ts'
import { SUBJECTS } from './comparisons.ts'
import { freePort, SERVE, type Server, startServer, withDirectories } from './processes.ts'
import type { Report } from './table.ts'

const EVENTS = 100_000
const GROWTH = { from: 1_000, to: Number(process.env.EVENTS ?? 1_000_000) }
const SERIES = 2_000
const IMPORTED = 10_000
const PATH = `/api/calendar/events?start=${MONTH.start}&end=${MONTH.end}&limit=${IN_MONTH}`

const GROWING = [
  { work: 'events: month', path: PATH },
  { work: 'events: list', path: '/api/calendar/events' },
  { work: 'events: one', path: '/api/calendar/events/77' },
]

const startOurs = async (dataDir: string, size: { events: number; series: number }): Promise<Server> => {
  await fillCalendar(dataDir, size)
  return startServer(SERVE, { DATA_DIR: dataDir }, freePort(), '/api/health')
}

const measureGrowth = (report: Report): Promise<void> =>
  withDirectories(2, async ([small, large]) => {
    const servers = {
      few: await startOurs(small, { events: GROWTH.from, series: 0 }),
      many: await startOurs(large, { events: GROWTH.to, series: 0 }),
    }
    try {
      await compareGrowth(servers, GROWING, GROWTH, 1.5, report)
    } finally {
      await Promise.all([servers.few.stop(), servers.many.stop()])
    }
  })

/** Resolves when the occurrence table contains this many series. */
const waitForOccurrences = async (dataDir: string, series: number): Promise<void> => {
  const database = new SQLite(sqliteFile(dataDir), { readonly: true })
  const count = database.prepare('select count(distinct "seriesId") from occurrences').pluck()
  while ((count.get() as number) < series) await new Promise((resolve) => setTimeout(resolve, 250))
  database.close()
}

/** Adds series to the events: a third recur yearly, the others weekly. */
const measureSeries = async (without: Server, report: Report): Promise<void> =>
  withDirectories(1, async ([dataDir]) => {
    const ours = await startOurs(dataDir, { events: EVENTS, series: SERIES })
    try {
      // Saving a series triggers the background job that expands occurrences.
      await fetch(`${ours.url}/api/calendar/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          title: 'Standup',
          start: MONTH.end,
          end: '2026-07-01T00:15:00.000Z',
          recurrence: 'FREQ=WEEKLY',
        }),
      })
      await waitForOccurrences(dataDir, SERIES)
      const values: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const { cpuMicros } = await load({ server: ours, path: PATH }, SECONDS)
        values.push(cpuMicros / (await load({ server: without, path: PATH }, SECONDS)).cpuMicros)
      }
      report({
        group: 'other',
        work: `events: month with ${SERIES} series, beside none`,
        checks: [{ values, unit: ' ×' }],
      })
    } finally {
      await ours.stop()
    }
  })

const createFile = (): string => {
  const stamp = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.000/g, '')
  const events = Array.from({ length: IMPORTED }, (_, n) => {
    const start = Date.parse(MONTH.start) + n * 3_600_000
    return [
      'BEGIN:VEVENT',
      `UID:bench-${n}@example.org`,
      'DTSTAMP:20260101T000000Z',
      `DTSTART:${stamp(start)}`,
      `DTEND:${stamp(start + 1_800_000)}`,
      `SUMMARY:Event ${n}`,
      'DESCRIPTION:Bring the sketches\\, the figures of last quarter and the list of open questions.',
      'ATTENDEE;CN=Li Wei;PARTSTAT=ACCEPTED:mailto:li@example.org',
      ...(n % 10 === 0 ? ['RRULE:FREQ=WEEKLY;COUNT=20'] : []),
      'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nDESCRIPTION:Soon\r\nEND:VALARM',
      'END:VEVENT\r\n',
    ].join('\r\n')
  })
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\n${events.join('')}END:VCALENDAR\r\n`
}

const measureImport = (report: Report): Promise<void> =>
  withDirectories(1, async ([dataDir]) => {
    const ours = await startOurs(dataDir, { events: IN_MONTH, series: 0 })
    const file = createFile()
    const send = async (): Promise<{ seconds: number; result: Record<string, number> }> => {
      const began = performance.now()
      const headers = { 'content-type': 'text/calendar' }
      const response = await fetch(`${ours.url}/api/calendar/import`, {
        method: 'POST',
        headers,
        body: file,
      })
      const result = (await response.json()) as Record<string, number>
      return { seconds: (performance.now() - began) / 1000, result }
    }
    try {
      const [first, second] = [await send(), await send()]
      if (first.result.created !== IMPORTED || second.result.unchanged !== IMPORTED)
        throw new Error(`import: ${JSON.stringify([first.result, second.result])}`)
      const figures = [
        ['events: import of 10,000', first.seconds],
        ['events: repeated import of 10,000', second.seconds],
      ] as const
      for (const [work, seconds] of figures)
        report({ group: 'other', work, checks: [{ values: [seconds], unit: ' s' }] })
    } finally {
      await ours.stop()
    }
  })

/** `EVENTS` sets the size of the larger calendar. */
export const benchCalendar = async (report: Report): Promise<void> => {
  await withDirectories(1, async ([dataDir]) => {
    const ours = await startOurs(dataDir, { events: EVENTS, series: 0 })
    try {
      await compareSubject(ours, SUBJECTS.calendar, { DATABASE_FILE: sqliteFile(dataDir) }, report)
      await measureSeries(ours, report)
    } finally {
      await ours.stop()
    }
  })
  await measureGrowth(report)
  await measureImport(report)
}
