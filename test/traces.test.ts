import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '../src/database/transaction.ts'
import { DAY } from './support/clock.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { eventually } from './support/mail-servers.ts'

/** Words that nothing else says, one for each place that a message has. */
const MARKS = [
  'zqsubject',
  'zqbody',
  'zqhtml',
  'zqsender',
  'zqfile',
  'zqcontent',
  'zqid',
  'zqtag',
  'zqdraft',
  'zqtask',
]

const raw = (number: number): string =>
  [
    `From: Zqsender ${number} <zqsender${number}@example.org>`,
    'To: ana@example.org',
    `Subject: zqsubject ${number}`,
    `Message-ID: <zqid${number}@example.org>`,
    `References: <zqid${number - 1}@example.org>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<p>zqbody ${number} ${'lorem ipsum '.repeat(200)} <b>zqhtml</b></p>`,
    '--b',
    'Content-Type: text/plain',
    `Content-Disposition: attachment; filename=zqfile${number}.txt`,
    '',
    `zqcontent ${number} `.repeat(500),
    '--b--',
    '',
  ].join('\r\n')

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((path) => statSync(path).isFile())

/** Which marks lie in which file, whatever the file is for. */
const findInFiles = (directory: string): string[] =>
  filesIn(directory).flatMap((path) => {
    const text = readFileSync(path).toString('latin1').toLowerCase()
    return MARKS.filter((mark) => text.includes(mark) || path.toLowerCase().includes(mark)).map(
      (mark) => `${mark} in ${path.slice(directory.length + 1)}`,
    )
  })

onEveryDatabase('what was deleted', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  /** Which marks are in which table, as any query could find them. */
  const findInTables = async (): Promise<string[]> => {
    const { db } = instance.database
    const found: string[] = []
    for (const { name } of await db.introspection.getTables()) {
      const rows = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`
        .execute(db)
        .catch(() => ({ rows: [] }))
      const text = JSON.stringify(rows.rows, (_, value) =>
        typeof value === 'bigint' ? String(value) : Buffer.isBuffer(value) ? value.toString('latin1') : value,
      ).toLowerCase()
      found.push(...MARKS.filter((mark) => text.includes(mark)).map((mark) => `${mark} in ${name}`))
    }
    return found
  }
  const keepHouse = async (): Promise<void> => {
    const { db } = instance.database
    const id = await inTransaction(db, (tx) => instance.app.jobs.enqueue(tx, 'housekeeping', {}))
    // Another one, by the schedule, may have cleared this one away already.
    const stateOf = async () => (await instance.app.jobs.find(id as string))?.state
    await eventually(async () => ['done', undefined].includes(await stateOf()))
  }
  const create = async (path: string, body: unknown, type = 'application/json'): Promise<number> => {
    const headers = { 'content-type': type, 'idempotency-key': `${Math.random()}` }
    const answer = await instance.call('POST', path, { body, headers })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body.id
  }

  it('is in no table or file, and in no journal after thirty days', async () => {
    const gone: string[] = []
    for (let number = 1; number <= 25; number++) {
      gone.push(`/api/emails/${await create('/api/emails', raw(number), 'message/rfc822')}`)
      // Beside what stays, so that pages are shared, split and joined.
      await create('/api/emails', {
        from: 'ben@example.org',
        subject: `Stays ${number}`,
        text: 'stay '.repeat(300),
      })
      const draft = {
        folder: 'drafts',
        subject: `zqdraft ${number}`,
        text: 'zqdraft '.repeat(number),
        tags: ['zqtag'],
      }
      const id = await create('/api/emails', draft)
      await instance.call('PATCH', `/api/emails/${id}`, {
        body: { text: 'Written anew.', subject: 'Draft', tags: [] },
      })
      const task = { title: `zqtask ${number}`, notes: 'zqtask '.repeat(number * 5), tags: ['zqtag'] }
      gone.push(`/api/tasks/${await create('/api/tasks', task)}`)
    }
    expect(await findInTables()).toContain('zqsubject in emails')
    if (engine === 'sqlite')
      expect(findInFiles(instance.place.environment.DATA_DIR as string).length).toBeGreaterThan(9)
    for (const path of gone) expect((await instance.call('DELETE', path)).status).toBe(204)
    const journals = /in (?:changes|idempotency_keys)$/
    expect((await findInTables()).filter((place) => !journals.test(place))).toEqual([])

    await instance.app.jobs.start()
    instance.clock.advance(30 * DAY)
    await keepHouse()
    expect(await findInTables()).toEqual([])
    if (engine === 'sqlite') expect(findInFiles(instance.place.environment.DATA_DIR as string)).toEqual([])
    expect((await instance.get('/api/emails?q=stays')).body.emails).toHaveLength(25)
  })
})
