import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { register, signIn } from './support/people.ts'

const HOUR = DAY / 24
const ANA = 'Ana Ruiz <ana@ruiz.example>'
const BEN = 'Ben Okafor <ben@okafor.example>'
const ME = 'Robin <robin@me.example>'

interface Notified {
  title: string
  body: string
  link: string
}

onOneDatabase('sqlite', 'a promise that becomes due', (engine) => {
  let instance: Instance
  let email: string
  let token: string
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
    // Tuesday, 17 November 2026, 09:00 in Berlin.
    instance.clock.advance(Date.parse('2026-11-17T08:00:00.000Z') - instance.clock.now().getTime())
    const person = await register(instance, { name: 'Robin' })
    email = person.email
    token = person.token
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())

  const get = async (path: string) => (await instance.get(path, { token })).body
  const patch = (path: string, body: object) => instance.call('PATCH', path, { body, token })
  const store = async (given: object): Promise<void> => {
    const stored = await instance.post('/api/emails', { subject: 'Tiles', ...given }, { token })
    expect(stored.status).toBe(201)
  }
  const listNotified = async (): Promise<Notified[]> =>
    (await get('/api/notifications?kind=commitment_due')).notifications
  const titles = async (): Promise<string[]> => (await listNotified()).map(({ title }) => title)
  /** Lets time pass, signs in again, and runs the job. */
  const pass = async (ms: number): Promise<void> => {
    instance.clock.advance(ms)
    token = (await signIn(instance, email)).token
    const { jobs } = instance.app
    const id = (await jobs.enqueue(instance.database.db, 'commitment-reminders', {})) as string
    await soon(async () => expect((await jobs.find(id))?.state).toBe('done'))
  }

  it('notifies once, in the language of the account, and again for a new due day', async () => {
    await patch('/api/settings/preferences', { locale: 'de-DE' })
    const date = '2026-11-17T07:00:00Z'
    await store({ folder: 'sent', from: ME, to: [ANA], date, text: 'I will send you the plan tomorrow.' })
    await store({ from: BEN, to: [ME], date, text: 'I will call you on 18 November at 15:00.' })
    const { commitments } = await get('/api/commitments')
    expect(commitments).toMatchObject([
      { direction: 'mine', dueDay: '2026-11-18' },
      { direction: 'theirs', dueAt: '2026-11-18T14:00:00.000Z' },
    ])
    await pass(HOUR)
    expect(await titles()).toEqual([])
    // 08:30 in Berlin on the next day.
    await pass(22.5 * HOUR)
    await pass(0)
    expect(await listNotified()).toMatchObject([
      {
        title: 'Du hast Ana Ruiz etwas zugesagt',
        body: expect.stringMatching(/^I will send you the plan tomorrow.* · Fällig heute$/),
        link: '/promises',
      },
    ])
    const path = `/api/commitments/${commitments[0].id}`
    expect((await patch(path, { text: 'Send the tile plan' })).body.text).toBe('Send the tile plan')
    await pass(8 * HOUR)
    expect(await titles()).toEqual(['Ben Okafor hat dir etwas zugesagt', 'Du hast Ana Ruiz etwas zugesagt'])
    expect((await patch(path, { dueDay: '2026-11-19' })).body.dueDay).toBe('2026-11-19')
    await pass(DAY)
    expect((await titles()).filter((title) => title.includes('Ana'))).toHaveLength(2)
  })

  it('does not notify about a kept promise', async () => {
    const before = (await titles()).length
    const date = instance.clock.now().toISOString()
    await store({ folder: 'sent', from: ME, to: [BEN], date, text: 'I will send you the tiles tomorrow.' })
    const { commitments } = await get(
      '/api/commitments?status=open&address=ben@okafor.example&direction=mine',
    )
    expect(commitments).toHaveLength(1)
    await patch(`/api/commitments/${commitments[0].id}`, { status: 'done' })
    await pass(DAY)
    expect(await titles()).toHaveLength(before)
  })
})
