import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { sqliteFile } from '../src/database/database.ts'
import { compare } from './beside.ts'
import { freePort, SERVE, type Server, startServer } from './processes.ts'

const SECRET_KEY = 'a key for measuring with, long enough to be one'
const ACCOUNT = { email: 'bench@example.org', password: 'correct horse battery', name: 'Bench' }
const LOGINS = 40

const post = async (server: Server, path: string, body: unknown) => {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} returned status ${response.status}`)
  return (await response.json()) as { token: string }
}

const login = (server: Server) =>
  post(server, '/api/auth/login', { email: ACCOUNT.email, password: ACCOUNT.password })

const measureLogins = async (ours: Server): Promise<void> => {
  const bare = Number(execFileSync(process.execPath, ['bench/bare-verify.ts'], { encoding: 'utf8' }))
  const before = ours.cpuMs()
  for (let n = 0; n < LOGINS; n++) await login(ours)
  const each = (ours.cpuMs() - before) / LOGINS
  console.log(
    `${'login'.padEnd(28)} ${(each / bare).toFixed(2)} × the CPU time of a bare bcrypt check (target ≤ 1.1)  ours ${each.toFixed(1)} ms, bare ${bare.toFixed(1)} ms`,
  )
}

const measureDuringLogins = async (ours: Server, headers: Record<string, string>): Promise<void> => {
  let isRunning = true
  const logins = Array.from({ length: 16 }, async () => {
    while (isRunning) await login(ours)
  })
  const result = await autocannon({
    url: `${ours.url}/api/auth/me`,
    connections: 2,
    overallRate: 200,
    duration: 6,
    headers,
  })
  isRunning = false
  await Promise.all(logins)
  console.log(
    `${'me during many logins'.padEnd(28)} p99 ${result.latency.p99} ms, median ${result.latency.p50} ms (target ≤ 20 ms)`,
  )
}

export const benchAccounts = async (): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  const ours = await startServer(SERVE, { DATA_DIR: dataDir, SECRET_KEY }, freePort(), '/api/health')
  const { token } = await post(ours, '/api/auth/register', ACCOUNT)
  const headers = { authorization: `Bearer ${token}` }
  const HEALTH = await (await fetch(`${ours.url}/api/health`)).text()
  const environment = { DATABASE_FILE: sqliteFile(dataDir), SECRET_KEY, HEALTH }
  const plain = await startServer(['bench/plain.ts'], environment, freePort(), '/ready')
  try {
    await compare(
      'me',
      { server: ours, path: '/api/auth/me', headers },
      { server: plain, path: '/me', headers },
      0.7,
    )
    await compare('health', { server: ours, path: '/api/health' }, { server: plain, path: '/health' })
    await measureLogins(ours)
    await measureDuringLogins(ours, headers)
    console.log(`${'resident under load'.padEnd(28)} ${ours.residentMb().toFixed(0)} MB (target ≤ 160 MB)`)
  } finally {
    await Promise.all([ours.stop(), plain.stop()])
    rmSync(dataDir, { recursive: true, force: true })
  }
}
