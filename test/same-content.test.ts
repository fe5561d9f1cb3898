import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

const BUSY = new Set(['uploading', 'analysing', 'running'])
const card = (...lines: string[]): string =>
  ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n')
const calendar = (...lines: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    'UID:same@example.org',
    'DTSTART:20270301T090000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
const todoist = (...rows: string[]): string =>
  ['TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,DATE', ...rows, ''].join('\r\n')

onOneDatabase('sqlite', 'two imported items that differ only in content', (engine) => {
  let instance: Instance
  let person: Person
  let accounts = 0
  const signUp = async (): Promise<void> => {
    person = await register(instance, { email: `person${++accounts}@example.org`, name: 'Person' })
  }
  beforeAll(async () => {
    instance = await startInstance({ engine })
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())

  const importCards = async (body: string) =>
    (
      await instance.call('POST', '/api/contacts/import', {
        ...person,
        body,
        headers: { 'content-type': 'text/vcard' },
      })
    ).body
  const importCalendar = async (body: string) =>
    (
      await instance.call('POST', '/api/calendar/import', {
        ...person,
        body,
        headers: { 'content-type': 'text/calendar' },
      })
    ).body
  const contacts = async () => (await instance.get('/api/contacts?limit=200', person)).body.contacts
  const events = async () =>
    (await instance.get('/api/calendar/events?start=2027-01-01T00:00:00Z&end=2027-12-31T00:00:00Z', person))
      .body.events
  const settle = async (id: number) => {
    for (;;) {
      const { body } = await instance.get(`/api/imports/${id}`, person)
      if (!BUSY.has(body.state)) return body
      await wait(20)
    }
  }
  const importFile = async (filename: string, body: string) => {
    const { body: created } = await instance.call('POST', `/api/imports?filename=${filename}`, {
      ...person,
      body: Buffer.from(body),
      headers: { 'content-type': 'application/octet-stream' },
    })
    await settle(created.id)
    await instance.post(`/api/imports/${created.id}/start`, {}, person)
    const done = await settle(created.id)
    const { problems } = (await instance.get(`/api/imports/${created.id}/problems`, person)).body
    return { ...done, problems }
  }

  it('are two contacts if they have one name and other data', async () => {
    await signUp()
    const file =
      card('FN:Jo Smith', 'ORG:Anvil Ltd') +
      card('FN:Jo Smith', 'ORG:Brook Ltd') +
      card('FN:Jo Smith', 'TEL:1') +
      card('FN:Jo Smith', 'EMAIL:jo@smith.example')
    expect(await importCards(file)).toMatchObject({ found: 4, added: 4 })
    expect(await importCards(file)).toMatchObject({ added: 0, updated: 0, skipped: 4 })
    expect(await contacts()).toHaveLength(4)
  })

  it('are two contacts if they share an address and have other names', async () => {
    await signUp()
    const file =
      card('FN:Max Muster', 'EMAIL:home@muster.example') +
      card('FN:Erika Muster', 'EMAIL:home@muster.example', 'TEL:2')
    const report = await importCards(file)
    expect(report).toMatchObject({ found: 2, added: 2 })
    expect(report.remarks).toMatchObject([
      { name: 'Erika Muster', reason: expect.stringContaining('belongs to “Max Muster”') },
    ])
    expect(await importCards(file)).toMatchObject({ added: 0, updated: 0, skipped: 2 })
    expect(await contacts()).toMatchObject([
      { name: 'Erika Muster', notes: 'home@muster.example', phones: [{ number: '2' }] },
      { name: 'Max Muster', addresses: [{ address: 'home@muster.example' }] },
    ])
  })

  it('are reported if a contact keeps its own value', async () => {
    await signUp()
    await importCards(card('FN:Ana Ruiz', 'ORG:Anvil Ltd', 'EMAIL:ana@ruiz.example'))
    const report = await importCards(card('FN:Ana Ruiz', 'ORG:Brook Ltd', 'EMAIL:ana@ruiz.example'))
    expect(report.remarks[0].reason).toBe('The organization “Anvil Ltd” was kept instead of “Brook Ltd”.')
    const upload = await importFile(
      'ana.vcf',
      card('FN:Ana Ruiz', 'TITLE:Dr', 'EMAIL:ana@ruiz.example', 'ORG:X'),
    )
    expect(upload.counts.contacts).toMatchObject({ updated: 1 })
    expect(upload.problems).toMatchObject([{ severity: 'changed', reason: expect.stringContaining('Anvil') }])
  })

  it('are two tasks, in one file and in two', async () => {
    await signUp()
    const january = 'task,Pay rent,,4,1,2027-01-01'
    const february = 'task,Pay rent,,4,1,2027-02-01'
    const urgent = 'task,Pay rent,,1,1,2027-02-01'
    expect((await importFile('Home.csv', todoist(january))).counts.tasks).toMatchObject({ created: 1 })
    const second = await importFile('Home.csv', todoist(january, february, february, urgent))
    expect(second.counts.tasks).toMatchObject({ created: 3, duplicates: 1 })
    const again = await importFile('Home.csv', todoist(january, february, february, urgent))
    expect(again.counts.tasks).toMatchObject({ created: 0, duplicates: 4 })
  })

  it('are one event with the later revision, and an older one is reported', async () => {
    await signUp()
    await importCalendar(calendar('SUMMARY:Plan', 'SEQUENCE:2', 'DTSTAMP:20260201T000000Z'))
    const later = await importCalendar(calendar('SUMMARY:New plan', 'SEQUENCE:3', 'DTSTAMP:20260301T000000Z'))
    expect(later).toMatchObject({ updated: 1, warnings: [] })
    const older = calendar('SUMMARY:Old plan', 'SEQUENCE:1', 'DTSTAMP:20260101T000000Z')
    const report = await importCalendar(older)
    expect(report).toMatchObject({ unchanged: 1, warnings: [{ uid: 'same@example.org', line: 3 }] })
    expect(report.warnings[0].reason).toMatch(/the stored event was kept/i)
    const upload = await importFile('old.ics', older)
    expect(upload.counts.events).toMatchObject({ duplicates: 1 })
    expect(upload.problems).toMatchObject([{ severity: 'changed', value: 'Old plan' }])
    expect(await events()).toMatchObject([{ title: 'New plan' }])
  })

  it('are two events if they have one UID and other organizers', async () => {
    await signUp()
    const ana = calendar('SUMMARY:Of Ana', 'ORGANIZER:mailto:ana@example.org', 'DTSTAMP:20260101T000000Z')
    const ben = calendar('SUMMARY:Of Ben', 'ORGANIZER:mailto:ben@example.org', 'DTSTAMP:20260201T000000Z')
    expect(await importCalendar(ana)).toMatchObject({ created: 1 })
    expect(await importCalendar(ben)).toMatchObject({ created: 1 })
    expect(await importCalendar(ben)).toMatchObject({ created: 0, unchanged: 1, warnings: [] })
    expect((await events()).map(({ title }: { title: string }) => title).sort()).toEqual(['Of Ana', 'Of Ben'])
  })
})
