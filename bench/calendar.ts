import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { sqliteFile } from '../src/database/database.ts'
import { compare, load } from './beside.ts'
import { fillCalendar, IN_MONTH, MONTH } from './calendar-rows.ts'
import { freePort, median, SERVE, type Server, startServer } from './processes.ts'

const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const WINDOW = `?start=${MONTH.start}&end=${MONTH.end}&limit=${IN_MONTH}`
const ROUNDS = 5
const SERIES = 2000

interface Pair {
  ours: Server
  plain: Server
  /** Resolves when the occurrence table contains this many series. */
  waitForOccurrences(series: number): Promise<void>
  stop(): Promise<void>
}

const startPair = async (size: { events: number; series: number }): Promise<Pair> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  await fillCalendar(dataDir, size)
  const ours = await startServer(SERVE, { DATA_DIR: dataDir }, freePort(), '/api/health')
  const plain = await startServer(
    ['bench/plain-calendar.ts'],
    { DATABASE_FILE: sqliteFile(dataDir) },
    freePort(),
    '/ready',
  )
  return {
    ours,
    plain,
    async waitForOccurrences(series) {
      const database = new SQLite(sqliteFile(dataDir), { readonly: true })
      const count = database.prepare('select count(distinct "seriesId") from occurrences').pluck()
      while ((count.get() as number) < series) await new Promise((resolve) => setTimeout(resolve, 250))
      database.close()
    },
    async stop() {
      await Promise.all([ours.stop(), plain.stop()])
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const target = (server: Server) => ({ server, path: `/api/calendar/events${WINDOW}` })

/**
 * Queries the same month in databases of growing size. The sizes alternate, so that load changes of the
 * machine affect all alike.
 */
const benchGrowth = async (): Promise<void> => {
  const pairs = []
  for (const events of SIZES) pairs.push(await startPair({ events, series: 0 }))
  const cpu = SIZES.map((): number[] => [])
  for (let round = 0; round <= ROUNDS; round++)
    for (const [index, { ours }] of pairs.entries()) {
      const { cpuMicros } = await load(target(ours), 1)
      if (round > 0) cpu[index]?.push(cpuMicros)
    }
  const medians = cpu.map(median)
  const figures = SIZES.map((size, index) => `${size}: ${Math.round(medians[index] as number)} µs`).join(', ')
  const ratio = (medians.at(-1) as number) / (medians[0] as number)
  console.log(
    `${'month of 1k … 1M events'.padEnd(28)} ${ratio.toFixed(2)} × the CPU time (target ≤ 1.3)  ${figures}`,
  )
  const [, , middle] = pairs as [Pair, Pair, Pair]
  await compare(
    'month of 100k events',
    target(middle.ours),
    { server: middle.plain, path: `/events${WINDOW}` },
    1,
  )
  await benchCreate(middle)
  for (const pair of pairs) await pair.stop()
}

const benchCreate = async ({ ours, plain }: Pair): Promise<void> => {
  const body = JSON.stringify({
    title: 'Design review',
    start: '2031-03-02T09:00:00Z',
    end: '2031-03-02T10:00:00Z',
  })
  const request = {
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    body,
    isSame: false,
  }
  await compare(
    'durable create',
    { server: ours, path: '/api/calendar/events', ...request },
    { server: plain, path: '/events', ...request },
    0.7,
  )
}

/** Adds series to the events: a third recur yearly, the others weekly. */
const benchSeries = async (): Promise<void> => {
  const pair = await startPair({ events: 100_000, series: SERIES })
  const without = await startPair({ events: 100_000, series: 0 })
  const cold = await load(target(pair.ours), 2)
  // Saving a series triggers the background job that expands occurrences.
  await fetch(`${pair.ours.url}/api/calendar/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      title: 'Standup',
      start: MONTH.end,
      end: '2026-07-01T00:15:00.000Z',
      recurrence: 'FREQ=WEEKLY',
    }),
  })
  await pair.waitForOccurrences(SERIES)
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { cpuMicros } = await load(target(pair.ours), 1)
    rounds.push(cpuMicros / (await load(target(without.ours), 1)).cpuMicros)
  }
  console.log(
    `${`month with ${SERIES} series`.padEnd(28)} ${median(rounds).toFixed(2)} × the CPU time of a month without series  (before the expansion ${Math.round(cold.cpuMicros)} µs)`,
  )
  await pair.stop()
  await without.stop()
}

const IMPORTED = 10_000
const benchImport = async (): Promise<void> => {
  const pair = await startPair({ events: IN_MONTH, series: 0 })
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
  const file = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\n${events.join('')}END:VCALENDAR\r\n`
  const send = async (): Promise<{ seconds: number; report: Record<string, number> }> => {
    const began = performance.now()
    const response = await fetch(`${pair.ours.url}/api/calendar/import`, {
      method: 'POST',
      headers: { 'content-type': 'text/calendar' },
      body: file,
    })
    return {
      seconds: (performance.now() - began) / 1000,
      report: (await response.json()) as Record<string, number>,
    }
  }
  const first = await send()
  const second = await send()
  if (first.report.created !== IMPORTED || second.report.unchanged !== IMPORTED)
    throw new Error(`import: ${JSON.stringify([first.report, second.report])}`)
  console.log(
    `${'import of 10,000 events'.padEnd(28)} ${first.seconds.toFixed(2)} s (target < 5 s), repeated ${second.seconds.toFixed(2)} s  ${(file.length / 1e6).toFixed(1)} MB; resident ${pair.ours.residentMb().toFixed(0)} MB`,
  )
  await pair.stop()
}

export const benchCalendar = async (): Promise<void> => {
  await benchGrowth()
  await benchSeries()
  await benchImport()
}
