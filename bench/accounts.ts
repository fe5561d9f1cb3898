import { execFileSync } from 'node:child_process'
import autocannon from 'autocannon'
import { sqliteFile } from '../src/database/database.ts'
import { compareSubject, ROUNDS } from './beside.ts'
import { SUBJECTS } from './comparisons.ts'
import { freePort, SERVE, type Server, startServer, withDirectories } from './processes.ts'
import type { Report } from './table.ts'

const SECRET_KEY = 'a key for measuring with, long enough to be one'
const ACCOUNT = { email: 'bench@example.org', password: 'correct horse battery', name: 'Bench' }
const LOGINS = 10
const STORM_CLIENTS = 16
const STORM_SECONDS = 4

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

const measureLogins = async (ours: Server, report: Report): Promise<void> => {
  const rounds: { each: number; bare: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const bare = Number(execFileSync(process.execPath, ['bench/bare-verify.ts'], { encoding: 'utf8' }))
    const before = ours.cpuMs()
    for (let n = 0; n < LOGINS; n++) await login(ours)
    rounds.push({ each: (ours.cpuMs() - before) / LOGINS, bare })
  }
  const ratios = rounds.map(({ each, bare }) => each / bare)
  report({
    group: 'other',
    work: 'login, beside a bare bcrypt check',
    checks: [{ values: ratios, unit: ' ×' }],
  })
}

const measureDuringLogins = async (
  ours: Server,
  headers: Record<string, string>,
  report: Report,
): Promise<void> => {
  let isRunning = true
  const logins = Array.from({ length: STORM_CLIENTS }, async () => {
    while (isRunning) await login(ours)
  })
  const values: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { latency } = await autocannon({
      url: `${ours.url}/api/auth/me`,
      connections: 2,
      overallRate: 200,
      duration: STORM_SECONDS,
      headers,
    })
    values.push(latency.p99)
  }
  isRunning = false
  await Promise.all(logins)
  report({
    group: 'logins',
    work: `me, p99 beside ${STORM_CLIENTS} clients that log in`,
    checks: [{ values, atMost: 20, unit: ' ms' }],
  })
}

export const benchAccounts = (report: Report): Promise<void> =>
  withDirectories(1, async ([dataDir]) => {
    const ours = await startServer(SERVE, { DATA_DIR: dataDir, SECRET_KEY }, freePort(), '/api/health')
    try {
      const { token } = await post(ours, '/api/auth/register', ACCOUNT)
      const headers = { authorization: `Bearer ${token}` }
      const HEALTH = await (await fetch(`${ours.url}/api/health`)).text()
      const environment = { DATABASE_FILE: sqliteFile(dataDir), SECRET_KEY, HEALTH }
      await compareSubject(ours, SUBJECTS.accounts, environment, report, headers)
      await measureLogins(ours, report)
      await measureDuringLogins(ours, headers, report)
      report({
        group: 'process',
        work: 'resident after load and many logins',
        checks: [{ values: [ours.residentMb()], atMost: 180, unit: ' MB' }],
      })
    } finally {
      await ours.stop()
    }
  })
