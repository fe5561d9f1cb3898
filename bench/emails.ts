import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteFile } from '../src/database/database.ts'
import { compareGrowth, compareSubject } from './beside.ts'
import { SUBJECTS } from './comparisons.ts'
import { fillMailbox } from './mailbox.ts'
import { freePort, SERVE, type Server, startServer, withDirectories } from './processes.ts'
import type { Report } from './table.ts'

const SECRET_KEY = 'a key for measuring with, long enough to be one'
const SAMPLES = '../shared/data/eml-robustness/eml.public'
const EMAILS = 20_000
const GROWTH = { from: 10_000, to: Number(process.env.EMAILS ?? 1_000_000) }
const STORED = 2_000
const DELETED = 1_000

const GROWING = [
  { work: 'emails: list', path: '/api/emails' },
  { work: 'emails: list, unread', path: '/api/emails?unread=true' },
  { work: 'emails: list, a tag', path: '/api/emails?tag=tag7' },
  { work: 'emails: one', path: '/api/emails/77' },
  { work: 'emails: search, a common word', path: '/api/emails?q=common' },
  { work: 'emails: search, two words', path: '/api/emails?q=common+bridge' },
]

const startOurs = async (dataDir: string, count: number): Promise<Server> => {
  await fillMailbox(dataDir, count)
  const environment = { DATA_DIR: dataDir, SECRET_KEY, TZ_DEFAULT: 'UTC' }
  return startServer(SERVE, environment, freePort(), '/api/health')
}

const withMailbox = (count: number, work: (ours: Server, dataDir: string) => Promise<void>): Promise<void> =>
  withDirectories(1, async ([dataDir]) => {
    const ours = await startOurs(dataDir, count)
    try {
      await work(ours, dataDir)
    } finally {
      await ours.stop()
    }
  })

const measureGrowth = (report: Report): Promise<void> =>
  withDirectories(2, async ([small, large]) => {
    const servers = { few: await startOurs(small, GROWTH.from), many: await startOurs(large, GROWTH.to) }
    try {
      await compareGrowth(servers, GROWING, GROWTH, 1.5, report)
    } finally {
      await Promise.all([servers.few.stop(), servers.many.stop()])
    }
  })

/** Compares storing real messages with merely parsing them with mailparser. */
const measureStoring = async (report: Report): Promise<void> => {
  if (!existsSync(SAMPLES)) return
  const { simpleParser } = await import('mailparser')
  const messages = readdirSync(SAMPLES).map((name) => readFileSync(join(SAMPLES, name)))
  const nth = (n: number): Buffer => messages[n % messages.length] as Buffer
  const before = process.cpuUsage()
  for (let n = 0; n < STORED; n++) await simpleParser(nth(n)).catch(() => {})
  const { user, system } = process.cpuUsage(before)
  await withMailbox(1_000, async (ours) => {
    const cpuBefore = ours.cpuMs()
    for (let n = 0; n < STORED; n++) {
      const body = Buffer.concat([Buffer.from(`X-Number: ${n}\r\n`), nth(n)])
      const headers = { 'content-type': 'message/rfc822' }
      const { status } = await fetch(`${ours.url}/api/emails`, { method: 'POST', headers, body })
      if (status !== 201) throw new Error(`Storing a message returned status ${status}`)
    }
    const storing = ((ours.cpuMs() - cpuBefore) * 1000) / STORED
    report({
      group: 'other',
      work: 'emails: store a raw message, beside mailparser alone',
      limit: `${Math.round((user + system) / STORED)} µs`,
      checks: [{ values: [storing], unit: ' µs' }],
    })
  })
}

/** Measures secure deletion: the content is overwritten, and a later job removes its words from the index. */
const measureDeleting = async (ours: Server, report: Report): Promise<void> => {
  const before = ours.cpuMs()
  for (let id = 1; id <= DELETED; id++) {
    const { status } = await fetch(`${ours.url}/api/emails/${id * 7}`, { method: 'DELETE' })
    if (status !== 204) throw new Error(`Deleting a message returned status ${status}`)
  }
  const deleting = ((ours.cpuMs() - before) * 1000) / DELETED
  report({ group: 'other', work: 'emails: delete', checks: [{ values: [deleting], unit: ' µs' }] })
}

/** `EMAILS` sets the size of the larger mailbox. */
export const benchEmails = async (report: Report): Promise<void> => {
  await withMailbox(EMAILS, async (ours, dataDir) => {
    const environment = { DATABASE_FILE: sqliteFile(dataDir) }
    await compareSubject(ours, SUBJECTS.emails, environment, report)
    await measureDeleting(ours, report)
  })
  await measureStoring(report)
  await measureGrowth(report)
}
