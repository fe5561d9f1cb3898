import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toBookingEnvironment } from './comparisons.ts'
import { freePort, median, SERVE, type Server, startServer } from './processes.ts'
import type { Report } from './table.ts'

const COUNT = 10_000
const PER_PAGE = 250
/**
 * A provider on this machine returns a page within 3 ms. No database writes 250 events to disk that fast. A
 * remote provider takes longer; the targets apply to that case.
 */
const DELAYS = [
  { delayMs: 50, rounds: 3 },
  { delayMs: 0, rounds: 5 },
]

const read = (url: string): Promise<{ bytes: number; text: string }> =>
  new Promise((resolve, reject) => {
    get(url, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const body = Buffer.concat(chunks)
        resolve({ bytes: body.length, text: body.toString() })
      })
    }).on('error', reject)
  })

/** Fetches the same pages sequentially, parses the JSON and discards it. */
const fetchPages = async (url: string): Promise<{ ms: number; cpuMs: number }> => {
  const [began, used] = [performance.now(), process.cpuUsage()]
  for (let skip = 0; ; skip += PER_PAGE - 1) {
    const { text } = await read(`${url}/v2/bookings?take=${PER_PAGE}&skip=${skip}&sortCreated=asc`)
    if (!JSON.parse(text).pagination.hasNextPage) {
      const { user, system } = process.cpuUsage(used)
      return { ms: performance.now() - began, cpuMs: (user + system) / 1000 }
    }
  }
}

interface Timed {
  ms: number
  cpuMs: number
  report: { fetched: number; created: number; updated: number; unchanged: number }
}

const sync = async ({ url, cpuMs }: Server, query = ''): Promise<Timed> => {
  const [began, used] = [performance.now(), cpuMs()]
  const response = await fetch(`${url}/api/bookingsvc/sync${query}`, { method: 'POST' })
  const report = (await response.json()) as Timed['report']
  if (response.status !== 200) throw new Error(`The sync failed: ${JSON.stringify(report)}`)
  return { ms: performance.now() - began, cpuMs: cpuMs() - used, report }
}

/** Returns the timestamps that any write would change. */
const readUpdateTimes = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/api/calendar/events?source=bookingsvc&limit=200`)
  const { events } = (await response.json()) as { events: { updatedAt: string }[] }
  return JSON.stringify(events.map(({ updatedAt }) => updatedAt))
}

const benchProvider = async (
  { delayMs, rounds: count }: (typeof DELAYS)[number],
  report: Report,
): Promise<void> => {
  const provider = await startServer(
    ['bench/plain-bookings.ts'],
    { COUNT: String(COUNT), DELAY_MS: String(delayMs) },
    freePort(),
    '/ready',
  )
  type Cost = Pick<Timed, 'ms' | 'cpuMs'>
  const rounds: Record<'plain' | 'first' | 'same' | 'later', Cost>[] = []
  try {
    for (let round = 0; round <= count; round++) {
      const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
      const environment = {
        DATA_DIR: dataDir,
        ...toBookingEnvironment(provider.url),
      }
      const ours = await startServer(SERVE, environment, freePort(), '/api/health')
      const plain = await fetchPages(provider.url)
      const first = await sync(ours)
      if (first.report.created !== COUNT)
        throw new Error(`The sync created ${first.report.created} of ${COUNT} bookings.`)
      const before = await readUpdateTimes(ours.url)
      const same = await sync(ours, '?full=true')
      const later = await sync(ours)
      if (same.report.unchanged !== COUNT) throw new Error('The repeated sync reported changes.')
      if ((await readUpdateTimes(ours.url)) !== before)
        throw new Error('The repeated sync wrote to the database.')
      // The first round warms up the provider and the disk.
      if (round > 0) rounds.push({ plain, first, same, later })
      await ours.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  } finally {
    await provider.stop()
  }
  const reportRatio = (work: string, name: 'first' | 'same' | 'later'): void => {
    const figure = (of: keyof (typeof rounds)[number]): string => {
      const costs = rounds.map((round) => round[of])
      return `${Math.round(median(costs.map(({ ms }) => ms)))} ms, CPU ${Math.round(median(costs.map(({ cpuMs }) => cpuMs)))} ms`
    }
    const values = rounds.map((round) => round[name].ms / round.plain.ms)
    report({
      group: 'other',
      work: `bookings: ${work}, ${delayMs > 0 ? `provider with ${delayMs} ms latency` : 'provider on this machine'}`,
      ours: figure(name),
      limit: figure('plain'),
      checks: [{ values, unit: ' ×' }],
    })
  }
  reportRatio(`first sync of ${COUNT}`, 'first')
  reportRatio('repeated full sync', 'same')
  reportRatio('incremental sync', 'later')
}

export const benchBookings = async (report: Report): Promise<void> => {
  for (const delay of DELAYS) await benchProvider(delay, report)
}
