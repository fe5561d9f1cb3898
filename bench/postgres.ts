import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import autocannon from 'autocannon'
import { addressOf, fillAccounts, PASSWORD, type Place } from './account-rows.ts'
import { startPostgres } from './postgres-cluster.ts'
import { freePort, median, SERVE, type Server, startServer } from './processes.ts'
import type { Report } from './table.ts'

const SECRET_KEY = 'a key for measuring with, long enough to be one'
const ACCOUNTS = 10
const ROUNDS = 5
const SECONDS = 1
const WARM_UP_SECONDS = 2
const CONNECTIONS = 10
const AIM = 0.6

const EVENTS = 300
/** A new instance compiles its code in the first seconds under load. */
const LOAD_WARM_UP_MS = 5_000
const EVERY_MS = 50
/** Requests per second to each instance while events are sent. */
const LOAD = { reads: 100, writes: 20 }
const MAX_P99_MS = 100

interface Operation {
  title: string
  path: string
  body?: string
  /** The promise names reads, windows, searches and creating. */
  isPromised?: boolean
}

const NEW_TASK = '{"title":"Call the plumber"}'
/** Account 1 has the rows whose ids are one more than a multiple of the number of accounts. */
const ID = 50 * ACCOUNTS + 1

const OPERATIONS: readonly Operation[] = [
  { title: 'me', path: '/api/auth/me' },
  { title: 'read a task', path: `/api/tasks/${ID}` },
  { title: 'read an email', path: `/api/emails/${ID}` },
  { title: 'read an event', path: `/api/calendar/events/${ID}` },
  { title: 'list 50 emails', path: '/api/emails' },
  { title: 'list 50 tasks', path: '/api/tasks' },
  { title: 'a month of the calendar', path: '/api/calendar/events?start=2026-06-01&end=2026-07-01' },
  { title: 'search, a common word', path: '/api/emails?q=common' },
  { title: 'search, a rare word', path: '/api/emails?q=rare77' },
  { title: 'statistics', path: '/api/stats', isPromised: false },
  // Creates different numbers of tasks, so it runs after all comparisons.
  { title: 'create a task', path: '/api/tasks', body: NEW_TASK },
]

/** An instance, with the session of the first account. */
interface Service {
  server: Server
  headers: Record<string, string>
  /** CPU time of the process, and with that of the database server. They are equal on SQLite. */
  cpuMs(): { node: number; all: number }
}

const signIn = async ({ url }: Server): Promise<string> => {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: addressOf(1), password: PASSWORD }),
  })
  if (!response.ok) throw new Error(`The sign-in returned status ${response.status}.`)
  return ((await response.json()) as { token: string }).token
}

const startService = async (
  { dataDir, databaseUrl }: Place,
  databaseCpuMs: () => number,
): Promise<Service> => {
  const environment = {
    DATA_DIR: dataDir,
    SECRET_KEY,
    TZ_DEFAULT: 'UTC',
    ACCESS_TOKEN_TTL: '1d',
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  }
  const server = await startServer(SERVE, environment, freePort(), '/api/health')
  const headers = { authorization: `Bearer ${await signIn(server)}`, 'content-type': 'application/json' }
  const cpuMs = () => ({ node: server.cpuMs(), all: server.cpuMs() + databaseCpuMs() })
  return { server, headers, cpuMs }
}

const load = async ({ server, headers, cpuMs }: Service, { path, body }: Operation, seconds: number) => {
  const before = cpuMs()
  const result = await autocannon({
    url: server.url + path,
    connections: CONNECTIONS,
    duration: seconds,
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body !== undefined && { body }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} responses were not 2xx`)
  const after = cpuMs()
  const responses = result.requests.total
  return {
    perSecond: responses / result.duration,
    nodeMicros: ((after.node - before.node) * 1000) / responses,
    allMicros: ((after.all - before.all) * 1000) / responses,
  }
}

/** Fetches the response without the ids of events in calendar files, which are random. */
const readBody = async ({ server, headers }: Service, path: string): Promise<string> =>
  (await (await fetch(server.url + path, { headers })).text()).replaceAll(/"uid":"[^"]*"/g, '')

/** Measures both databases alternately, so that a busy machine slows both. */
const compareOperation = async (
  sqlite: Service,
  postgres: Service,
  operation: Operation,
  report: Report,
): Promise<void> => {
  const { title, path, body, isPromised = true } = operation
  if (body === undefined && (await readBody(sqlite, path)) !== (await readBody(postgres, path)))
    throw new Error(`${title}: the responses differ`)
  for (const service of [sqlite, postgres]) await load(service, operation, WARM_UP_SECONDS)
  const rounds: Record<'lite' | 'pg', Awaited<ReturnType<typeof load>>>[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({
      lite: await load(sqlite, operation, SECONDS),
      pg: await load(postgres, operation, SECONDS),
    })
  const figure = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick))
  const ratios = rounds.map(({ lite, pg }) => pg.perSecond / lite.perSecond)
  const micros = (pick: (round: (typeof rounds)[number]) => number): string =>
    `${Math.round(figure(pick))} µs`
  report({
    group: 'postgres',
    work: title,
    ours: `${Math.round(figure(({ pg }) => pg.perSecond))}/s, ${micros(({ pg }) => pg.nodeMicros)}, server ${micros(({ pg }) => pg.allMicros - pg.nodeMicros)}`,
    limit: `${Math.round(figure(({ lite }) => lite.perSecond))}/s, ${micros(({ lite }) => lite.nodeMicros)}`,
    ratioByThroughput: median(ratios),
    ratioByCpu: figure(({ lite, pg }) => lite.nodeMicros / pg.nodeMicros),
    checks: [{ name: 'throughput', values: ratios, ...(isPromised && { atLeast: AIM }) }],
  })
}

const createTask = async ({ server, headers }: Service, title: string): Promise<void> => {
  const response = await fetch(`${server.url}/api/tasks`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ title }),
  })
  await response.arrayBuffer()
  if (response.status !== 201) throw new Error(`Creating a task returned status ${response.status}.`)
}

/** Sends a steady rate of reads and writes to an instance. Returns the function that ends it. */
const startLoad = ({ server, headers }: Service): (() => void) => {
  const run = (path: string, overallRate: number, body?: string) =>
    autocannon({
      url: server.url + path,
      connections: 4,
      overallRate,
      duration: 3600,
      workers: 1,
      headers,
      ...(body !== undefined && { method: 'POST' as const, body }),
    })
  const running = [run('/api/emails', LOAD.reads), run('/api/tasks', LOAD.writes, NEW_TASK)]
  // The type has the method only for the form with a callback. After it, the promise of a worker never settles.
  return () => running.forEach((each) => void (each as unknown as { stop(): void }).stop())
}

/** Writes on one instance, and measures when a client of the other one hears of it. Both are under load. */
const measureEvents = async (writer: Service, other: Service, report: Report): Promise<void> => {
  const listener = spawn(
    process.execPath,
    [join(import.meta.dirname, 'live-listeners.ts'), other.server.url, '1', String(EVENTS)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, AUTHORIZATION: other.headers.authorization },
    },
  )
  const lines = createInterface(listener.stdout)
  const output: string[] = []
  lines.on('line', (line) => output.push(line))
  while (!output.includes('ready')) await once(lines, 'line')
  const stops = [startLoad(writer), startLoad(other)]
  await new Promise((resolve) => setTimeout(resolve, LOAD_WARM_UP_MS))
  for (let n = 0; n < EVENTS; n++) {
    await createTask(writer, `caption ${n} ${process.hrtime.bigint()}`)
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
  while (output.length < 2) await once(lines, 'line')
  for (const stop of stops) stop()
  const result = JSON.parse(output[1] as string) as Record<
    'received' | 'outOfOrder' | 'p50' | 'p99' | 'worst',
    number
  >
  const { received, outOfOrder, p50, p99, worst } = result
  report({
    group: 'postgres',
    work: `live events on the other instance, ${LOAD.reads} reads and ${LOAD.writes} writes/s on each`,
    ours: `p99 ${p99.toFixed(0)} ms, p50 ${p50.toFixed(0)} ms, worst ${worst.toFixed(0)} ms, ${received} of ${EVENTS}, ${outOfOrder} out of order`,
    checks: [{ name: 'p99', values: [p99], atMost: MAX_P99_MS, unit: ' ms' }],
  })
}

/**
 * Compares the service on PostgreSQL with the same service on SQLite, with the same rows. Then sends live events
 * between two instances. Runs with `npm run bench -- postgres`. `ONLY=live` or the start of a title selects.
 */
export const benchPostgres = async (report: Report): Promise<void> => {
  const only = process.env.ONLY ?? ''
  const cluster = await startPostgres()
  if (!cluster) return void process.stderr.write('  skipped, PostgreSQL is missing\n')
  const directories = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'factotum-bench-'))) as [string, string]
  const sqlitePlace: Place = { dataDir: directories[0], databaseUrl: null }
  const services: Service[] = []
  try {
    const postgresPlace: Place = {
      dataDir: directories[1],
      databaseUrl: await cluster.createDatabase('bench'),
    }
    await fillAccounts(sqlitePlace, ACCOUNTS)
    await fillAccounts(postgresPlace, ACCOUNTS)
    const start = async (place: Place, databaseCpuMs: () => number): Promise<Service> => {
      const service = await startService(place, databaseCpuMs)
      services.push(service)
      return service
    }
    const sqlite = await start(sqlitePlace, () => 0)
    const postgres = await start(postgresPlace, cluster.cpuMs)
    for (const operation of OPERATIONS.filter(({ title }) => title.startsWith(only)))
      await compareOperation(sqlite, postgres, operation, report)
    if (only !== '' && only !== 'live') return
    await measureEvents(postgres, await start(postgresPlace, cluster.cpuMs), report)
  } finally {
    await Promise.all(services.map(({ server }) => server.stop()))
    await cluster.stop()
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  }
}
