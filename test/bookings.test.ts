import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { inTransaction } from '../src/database/transaction.ts'
import {
  connectBookingFixture,
  FAKES,
  renewBookingFixture,
  SECRET,
  startBookingFixture,
} from './support/booking-fixture.ts'
import { bookingOf, type FakeBooking, type FakeProvider } from './support/booking-server.ts'
import { MINUTE } from './support/clock.ts'
import { makeDataPlace, onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'
import { unzip } from './support/unzip.ts'

const settings = '/api/bookingsvc/settings'
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const start = async (options: Parameters<typeof startInstance>[0] = {}): Promise<Instance> => {
  const instance = await startInstance(options)
  closing.push(instance.close)
  return instance
}
const startFake = async (name: keyof typeof FAKES = 'calcom'): Promise<FakeProvider> => {
  const provider = await FAKES[name]()
  closing.push(provider.close)
  return provider
}
const begin = async (engine: 'sqlite' | 'postgres', name: keyof typeof FAKES) => {
  const fixture = await startBookingFixture(engine, name)
  closing.push(fixture.close)
  return fixture
}
const moved = (booking: FakeBooking, hours: number) => ({
  start: new Date(Date.parse(booking.start) + hours * 3_600_000).toISOString(),
  end: new Date(Date.parse(booking.end) + hours * 3_600_000).toISOString(),
})
const minutesLater = (minutes: number): string => new Date(Date.now() + minutes * MINUTE).toISOString()

onOneDatabase('sqlite', 'booking settings', (engine) => {
  it('reports an unconfigured provider, and a sync returns 409', async () => {
    const instance = await start({ engine })
    expect((await instance.get(settings)).body).toEqual({
      configured: false,
      provider: 'calcom',
      baseUrl: 'https://api.cal.com/v2',
      apiKeyHint: null,
      setBy: null,
      webhookConfigured: false,
      lastSyncAt: null,
      lastSyncStatus: null,
      lastError: null,
      unreadable: 0,
      syncing: false,
    })
    for (const [method, path] of [
      ['POST', 'sync'],
      ['GET', 'event-types'],
      ['GET', 'drift'],
    ] as const) {
      const { status, body } = await instance.call(method, `/api/bookingsvc/${path}`)
      expect([path, status, body.code]).toEqual([path, 409, 'not_configured'])
    }
  })

  it('shows only the end of a saved key, encrypts it, and keeps it after a restart', async () => {
    const place = await makeDataPlace(engine, 'prepared')
    closing.push(place.remove)
    const first = await startInstance({ place })
    const saved = await first.post(settings, { apiKey: 'cal_live_0123456789', webhookSecret: 'hush' })
    expect([saved.status, saved.body]).toMatchObject([
      200,
      { configured: true, apiKeyHint: '…6789', setBy: 'person', webhookConfigured: true },
    ])
    const row = await first.database.db
      .selectFrom('booking_settings')
      .selectAll()
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toMatch(/0123456789|hush/)
    await first.close()
    const second = await start({ place })
    expect((await second.get(settings)).body).toMatchObject({ configured: true, apiKeyHint: '…6789' })
    expect((await second.call('DELETE', settings)).status).toBe(204)
    expect((await second.get(settings)).body).toMatchObject({ configured: false, setBy: null })
  })

  it('re-encrypts keys that a previous SECRET_KEY encrypted', async () => {
    const place = await makeDataPlace(engine, 'prepared')
    closing.push(place.remove)
    const first = await startInstance({ place })
    await first.post(settings, { apiKey: 'cal_live_0123456789' })
    await first.close()
    const rotated = {
      SECRET_KEY: 'n'.repeat(40),
      SECRET_KEY_PREVIOUS: place.environment.SECRET_KEY as string,
    }
    const second = await startInstance({ place, environment: rotated })
    await inTransaction(second.database.db, (tx) => second.app.features.bookings.reseal(tx))
    await second.close()
    const third = await start({ place, environment: { SECRET_KEY: 'n'.repeat(40) } })
    expect((await third.get(settings)).body).toMatchObject({ configured: true, apiKeyHint: '…6789' })
  })

  it('reports a key that cannot be decrypted, and accepts a new one', async () => {
    const place = await makeDataPlace(engine, 'prepared')
    closing.push(place.remove)
    const first = await startInstance({ place })
    const input = { apiKey: 'cal_live_0123456789' }
    await first.post(settings, input)
    await first.close()
    const second = await start({ place, environment: { SECRET_KEY: 'n'.repeat(40) } })
    const saved = await second.get(settings)
    expect(saved.body).toMatchObject({ configured: false, lastError: expect.stringMatching(/SECRET_KEY/) })
    const refused = await second.post('/api/bookingsvc/sync')
    expect([refused.status, refused.body.code]).toEqual([409, 'not_configured'])
    expect((await second.post(settings, input)).body).toMatchObject({ configured: true, lastError: null })
  })

  it('rejects invalid values and names the field', async () => {
    const instance = await start({ engine })
    for (const [input, path] of [
      [{}, 'apiKey'],
      [{ apiKey: '' }, 'apiKey'],
      [{ apiKey: 'two words' }, 'apiKey'],
      [{ apiKey: 'k', provider: 'other' }, 'provider'],
      [{ apiKey: 'k', baseUrl: 'ftp://x' }, 'baseUrl'],
      [{ apiKey: 'k', baseUrl: 'https://user:pass@x' }, 'baseUrl'],
      [{ apiKey: 'k', apikey: 'x' }, 'apikey'],
    ] as const) {
      const { status, body } = await instance.post(settings, input)
      const paths = body.errors.map((one: { path: string }) => one.path)
      expect([input, status, paths]).toEqual([input, 400, [path]])
    }
  })

  it('use the environment until a user saves settings, and again after they are deleted', async () => {
    const provider = await startFake()
    provider.bookings = [bookingOf()]
    const instance = await start({
      engine,
      environment: {
        BOOKINGSVC_API_KEY: provider.apiKey,
        BOOKINGSVC_BASE_URL: provider.url,
        ACCESS: 'private',
        REGISTRATION: 'open',
      },
    })
    const { token } = await register(instance)
    expect((await instance.get(settings, { token })).body).toMatchObject({
      configured: true,
      setBy: 'environment',
      baseUrl: provider.url,
    })
    expect((await instance.post('/api/bookingsvc/sync', undefined, { token })).body.created).toBe(1)
    await instance.post(settings, { apiKey: 'cal_wrong_0123456789' }, { token })
    const refused = await instance.post('/api/bookingsvc/sync', undefined, { token })
    expect([refused.status, refused.body.detail]).toEqual([502, 'Cal.com does not accept the key.'])
    expect((await instance.get(settings, { token })).body).toMatchObject({
      lastSyncStatus: 'failed',
      lastError: 'Cal.com does not accept the key.',
    })
    await instance.call('DELETE', settings, { token })
    expect((await instance.post('/api/bookingsvc/sync', undefined, { token })).status).toBe(200)
  })

  it('reject a private network address from a user in private mode', async () => {
    const provider = await startFake()
    const instance = await start({ engine, environment: { ACCESS: 'private', REGISTRATION: 'open' } })
    const { token } = await register(instance)
    await instance.post(settings, { apiKey: 'k', baseUrl: provider.url }, { token })
    expect((await instance.post('/api/bookingsvc/sync', undefined, { token })).status).toBe(400)
    expect(provider.asked).toEqual([])
  })

  it('let personal access tokens sync and read, but never access the settings', async () => {
    const provider = await startFake()
    const instance = await start({ engine })
    await connectBookingFixture(instance, provider)
    const { token } = await register(instance)
    const { body } = await instance.post(
      '/api/settings/tokens',
      { name: 'n', password: PASSWORD, scopes: ['booking:write'] },
      { token },
    )
    const pat = { token: body.token as string }
    expect((await instance.get(settings, pat)).status).toBe(403)
    expect((await instance.post(settings, { apiKey: 'k' }, pat)).status).toBe(403)
    expect((await instance.post('/api/bookingsvc/sync', undefined, pat)).status).toBe(200)
    expect((await instance.get('/api/bookingsvc/event-types', pat)).status).toBe(200)
  })

  it('send the configured API version', async () => {
    const provider = await startFake()
    const environment = { BOOKINGSVC_API_VERSION: '2030-01-01' }
    const instance = await start({ engine, environment })
    await connectBookingFixture(instance, provider)
    await instance.post('/api/bookingsvc/sync')
    await instance.get('/api/bookingsvc/event-types')
    expect(provider.asked.map(({ headers }) => headers['cal-api-version'])).toEqual([
      '2030-01-01',
      '2024-06-14',
    ])
  })

  it('add the API version to a base URL without one', async () => {
    const provider = await startFake()
    provider.bookings = [bookingOf()]
    const instance = await start({ engine })
    await instance.post(settings, { apiKey: provider.apiKey, baseUrl: provider.url.replace('/v2', '/') })
    expect((await instance.post('/api/bookingsvc/sync')).body.created).toBe(1)
  })

  it('an export contains the bookings but no key', async () => {
    const { instance, provider, sync } = await begin(engine, 'calcom')
    provider.bookings = [bookingOf(), bookingOf()]
    await sync()
    const { db } = instance.database
    expect(await db.selectFrom('bookings').select('uid').modifyEnd(ALL_ACCOUNTS).execute()).toHaveLength(2)
    const { token } = await register(instance)
    const response = await fetch(`${instance.url}/api/settings/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    })
    const files = await unzip(Buffer.from(await response.arrayBuffer()))
    expect(files['bookings/bookings.jsonl']?.trim().split('\n')).toHaveLength(2)
    expect(JSON.stringify(files)).not.toContain(provider.apiKey)
  })

  it('a scheduled sync runs only when one is configured and due', async () => {
    const provider = await startFake()
    provider.bookings = [bookingOf()]
    const instance = await start({ engine, environment: { BOOKINGSVC_SYNC_EVERY: '10m' } })
    await connectBookingFixture(instance, provider)
    const runJob = async (): Promise<void> => {
      const id = await inTransaction(instance.database.db, (tx) =>
        instance.app.jobs.enqueue(tx, 'bookings.sync', {}),
      )
      await expect
        .poll(async () => (await instance.app.jobs.find(id as string))?.state, { timeout: 60_000 })
        .toBe('done')
    }
    await instance.app.jobs.start()
    await runJob()
    // The schedule enqueues one job for each account.
    const lastSyncAt = async () => (await instance.get(settings)).body.lastSyncAt
    await expect.poll(lastSyncAt, { timeout: 60_000 }).not.toBeNull()
    const pages = provider.pagesAsked()
    expect(pages).toBeGreaterThan(0)
    await runJob()
    expect(provider.pagesAsked()).toBe(pages)
    instance.clock.advance(11 * MINUTE)
    await runJob()
    await expect.poll(() => provider.pagesAsked(), { timeout: 60_000 }).toBeGreaterThan(pages)
  })
})

for (const [name, short] of [
  ['calcom', 'postgres'],
  ['calendly', 'sqlite'],
] as const)
  onOneDatabase(short, `booking webhooks from ${name}`, (engine) => {
    let shared: Instance
    beforeAll(async () => {
      shared = await startInstance({ engine })
    })
    afterAll(() => shared.close())
    const renew = async () => {
      const fixture = await renewBookingFixture(shared, name)
      closing.push(fixture.close)
      return fixture
    }

    it('apply a signed webhook at once, and only once', async () => {
      const { provider, notify, event, events, written } = await renew()
      const booking = bookingOf()
      provider.bookings.push(booking)
      const notice = provider.noticeOf(booking, 'created', minutesLater(0))
      expect((await notify(notice)).body).toEqual({ received: true, result: 'created' })
      expect(await event(booking.uid)).toMatchObject({ start: booking.start, source: 'bookingsvc' })
      const before = await written()
      for (let n = 0; n < 3; n++) expect((await notify(notice)).body.result).toBe('unchanged')
      expect(await written()).toEqual(before)
      expect(await events()).toHaveLength(1)
    })

    it('use the current state of the provider for a late webhook', async () => {
      const { provider, notify, event } = await renew()
      const booking = bookingOf()
      const created = provider.noticeOf(booking, 'created', minutesLater(0))
      Object.assign(booking, { status: 'cancelled', updatedAt: minutesLater(1) })
      provider.bookings.push(booking)
      await notify(provider.noticeOf(booking, 'cancelled', minutesLater(1)))
      await notify(created)
      expect((await event(booking.uid)).status).toBe('cancelled')
    })

    it('use the data of the latest webhook when the provider is not reachable', async () => {
      const { provider, notify, event, events, sync } = await renew()
      provider.fault = () => ({ status: 404 })
      const booking = bookingOf()
      const created = provider.noticeOf(booking, 'created', minutesLater(0))
      const cancelled = provider.noticeOf({ ...booking, status: 'cancelled' }, 'cancelled', minutesLater(2))
      expect((await notify(created)).body.result).toBe('created')
      expect(await event(booking.uid)).toMatchObject({ start: booking.start, status: 'confirmed' })
      expect((await notify(cancelled)).body.result).toBe('cancelled')
      expect((await notify(created)).body.result).toBe('unchanged')
      expect((await event(booking.uid)).status).toBe('cancelled')
      provider.fault = undefined
      provider.bookings.push(Object.assign(booking, { status: 'cancelled', updatedAt: minutesLater(1) }))
      expect((await sync()).body).toMatchObject({ created: 0, updated: 0 })
      expect(await events()).toHaveLength(1)
    })

    it('keep a booking cancelled when the creation arrives after the cancellation', async () => {
      const { provider, notify, event } = await renew()
      provider.fault = () => ({ status: 404 })
      const booking = bookingOf()
      await notify(provider.noticeOf({ ...booking, status: 'cancelled' }, 'cancelled', minutesLater(2)))
      await notify(provider.noticeOf(booking, 'created', minutesLater(0)))
      expect((await event(booking.uid)).status).toBe('cancelled')
    })

    it('move the event of a rescheduled booking, with and without a reachable provider', async () => {
      for (const isAsked of [true, false]) {
        const { provider, notify, event, events, sync } = await renew()
        const booking = bookingOf()
        provider.bookings.push(booking)
        await sync()
        const { id } = await event(booking.uid)
        const next = bookingOf({ ...moved(booking, 5), guests: booking.guests, replaces: booking.uid })
        Object.assign(booking, { status: 'cancelled', replacedBy: next.uid, updatedAt: minutesLater(1) })
        provider.bookings.push(next)
        if (!isAsked) provider.fault = () => ({ status: 404 })
        await notify(provider.noticeOf(next, 'rescheduled', minutesLater(1)))
        expect(await events()).toMatchObject([{ id, bookingId: next.uid, start: next.start }])
        provider.fault = undefined
        await sync('?full=true')
        expect(await events()).toMatchObject([{ id, status: 'confirmed', start: next.start }])
      }
    })

    it('reject missing and wrong signatures', async () => {
      const { provider, notify, events, instance } = await renew()
      const body = provider.noticeOf(bookingOf(), 'created', minutesLater(0))
      const good = provider.sign(body, SECRET)
      const [header, value] = Object.entries(good)[0] as [string, string]
      for (const headers of [
        {},
        provider.sign(body, 'another secret'),
        provider.sign(`${body} `, SECRET),
        { [header]: '' },
        { [header]: 'no-secret-provided' },
        { [header]: value.slice(0, -1) },
        { [header]: `${value}00` },
        { [header]: value.replace(/[0-9a-f]{4}$/, 'zzzz') },
      ])
        expect([headers, (await notify(body, headers as Record<string, string>)).status]).toEqual([
          headers,
          401,
        ])
      expect(await events()).toEqual([])
      await instance.post(settings, { apiKey: provider.apiKey, baseUrl: provider.url, webhookSecret: null })
      expect((await notify(body, good)).body.code).toBe('not_configured')
    })

    it('ignore unknown signed webhooks and reject unreadable ones', async () => {
      const { provider, notify } = await renew()
      for (const body of [
        '{"triggerEvent":"PING"}',
        '{"event":"routing_form_submission.created"}',
        '[]',
        '7',
      ])
        expect([body, (await notify(body)).body]).toEqual([body, { received: true, result: 'ignored' }])
      expect((await notify('no JSON')).status).toBe(400)
      provider.fault = () => ({ status: 404 })
      const senseless = provider.noticeOf(bookingOf({ start: 'soon' }), 'created', minutesLater(0))
      expect((await notify(senseless)).status).toBe(400)
    })

    it('create one event for many concurrent webhooks of one booking', async () => {
      const { provider, notify, events } = await renew()
      const booking = bookingOf()
      provider.bookings.push(booking)
      const notice = provider.noticeOf(booking, 'created', minutesLater(0))
      const answers = await Promise.all(Array.from({ length: 8 }, () => notify(notice)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(await events()).toHaveLength(1)
    })
  })

onOneDatabase('sqlite', 'signatures of booking webhooks', (engine) => {
  it('accept a Cal.com signature with a hash prefix', async () => {
    const { provider, notify } = await begin(engine, 'calcom')
    const body = provider.noticeOf(bookingOf(), 'created', minutesLater(0))
    const hex = createHmac('sha256', SECRET).update(body).digest('hex')
    for (const value of [`sha256=${hex}`, hex.toUpperCase()])
      expect((await notify(body, { 'x-cal-signature-256': value })).status).toBe(200)
  })

  it('accept a Calendly signature for three minutes', async () => {
    const { provider, notify, instance } = await begin(engine, 'calendly')
    const body = provider.noticeOf(bookingOf(), 'created', minutesLater(0))
    const signed = provider.sign(body, SECRET, new Date())
    instance.clock.advance(2 * MINUTE)
    expect((await notify(body, signed)).status).toBe(200)
    instance.clock.advance(2 * MINUTE)
    expect((await notify(body, signed)).status).toBe(401)
  })
})
