import { afterAll, beforeAll, expect, it } from 'vitest'
import { bookingOf, type FakeProvider } from './support/booking-server.ts'
import { startCalcom } from './support/calcom.ts'
import { onOneDatabase } from './support/databases.ts'
import { entriesOf, exportOf } from './support/exports.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

const BASE = '/api/bookingsvc'
const [ENVIRONMENT_SECRET, SECRET_OF_BEN] = ['secret of the operator', 'secret of Ben']

onOneDatabase('sqlite', 'bookings of two accounts', (engine) => {
  let provider: FakeProvider
  let other: FakeProvider
  let instance: Instance
  let ana: Person
  let ben: Person
  beforeAll(async () => {
    provider = await startCalcom()
    other = await startCalcom()
    instance = await startInstance({
      engine,
      environment: {
        ACCESS: 'open',
        REGISTRATION: 'open',
        BOOKINGSVC_API_KEY: provider.apiKey,
        BOOKINGSVC_BASE_URL: provider.url,
        BOOKINGSVC_WEBHOOK_SECRET: ENVIRONMENT_SECRET,
        BOOKINGSVC_SYNC_EVERY: '1m',
      },
    })
    ana = await register(instance)
    ben = await register(instance)
  })
  afterAll(async () => {
    await instance.close()
    await provider.close()
    await other.close()
  })

  const settingsOf = async (person: Person) => (await instance.get(`${BASE}/settings`, person)).body
  const save = (person: Person, webhookSecret: string | null) =>
    instance.post(`${BASE}/settings`, { apiKey: other.apiKey, baseUrl: other.url, webhookSecret }, person)
  const sync = (person: Person) => instance.post(`${BASE}/sync`, undefined, person)
  const bookingIds = async (person: Person): Promise<string[]> => {
    const { body } = await instance.get('/api/calendar/events?source=bookingsvc&limit=200', person)
    return body.events.map((event: { bookingId: string }) => event.bookingId).toSorted()
  }
  const notify = (body: string, secret: string) =>
    instance.post(`${BASE}/webhook`, body, { headers: provider.sign(body, secret, instance.clock.now()) })

  it('have their own settings; those of the environment belong to the owner', async () => {
    expect(await settingsOf(ana)).toMatchObject({ configured: true, setBy: 'environment' })
    expect(await settingsOf(ben)).toMatchObject({ configured: false, setBy: null, webhookConfigured: false })
    expect((await settingsOf(ben)).baseUrl).not.toBe(provider.url)
    for (const path of ['drift', 'event-types'])
      expect((await instance.get(`${BASE}/${path}`, ben)).body.code).toBe('not_configured')
    expect((await sync(ben)).body.code).toBe('not_configured')
    expect((await save(ben, SECRET_OF_BEN)).status).toBe(200)
    expect(await settingsOf(ben)).toMatchObject({ configured: true, setBy: 'person', baseUrl: other.url })
    expect(await settingsOf(ana)).toMatchObject({ setBy: 'environment', baseUrl: provider.url })
  })

  it('are synced into the calendar of their account, with the same booking id in both', async () => {
    const shared = bookingOf()
    provider.bookings = [shared, bookingOf()]
    other.bookings = [{ ...shared }]
    expect((await sync(ana)).body).toMatchObject({ created: 2, failed: 0 })
    expect(await bookingIds(ben)).toEqual([])
    expect((await settingsOf(ben)).lastSyncAt).toBeNull()
    expect((await sync(ben)).body).toMatchObject({ created: 1, failed: 0 })
    expect(await bookingIds(ana)).toEqual(provider.bookings.map(({ uid }) => uid).toSorted())
    expect(await bookingIds(ben)).toEqual([shared.uid])
    const total = async (person: Person) => (await instance.get('/api/stats', person)).body.bookings.total
    expect([await total(ana), await total(ben)]).toEqual([2, 1])
    const { body: drift } = await instance.get(`${BASE}/drift`, ben)
    expect([drift.missing.count, drift.orphaned.count]).toEqual([0, 0])
    expect((await sync(ben)).body).toMatchObject({ created: 0, cancelled: 0 })
  })

  it('receive the webhooks that their secret verifies', async () => {
    const [first, second] = [bookingOf(), bookingOf()]
    provider.bookings.push(first)
    other.bookings.push(second)
    const at = new Date().toISOString()
    const ofOperator = await notify(provider.noticeOf(first, 'created', at), ENVIRONMENT_SECRET)
    expect(ofOperator.body).toEqual({ received: true, result: 'created' })
    const ofBen = await notify(other.noticeOf(second, 'created', at), SECRET_OF_BEN)
    expect(ofBen.body).toEqual({ received: true, result: 'created' })
    expect(await bookingIds(ana)).toContain(first.uid)
    expect(await bookingIds(ana)).not.toContain(second.uid)
    expect(await bookingIds(ben)).toContain(second.uid)
    expect((await notify(other.noticeOf(second, 'cancelled', at), 'guessed')).status).toBe(401)
  })

  it('that cannot be read are listed for their account', async () => {
    const broken = bookingOf({ start: 'soon' })
    other.bookings.push(broken)
    expect((await instance.post(`${BASE}/sync?full=true`, undefined, ben)).body.failed).toBe(1)
    const list = async (person: Person) => (await instance.get(`${BASE}/unreadable`, person)).body.unreadable
    expect(await list(ana)).toEqual([])
    const [unreadable] = await list(ben)
    expect(unreadable.bookingId).toBe(broken.uid)
    const path = `${BASE}/unreadable/${unreadable.id}`
    expect((await instance.get(path, ana)).status).toBe(404)
    expect((await instance.get(path, ben)).status).toBe(200)
    other.bookings.pop()
  })

  it('are exported for their account', async () => {
    const rows = String((await entriesOf(await exportOf(instance, ben.token))).get('bookings/bookings.jsonl'))
    for (const uid of await bookingIds(ben)) expect(rows).toContain(uid)
    expect(rows.trim().split('\n')).toHaveLength((await bookingIds(ben)).length)
  })

  it('are synced on a schedule for each account', async () => {
    const [first, second] = [bookingOf(), bookingOf()]
    provider.bookings.push(first)
    other.bookings.push(second)
    instance.clock.advance(2 * 60_000)
    await instance.app.jobs.start()
    await instance.app.jobs.enqueue(instance.database.db, 'bookings.sync', {})
    await soon(async () => {
      expect(await bookingIds(ana)).toContain(first.uid)
      expect(await bookingIds(ben)).toContain(second.uid)
    })
  })

  it('disconnect only their account, and are deleted with it', async () => {
    const before = await bookingIds(ana)
    const path = `${BASE}/settings`
    expect((await instance.call('DELETE', path, { token: ben.token })).status).toBe(204)
    expect(await settingsOf(ben)).toMatchObject({ configured: false })
    expect((await notify(other.noticeOf(bookingOf(), 'created', ''), SECRET_OF_BEN)).status).toBe(401)
    await instance.call('DELETE', '/api/settings/account', {
      token: ben.token,
      body: { password: PASSWORD },
    })
    const rows = await instance.database.db
      .selectFrom('bookings')
      .select('uid')
      .where('userId', '=', ben.id)
      .execute()
    expect(rows).toEqual([])
    expect(await bookingIds(ana)).toEqual(before)
  })
})
