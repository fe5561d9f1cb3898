import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { HOSTILE_MAILS } from '../test/support/hostile-mails.ts'
import { createAccountBody, fillMaildir, startDovecot } from './dovecot.ts'
import type { HealthSample } from './health-probe.ts'
import { HOSTILE_INPUTS, PASSWORD, type Send } from './hostile-inputs.ts'
import { freePort, SERVE, type Server, startServer } from './processes.ts'
import type { Report } from './table.ts'

const ADDRESS = 'hostile@example.test'
const SETTLE_MS = 6_000
const THREAD = 'task-worker'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const countThreads = ({ child }: Server): number =>
  readdirSync(`/proc/${child.pid}/task`).filter((thread) => {
    try {
      return readFileSync(`/proc/${child.pid}/task/${thread}/comm`, 'utf8').trim() === THREAD
    } catch {
      return false
    }
  }).length

/** Polls the health endpoint and the memory of a server until stopped. */
const watch = (server: Server) => {
  const samples: HealthSample[] = []
  const probe = new Worker(new URL('./health-probe.ts', import.meta.url), {
    workerData: { url: `${server.url}/api/health` },
  })
  probe.on('message', (sample: HealthSample) => samples.push(sample))
  let peak = 0
  let highest = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, server.residentMb())
    highest = Math.max(highest, peak)
  }, 20)
  return {
    highestMb: () => highest,
    /** Returns the peak memory since the last call. */
    takePeakMb(): number {
      const result = peak
      peak = 0
      return result
    },
    /** Returns the sorted latencies of the requests since `at`. */
    since: (at: number): number[] =>
      samples
        .filter((sample) => sample.at >= at)
        .map(({ ms }) => ms)
        .toSorted((a, b) => a - b),
    async stop() {
      clearInterval(timer)
      await probe.terminate()
    },
  }
}

type Watch = ReturnType<typeof watch>

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

const describeTimes = (sorted: readonly number[]): string =>
  [0.5, 0.99, 1]
    .map((part, index) => `${['p50', 'p99', 'max'][index]} ${percentile(sorted, part).toFixed(1)} ms`)
    .join(', ')

const createSend = async (server: Server): Promise<Send> => {
  let token = ''
  const send: Send = async (method, path, body, contentType = 'application/json') => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': contentType }),
        ...(token !== '' && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && {
        body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
      }),
    })
    if (response.headers.get('content-type') === 'application/zip')
      return { status: response.status, body: { bytes: Buffer.from(await response.arrayBuffer()) } }
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
  }
  const account = { email: 'bench@example.org', password: PASSWORD, name: 'Bench' }
  token = String((await send('POST', '/api/auth/register', account)).body.token)
  return send
}

const sendAll = async (send: Send, watched: Watch): Promise<void> => {
  for (const { name, run } of HOSTILE_INPUTS) {
    const began = Date.now()
    const statuses = await run(send)
    const took = Date.now() - began
    await pause(50)
    process.stderr.write(
      `  ${name.padEnd(52)} ${statuses.join(' ').padEnd(12)} ${String(took).padStart(6)} ms, ` +
        `at most ${watched.takePeakMb().toFixed(0)} MB; health ${describeTimes(watched.since(began))}\n`,
    )
  }
}

const syncAll = async (send: Send): Promise<string> => {
  const part = await startDovecot()
  if ('missing' in part) return `skipped, Dovecot is missing: ${part.missing}`
  const { dovecot, stop } = part
  try {
    fillMaildir(dovecot, ADDRESS, HOSTILE_MAILS.length, (n) => HOSTILE_MAILS[n]?.make() ?? '')
    const began = Date.now()
    const { body } = await send('POST', '/api/settings/mail-accounts', createAccountBody(dovecot, ADDRESS))
    for (;;) {
      const { sync } = (await send('GET', `/api/settings/mail-accounts/${body.id}`, undefined)).body as {
        sync: { status: string; progress: { stored: number } }
      }
      const seconds = (Date.now() - began) / 1000
      if (sync.status === 'live' || seconds > 600)
        return `${sync.status} after ${seconds.toFixed(0)} s, ${sync.progress.stored} of ${HOSTILE_MAILS.length} stored`
      await pause(200)
    }
  } finally {
    await stop()
  }
}

/**
 * Sends hostile input. Measures the latency of the health endpoint, the memory growth and the remaining
 * threads.
 */
export const benchHostile = async (report: Report): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  const server = await startServer(SERVE, { DATA_DIR: dataDir }, freePort(), '/api/health')
  const send = await createSend(server)
  await pause(3_000)
  const baseline = server.residentMb()
  const quiet = Date.now()
  const watched = watch(server)
  await pause(3_000)
  const idle = describeTimes(watched.since(quiet))
  for (const [title, work] of [
    ['over the API', () => sendAll(send, watched)],
    ['over IMAP', async () => void process.stderr.write(`  ${await syncAll(send)}\n`)],
  ] as const) {
    const began = Date.now()
    await work()
    const times = watched.since(began)
    report({
      group: 'hostile',
      work: `health beside hostile input ${title}`,
      ours: describeTimes(times),
      limit: `${idle} when idle`,
      checks: [{ name: 'p99', values: [percentile(times, 0.99)], atMost: 100, unit: ' ms' }],
    })
  }
  await pause(SETTLE_MS)
  await watched.stop()
  report({
    group: 'hostile',
    work: 'memory, more than idle',
    limit: `${baseline.toFixed(0)} MB idle, ${(server.residentMb() - baseline).toFixed(0)} MB more afterwards`,
    checks: [{ values: [watched.highestMb() - baseline], atMost: 256, unit: ' MB' }],
  })
  report({
    group: 'hostile',
    work: 'worker threads left',
    checks: [{ values: [countThreads(server)], atMost: 0 }],
  })
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
