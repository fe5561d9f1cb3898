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
  path: string
  status: number
  /** CPU time of all threads for one response, in milliseconds. */
  cpuMs: number
  /** CPU time of the main thread for one response. Other requests wait for it, on any number of cores. */
  mainMs: number
  waitMs: number
  p50: number
  p99: number
}

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

  private async get(path: string): Promise<number> {
    const response = await fetch(this.server.url + path, { headers: this.headers })
    await response.arrayBuffer()
    return response.status
  }

  private async measureCost(path: string): Promise<Pick<Figures, 'status' | 'cpuMs' | 'mainMs' | 'waitMs'>> {
    const status = await this.get(path)
    const [cpuBefore, mainBefore, began] = [this.server.cpuMs(), readMainMs(this.server), performance.now()]
    let count = 0
    for (; count === 0 || performance.now() - began < CPU_MS; count++) await this.get(path)
    return {
      status,
      cpuMs: (this.server.cpuMs() - cpuBefore) / count,
      mainMs: (readMainMs(this.server) - mainBefore) / count,
      waitMs: (performance.now() - began) / count,
    }
  }

  async measure(path: string): Promise<Figures> {
    const cost = await this.measureCost(path)
    let clients: Promise<void>[] = []
    const samples = await this.probe(async () => {
      const until = performance.now() + LOAD_MS
      const repeat = async (): Promise<void> => {
        while (performance.now() < until) await this.get(path)
      }
      clients = Array.from({ length: CLIENTS }, repeat)
      await wait(LOAD_MS)
    })
    await Promise.all(clients)
    return { path, ...cost, p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) }
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

const printFigures = ({ path, status, cpuMs, mainMs, waitMs, p50, p99 }: Figures): void => {
  process.stderr.write(
    `${path.padEnd(72)} ${status} ${cpuMs.toFixed(1).padStart(8)} ms CPU, ${mainMs.toFixed(1).padStart(6)} in the main thread, ${waitMs.toFixed(0).padStart(6)} ms alone; ` +
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
  const paths = [...new Set([...searchPaths(), ...listPaths(description)])].filter((path) => only.test(path))
  process.stderr.write(`${paths.length} requests\n`)
  let bench = await startBench(server)
  await bench.measure('/api/tasks')
  const idle = await bench.measureIdle()
  const all: Figures[] = []
  for (const [index, path] of paths.entries()) {
    if (index % PER_SESSION === PER_SESSION - 1) bench = await startBench(server)
    const figures = await bench.measure(path)
    all.push(figures)
    // A run takes long, so an interrupted one has printed its first results.
    printFigures(figures)
  }
  for (const { path, p99 } of all.filter((each) => each.p99 > LIMIT_MS))
    report({
      group: 'stalls',
      work: `read a task beside ${path}`,
      checks: [{ name: 'p99', values: [p99], atMost: LIMIT_MS, unit: ' ms' }],
    })
  const worst = Math.max(...all.map(({ p99 }) => p99))
  report({
    group: 'stalls',
    work: `read a task beside each of ${all.length} requests by ${CLIENTS} clients, the worst`,
    limit: `${idle.toFixed(1)} ms alone`,
    checks: [{ name: 'p99', values: [worst], atMost: LIMIT_MS, unit: ' ms' }],
  })
}

/**
 * Repeats every list and search by four clients, and measures how long somebody else waits for one task. Runs with
 * `npm run bench -- stalls`. `EMAILS=1000000` sets the size of the mailbox, `DATA=folder` keeps the database for the next
 * run, and `ONLY=emails` selects requests by their path.
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
