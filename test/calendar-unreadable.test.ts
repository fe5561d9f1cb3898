import { randomUUID } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import type { Engine } from '../src/database/database.ts'
import { connectBookingFixture, handlesOf } from './support/booking-fixture.ts'
import { bookingOf } from './support/booking-server.ts'
import { startCalcom } from './support/calcom.ts'
import {
  makeCalendar,
  newCalendarUser,
  remoteEvent,
  sendCaldavRequest,
  withRadicale,
} from './support/calendar-servers.ts'
import { command } from './support/command-line.ts'
import { refuseEvents } from './support/database-refusal.ts'
import { type DataPlace, makeDataPlace, onOneDatabase } from './support/databases.ts'
import { startFileServer } from './support/file-server.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { type Person, register, signIn } from './support/people.ts'

const EVENTS = '/api/calendar/events'
const ACCOUNTS = '/api/settings/calendar-accounts'
const MARCH = 'start=2026-03-01T00:00:00Z&end=2026-04-01T00:00:00Z&limit=200'
/** Longer than the limit of a title. */
const BAD_TITLE = 'Unreadable '.repeat(500)
const BAD = /^SUMMARY of the event is longer than 5000 characters/
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

/** Starts an instance with helpers. */
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
    add: async (input: Record<string, unknown>): Promise<string> => {
      const added = await instance.post(ACCOUNTS, input, owner)
      expect([added.status, added.body.detail]).toEqual([201, undefined])
      return added.body.id
    },
    /** Waits until a sync ends with this number of unreadable events. */
    settled: (id: string, unreadable: number) =>
      soon(async () => expect(await syncOf(id)).toMatchObject({ status: 'live', unreadable })),
    /** Requests a sync and waits for its end. */
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

/** Starts an instance whose database rejects one of the events, until `allow`. */
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
      await sendCaldavRequest(user, 'PUT', `${calendar}${uid}.ics`, {
        body: remoteEvent(uid, title, more),
        headers: { 'content-type': 'text/calendar' },
      })
      return uid
    }
    const { url, username, password } = user
    return { put, input: { kind: 'caldav', url, username, password, name: 'Ours' } }
  }

  onOneDatabase('postgres', 'that cannot be parsed or stored', (engine) => {
    it('that cannot be parsed do not affect others, are listed with the reasons, and can be downloaded', async () => {
      const place = await newPlace(engine)
      const { add, put, input, ...ours } = { ...(await openRefusing(place)), ...(await connect()) }
      const bad = await put(BAD_TITLE)
      for (const title of ['Breakfast', REFUSED, 'Lunch', 'Dinner']) await put(title)
      const id = await add(input)
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
      const result = await command(['doctor'], { PORT: '0', ...place.environment })
      expect(result.stdout).toMatch(/warn\s+calendars\s+Ours: 2 events could not be read/)
    })

    it('that cannot be parsed are not fetched again until they change', async () => {
      const { add, put, input, ...ours } = { ...(await open(await newPlace(engine))), ...(await connect()) }
      const bad = await put(BAD_TITLE)
      const id = await add(input)
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

    it('that cannot be parsed are retried by another version', async () => {
      const place = await newPlace(engine)
      const { add, put, input, ...ours } = { ...(await openRefusing(place)), ...(await connect()) }
      await put(REFUSED)
      const id = await add(input)
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

onOneDatabase('sqlite', 'events of a published calendar that cannot be parsed or stored', (engine) => {
  const event = (uid: string, title: string) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20260301T090000Z\r\nDTSTART:20260310T120000Z\r\nSUMMARY:${title}\r\nEND:VEVENT\r\n`
  const calendar = (...events: string[]) =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`

  it('do not affect others, keep their last version, and are retried after an upgrade', async () => {
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

onOneDatabase('postgres', 'bookings that cannot be parsed or stored', (engine) => {
  it('do not affect others, are listed, and are retried by another version', async () => {
    const place = await newPlace(engine)
    const provider = await startCalcom()
    closing.push(provider.close)
    const first = await startInstance({ place })
    let current: Instance = first
    closing.push(() => current.close())
    await connectBookingFixture(first, provider)
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
