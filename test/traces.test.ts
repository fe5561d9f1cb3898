import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '../src/database/transaction.ts'
import { DAY } from './support/clock.ts'
import { onEveryDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { fillInstance } from './support/full-instance.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'
import { scaled } from './support/scale.ts'
import { findInFiles, findInTables } from './support/traces.ts'

const COUNT = scaled({ full: 25, short: 12 })

/** Unique words, one for each part of a message. */
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

onEveryDatabase('deleted content', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  const runHousekeeping = async (): Promise<void> => {
    const { db } = instance.database
    const id = await inTransaction(db, (tx) => instance.app.jobs.enqueue(tx, 'housekeeping', {}))
    // Another scheduled run may already have removed this job.
    const stateOf = async () => (await instance.app.jobs.find(id as string))?.state
    await eventually(async () => ['done', undefined].includes(await stateOf()))
  }
  const create = async (path: string, body: unknown, type = 'application/json'): Promise<number> => {
    const headers = { 'content-type': type, 'idempotency-key': `${Math.random()}` }
    const answer = await instance.call('POST', path, { body, headers })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body.id
  }

  /** The person stays a contact when their emails are deleted. */
  const findOutsideContacts = async (marks: readonly string[]): Promise<string[]> =>
    (await findInTables(instance, marks)).filter((place) => !/^zqsender in contact/.test(place))

  it('is in no table or file, and in no journal after thirty days', async () => {
    const gone: string[] = []
    for (let number = 1; number <= COUNT; number++) {
      gone.push(`/api/emails/${await create('/api/emails', raw(number), 'message/rfc822')}`)
      // Interleaved with data that stays, so that database pages are shared, split and merged.
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
    expect(await findInTables(instance, MARKS)).toContain('zqsubject in emails')
    if (engine === 'sqlite') expect(findInFiles(instance.place.dataDir, MARKS).length).toBeGreaterThan(9)
    for (const path of gone) expect((await instance.call('DELETE', path)).status).toBe(204)
    const journals = /in (?:changes|idempotency_keys|email_words_data)$/
    expect((await findOutsideContacts(MARKS)).filter((place) => !journals.test(place))).toEqual([])

    // Leftovers of a crashed import are removed as well.
    writeFileSync(join(instance.place.dataDir, 'importing-crashed.zip'), MARKS.join())
    await instance.app.jobs.start()
    instance.clock.advance(30 * DAY)
    await runHousekeeping()
    expect(await findOutsideContacts(MARKS)).toEqual([])
    const contents = MARKS.filter((mark) => mark !== 'zqsender')
    if (engine === 'sqlite') expect(findInFiles(instance.place.dataDir, contents)).toEqual([])
    expect((await instance.get('/api/emails?q=stays')).body.emails).toHaveLength(COUNT)
  })
})

/** Values that only this user has, or that identify the user. */
const PERSONAL = [
  'robin',
  'Ünïcödé',
  'Zoë',
  'zoe@example.org',
  'Lindgren',
  'full-1@example.org',
  'the file of the letter',
  'notes for the meeting',
  'notes.txt',
  'logo.png',
  'Stand-up',
  'ana@example.org',
  'läuft',
  'X-OWN',
  'plumber',
  'Bird table',
  'grüß',
  'hello',
  'n8n workflows',
  'Pocket diary',
  'guest@example.org',
  '127.0.0.1:9',
  'ümlaut',
  'Told of',
  'ines@falk',
  'staircase',
  'Milo',
  'America/New_York',
  'Mozilla',
]

onEveryDatabase('a deleted account', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())
  const inFiles = (marks: readonly string[]): string[] =>
    engine === 'sqlite' ? findInFiles(instance.place.dataDir, marks) : []
  const remove = (token: string, wipe?: boolean) =>
    instance.call('DELETE', '/api/settings/account', {
      token,
      body: { password: PASSWORD, ...(wipe && { wipe }) },
    })

  it('leaves no personal value in any table or file, and a valid activity chain', async () => {
    const { token, secrets } = await fillInstance(instance)
    const member = await register(instance, { email: 'guest@example.org', name: 'Zq Member' })
    const ofMember = ['guest@example.org', 'Zq Member']
    await instance.post('/api/auth/login', { email: 'Guest@example.org', password: 'not this one' })
    expect(await findInTables(instance, ofMember)).toContain('guest@example.org in attempts')
    expect((await remove(member.token)).status).toBe(204)
    expect([await findInTables(instance, ofMember), inFiles(ofMember)]).toEqual([[], []])

    const before = [...(await findInTables(instance, PERSONAL)), ...inFiles(PERSONAL)]
    const unseen = PERSONAL.filter((mark) => !before.some((place) => place.startsWith(`${mark} in `)))
    expect(unseen).toEqual(['guest@example.org'])
    expect((await remove(token, true)).status).toBe(204)
    const marks = [...PERSONAL, ...secrets.filter((secret) => secret.length > 8)]
    expect([await findInTables(instance, marks), inFiles(marks)]).toEqual([[], []])
    await instance.app.features.activityLog.seal()
    const { entries, fault } = await instance.app.features.activityLog.examine()
    expect([entries > 10, fault]).toEqual([true, null])
  })
})
