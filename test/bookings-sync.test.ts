import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../src/database/database.ts'
import { type FAKES, handlesOf, renewBookingFixture, startBookingFixture } from './support/booking-fixture.ts'
import { bookingOf, type FakeBooking } from './support/booking-server.ts'
import { DAY, MINUTE } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { scaled } from './support/scale.ts'

type MailFixture = Awaited<ReturnType<typeof startBookingFixture>>
let fixture: MailFixture
afterEach(() => fixture.close())

const later = (booking: FakeBooking, ms: number, change: Partial<FakeBooking> = {}): void => {
  const at = Math.max(Date.parse(booking.updatedAt ?? booking.createdAt), Date.now()) + ms
  Object.assign(booking, change, { updatedAt: new Date(at).toISOString() })
}

const moved = (booking: FakeBooking, hours: number) => ({
  start: new Date(Date.parse(booking.start) + hours * 3_600_000).toISOString(),
  end: new Date(Date.parse(booking.end) + hours * 3_600_000).toISOString(),
})

/** Tests that every provider must pass. */
const testProvider = (engine: Engine, name: keyof typeof FAKES): void => {
  let shared: Instance
  beforeAll(async () => {
    shared = await startInstance({ engine })
  })
  afterAll(() => shared.close())

  const begin = async (count: number) => {
    fixture = await renewBookingFixture(shared, name)
    fixture.provider.bookings = Array.from({ length: count }, () => bookingOf())
    return fixture
  }

  /** Three pages: Cal.com has 250 bookings on a page, Calendly 100. */
  const threePages = name === 'calcom' ? 520 : 220

  it('creates one event per booking across all pages', async () => {
    const { provider, sync, events } = await begin(threePages)
    const { status, body } = await sync()
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        provider: name,
        full: true,
        fetched: threePages,
        created: threePages,
        failed: 0,
        errors: [],
      }),
    ])
    const all = await events()
    expect(all.map(({ bookingId }) => bookingId)).toEqual(provider.bookings.map(({ uid }) => uid).sort())
    const [first] = provider.bookings
    expect(all.find(({ bookingId }) => bookingId === first?.uid)).toMatchObject({
      start: first?.start,
      end: first?.end,
      source: 'bookingsvc',
      status: 'confirmed',
      organizer: { name: 'Ana Ruiz', email: 'ana@example.org' },
      attendees: [{ ...first?.guests[0], status: 'accepted' }],
    })
    expect(provider.pagesAsked()).toBeGreaterThan(2)
    expect(provider.violations).toEqual([])
  })

  it('writes nothing when nothing has changed', async () => {
    const { sync, written, instance } = await begin(220)
    await sync()
    const before = await written()
    for (const query of ['', '?full=true', '?full=true', '']) {
      const { body } = await sync(query)
      expect(body).toMatchObject({ created: 0, updated: 0, cancelled: 0, failed: 0 })
      expect(body.unchanged).toBe(body.fetched)
    }
    expect(await written()).toEqual(before)
    expect((await instance.get('/api/stats')).body.bookings).toMatchObject({ total: 220 })
  })

  it('fetches only changed bookings, and all of them once a day', async () => {
    const { provider, sync, instance, event } = await begin(260)
    await sync()
    const [first] = provider.bookings as [FakeBooking]
    later(first, 1000, moved(first, 2))
    provider.bookings.push(bookingOf({ createdAt: new Date().toISOString() }))
    const { body } = await sync()
    expect(body).toMatchObject({ full: false, created: 1, updated: 1 })
    expect(body.fetched).toBeLessThan(name === 'calcom' ? 10 : 1000)
    expect((await event(first.uid)).start).toBe(first.start)
    instance.clock.advance(DAY + MINUTE)
    expect((await sync()).body).toMatchObject({ full: true, fetched: 261, unchanged: 261 })
  })

  it('cancels and counts bookings that the provider has cancelled', async () => {
    const { provider, sync, event } = await begin(3)
    await sync()
    const [first] = provider.bookings as [FakeBooking]
    later(first, 1000, { status: 'cancelled' })
    expect((await sync()).body).toMatchObject({ cancelled: 1, updated: 0, created: 0 })
    expect((await event(first.uid)).status).toBe('cancelled')
  })

  it('keeps notes, tags, reminders and titles of the user, and takes time, status and guests from the provider', async () => {
    const { provider, sync, event, instance } = await begin(2)
    await sync()
    const [first] = provider.bookings as [FakeBooking]
    const { id } = await event(first.uid)
    await instance.call('PATCH', `/api/calendar/events/${id}`, {
      body: {
        notes: 'bring the contract',
        tags: ['client'],
        reminders: [{ minutesBefore: 10 }],
        title: 'The big one',
        start: '2027-01-01T10:00:00Z',
        attendees: ['stranger@example.org'],
      },
    })
    const mine = { id, notes: 'bring the contract', tags: ['client'], title: 'The big one' }
    await sync()
    expect(await event(first.uid)).toMatchObject({
      ...mine,
      start: first.start,
      attendees: [first.guests[0]],
    })
    later(first, 1000, { ...moved(first, 5), guests: [{ name: 'Li', email: 'li@example.org' }] })
    await sync()
    expect(await event(first.uid)).toMatchObject({
      ...mine,
      start: first.start,
      end: first.end,
      attendees: [{ email: 'li@example.org' }],
      reminders: [{ minutesBefore: 10 }],
    })
  })

  it('moves the event of a rescheduled booking, which both booking ids then find', async () => {
    const { provider, sync, events, event, instance } = await begin(2)
    await sync()
    const [first] = provider.bookings as [FakeBooking]
    const { id } = await event(first.uid)
    await instance.call('PATCH', `/api/calendar/events/${id}`, { body: { notes: 'prepared' } })
    const next = bookingOf({
      ...moved(first, 24),
      title: first.title,
      guests: first.guests,
      createdAt: new Date().toISOString(),
      replaces: first.uid,
    })
    later(first, 0, { status: 'cancelled', replacedBy: next.uid })
    provider.bookings.push(next)
    const { body } = await sync()
    expect(body).toMatchObject({ created: 0, updated: 1, cancelled: 0, failed: 0 })
    expect(await events()).toHaveLength(2)
    expect(await event(next.uid)).toMatchObject({
      id,
      notes: 'prepared',
      status: 'confirmed',
      start: next.start,
    })
    for (const uid of [first.uid, next.uid]) {
      const changed = await instance.call('PATCH', `/api/calendar/events/by-bookingsvc/${uid}`, {
        body: { tags: [uid] },
      })
      expect([changed.status, changed.body.id, changed.body.bookingId]).toEqual([200, id, next.uid])
    }
    const again = await instance.post('/api/calendar/events', { bookingId: first.uid, notes: 'again' })
    expect([again.status, again.body.id, again.body.bookingId]).toEqual([200, id, next.uid])
    expect((await sync('?full=true')).body).toMatchObject({ created: 0, updated: 0, cancelled: 0 })
    expect((await event(next.uid)).notes).toBe('again')
  })

  it('creates one event for a booking that was rescheduled twice before the first sync', async () => {
    const { provider, sync, events } = await begin(1)
    const [first] = provider.bookings as [FakeBooking]
    const second = bookingOf({ ...moved(first, 24), replaces: first.uid })
    const third = bookingOf({ ...moved(first, 48), replaces: second.uid })
    Object.assign(first, { status: 'cancelled', replacedBy: second.uid })
    Object.assign(second, { status: 'cancelled', replacedBy: third.uid })
    provider.bookings.push(second, third)
    for (const query of ['', '?full=true']) {
      await sync(query)
      expect(await events()).toMatchObject([
        { bookingId: third.uid, start: third.start, status: 'confirmed' },
      ])
    }
  })

  it('reports unreadable bookings and syncs the rest', async () => {
    const { provider, sync, events, instance } = await begin(5)
    const [, broken, backwards] = provider.bookings as FakeBooking[]
    Object.assign(broken as FakeBooking, { start: 'soon' })
    Object.assign(backwards as FakeBooking, { end: (backwards as FakeBooking).start })
    provider.bookings.push(bookingOf({ raw: null }), bookingOf({ raw: { uri: 17, uid: 17 } }))
    const { status, body } = await sync()
    expect([status, body.created, body.failed, body.fetched]).toEqual([200, 3, 4, 7])
    expect(body.errors).toHaveLength(4)
    expect(body.errors).toContainEqual({ bookingId: broken?.uid, message: expect.any(String) })
    expect(await events()).toHaveLength(3)
    expect((await instance.get('/api/bookingsvc/settings')).body).toMatchObject({
      lastSyncStatus: 'partial',
      lastError: expect.any(String),
    })
  })

  it('rejects only the bookings with an unknown status', async () => {
    const { provider, sync, events } = await begin(2)
    const { start, end } = bookingOf()
    const times = { start, end, start_time: start, end_time: end }
    const statuses = ['constructor', '__proto__', { toString: 7, valueOf: 7 }, ['accepted']]
    for (const [index, status] of statuses.entries()) {
      const uid = `odd-${index}`
      const uri = `https://api.example.org/scheduled_events/${uid}`
      provider.bookings.push(bookingOf({ uid, raw: { uid, uri, ...times, status } }))
    }
    const { status, body } = await sync()
    expect([status, body.created, body.failed]).toEqual([200, 2, 4])
    expect(body.errors[0]).toEqual({ bookingId: 'odd-0', message: 'status is not a known status.' })
    expect(await events()).toHaveLength(2)
  })

  // Cal.com includes the guests in the booking.
  if (name === 'calendly')
    it('rejects only the booking whose guests cannot be fetched', async () => {
      const { provider, sync, events } = await begin(3)
      const [, lost] = provider.bookings as FakeBooking[]
      provider.fault = ({ path }) => (path.includes(`/${lost?.uid}/invitees`) ? { status: 404 } : undefined)
      const { status, body } = await sync()
      expect([status, body.created, body.errors]).toEqual([
        200,
        2,
        [{ bookingId: lost?.uid, message: 'The invitees were not found.' }],
      ])
      expect(await events()).toHaveLength(2)
    })

  it('retries after throttling, server errors, broken connections and invalid responses', async () => {
    const count = name === 'calcom' ? 620 : 12
    const { provider, sync, events } = await begin(count)
    const faults = [
      { status: 429, headers: { 'retry-after': '0' } },
      'cut',
      { status: 503 },
      'garbage',
      { status: 500 },
    ] as const
    const every = name === 'calcom' ? 3 : 2
    let at = 0
    provider.fault = (_asked, n) => (n % every > 0 ? faults[at++ % faults.length] : undefined)
    const { status, body } = await sync()
    expect([status, body.created, body.failed]).toEqual([200, count, 0])
    expect(await events()).toHaveLength(count)
    expect(at).toBeGreaterThan(2)
  })

  it('fails when the provider always returns another page', async () => {
    const { provider, sync, events } = await begin(1)
    const one = provider.bookings[0] as FakeBooking
    const body =
      name === 'calcom'
        ? { status: 'success', data: [{ uid: one.uid }], pagination: { hasNextPage: true } }
        : { collection: [], pagination: { next_page_token: 'on' } }
    provider.fault = ({ path }) => (path.endsWith('/users/me') ? undefined : { status: 200, body })
    const response = await sync()
    expect([response.status, response.body.code]).toEqual([502, 'upstream_failed'])
    expect(response.body.detail).toMatch(/same page again/)
    expect(await events()).toHaveLength(0)
  })

  it('fails when the pages repeat the same bookings forever', async () => {
    const { provider, sync, instance } = await begin(0)
    const itemOf = (uid: string) => ({ uid, id: 1, uri: `https://api.example.org/scheduled_events/${uid}` })
    let asked = 0
    provider.fault = ({ path }) => {
      if (path.endsWith('/users/me')) return undefined
      const items = ++asked % 2 ? [itemOf('a'), itemOf('b')] : [itemOf('b'), itemOf('a')]
      const pagination = { hasNextPage: true, next_page_token: `on-${asked}` }
      return asked > 50
        ? { status: 400 }
        : { status: 200, body: { data: items, collection: items, pagination } }
    }
    const response = await sync()
    expect([response.status, response.body.detail]).toEqual([502, expect.stringMatching(/same page again/)])
    const types = await instance.get('/api/bookingsvc/event-types')
    if (name === 'calendly') expect(types.body.detail).toMatch(/same page again/)
    expect(asked).toBeLessThan(20)
  })

  it('waits as long as the Retry-After header of the provider asks', async () => {
    const { provider, sync } = await begin(3)
    const times: number[] = []
    provider.fault = (_asked, count) => {
      times.push(performance.now())
      return count === 1 ? { status: 429, headers: { 'retry-after': '1' } } : undefined
    }
    expect((await sync()).body.created).toBe(3)
    expect((times[1] as number) - (times[0] as number)).toBeGreaterThan(900)
  })

  it('changes no events when a full sync fails halfway', async () => {
    const { provider, sync, events, instance } = await begin(270)
    await sync()
    provider.bookings.push(bookingOf({ createdAt: new Date().toISOString() }))
    let pages = 0
    provider.fault = ({ path }) =>
      /bookings$|scheduled_events$/.test(path) && ++pages > 1 ? { status: 400, body: {} } : undefined
    const failed = await sync('?full=true')
    expect([failed.status, failed.body.code]).toEqual([502, 'upstream_failed'])
    expect((await instance.get('/api/bookingsvc/settings')).body).toMatchObject({ lastSyncStatus: 'failed' })
    expect((await events()).every(({ status }) => status === 'confirmed')).toBe(true)
    provider.fault = undefined
    expect((await sync()).body).toMatchObject({ failed: 0, cancelled: 0 })
    expect(await events()).toHaveLength(271)
    expect((await instance.get('/api/bookingsvc/settings')).body).toMatchObject({
      lastSyncStatus: 'ok',
      lastError: null,
    })
  })

  it('cancels bookings that the provider no longer has, only after a full sync', async () => {
    const { provider, sync, event } = await begin(5)
    await sync()
    const gone = provider.bookings.pop() as FakeBooking
    const hidden = provider.bookings.pop() as FakeBooking
    expect((await sync()).body).toMatchObject({ cancelled: 0 })
    // The provider still has it, although the list omits it.
    const list = provider.bookings
    provider.fault = ({ path }) => {
      provider.bookings = path.includes(hidden.uid) ? [...list, hidden] : list
      return undefined
    }
    expect((await sync('?full=true')).body).toMatchObject({ cancelled: 1 })
    expect((await event(gone.uid)).status).toBe('cancelled')
    expect((await event(hidden.uid)).status).toBe('confirmed')
  })

  it('cancels nothing for an empty list or the list of another account', async () => {
    const { provider, sync, events } = await begin(5)
    await sync()
    provider.bookings = []
    expect((await sync('?full=true')).body).toMatchObject({ fetched: 0, cancelled: 0 })
    provider.bookings = [bookingOf()]
    expect((await sync('?full=true')).body).toMatchObject({ created: 1, cancelled: 0 })
    expect((await events()).every(({ status }) => status === 'confirmed')).toBe(true)
  })

  it('catches up with changes during a sync in the next sync', async () => {
    const { provider, sync, events } = await begin(threePages)
    let pages = 0
    provider.fault = ({ path }) => {
      if (!/bookings$|scheduled_events$/.test(path)) return undefined
      pages++
      const { bookings } = provider
      if (pages === 2) {
        later(bookings[3] as FakeBooking, 10, moved(bookings[3] as FakeBooking, 1))
        bookings.push(bookingOf({ createdAt: new Date().toISOString() }))
      }
      // Deleting one booking moves all later ones forward.
      if (pages === 3) bookings.splice(10, 1)
      return undefined
    }
    await sync()
    await sync()
    const seen = new Map((await events()).map((event) => [event.bookingId, event.start]))
    expect(provider.bookings.filter(({ uid, start }) => seen.get(uid) !== start)).toEqual([])
  })

  it.each([-7_200_000, 7_200_000])(
    'loses no bookings when the clock of the provider is off by %d ms',
    async (skew) => {
      const { provider, sync, events } = await begin(3)
      const at = (): string => new Date(Date.now() + skew).toISOString()
      for (const booking of provider.bookings) booking.createdAt = at()
      await sync()
      const [first] = provider.bookings as [FakeBooking]
      Object.assign(first, moved(first, 3), { updatedAt: at() })
      provider.bookings.push(bookingOf({ createdAt: at() }))
      expect((await sync()).body).toMatchObject({ full: false, created: 1, updated: 1 })
      expect(await events()).toHaveLength(4)
    },
  )

  it('creates no duplicates and returns the same report to concurrent callers, also on two instances', async () => {
    const { provider, sync, events, instance } = await begin(220)
    // SQLite needs two processes for two instances: see bookings-kills.test.ts.
    const other = engine === 'sqlite' ? instance : await startInstance({ place: instance.place })
    const reports = await Promise.all([sync(), sync(), handlesOf(other, provider).sync()])
    expect(reports.map(({ status, body }) => [status, body.detail])).toEqual(
      reports.map(() => [200, undefined]),
    )
    expect(reports.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => reports[0]?.body))
    expect(reports[0]?.body.created).toBe(220)
    expect(await events()).toHaveLength(220)
    if (other !== instance) await other.close()
  })

  it('takes over an event that was created for a booking before the first sync', async () => {
    const { provider, sync, events, instance } = await begin(2)
    const [first] = provider.bookings as [FakeBooking]
    const made = await instance.post('/api/calendar/events', {
      bookingId: first.uid,
      title: 'By the workflow',
      start: '2027-01-01T00:00:00Z',
      notes: 'mine',
    })
    expect((await sync()).body).toMatchObject({ created: 1, updated: 1 })
    const all = await events()
    expect(all).toHaveLength(2)
    expect(all.find(({ bookingId }) => bookingId === first.uid)).toMatchObject({
      id: made.body.id,
      notes: 'mine',
      start: first.start,
    })
  })

  it('lists missing, changed and orphaned bookings as drift, and a full sync resolves it', async () => {
    const { provider, sync, event, instance } = await begin(6)
    await sync()
    const drift = async () => (await instance.get('/api/bookingsvc/drift')).body
    const none = { count: 0, bookings: [] }
    expect(await drift()).toMatchObject({ fetched: 6, missing: none, changed: none, orphaned: none })
    const [first, second] = provider.bookings as [FakeBooking, FakeBooking]
    await instance.call('DELETE', `/api/calendar/events/${(await event(first.uid)).id}`)
    const { id } = await event(second.uid)
    await instance.call('PATCH', `/api/calendar/events/${id}`, { body: { start: '2027-01-01', notes: 'n' } })
    const gone = provider.bookings.pop() as FakeBooking
    const found = await drift()
    expect(found.missing).toMatchObject({ count: 1, bookings: [{ bookingId: first.uid }] })
    expect(found.changed.bookings).toMatchObject([{ bookingId: second.uid, eventId: id }])
    expect(found.changed.bookings[0].fields).toContain('start')
    expect(found.orphaned.bookings).toMatchObject([{ bookingId: gone.uid }])
    expect((await sync('?full=true')).body).toMatchObject({ created: 1, updated: 1, cancelled: 1 })
    expect(await drift()).toMatchObject({ missing: none, changed: none })
  })

  it('lists event types', async () => {
    const { instance, provider } = await begin(0)
    expect((await instance.get('/api/bookingsvc/event-types')).body.eventTypes).toEqual([
      {
        id: expect.any(String),
        title: 'Half an hour',
        slug: '30min',
        durationMinutes: 30,
        description: 'A talk.',
        url: expect.stringContaining('/ana/30min'),
        active: true,
      },
    ])
    expect(provider.violations).toEqual([])
  })

  it('records booking.synced only when a sync changes something', async () => {
    const { sync, instance } = await begin(2)
    const synced: unknown[] = []
    instance.app.changes.listen(({ type, data }) => type === 'booking.synced' && synced.push(data))
    await sync()
    await sync()
    expect(synced).toEqual([expect.objectContaining({ provider: name, created: 2 })])
  })
}

onOneDatabase('sqlite', 'booking sync with Cal.com', (engine) => testProvider(engine, 'calcom'))
onOneDatabase('postgres', 'booking sync with Calendly', (engine) => testProvider(engine, 'calendly'))

onOneDatabase('sqlite', 'booking sync', (engine) => {
  it('syncs thousands of bookings', async () => {
    fixture = await startBookingFixture(engine, 'calcom')
    const count = scaled({ full: 10_000, short: 1_000 })
    fixture.provider.bookings = Array.from({ length: count }, () => bookingOf())
    expect((await fixture.sync()).body).toMatchObject({ created: count, failed: 0 })
    expect((await fixture.sync('?full=true')).body).toMatchObject({
      unchanged: count,
      created: 0,
      updated: 0,
    })
    expect(fixture.provider.violations).toEqual([])
  })
})
