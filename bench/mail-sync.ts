import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createAccountBody, fillMaildir, startDovecot } from './dovecot.ts'
import type { HealthSample } from './health-probe.ts'
import { freePort, SERVE, type Server, startServer } from './processes.ts'
import type { Report } from './table.ts'

const MESSAGES = Number(process.env.MESSAGES ?? 10_000)
const DELIVERIES = 9
const POLL_MS = 20
const ADDRESS = 'bench@example.test'

/** One message in five has an image of 60 kB; the others are plain text. */
const createMessage = (n: number): string => {
  const picture = Buffer.alloc(45_000, n).toString('base64').replace(/.{76}/g, '$&\r\n')
  const head = [
    `From: Sender ${n % 200} <sender${n % 200}@example.org>`,
    `To: ${ADDRESS}`,
    `Subject: Message ${n} about the matter ${n % 97}`,
    `Message-ID: <${n}@bench.example.org>`,
    `Date: ${new Date(1_700_000_000_000 + n * 60_000).toUTCString()}`,
    'MIME-Version: 1.0',
  ]
  const text = `Hello,\r\n\r\nthis is number ${n}. ${'It has some words in it, as letters do. '.repeat(20)}\r\n`
  if (n % 5 > 0) return [...head, 'Content-Type: text/plain; charset=utf-8', '', text].join('\r\n')
  return [
    ...head,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    `--b\r\nContent-Type: text/plain\r\n\r\n${text}`,
    `--b\r\nContent-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\n${picture}`,
    '--b--\r\n',
  ].join('\r\n')
}

const probeHealth = ({ url }: Server): { stop(): Promise<number> } => {
  const times: number[] = []
  const probe = new Worker(new URL('./health-probe.ts', import.meta.url), {
    workerData: { url: `${url}/api/health` },
  })
  probe.on('message', ({ ms }: HealthSample) => void times.push(ms))
  return {
    /** Returns the 99th percentile of the latency. */
    async stop() {
      await probe.terminate()
      return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
    },
  }
}

/**
 * Measures the time and peak memory of syncing 10,000 messages from a real server into an empty database. Also
 * measures the latency of other requests meanwhile, and the time until a new message is visible.
 */
export const benchMailSync = async (report: Report): Promise<void> => {
  const part = await startDovecot()
  if ('missing' in part) return void process.stderr.write(`  skipped, Dovecot is missing: ${part.missing}\n`)
  const { dovecot } = part
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  fillMaildir(dovecot, ADDRESS, MESSAGES, createMessage)
  const server = await startServer(SERVE, { DATA_DIR: dataDir }, freePort(), '/api/health')
  const call = async (method: string, path: string, body?: unknown, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers:
        body === undefined
          ? { authorization: headers.authorization }
          : token
            ? headers
            : { 'content-type': headers['content-type'] },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as {
      token: string
      id: string
      sync: { status: string; progress: { stored: number } }
      emails: { subject: string }[]
    }
  }
  const { token } = await call('POST', '/api/auth/register', {
    email: 'bench@example.org',
    password: 'correct horse battery',
    name: 'Bench',
  })
  const began = performance.now()
  const cpuBefore = server.cpuMs()
  const { id } = await call('POST', '/api/settings/mail-accounts', createAccountBody(dovecot, ADDRESS), token)
  let peakMb = 0
  const waitFor = async (stored: number, everyMs: number): Promise<void> => {
    for (;;) {
      peakMb = Math.max(peakMb, server.residentMb())
      const { sync } = await call('GET', `/api/settings/mail-accounts/${id}`, undefined, token)
      if (sync.progress.stored === stored && sync.status === 'live') return
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }
  const health = probeHealth(server)
  await waitFor(MESSAGES, 250)
  const seconds = (performance.now() - began) / 1000
  const cpuSeconds = (server.cpuMs() - cpuBefore) / 1000
  const p99 = await health.stop()
  report({
    group: 'sync',
    work: `first sync of ${MESSAGES} emails`,
    ours: `${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s, at most ${peakMb.toFixed(0)} MB`,
    checks: [{ values: [seconds], atMost: 60, unit: ' s' }],
  })
  report({
    group: 'sync',
    work: 'health p99 during the first sync',
    checks: [{ values: [p99], atMost: 100, unit: ' ms' }],
  })
  // The account counts its messages for each request. Polling it would delay the sync.
  const readNewest = async (): Promise<string | undefined> =>
    (await call('GET', '/api/emails?limit=1', undefined, token)).emails[0]?.subject
  const waits: number[] = []
  for (let n = 0; n < DELIVERIES; n++) {
    const before = await readNewest()
    // The server of the tests reports a new message up to 0.5 s late.
    fillMaildir(dovecot, ADDRESS, 1, () => createMessage(MESSAGES + n + 1), MESSAGES + n)
    const delivered = performance.now()
    while ((await readNewest()) === before) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    waits.push((performance.now() - delivered) / 1000)
  }
  report({
    group: 'sync',
    work: 'new email visible',
    checks: [{ values: waits, atMost: 2, unit: ' s' }],
  })
  await server.stop()
  await part.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
