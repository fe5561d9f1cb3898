import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccountBody, fillMaildir, startDovecot } from './dovecot.ts'
import { freePort, SERVE, startServer } from './processes.ts'

const MESSAGES = 10_000
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

/** Measures the time and peak memory of syncing 10,000 messages from a real server into an empty database. */
export const benchMailSync = async (): Promise<void> => {
  const part = await startDovecot()
  if ('missing' in part) return console.log(`skipped, Dovecot is missing: ${part.missing}`)
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
  for (;;) {
    peakMb = Math.max(peakMb, server.residentMb())
    const { sync } = await call('GET', `/api/settings/mail-accounts/${id}`, undefined, token)
    if (sync.progress.stored === MESSAGES && sync.status === 'live') break
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  const seconds = (performance.now() - began) / 1000
  console.log(
    `${MESSAGES} messages in ${seconds.toFixed(1)} s (${((server.cpuMs() - cpuBefore) / 1000).toFixed(1)} s of CPU time); ` +
      `at most ${peakMb.toFixed(0)} MB resident (target ≤ 300 MB)`,
  )
  await server.stop()
  await part.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
