import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteFile } from '../src/database/database.ts'
import { compare, load } from './beside.ts'
import { fillMailbox } from './mailbox.ts'
import { freePort, median, SERVE, type Server, startServer } from './processes.ts'

const SECRET_KEY = 'a key for measuring with, long enough to be one'
const SAMPLES = '../shared/data/eml-robustness/eml.public'
const STORED = 10_000
const DELETED = 2_000

const LISTS: [title: string, path: string][] = [
  ['list', '/api/emails'],
  ['list, unread', '/api/emails?unread=true'],
  ['list, a tag', '/api/emails?tag=tag7'],
  ['search, a common word', '/api/emails?q=common'],
  ['search, a rare word', '/api/emails?q=rare77'],
  ['search, two words', '/api/emails?q=common+bridge'],
  ['search, a phrase', '/api/emails?q=%22river+window%22'],
  ['search, a prefix', '/api/emails?q=comm*'],
  ['search, from and before', '/api/emails?q=from:person7+before:2020-01-04'],
  ['search, best match', '/api/emails?q=common&sort=best'],
  ['statistics', '/api/stats'],
]

const NEW_EMAIL = {
  from: { name: 'Ana Ruiz', address: 'ana@example.org' },
  to: [{ name: 'Me', address: 'me@example.org' }],
  subject: 'Lunch on Thursday',
  text: 'Are you free at noon? The kitchen by the river has a table for us, and the contract can wait. '.repeat(
    4,
  ),
}

/** Measures the CPU time of one response, in microseconds. */
const measureCost = async (server: Server, path: string): Promise<number> => {
  await load({ server, path }, 2)
  const rounds: number[] = []
  for (let round = 0; round < 3; round++) rounds.push((await load({ server, path }, 1)).cpuMicros)
  return median(rounds)
}

const withMailbox = async <T>(
  count: number,
  work: (ours: Server, dataDir: string) => Promise<T>,
): Promise<T> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  try {
    await fillMailbox(dataDir, count)
    const environment = { DATA_DIR: dataDir, SECRET_KEY, TZ_DEFAULT: 'UTC' }
    const ours = await startServer(SERVE, environment, freePort(), '/api/health')
    try {
      return await work(ours, dataDir)
    } finally {
      await ours.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const measureGrowth = async (sizes: readonly number[]): Promise<void> => {
  const costs: number[][] = []
  for (const size of sizes)
    costs.push(
      await withMailbox(size, async (ours) => {
        const each: number[] = []
        for (const [, path] of LISTS) each.push(await measureCost(ours, path))
        return each
      }),
    )
  for (const [index, [title]] of LISTS.entries()) {
    const figures = sizes.map((size, n) => `${size / 1000}k ${Math.round(costs[n]?.[index] ?? 0)} µs`)
    const growth = (costs.at(-1)?.[index] ?? 0) / (costs[0]?.[index] ?? 1)
    console.log(
      `${title.padEnd(28)} ${growth.toFixed(2)} × from smallest to largest (target ≤ 2)  ${figures.join(', ')}`,
    )
  }
}

const measureAgainstPlain = async (): Promise<void> => {
  await withMailbox(20_000, async (ours, dataDir) => {
    const environment = { DATABASE_FILE: sqliteFile(dataDir), SECRET_KEY }
    const plain = await startServer(['bench/plain-emails.ts'], environment, freePort(), '/ready')
    try {
      const compareWithPlain = (title: string, path: string, aim: number) =>
        compare(
          title,
          { server: ours, path: `/api${path}` },
          { server: plain, path },
          aim,
          /,"highlights":\[(\{.*?\]\},?)*\]/g,
        )
      await compareWithPlain('list of 50', '/emails', 1)
      await compareWithPlain('read one', '/emails/4711', 0.7)
      await compareWithPlain('search, newest first', '/emails?q=common', 0.7)
      const request = {
        method: 'POST' as const,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(NEW_EMAIL),
        isSame: false,
      }
      await compare(
        'durable create',
        { server: ours, path: '/api/emails', ...request },
        { server: plain, path: '/emails', ...request },
        0.7,
      )
    } finally {
      await plain.stop()
    }
  })
}

/** Compares storing real messages with merely parsing them with mailparser. */
const measureStoring = async (): Promise<void> => {
  const { simpleParser } = await import('mailparser')
  const messages = readdirSync(SAMPLES).map((name) => readFileSync(join(SAMPLES, name)))
  const nth = (n: number): Buffer => messages[n % messages.length] as Buffer
  const before = process.cpuUsage()
  for (let n = 0; n < STORED; n++) await simpleParser(nth(n)).catch(() => {})
  const { user, system } = process.cpuUsage(before)
  const parsing = (user + system) / STORED
  await withMailbox(1_000, async (ours) => {
    const cpuBefore = ours.cpuMs()
    for (let n = 0; n < STORED; n++) {
      const body = Buffer.concat([Buffer.from(`X-Number: ${n}\r\n`), nth(n)])
      const headers = { 'content-type': 'message/rfc822' }
      const { status } = await fetch(`${ours.url}/api/emails`, { method: 'POST', headers, body })
      if (status !== 201) throw new Error(`Storing a message returned status ${status}`)
    }
    const storing = ((ours.cpuMs() - cpuBefore) * 1000) / STORED
    console.log(
      `${'store a raw message'.padEnd(28)} ${Math.round(storing)} µs of CPU time; mailparser alone ${Math.round(parsing)} µs; ` +
        `${ours.residentMb().toFixed(0)} MB resident after ${STORED}`,
    )
  })
}

/** Measures secure deletion: the content is overwritten, and a later job removes its words from the index. */
const measureDeleting = async (): Promise<void> => {
  await withMailbox(20_000, async (ours) => {
    const before = ours.cpuMs()
    for (let id = 1; id <= DELETED; id++) {
      const { status } = await fetch(`${ours.url}/api/emails/${id * 7}`, { method: 'DELETE' })
      if (status !== 204) throw new Error(`Deleting a message returned status ${status}`)
    }
    const deleting = ((ours.cpuMs() - before) * 1000) / DELETED
    console.log(`${'delete'.padEnd(28)} ${Math.round(deleting)} µs of CPU time`)
  })
}

/** Runs with `npm run bench -- emails`. `LARGE=1` adds a mailbox of a million emails. */
export const benchEmails = async (): Promise<void> => {
  await measureAgainstPlain()
  await measureStoring()
  await measureDeleting()
  await measureGrowth(process.env.LARGE ? [1_000, 10_000, 100_000, 1_000_000] : [10_000, 100_000])
}
