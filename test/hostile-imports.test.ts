import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { HOSTILE_VCARDS } from './support/hostile-files.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'
import { sampleOf } from './support/scale.ts'
import { InterceptedPool } from './support/worker-pools.ts'

/** On a busy machine, a file may take longer than the limit of the service. */
const NO_LIMIT_MS = 3_600_000

const BUSY = new Set(['uploading', 'analysing', 'running'])
const TOO_MANY_CARDS = 'The file has more than 20000 vCards. Split the file.'
const MILLIONS = HOSTILE_VCARDS.filter(({ name }) => /million/.test(name))
const card = (...lines: string[]): string => `BEGIN:VCARD\r\n${lines.join('\r\n')}\r\nEND:VCARD\r\n`

onOneDatabase('sqlite', 'a hostile file of another program', (engine) => {
  let instance: Instance
  let person: Person
  let timeoutMs = NO_LIMIT_MS
  let beforeTask = async (): Promise<void> => {}
  beforeAll(async () => {
    const workers = new InterceptedPool(async (options) => {
      await beforeTask()
      return { ...options, timeoutMs }
    })
    instance = await startInstance({ engine, deps: { workers } })
    await instance.app.jobs.start()
    person = await register(instance)
  })
  afterAll(() => instance.close())

  const ended = (task: string): number => instance.app.workers.statistics().completed[task] ?? 0
  const failed = (): number =>
    Object.values(instance.app.workers.statistics().failed).reduce((sum, count) => sum + count, 0)
  const importCards = (body: string, headers = {}) =>
    instance.call('POST', '/api/contacts/import', {
      ...person,
      body,
      headers: { 'content-type': 'text/vcard', ...headers },
    })
  const analyse = async (filename: string, body: string) => {
    const { body: created } = await instance.call('POST', `/api/imports?filename=${filename}`, {
      ...person,
      body: Buffer.from(body),
      headers: { 'content-type': 'application/octet-stream' },
    })
    for (;;) {
      const { body: found } = await instance.get(`/api/imports/${created.id}`, person)
      if (!BUSY.has(found.state)) return found
      await wait(100)
    }
  }

  it('is parsed in a worker thread if it is not small', async () => {
    expect((await importCards(card('FN:Ana'))).body).toMatchObject({ found: 1, added: 1 })
    expect((await analyse('a.csv', 'Name,Email\nAna,ana@example.org\n')).analysis.contacts.count).toBe(1)
    expect(instance.app.workers.statistics().started).toBe(0)
    const large = card('FN:Ben', `NOTE:${'long '.repeat(10_000)}`)
    expect((await importCards(large)).body).toMatchObject({ found: 1, added: 1 })
    expect((await analyse('b.vcf', large)).analysis.contacts.count).toBe(1)
    expect(ended('readCardPages')).toBe(2)
    const table = `Name,Email\n${'Ana,ana@example.org\n'.repeat(1000)}`
    expect((await analyse('c.csv', table)).analysis.contacts.count).toBe(1000)
    const json = JSON.stringify([{ title: 'A', tasks: Array(500).fill({ title: 'B' }) }])
    expect((await analyse('data.json', json)).analysis.tasks.count).toBe(500)
    expect(ended('readTablePages')).toBe(2)
  })

  it('does not block other writers while it is parsed', async () => {
    let writes = 0
    beforeTask = async () => {
      // Another writer would wait here for the transaction of the idempotency key.
      writes += (await instance.post('/api/tasks', { title: 'Meanwhile' }, person)).status === 201 ? 1 : 0
    }
    const large = card('FN:Cleo', `NOTE:${'long '.repeat(10_000)}`)
    const { body } = await importCards(large, { 'idempotency-key': 'hostile-vcard' })
    beforeTask = async () => {}
    expect([body.added, writes]).toEqual([1, 1])
  })

  it('with too many cards is rejected before anything is stored', async () => {
    const { status, body } = await importCards(card('FN:Many').repeat(20_001))
    expect([status, body.detail]).toEqual([413, TOO_MANY_CARDS])
    expect((await instance.get('/api/contacts?q=Many', person)).body.contacts).toEqual([])
    const { state, error } = await analyse('many.vcf', card('FN:Many').repeat(20_001))
    expect([state, error]).toEqual(['failed', TOO_MANY_CARDS])
  })

  it('with too many rows is rejected', async () => {
    const { state, error } = await analyse('rows.csv', `Name,Email\n${',\n'.repeat(200_001)}`)
    expect([state, error]).toEqual(['failed', 'The table has more than 200000 rows. Split the file.'])
  })

  it('that takes too long is rejected with the reason', async () => {
    timeoutMs = 0
    const { status, body } = await importCards(card('FN:Dora', 'TEL:1', 'NOTE:long').repeat(19_000))
    const table = await analyse('slow.csv', `Name,Email\n${'Ana,ana@example.org\n'.repeat(50_000)}`)
    timeoutMs = NO_LIMIT_MS
    expect([status, body.code]).toEqual([400, 'unreadable_file'])
    expect(body.detail).toMatch(/^Could not read the vCard file: it took longer than/)
    expect([table.state, table.error]).toEqual(['failed', expect.stringMatching(/it took longer than/)])
  })

  it('with millions of properties or nested cards is parsed outside of the main thread', async () => {
    for (const { name, make } of sampleOf(MILLIONS, 1)) {
      const before = ended('readCardPages') + failed()
      const { status } = await importCards(make())
      expect([name, ended('readCardPages') + failed() - before]).toEqual([name, 1])
      expect([name, [200, 400, 413]]).toEqual([name, expect.arrayContaining([status])])
    }
  })
})
