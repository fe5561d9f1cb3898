import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { HealthSample } from './health-probe.ts'
import { freePort, SERVE, type Server, startServer } from './processes.ts'
import type { Report } from './table.ts'
import { fillVariedMailbox } from './varied-mailbox.ts'

const SECRET_KEY = 'a key for measuring with, long enough to be one'
const ACCOUNT = { email: 'bench@example.org', password: 'correct horse battery', name: 'Bench' }
const CLIENTS = 4
const LOAD_MS = Number(process.env.SECONDS ?? 2) * 1000
const CPU_MS = 300
const LIMIT_MS = 50
const LIMIT_MB = 250

/** A request that the clients repeat: GET without a body. */
interface LoadRequest {
  path: string
  body?: string
  contentType?: string
}

/** Requests that the description of the API cannot name, because they depend on the words of the mailbox. */
const SEARCHES = [
  'common',
  'common other',
  'common has:attachment',
  'common is:starred',
  'common is:unread',
  'common is:pinned',
  'common in:trash',
  'common -meeting',
  'common tag:tag7 is:unread',
  'common list:list3.example.org',
  'rare77 has:attachment',
  '"river window"',
  '"window river meeting"',
  'm*',
  'me*',
  'meeti*',
  'person*',
  'from:person7',
  'from:person*',
  'common before:2020-02-01',
  '-common',
  'is:starred',
  'has:attachment is:starred',
  'tag:tag7 has:attachment',
  'nothing',
  'common nothing',
]

const searchPaths = (): string[] =>
  SEARCHES.flatMap((text) => {
    const q = encodeURIComponent(text)
    return [`/api/emails?q=${q}`, `/api/emails?q=${q}&sort=best`, `/api/threads?q=${q}`]
  })

const chats = (...messages: string[]): LoadRequest[] =>
  messages.map((message) => toPost('/api/ai/chat', { message }))

const toPost = (path: string, body: object): LoadRequest => ({
  path,
  body: JSON.stringify(body),
  contentType: 'application/json',
})

const LINES = 'We could meet on Tuesday at 10:30, or send the contract by Friday. '
const LONG_TEXT = LINES.repeat(7_000)

/** Lists of 100 events and people, as another program exports them. */
const listEntries = (toEntry: (n: number) => string): string =>
  Array.from({ length: 100 }, (_, n) => toEntry(n)).join('')
const CALENDAR = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\n${listEntries(
  (n) =>
    `BEGIN:VEVENT\r\nUID:event-${n}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260301T090000Z\r\nDTEND:20260301T100000Z\r\nRRULE:FREQ=DAILY\r\nSUMMARY:Event ${n}\r\nEND:VEVENT\r\n`,
)}END:VCALENDAR\r\n`
const PEOPLE = listEntries(
  (n) => `BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Person ${n}\r\nEMAIL:person${n}@example.org\r\nEND:VCARD\r\n`,
)

/** Requests with a body that compute or write much. Without a provider key the built-in engine answers. */
const POSTS: readonly LoadRequest[] = [
  ...chats(
    'What is on my calendar this week?',
    'Find the mails from Person 7 about the budget',
    'Which mails are unread?',
    'Create a task to call the plumber tomorrow at 9',
    'Summarise my inbox',
    'How many mails did I get last month?',
    LONG_TEXT.slice(0, 20_000),
  ),
  toPost('/api/tasks/quick', { text: 'Call the plumber tomorrow at 9 #home !high', dryRun: true }),
  toPost('/api/tasks/quick', { text: LONG_TEXT.slice(0, 2_000), dryRun: true }),
  toPost('/api/tasks/plan', { start: '2031-01-01T00:00:00Z', end: '2031-02-01T00:00:00Z' }),
  toPost('/api/tasks', { title: 'Call the plumber', tags: ['home'] }),
  toPost('/api/calendar/detect', { text: LINES }),
  toPost('/api/calendar/detect', { text: LONG_TEXT }),
  toPost('/api/calendar/events', {
    title: 'Review',
    start: '2041-03-02T09:00:00Z',
    end: '2041-03-02T10:00:00Z',
  }),
  toPost('/api/emails', { from: 'ana@example.org', subject: 'Lunch', text: LONG_TEXT }),
  toPost('/api/ai/email-intelligence', { subject: 'Contract', from: 'ana@example.org', text: LONG_TEXT }),
  toPost('/api/workflow/email-response', { subject: 'Contract', from: 'ana@example.org', text: LONG_TEXT }),
  toPost('/api/workflow/digital-audit', { html: `<main>${`<p>${LINES}</p>`.repeat(7_000)}</main>` }),
  toPost('/api/emails/77/analyze', {}),
  toPost('/api/emails/77/reply-draft', {}),
  toPost('/api/contacts', { name: 'Ana Ruiz' }),
  { path: '/api/contacts/import', body: PEOPLE, contentType: 'text/vcard' },
  { path: '/api/calendar/import', body: CALENDAR, contentType: 'text/calendar' },
]

/** Values of parameters that select rows of the filled database. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  q: ['report', 'm'],
  tag: ['tag7', 'work', 'missing'],
  accountId: ['five', 'missing'],
  excerpts: [],
  cursor: [],
  limit: [],
  date: [],
  email: ['person7@example.org'],
  dueBefore: ['2031-01-02'],
  start: ['2026-06-01T00:00:00Z'],
  end: ['2026-07-01T00:00:00Z'],
  from: ['2026-01-01'],
  to: ['2026-01-31'],
}

interface Parameter {
  in: string
  name: string
  required?: boolean
  schema: { type?: string; enum?: string[]; anyOf?: unknown }
}

type Description = {
  paths: Record<string, { get?: { parameters?: Parameter[]; responses: Record<string, object> } }>
}

const listValues = ({ name, schema }: Parameter): readonly string[] => {
  if (SAMPLES[name]) return SAMPLES[name]
  if (schema.enum) return schema.enum
  return schema.type === 'boolean' ? ['true', 'false'] : schema.type === 'integer' ? ['1'] : []
}

/** Paths that keep the connection open, or ask other servers. */
const LEFT_OUT = /\/events$|\/stream\/events|oauth|providers|billing|event-types|drift|local-models/

/** Lists every GET route without an id, alone, with each of its parameters, and with pairs of them. */
const listPaths = ({ paths }: Description): string[] =>
  Object.entries(paths).flatMap(([path, { get }]) => {
    if (!get || path.includes('{') || (LEFT_OUT.test(path) && path !== '/api/calendar/events')) return []
    const parameters = (get.parameters ?? []).filter((parameter) => parameter.in === 'query')
    const base = parameters.filter(({ required }) => required)
    const toPart = (parameter: Parameter): string[] =>
      listValues(parameter).map((value) => `${parameter.name}=${encodeURIComponent(value)}`)
    const required = base.map((parameter) => toPart(parameter)[0]).join('&')
    const optional = parameters.filter((parameter) => !parameter.required).flatMap(toPart)
    const pairs = /\/(emails|threads)$/.test(path)
      ? optional.flatMap((one, index) =>
          optional
            .slice(index + 1)
            .filter((other) => other.split('=')[0] !== one.split('=')[0])
            .map((other) => `${one}&${other}`),
        )
      : []
    return ['', ...optional, ...pairs].map((part) => {
      const query = [required, part].filter((text) => text !== '').join('&')
      return query === '' ? path : `${path}?${query}`
    })
  })

const percentile = (values: readonly number[], part: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** CPU time of the main thread so far, in milliseconds. */
const readMainMs = ({ child: { pid } }: Server): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Figures {
  name: string
  status: number
  /** CPU time of all threads for one response, in milliseconds. */
  cpuMs: number
  /** CPU time of the main thread for one response. Other requests wait for it, on any number of cores. */
  mainMs: number
  waitMs: number
  residentMb: number
  p50: number
  p99: number
}

const nameOf = ({ path, body }: LoadRequest): string =>
  body === undefined ? path : `POST ${path} ${JSON.stringify(body.slice(0, 30))} ${body.length}`

class Bench {
  private readonly server: Server
  private readonly headers: Record<string, string>
  private readonly taskPath: string

  constructor(server: Server, headers: Record<string, string>, taskPath: string) {
    this.server = server
    this.headers = headers
    this.taskPath = taskPath
  }

  /** Reads a task again and again during `work`. Returns the response times in milliseconds. */
  private async probe(work: () => Promise<unknown>): Promise<number[]> {
    const samples: number[] = []
    const worker = new Worker(new URL('./health-probe.ts', import.meta.url), {
      workerData: { url: this.server.url + this.taskPath, headers: this.headers },
    })
    // Without the time that the worker takes to start.
    await once(worker, 'message')
    worker.on('message', ({ ms }: HealthSample) => samples.push(ms))
    await work()
    await worker.terminate()
    // The first answer may take longer than the whole load.
    return samples.length > 0 ? samples : [LOAD_MS]
  }

  async measureIdle(): Promise<number> {
    return percentile(await this.probe(() => wait(LOAD_MS)), 0.99)
  }

  private async send({ path, body, contentType }: LoadRequest): Promise<number> {
    const response = await fetch(
      this.server.url + path,
      body === undefined
        ? { headers: this.headers }
        : { method: 'POST', body, headers: { ...this.headers, 'content-type': contentType ?? '' } },
    )
    await response.arrayBuffer()
    return response.status
  }

  private async measureCost(
    request: LoadRequest,
  ): Promise<Pick<Figures, 'status' | 'cpuMs' | 'mainMs' | 'waitMs'>> {
    const status = await this.send(request)
    const [cpuBefore, mainBefore, began] = [this.server.cpuMs(), readMainMs(this.server), performance.now()]
    let count = 0
    for (; count === 0 || performance.now() - began < CPU_MS; count++) await this.send(request)
    return {
      status,
      cpuMs: (this.server.cpuMs() - cpuBefore) / count,
      mainMs: (readMainMs(this.server) - mainBefore) / count,
      waitMs: (performance.now() - began) / count,
    }
  }

  async measure(request: LoadRequest): Promise<Figures> {
    const cost = await this.measureCost(request)
    let clients: Promise<void>[] = []
    const samples = await this.probe(async () => {
      const until = performance.now() + LOAD_MS
      const repeat = async (): Promise<void> => {
        while (performance.now() < until) await this.send(request)
      }
      clients = Array.from({ length: CLIENTS }, repeat)
      await wait(LOAD_MS)
    })
    await Promise.all(clients)
    return {
      name: nameOf(request),
      ...cost,
      residentMb: this.server.residentMb(),
      p50: percentile(samples, 0.5),
      p99: percentile(samples, 0.99),
    }
  }
}

const post = async (server: Server, path: string, body: object, headers: Record<string, string> = {}) => {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { token?: string; id?: number }
}

const signIn = async (server: Server): Promise<Record<string, string>> => {
  const { token } = await post(server, '/api/auth/register', ACCOUNT)
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  const { email, password } = ACCOUNT
  return { authorization: `Bearer ${(await post(server, '/api/auth/login', { email, password })).token}` }
}

const printFigures = ({ name, status, cpuMs, mainMs, waitMs, residentMb, p50, p99 }: Figures): void => {
  process.stderr.write(
    `${name.padEnd(72)} ${status} ${cpuMs.toFixed(1).padStart(8)} ms CPU, ${mainMs.toFixed(1).padStart(6)} in the main thread, ${waitMs.toFixed(0).padStart(6)} ms alone, ${residentMb.toFixed(0).padStart(4)} MB; ` +
      `a task p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms${p99 <= LIMIT_MS ? '' : '  ✗'}\n`,
  )
}

/** A session is shorter than a run, so each bench of this many requests signs in again. */
const PER_SESSION = 20

const startBench = async (server: Server): Promise<Bench> => {
  const headers = await signIn(server)
  const task = await post(server, '/api/tasks', { title: 'A task that is read' }, headers)
  return new Bench(server, headers, `/api/tasks/${task.id}`)
}

const measureAll = async (server: Server, report: Report): Promise<void> => {
  const description = (await (await fetch(`${server.url}/api-docs`)).json()) as Description
  const only = new RegExp(process.env.ONLY ?? '')
  const paths = [...new Set([...searchPaths(), ...listPaths(description)])]
  // The writing ones come last, because they change what the others read.
  const requests = [...paths.map((path) => ({ path })), ...POSTS].filter((each) => only.test(nameOf(each)))
  process.stderr.write(`${requests.length} requests\n`)
  let bench = await startBench(server)
  await bench.measure({ path: '/api/tasks' })
  const idle = await bench.measureIdle()
  const all: Figures[] = []
  for (const [index, request] of requests.entries()) {
    if (index % PER_SESSION === PER_SESSION - 1) bench = await startBench(server)
    const figures = await bench.measure(request)
    all.push(figures)
    // A run takes long, so an interrupted one has printed its first results.
    printFigures(figures)
  }
  for (const { name, p99 } of all.filter((each) => each.p99 > LIMIT_MS))
    report({
      group: 'stalls',
      work: `read a task beside ${name}`,
      checks: [{ name: 'p99', values: [p99], atMost: LIMIT_MS, unit: ' ms' }],
    })
  const worst = Math.max(...all.map(({ p99 }) => p99))
  report({
    group: 'stalls',
    work: `read a task beside each of ${all.length} requests by ${CLIENTS} clients, the worst`,
    limit: `${idle.toFixed(1)} ms alone`,
    checks: [{ name: 'p99', values: [worst], atMost: LIMIT_MS, unit: ' ms' }],
  })
  const largest = all.toSorted((a, b) => b.residentMb - a.residentMb)[0]
  if (!largest) return
  report({
    group: 'stalls',
    work: `resident after ${largest.name}, the most`,
    checks: [{ values: [largest.residentMb], atMost: LIMIT_MB, unit: ' MB' }],
  })
}

/**
 * Repeats every list, every search and requests with a body by four clients, and measures how long somebody else waits for one task. Runs with
 * `npm run bench -- stalls`. `EMAILS=1000000` sets the size of the mailbox, `DATA=folder` keeps the database for the next
 * run, and `ONLY=emails` selects requests by their name, such as `POST /api/ai`.
 */
export const benchStalls = async (report: Report): Promise<void> => {
  const dataDir = process.env.DATA ?? mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  try {
    await fillVariedMailbox(dataDir, Number(process.env.EMAILS ?? 100_000))
    const environment = { DATA_DIR: dataDir, SECRET_KEY, TZ_DEFAULT: 'UTC' }
    const server = await startServer(SERVE, environment, freePort(), '/api/health')
    try {
      await measureAll(server, report)
    } finally {
      await server.stop()
    }
  } finally {
    if (process.env.DATA === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}
