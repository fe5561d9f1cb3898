import { afterEach, describe, expect, it } from 'vitest'
import type { Engine } from '../src/database/database.ts'
import { FAKES, handlesOf, startDesk } from './support/booking-desk.ts'
import { bookingOf, type FakeBooking } from './support/booking-server.ts'
import { DAY, MINUTE } from './support/clock.ts'
import { onEveryDatabase } from './support/databases.ts'
import { startInstance } from './support/instance.ts'

type Desk = Awaited<ReturnType<typeof startDesk>>
let desk: Desk
afterEach(() => desk.close())

const later = (booking: FakeBooking, ms: number, change: Partial<FakeBooking> = {}): void => {
  const at = Math.max(Date.parse(booking.updatedAt ?? booking.createdAt), Date.now()) + ms
  Object.assign(booking, change, { updatedAt: new Date(at).toISOString() })
}

const moved = (booking: FakeBooking, hours: number) => ({
  start: new Date(Date.parse(booking.start) + hours * 3_600_000).toISOString(),
  end: new Date(Date.parse(booking.end) + hours * 3_600_000).toISOString(),
})

/** One suite for every provider: what a person may rely on, whoever takes the bookings. */
const holds = (engine: Engine, name: keyof typeof FAKES): void => {
  const begin = async (count: number) => {
    desk = await startDesk(engine, name)
    desk.provider.bookings = Array.from({ length: count }, () => bookingOf())
    return desk
  }

  it('every booking is an event once, over as many pages as there are', async () => {
    const { provider, sync, events } = await begin(620)
    const { status, body } = await sync()
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        provider: name,
        full: true,
        fetched: 620,
        created: 620,
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

  it('a sync that finds nothing new writes nothing', async () => {
    const { sync, written, instance } = await begin(300)
    await sync()
    const before = await written()
    for (const query of ['', '?full=true', '?full=true', '']) {
      const { body } = await sync(query)
      expect(body).toMatchObject({ created: 0, updated: 0, cancelled: 0, failed: 0 })
      expect(body.unchanged).toBe(body.fetched)
    }
    expect(await written()).toEqual(before)
    expect((await instance.get('/api/stats')).body.bookings).toMatchObject({ total: 300 })
  })

  it('later syncs ask for what changed, and look at everything once a day', async () => {
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

  it('what the provider calls off is called off, and counted', async () => {
    const { provider, sync, event } = await begin(3)
    await sync()
    const [first] = provider.bookings as [FakeBooking]
    later(first, 1000, { status: 'cancelled' })
    expect((await sync()).body).toMatchObject({ cancelled: 1, updated: 0, created: 0 })
    expect((await event(first.uid)).status).toBe('cancelled')
  })

  it('notes, tags, reminders and wording of the person stay; time, status and guests follow the provider', async () => {
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

  it('another time for a booking moves its event, which is then found by either name', async () => {
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
      ...{ id, notes: 'prepared', status: 'confirmed', start: next.start },
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

  it('a booking that was moved twice before it was first seen is one event', async () => {
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

  it('a booking that makes no sense is told of, and the rest is here', async () => {
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

  it('a status that only sounds like one costs its booking alone', async () => {
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
    expect(body.errors[0]).toEqual({ bookingId: 'odd-0', message: 'status is none that is known.' })
    expect(await events()).toHaveLength(2)
  })

  // Cal.com tells them with the booking.
  if (name === 'calendly')
    it('a booking whose guests are not there costs itself alone', async () => {
      const { provider, sync, events } = await begin(3)
      const [, lost] = provider.bookings as FakeBooking[]
      provider.fault = ({ path }) => (path.includes(`/${lost?.uid}/invitees`) ? { status: 404 } : undefined)
      const { status, body } = await sync()
      expect([status, body.created, body.errors]).toEqual([
        200,
        2,
        [{ bookingId: lost?.uid, message: 'Its invitees are not there.' }],
      ])
      expect(await events()).toHaveLength(2)
    })

  it('a provider that throttles, stumbles, breaks off and babbles is asked again', async () => {
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

  it('a provider that always has another page is left', async () => {
    const { provider, sync, events } = await begin(1)
    const one = provider.bookings[0] as FakeBooking
    const body =
      name === 'calcom'
        ? { status: 'success', data: [{ uid: one.uid }], pagination: { hasNextPage: true } }
        : { collection: [], pagination: { next_page_token: 'on' } }
    provider.fault = ({ path }) => (path.endsWith('/users/me') ? undefined : { status: 200, body })
    const told = await sync()
    expect([told.status, told.body.code]).toEqual([502, 'upstream_failed'])
    expect(told.body.detail).toMatch(/in a circle/)
    expect(await events()).toHaveLength(0)
  })

  it('a provider whose pages always go on with what was there already is left', async () => {
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
    const told = await sync()
    expect([told.status, told.body.detail]).toEqual([502, expect.stringMatching(/in a circle/)])
    const types = await instance.get('/api/bookingsvc/event-types')
    if (name === 'calendly') expect(types.body.detail).toMatch(/in a circle/)
    expect(asked).toBeLessThan(20)
  })

  it('a wait that the provider asks for is waited for', async () => {
    const { provider, sync } = await begin(3)
    const times: number[] = []
    provider.fault = (_asked, count) => {
      times.push(performance.now())
      return count === 1 ? { status: 429, headers: { 'retry-after': '1' } } : undefined
    }
    expect((await sync()).body.created).toBe(3)
    expect((times[1] as number) - (times[0] as number)).toBeGreaterThan(900)
  })

  it('an answer that stays away in the middle costs nothing that is here', async () => {
    const { provider, sync, events, instance } = await begin(620)
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
    expect(await events()).toHaveLength(621)
    expect((await instance.get('/api/bookingsvc/settings')).body).toMatchObject({
      lastSyncStatus: 'ok',
      lastError: null,
    })
  })

  it('what the provider has no more is called off after everything was looked at, and only then', async () => {
    const { provider, sync, event } = await begin(5)
    await sync()
    const gone = provider.bookings.pop() as FakeBooking
    const hidden = provider.bookings.pop() as FakeBooking
    expect((await sync()).body).toMatchObject({ cancelled: 0 })
    // Still there, although the list does not have it.
    const list = provider.bookings
    provider.fault = ({ path }) => {
      provider.bookings = path.includes(hidden.uid) ? [...list, hidden] : list
      return undefined
    }
    expect((await sync('?full=true')).body).toMatchObject({ cancelled: 1 })
    expect((await event(gone.uid)).status).toBe('cancelled')
    expect((await event(hidden.uid)).status).toBe('confirmed')
  })

  it('an empty list, or the list of another account, calls nothing off', async () => {
    const { provider, sync, events } = await begin(5)
    await sync()
    provider.bookings = []
    expect((await sync('?full=true')).body).toMatchObject({ fetched: 0, cancelled: 0 })
    provider.bookings = [bookingOf()]
    expect((await sync('?full=true')).body).toMatchObject({ created: 1, cancelled: 0 })
    expect((await events()).every(({ status }) => status === 'confirmed')).toBe(true)
  })

  it('what changes while it is being read is missed for no longer than until the next sync', async () => {
    const { provider, sync, events } = await begin(900)
    let pages = 0
    provider.fault = ({ path }) => {
      if (!/bookings$|scheduled_events$/.test(path)) return undefined
      pages++
      const { bookings } = provider
      if (pages === 2) {
        later(bookings[3] as FakeBooking, 10, moved(bookings[3] as FakeBooking, 1))
        bookings.push(bookingOf({ createdAt: new Date().toISOString() }))
      }
      // One goes: everything behind it moves up.
      if (pages === 3) bookings.splice(10, 1)
      return undefined
    }
    await sync()
    await sync()
    const seen = new Map((await events()).map((event) => [event.bookingId, event.start]))
    expect(provider.bookings.filter(({ uid, start }) => seen.get(uid) !== start)).toEqual([])
  })

  it.each([-7_200_000, 7_200_000])('a provider whose clock is off by %d ms loses nothing', async (skew) => {
    const { provider, sync, events } = await begin(3)
    const at = (): string => new Date(Date.now() + skew).toISOString()
    for (const booking of provider.bookings) booking.createdAt = at()
    await sync()
    const [first] = provider.bookings as [FakeBooking]
    Object.assign(first, moved(first, 3), { updatedAt: at() })
    provider.bookings.push(bookingOf({ createdAt: at() }))
    expect((await sync()).body).toMatchObject({ full: false, created: 1, updated: 1 })
    expect(await events()).toHaveLength(4)
  })

  it('two who sync at once, also on two instances, double nothing and get the same report', async () => {
    const { provider, sync, events, instance } = await begin(300)
    // Two instances on one SQLite file are two processes: see the kills.
    const other = engine === 'sqlite' ? instance : await startInstance({ place: instance.place })
    const reports = await Promise.all([sync(), sync(), handlesOf(other, provider).sync()])
    expect(reports.map(({ status, body }) => [status, body.detail])).toEqual(
      reports.map(() => [200, undefined]),
    )
    expect(reports.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => reports[0]?.body))
    expect(reports[0]?.body.created).toBe(300)
    expect(await events()).toHaveLength(300)
    if (other !== instance) await other.close()
  })

  it('an event that was made for a booking before the first sync is taken over', async () => {
    const { provider, sync, events, instance } = await begin(2)
    const [first] = provider.bookings as [FakeBooking]
    const made = await instance.post('/api/calendar/events', {
      ...{ bookingId: first.uid, title: 'By the workflow', start: '2027-01-01T00:00:00Z', notes: 'mine' },
    })
    expect((await sync()).body).toMatchObject({ created: 1, updated: 1 })
    const all = await events()
    expect(all).toHaveLength(2)
    expect(all.find(({ bookingId }) => bookingId === first.uid)).toMatchObject({
      ...{ id: made.body.id, notes: 'mine', start: first.start },
    })
  })

  it('the drift names what is missing, changed and orphaned, and a full sync mends it', async () => {
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

  it('what can be booked is listed', async () => {
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

  it('a sync that brings something is told to those who listen, one that brings nothing is not', async () => {
    const { sync, instance } = await begin(2)
    const told: unknown[] = []
    instance.app.changes.listen(({ type, data }) => type === 'booking.synced' && told.push(data))
    await sync()
    await sync()
    expect(told).toEqual([expect.objectContaining({ provider: name, created: 2 })])
  })
}

onEveryDatabase('bookings', (engine) => {
  for (const name of Object.keys(FAKES) as (keyof typeof FAKES)[])
    describe(`of ${name}`, () => holds(engine, name))

  it('ten thousand bookings are ten thousand events', async () => {
    desk = await startDesk(engine, 'calcom')
    desk.provider.bookings = Array.from({ length: 10_000 }, () => bookingOf())
    expect((await desk.sync()).body).toMatchObject({ created: 10_000, failed: 0 })
    expect((await desk.sync('?full=true')).body).toMatchObject({ unchanged: 10_000, created: 0, updated: 0 })
    expect(desk.provider.violations).toEqual([])
  })
})
