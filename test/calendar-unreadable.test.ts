import { randomUUID } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import type { Engine } from '../src/database/database.ts'
import { connectDesk, handlesOf } from './support/booking-desk.ts'
import { bookingOf } from './support/booking-server.ts'
import { startCalcom } from './support/calcom.ts'
import {
  asAnother,
  makeCalendar,
  newCalendarUser,
  remoteEvent,
  withRadicale,
} from './support/calendar-servers.ts'
import { command } from './support/command-line.ts'
import { refuseEvents } from './support/database-refusal.ts'
import { type DataPlace, makeDataPlace, onEveryDatabase } from './support/databases.ts'
import { startFileServer } from './support/file-server.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-house.ts'
import { type Person, register, signIn } from './support/people.ts'

const EVENTS = '/api/calendar/events'
const ACCOUNTS = '/api/settings/calendar-accounts'
const MARCH = 'start=2026-03-01T00:00:00Z&end=2026-04-01T00:00:00Z&limit=200'
/** Longer than any title may be. */
const BAD_TITLE = 'Unreadable '.repeat(500)
const BAD = /^Its SUMMARY is longer than 5000 characters/
const REFUSED = 'Refused by the database'
const UPGRADED = { version: '0.0.1-test' }

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const newPlace = async (engine: Engine): Promise<DataPlace> => {
  const place = await makeDataPlace(engine, 'prepared')
  closing.push(place.remove)
  return place
}

/** An instance that works, and what tests ask it. */
const open = async (place: DataPlace, person?: Person, deps = {}) => {
  const instance = await startInstance({ place, deps })
  let isOpen = true
  const close = async () => {
    if (isOpen) await instance.close()
    isOpen = false
  }
  closing.push(close)
  const owner = person ? { ...person, ...(await signIn(instance, person.email)) } : await register(instance)
  await instance.app.jobs.start()
  const syncOf = async (id: string) => (await instance.get(`${ACCOUNTS}/${id}`, owner)).body.sync
  return {
    instance,
    owner,
    close,
    add: async (wish: Record<string, unknown>): Promise<string> => {
      const added = await instance.post(ACCOUNTS, wish, owner)
      expect([added.status, added.body.detail]).toEqual([201, undefined])
      return added.body.id
    },
    /** Waits until an account is in step with so many events that could not be read. */
    settled: (id: string, unreadable: number) =>
      soon(async () => expect(await syncOf(id)).toMatchObject({ status: 'live', unreadable })),
    /** A look that began after this call, and its end. */
    look: async (id: string) => {
      const before = (await syncOf(id)).lastSyncAt
      await instance.post(`${ACCOUNTS}/${id}/sync`, undefined, owner)
      await soon(async () => {
        const { status, lastSyncAt } = await syncOf(id)
        expect([status, lastSyncAt > before]).toEqual(['live', true])
      })
    },
    unreadable: async (id: string) => {
      const { status, body } = await instance.get(`${ACCOUNTS}/${id}/unreadable`, owner)
      expect(status).toBe(200)
      return body.unreadable
    },
    titles: async () =>
      (await instance.get(`${EVENTS}?${MARCH}`)).body.events
        .map(({ title }: { title: string }) => title)
        .toSorted(),
  }
}

/** A database that does not take one of the events, until `allow`. */
const openRefusing = async (place: DataPlace) => {
  const opened = await open(place)
  const allow = await refuseEvents(opened.instance.database, REFUSED)
  return { ...opened, allow }
}

withRadicale('events of a calendar server', () => {
  const connect = async () => {
    const user = newCalendarUser()
    const calendar = await makeCalendar(user, 'work', { name: 'Work' })
    const put = async (title: string, more?: string, uid = `${randomUUID()}@example.test`) => {
      await asAnother(user, 'PUT', `${calendar}${uid}.ics`, {
        body: remoteEvent(uid, title, more),
        headers: { 'content-type': 'text/calendar' },
      })
      return uid
    }
    const { url, username, password } = user
    return { put, wish: { kind: 'caldav', url, username, password, name: 'Ours' } }
  }

  onEveryDatabase('that cannot be read or stored', (engine) => {
    it('leave the others alone, are listed with their reasons, and can be downloaded', async () => {
      const place = await newPlace(engine)
      const { add, put, wish, ...ours } = { ...(await openRefusing(place)), ...(await connect()) }
      const bad = await put(BAD_TITLE)
      for (const title of ['Breakfast', REFUSED, 'Lunch', 'Dinner']) await put(title)
      const id = await add(wish)
      await ours.settled(id, 2)
      expect(await ours.titles()).toEqual(['Breakfast', 'Dinner', 'Lunch'])
      const listed = await ours.unreadable(id)
      expect(listed).toContainEqual(
        expect.objectContaining({
          name: expect.stringContaining(encodeURIComponent(bad).slice(0, 8)),
          calendar: 'Work',
          reason: expect.stringMatching(BAD),
        }),
      )
      expect(listed).toContainEqual(
        expect.objectContaining({ reason: 'The database rejected its contents.' }),
      )
      const item = listed.find(({ reason }: { reason: string }) => BAD.test(reason))
      const path = `${ACCOUNTS}/${id}/unreadable/${item.id}`
      const file = await ours.instance.get(path, ours.owner)
      expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename=".*\.ics"$/)
      expect(file.body).toContain(`UID:${bad}`)
      expect((await ours.instance.get(path.replace(/\d+$/, '999999'), ours.owner)).status).toBe(404)
      await ours.close()
      const told = await command(['doctor'], { PORT: '0', ...place.environment })
      expect(told.stdout).toMatch(/warn\s+calendars\s+Ours: 2 events could not be read/)
    })

    it('are not read again until they change', async () => {
      const { add, put, wish, ...ours } = { ...(await open(await newPlace(engine))), ...(await connect()) }
      const bad = await put(BAD_TITLE)
      const id = await add(wish)
      await ours.settled(id, 1)
      const [{ failedAt }] = await ours.unreadable(id)
      await put('Another')
      await ours.look(id)
      expect(await ours.unreadable(id)).toMatchObject([{ failedAt }])
      await put('Readable now', 'RRULE:FREQ=DAILY;COUNT=2', bad)
      await ours.look(id)
      await ours.settled(id, 0)
      expect(await ours.titles()).toEqual(['Another', 'Readable now', 'Readable now'])
    })

    it('are tried again by another version of the service', async () => {
      const place = await newPlace(engine)
      const { add, put, wish, ...ours } = { ...(await openRefusing(place)), ...(await connect()) }
      await put(REFUSED)
      const id = await add(wish)
      await ours.settled(id, 1)
      await ours.allow()
      await ours.look(id)
      expect(await ours.titles()).toEqual([])
      await ours.close()
      const later = await open(place, ours.owner, UPGRADED)
      await later.look(id)
      await later.settled(id, 0)
      expect(await later.titles()).toEqual([REFUSED])
    })
  })
})

onEveryDatabase('events of a published calendar that cannot be read or stored', (engine) => {
  const event = (uid: string, title: string) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20260301T090000Z\r\nDTSTART:20260310T120000Z\r\nSUMMARY:${title}\r\nEND:VEVENT\r\n`
  const calendar = (...events: string[]) =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`

  it('leave the others alone, keep what was read of them before, and are tried again after an upgrade', async () => {
    const files = await startFileServer()
    closing.push(files.close)
    const place = await newPlace(engine)
    const { add, allow, ...ours } = await openRefusing(place)
    let text = calendar(event('a', 'First'), event('b', 'Second'))
    let version = 1
    files.answer = ({ 'if-none-match': match }) =>
      match === `"${version}"` ? { status: 304 } : { body: text, headers: { etag: `"${version}"` } }
    const id = await add({ kind: 'ics', url: `${files.url}/ours.ics`, name: 'Ours' })
    await ours.settled(id, 0)
    text = calendar(
      event('a', 'First of all'),
      event('b', BAD_TITLE),
      event('c', REFUSED),
      event('d', 'Fourth'),
    )
    version = 2
    await ours.look(id)
    await ours.settled(id, 2)
    expect(await ours.titles()).toEqual(['First of all', 'Fourth', 'Second'])
    expect(await ours.unreadable(id)).toMatchObject([
      { name: 'b', reason: expect.stringMatching(BAD) },
      { name: 'c', reason: 'The database rejected its contents.' },
    ])
    await allow()
    await ours.close()
    const later = await open(place, ours.owner, UPGRADED)
    await later.look(id)
    await later.settled(id, 1)
    expect(await later.titles()).toEqual(['First of all', 'Fourth', REFUSED, 'Second'])
  })
})

onEveryDatabase('bookings that cannot be read or stored', (engine) => {
  it('leave the others alone, are listed, and are tried again by another version of the service', async () => {
    const place = await newPlace(engine)
    const provider = await startCalcom()
    closing.push(provider.close)
    const first = await startInstance({ place })
    let current: Instance = first
    closing.push(() => current.close())
    await connectDesk(first, provider)
    const allow = await refuseEvents(first.database, REFUSED)
    const refused = bookingOf({ title: REFUSED })
    provider.bookings = [
      bookingOf({ title: 'One' }),
      refused,
      bookingOf({ uid: 'backwards', raw: { uid: 'backwards', start: 'soon', status: 'accepted' } }),
      bookingOf({ title: 'Two' }),
    ]
    const { status, body } = await handlesOf(first, provider).sync()
    expect([status, body]).toMatchObject([200, { created: 2, failed: 2, unreadable: 2 }])
    expect((await first.get('/api/bookingsvc/settings')).body).toMatchObject({
      lastSyncStatus: 'partial',
      unreadable: 2,
    })
    const listed = (await first.get('/api/bookingsvc/unreadable')).body.unreadable
    expect(listed).toHaveLength(2)
    expect(listed).toContainEqual(
      expect.objectContaining({ bookingId: refused.uid, reason: 'The database rejected its contents.' }),
    )
    const item = listed.find(({ bookingId }: { bookingId: string }) => bookingId === 'backwards')
    expect((await first.get(`/api/bookingsvc/unreadable/${item.id}`)).body).toMatchObject({ start: 'soon' })
    expect((await first.get('/api/bookingsvc/unreadable/999999')).status).toBe(404)
    await allow()
    await first.close()
    current = await startInstance({ place, deps: UPGRADED })
    expect((await handlesOf(current, provider).sync()).body).toMatchObject({
      full: true,
      created: 1,
      failed: 1,
      unreadable: 1,
    })
    expect((await current.get('/api/bookingsvc/settings')).body).toMatchObject({ unreadable: 1 })
  })
})
