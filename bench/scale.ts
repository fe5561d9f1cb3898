import autocannon from 'autocannon'
import pg from 'pg'
import { addressOf, fillAccounts, PASSWORD, type Place } from './account-rows.ts'
import { ROUNDS, SECONDS } from './beside.ts'
import { createAccountBody, fillMaildir, startDovecot } from './dovecot.ts'
import { freePort, median, SERVE, type Server, startServer, withDirectories } from './processes.ts'
import type { Report } from './table.ts'

const ACCOUNTS = Number(process.env.ACCOUNTS ?? 100)
const SECRET_KEY = 'a key for measuring with, long enough to be one'
const CONNECTIONS = 10
/** The accounts that send requests at the same time. */
const CALLERS = 10
const IDLE_MS = 10_000
const SYNCED = 50
const SYNCED_MESSAGES = 100

interface Operation {
  title: string
  path: string
  body?: string
}

const OPERATIONS: readonly Operation[] = [
  { title: 'list mail', path: '/api/emails' },
  { title: 'search mail, common word', path: '/api/emails?q=common' },
  { title: 'search mail, rare word', path: '/api/emails?q=rare77' },
  { title: 'a month of the calendar', path: '/api/calendar/events?start=2026-06-01&end=2026-07-01' },
  { title: 'create a task', path: '/api/tasks', body: '{"title":"Call the plumber"}' },
  { title: 'me', path: '/api/auth/me' },
]

/** One account alone, and many accounts, on the same engine. */
interface Pair {
  alone: Service
  many: Service
  engine: string
}

/** One service: a database, and the processes that serve it. */
interface Service {
  servers: readonly Server[]
  /** Tokens of the accounts that send requests. */
  tokens: readonly string[]
  stop(): Promise<void>
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const send = async (server: Server, path: string, body: unknown, token?: string): Promise<Response> =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })

const signIn = async (server: Server, account: number): Promise<string> => {
  const response = await send(server, '/api/auth/login', { email: addressOf(account), password: PASSWORD })
  if (!response.ok) throw new Error(`The sign-in returned status ${response.status}`)
  return ((await response.json()) as { token: string }).token
}

const startService = async (place: Place, accounts: number, instances: number): Promise<Service> => {
  const environment = {
    DATA_DIR: place.dataDir,
    SECRET_KEY,
    TZ_DEFAULT: 'UTC',
    ACCESS_TOKEN_TTL: '1d',
    ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl }),
  }
  const servers: Server[] = []
  for (let n = 0; n < instances; n++)
    servers.push(await startServer(SERVE, environment, freePort(), '/api/health'))
  const tokens: string[] = []
  // One account alone signs in as often, for the same number of sessions.
  for (let n = 0; n < CALLERS; n++)
    tokens.push(await signIn(servers[0] as Server, 1 + Math.floor((n * accounts) / CALLERS)))
  return {
    servers,
    tokens,
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  }
}

/** Sends requests of all callers to all instances at once. Returns the answers per second. */
const load = async (
  { servers, tokens }: Service,
  { path, body }: Operation,
  seconds: number,
): Promise<number> => {
  const requests = tokens.map((token) => ({
    method: body === undefined ? ('GET' as const) : ('POST' as const),
    path,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  }))
  const results = await Promise.all(
    servers.map(({ url }) =>
      autocannon({ url, requests, connections: CONNECTIONS / servers.length, duration: seconds }),
    ),
  )
  return results.reduce((sum, result) => {
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${path}: ${result.non2xx} responses were not 2xx`)
    return sum + result.requests.total / result.duration
  }, 0)
}

const cpuMs = ({ servers }: Service): number => servers.reduce((sum, server) => sum + server.cpuMs(), 0)

/** Measures one account alone and many accounts alternately, so that a busy machine slows both. */
const compareOperation = async (
  { alone, many, engine }: Pair,
  operation: Operation,
  report: Report,
): Promise<void> => {
  for (const service of [alone, many]) await load(service, operation, 3 * SECONDS)
  const rounds: { ratio: number; cpu: number; alone: number; many: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const measure = async (service: Service) => {
      const before = cpuMs(service)
      const perSecond = await load(service, operation, SECONDS)
      return { perSecond, cpu: (cpuMs(service) - before) / (perSecond * SECONDS) }
    }
    const [one, all] = [await measure(alone), await measure(many)]
    const ratio = one.perSecond / all.perSecond
    rounds.push({ ratio, cpu: all.cpu / one.cpu, alone: one.perSecond, many: all.perSecond })
  }
  const figure = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  report({
    group: 'accounts',
    work: `${engine}, ${ACCOUNTS} accounts: ${operation.title}`,
    ours: `${Math.round(figure((round) => round.many))}/s`,
    limit: `${Math.round(figure((round) => round.alone))}/s`,
    ratioByThroughput: figure((round) => round.ratio),
    ratioByCpu: figure((round) => round.cpu),
    checks: [{ name: 'time', values: rounds.map((round) => round.ratio), atMost: 1.3 }],
  })
}

const createMessage =
  (address: string) =>
  (n: number): string =>
    [
      `From: Sender ${n % 20} <sender${n % 20}@example.org>`,
      `To: ${address}`,
      `Subject: Message ${n} about the matter ${n % 97}`,
      `Message-ID: <${n}.${address}>`,
      `Date: ${new Date(1_700_000_000_000 + n * 60_000).toUTCString()}`,
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      '',
      `Hello,\r\n\r\nthis is number ${n}. ${'It has some words in it, as letters do. '.repeat(20)}\r\n`,
    ].join('\r\n')

/** Sends a steady, low rate of requests of an account that does not sync, until `work` ends. */
const measureLatency = async (server: Server, token: string, work: Promise<void>): Promise<number> => {
  const running = autocannon({
    url: `${server.url}/api/emails`,
    connections: 2,
    overallRate: 50,
    duration: 3600,
    headers: { authorization: `Bearer ${token}` },
  })
  await work
  // The type has the method only for the form with a callback.
  ;(running as unknown as { stop(): void }).stop()
  return (await running).latency.p99
}

interface Sync {
  status: string
  progress: { stored: number } | null
}

/** Delivers messages to 50 mailboxes at once, and measures how long another account waits meanwhile. */
const measureDuringSync = async (
  { many: { servers, tokens }, engine }: Pair,
  report: Report,
): Promise<void> => {
  const part = await startDovecot()
  if ('missing' in part) return void process.stderr.write(`  skipped, Dovecot is missing: ${part.missing}\n`)
  try {
    const [server] = servers as [Server]
    const other = tokens.at(-1) as string
    const owners: string[] = []
    const addresses = Array.from(
      { length: Math.min(SYNCED, ACCOUNTS - 1) },
      (_, n) => `sync${n}@example.test`,
    )
    const ids: string[] = []
    for (const [n, address] of addresses.entries()) {
      const token = await signIn(server, n + 2)
      const body = createAccountBody(part.dovecot, address)
      const response = await send(server, '/api/settings/mail-accounts', body, token)
      if (!response.ok)
        throw new Error(`Adding a mail account returned ${response.status}: ${await response.text()}`)
      owners.push(token)
      ids.push(((await response.json()) as { id: string }).id)
    }
    const readSync = async (n: number) => {
      const path = `${server.url}/api/settings/mail-accounts/${ids[n]}`
      const response = await fetch(path, { headers: { authorization: `Bearer ${owners[n]}` } })
      const { sync } = (await response.json()) as { sync: Sync }
      return sync
    }
    const waitForAll = async (isDone: (sync: Sync) => boolean): Promise<void> => {
      for (const n of addresses.keys()) while (!isDone(await readSync(n))) await wait(500)
    }
    await waitForAll(({ status }) => status === 'live')
    await measureLatency(server, other, wait(3_000))
    const before = await measureLatency(server, other, wait(15_000))
    const began = performance.now()
    const sync = async (): Promise<void> => {
      for (const address of addresses)
        fillMaildir(part.dovecot, address, SYNCED_MESSAGES, createMessage(address))
      await waitForAll(({ progress }) => (progress?.stored ?? 0) >= SYNCED_MESSAGES)
    }
    const during = await measureLatency(server, other, sync())
    const seconds = (performance.now() - began) / 1000
    report({
      group: 'other',
      work: `${engine}: p99 of another account beside the sync of ${addresses.length} mailboxes, ${seconds.toFixed(0)} s`,
      limit: `${before} ms before`,
      checks: [{ values: [during], unit: ' ms' }],
    })
  } finally {
    await part.stop()
  }
}

const measureIdle = async ({ alone, many, engine }: Pair, report: Report): Promise<void> => {
  await wait(IDLE_MS)
  const resident = ({ servers }: Service): number =>
    servers.reduce((sum, server) => sum + server.residentMb(), 0)
  const [one, all] = [resident(alone), resident(many)]
  report({
    group: 'accounts',
    work: `${engine}, ${ACCOUNTS} accounts: idle memory`,
    ours: `${all.toFixed(0)} MB`,
    limit: `${one.toFixed(0)} MB`,
    checks: [{ name: 'memory', values: [all / one], atMost: 1.3 }],
  })
}

const measureScale = async (
  places: { alone: Place; many: Place },
  engine: string,
  instances: number,
  report: Report,
): Promise<void> => {
  const began = performance.now()
  await fillAccounts(places.alone, 1)
  await fillAccounts(places.many, ACCOUNTS)
  process.stderr.write(
    `  ${ACCOUNTS} accounts filled in ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
  )
  const alone = await startService(places.alone, 1, instances)
  const many = await startService(places.many, ACCOUNTS, instances)
  try {
    const pair = { alone, many, engine }
    await measureIdle(pair, report)
    for (const operation of OPERATIONS) await compareOperation(pair, operation, report)
    await measureDuringSync(pair, report)
  } finally {
    await Promise.all([alone.stop(), many.stop()])
  }
}

const measureOnPostgres = async (report: Report): Promise<void> => {
  const { postgres } = await import(new URL('../scripts/parts/postgres.mjs', import.meta.url).href)
  const part = await postgres.provide()
  if (part.missing) return void process.stderr.write(`  skipped, PostgreSQL is missing: ${part.missing}\n`)
  try {
    const url = part.env.TEST_POSTGRES_URL as string
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const createDatabase = async (name: string): Promise<string> => {
      await client.query(`create database ${name}`)
      return Object.assign(new URL(url), { pathname: `/${name}` }).href
    }
    const urls = [await createDatabase('alone'), await createDatabase('many')] as const
    await client.end()
    await withDirectories(2, ([one, other]) =>
      measureScale(
        { alone: { dataDir: one, databaseUrl: urls[0] }, many: { dataDir: other, databaseUrl: urls[1] } },
        'PostgreSQL',
        2,
        report,
      ),
    )
  } finally {
    await part.stop()
  }
}

/**
 * Compares an instance of many accounts with one account alone, on both databases. Runs with `npm run bench -- scale`.
 * `ACCOUNTS=1000` sets the number of accounts, `ENGINES=sqlite` leaves out PostgreSQL.
 */
export const benchScale = async (report: Report): Promise<void> => {
  const engines = (process.env.ENGINES ?? 'sqlite,postgres').split(',')
  if (engines.includes('sqlite')) {
    await withDirectories(2, ([one, other]) =>
      measureScale(
        { alone: { dataDir: one, databaseUrl: null }, many: { dataDir: other, databaseUrl: null } },
        'SQLite',
        1,
        report,
      ),
    )
  }
  if (engines.includes('postgres')) await measureOnPostgres(report)
}
