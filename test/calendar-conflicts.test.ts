import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeCalendar,
  newCalendarUser,
  radicale,
  remoteEvent,
  sendCaldavRequest,
  withRadicale,
} from './support/calendar-servers.ts'
import { followCalendarSync } from './support/calendar-sync.ts'
import { onOneDatabase } from './support/databases.ts'
import { type FileServer, startFileServer } from './support/file-server.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { CALENDAR, found, multistatus, saying } from './support/odd-calendar-server.ts'
import { type Person, register } from './support/people.ts'

const EVENTS = '/api/calendar/events'
const ACCOUNTS = '/api/settings/calendar-accounts'
const MARCH = 'start=2026-03-01T00:00:00Z&end=2026-04-01T00:00:00Z&limit=200'

interface Listed {
  id: number
  uid: string
  title: string
  location: string
  start: string
}

onOneDatabase('sqlite', 'calendar accounts', (engine) => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    person = await register(instance)
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())

  const { accountOf, settled, look } = followCalendarSync(() => ({ instance, person }))
  const change = (id: string, body: Record<string, unknown>) =>
    instance.call('PATCH', `${ACCOUNTS}/${id}`, { ...person, body })
  const edit = (id: number, body: Record<string, unknown>) =>
    instance.call('PATCH', `${EVENTS}/${id}`, { body })
  const byUid = async (uid: string): Promise<Listed[]> =>
    (await instance.get(`${EVENTS}?${MARCH}`)).body.events.filter((event: Listed) =>
      event.uid.startsWith(uid),
    )
  const titlesOf = async (uid: string) => (await byUid(uid)).map(({ title }) => title).toSorted()
  const newUid = () => `${randomUUID()}@example.test`

  withRadicale('on a server', () => {
    const connect = async (names: readonly string[] = ['work']) => {
      const user = newCalendarUser()
      const calendars = []
      for (const name of names) calendars.push(await makeCalendar(user, name, { name }))
      const add = async (input: Record<string, unknown> = {}) => {
        const { url, username, password } = user
        const body = { kind: 'caldav', url, username, password, ...input }
        const added = await instance.post(ACCOUNTS, body, person)
        expect(added.status).toBe(201)
        await settled(added.body.id)
        return added.body.id as string
      }
      const put = (path: string, text: string) =>
        sendCaldavRequest(user, 'PUT', path, { body: text, headers: { 'content-type': 'text/calendar' } })
      return { user, calendars, add, put }
    }
    const isThere = async (
      user: ReturnType<typeof newCalendarUser>,
      calendar: string | undefined,
      uid: string,
    ) =>
      sendCaldavRequest(user, 'GET', `${calendar}${encodeURIComponent(uid)}.ics`).then(
        () => true,
        () => false,
      )

    it('create new events in the selected calendar, and report when it is gone', async () => {
      const { user, calendars, add } = await connect(['alpha', 'beta', 'gamma'])
      const id = await add({ receivesNew: true })
      const account = await accountOf(id)
      expect(account.newEventsCalendarId).toBeNull()
      const [alpha, beta, gamma] = account.calendars
      expect([alpha.name, beta.name, gamma.name]).toEqual(['alpha', 'beta', 'gamma'])
      const make = async (title: string) => {
        const { body } = await instance.post(EVENTS, { title, start: '2026-03-05T09:00:00Z' })
        await soon(async () => expect((await accountOf(id)).sync.waiting).toBe(0))
        return body.uid as string
      }
      const first = await make('First')
      await soon(async () => expect(await isThere(user, calendars[0], first)).toBe(true))
      const chosen = await change(id, { newEventsCalendarId: beta.id })
      expect([chosen.status, chosen.body.newEventsCalendarId]).toEqual([200, beta.id])
      const second = await make('Second')
      await soon(async () => expect(await isThere(user, calendars[1], second)).toBe(true))
      expect(await isThere(user, calendars[0], second)).toBe(false)

      await settled(id)
      await instance.database.db
        .updateTable('remote_calendars')
        .set({ writable: 0 })
        .where('id', '=', gamma.id)
        .execute()
      for (const [wrong, says] of [
        [gamma.id, 'read-only'],
        [999_999_999, 'not a calendar of this account'],
      ]) {
        const refused = await change(id, { newEventsCalendarId: wrong })
        expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining(says)])
      }
      await change(id, { calendars: [{ id: alpha.id, followed: false }] })
      expect((await change(id, { newEventsCalendarId: alpha.id })).status).toBe(400)
      await change(id, { calendars: [{ id: alpha.id, followed: true }] })

      await sendCaldavRequest(user, 'DELETE', calendars[1] as string)
      const { error } = await look(id)
      expect(error).toContain('The calendar for new events no longer exists')
      const third = await make('Third')
      await soon(async () => expect(await isThere(user, calendars[0], third)).toBe(true))
      expect((await accountOf(id)).newEventsCalendarId).toBeNull()
      await change(id, { newEventsCalendarId: null })
      await soon(async () => expect((await accountOf(id)).sync.error).toBeNull())
      await instance.call('DELETE', `${ACCOUNTS}/${id}`, person)
    })

    /** Changes an event on both sides before the next sync. */
    const collide = async (mine: Record<string, unknown> | null, theirs: string) => {
      const { calendars, add, put } = await connect()
      const uid = newUid()
      const path = `${calendars[0]}${uid}.ics`
      await put(path, remoteEvent(uid, 'Lunch', 'LOCATION:Canteen'))
      const id = await add({ name: 'Family' })
      const [event] = await byUid(uid)
      await change(id, { enabled: false })
      if (mine) await edit(event?.id as number, mine)
      else await instance.call('DELETE', `${EVENTS}/${event?.id}`)
      await put(path, remoteEvent(uid, 'Lunch', theirs).replace('T130000Z', 'T143000Z'))
      await change(id, { enabled: true })
      await settled(id)
      const { notifications } = (await instance.get('/api/notifications?kind=calendar_conflict', person)).body
      return { id, uid, event: event as Listed, notice: notifications[0] }
    }
    const undo = (actionId: number) => instance.post(`/api/actions/${actionId}/undo`, undefined, person)

    it('report local changes that the server replaced, and undo applies them again', async () => {
      const { uid, event, notice } = await collide(
        { title: 'Working lunch', location: 'Room 5' },
        'LOCATION:Garden',
      )
      expect(await byUid(uid)).toMatchObject([{ title: 'Working lunch', location: 'Garden' }])
      expect(notice).toMatchObject({
        title: 'Family replaced your changes to “Working lunch”',
        body: 'Location: “Garden” replaced “Room 5”',
        link: '/calendar?date=2026-03-10',
      })
      expect((await undo(notice.actionId)).status).toBe(200)
      expect(await byUid(uid)).toMatchObject([{ id: event.id, title: 'Working lunch', location: 'Room 5' }])
      expect((await undo(notice.actionId)).status).toBe(409)
    })

    it('reject undo of lost values after a later change', async () => {
      const { uid, event, notice } = await collide({ start: '2026-03-10T15:00:00Z' }, 'LOCATION:Canteen')
      expect(notice.body).toContain('replaced')
      await edit(event.id, { start: '2026-03-11T15:00:00Z' })
      const refused = await undo(notice.actionId)
      expect([refused.status, refused.body.detail]).toEqual([409, '“Lunch” has been changed since.'])
      expect((await byUid(uid))[0]?.start).toBe('2026-03-11T15:00:00.000Z')
    })

    it('report that an event was not deleted because the server changed it, and undo deletes it', async () => {
      const { uid, notice } = await collide(null, 'LOCATION:Garden')
      expect(await byUid(uid)).toHaveLength(1)
      expect(notice.body).toContain('Deleted here but changed on the server: restored')
      expect((await undo(notice.actionId)).status).toBe(200)
      expect(await byUid(uid)).toEqual([])
    })

    /** RFC 4791 requires a server to reject this, and Radicale does. Other servers store it. */
    const placeFile = (user: { username: string }, name: string, text: string) =>
      writeFileSync(join(folderOf(user), name), text)
    const folderOf = ({ username }: { username: string }) =>
      join(dirname(radicale().users), 'collections', 'collection-root', username, 'work')

    it('keep both of two objects with the same UID, and update each at its own location', async () => {
      const { user, calendars, add } = await connect()
      const uid = newUid()
      placeFile(user, 'a.ics', remoteEvent(uid, 'Lunch'))
      placeFile(user, 'b.ics', remoteEvent(uid, 'Dinner'))
      placeFile(user, 'c.ics', remoteEvent(uid, 'Lunch'))
      const id = await add()
      expect(await titlesOf(uid)).toEqual(['Dinner', 'Lunch'])
      const dinner = (await byUid(uid)).find(({ title }) => title === 'Dinner') as Listed
      await edit(dinner.id, { title: 'Late dinner' })
      const textOf = async (name: string) =>
        (await sendCaldavRequest(user, 'GET', `${calendars[0]}${name}`)).text()
      await soon(async () => expect(await textOf('b.ics')).toContain('SUMMARY:Late dinner'))
      expect(await textOf('b.ics')).toContain(`UID:${uid}\r\n`)
      expect(await textOf('a.ics')).toContain('SUMMARY:Lunch')
      await look(id)
      expect(await titlesOf(uid)).toEqual(['Late dinner', 'Lunch'])
      // A renamed object is the same event and is kept.
      rmSync(join(folderOf(user), 'c.ics'))
      rmSync(join(folderOf(user), 'a.ics'))
      placeFile(user, 'd.ics', remoteEvent(uid, 'Early lunch'))
      const lunch = (await byUid(uid)).find(({ title }) => title === 'Lunch') as Listed
      await look(id)
      expect((await byUid(uid)).find(({ title }) => title === 'Early lunch')?.id).toBe(lunch.id)
      expect(await titlesOf(uid)).toEqual(['Early lunch', 'Late dinner'])
      await sendCaldavRequest(user, 'DELETE', `${calendars[0]}b.ics`)
      await look(id)
      expect(await titlesOf(uid)).toEqual(['Early lunch'])
    })

    it('report nothing if the changes do not overlap', async () => {
      const before = (await instance.get('/api/notifications?kind=calendar_conflict', person)).body
      await collide({ title: 'Working lunch' }, 'LOCATION:Garden')
      const after = (await instance.get('/api/notifications?kind=calendar_conflict', person)).body
      expect(after.notifications.length).toBe(before.notifications.length)
    })
  })

  it('store the later of two events with the same UID in an object, and report the other', async () => {
    const uid = newUid()
    const part = (title: string, sequence: number) =>
      remoteEvent(uid, title, `SEQUENCE:${sequence}`)
        .replace(/^[\s\S]*?(?=BEGIN:VEVENT)/, '')
        .replace('END:VCALENDAR\r\n', '')
    let [version, events] = [1, part('New', 2) + part('Old', 1)]
    // Radicale rejects such an object, so the test uses its own server.
    const http = createServer(
      saying(({ method, path }) => {
        if (method === 'REPORT') return { status: 501 }
        const etag = `"${version}"`
        if (method === 'PROPFIND')
          return {
            body: multistatus(
              found('/cal/', CALENDAR) + found('/cal/a.ics', `<weiß:getetag>${etag}</weiß:getetag>`),
            ),
          }
        const body = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events}END:VCALENDAR\r\n`
        return path === '/cal/a.ics' ? { status: 200, headers: { etag }, body } : undefined
      }),
    )
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const { port } = http.address() as { port: number }
    const { body } = await instance.post(
      ACCOUNTS,
      {
        kind: 'caldav',
        url: `http://127.0.0.1:${port}/cal/`,
        username: 'ana',
        password: 'x',
        receivesNew: false,
      },
      person,
    )
    await settled(body.id)
    expect(await titlesOf(uid)).toEqual(['New'])
    expect((await accountOf(body.id)).sync.error).toContain('“Old” was skipped: another event')
    ;[version, events] = [2, part('Newer', 3)]
    expect((await look(body.id)).error).toBeNull()
    expect(await titlesOf(uid)).toEqual(['Newer'])
    await instance.call('DELETE', `${ACCOUNTS}/${body.id}`, person)
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })

  describe('of a published file', () => {
    let files: FileServer
    beforeAll(async () => {
      files = await startFileServer()
    })
    afterAll(() => files.close())
    const publish = (...events: string[]) => {
      const body = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`
      files.answer = () => ({ body })
    }
    const event = (uid: string, title: string, { stamp = '20260301T000000Z', sequence = 0 } = {}) =>
      [
        'BEGIN:VEVENT',
        `UID:${uid}`,
        `DTSTAMP:${stamp}`,
        `SEQUENCE:${sequence}`,
        'DTSTART:20260302T090000Z',
        `SUMMARY:${title}`,
        'END:VEVENT',
        '',
      ].join('\r\n')

    it('keep both of two events with the same UID in each sync', async () => {
      const uid = newUid()
      publish(event(uid, 'Lunch'), event(uid, 'Dinner', { stamp: '20260302T000000Z' }), event(uid, 'Dinner'))
      const { body } = await instance.post(ACCOUNTS, { kind: 'ics', url: files.url }, person)
      await settled(body.id)
      expect(await titlesOf(uid)).toEqual(['Dinner', 'Lunch'])
      const ids = (await byUid(uid)).map(({ id }) => id).toSorted()
      expect((await byUid(uid)).find((one) => one.uid === uid)?.title).toBe('Dinner')
      publish(
        event(uid, 'Dinner', { stamp: '20260302T000000Z' }),
        event(uid, 'Lunch', { stamp: '20260301T090000Z' }),
      )
      await look(body.id)
      expect((await byUid(uid)).map(({ id }) => id).toSorted()).toEqual(ids)
      publish(event(uid, 'Dinner'))
      await look(body.id)
      expect(await titlesOf(uid)).toEqual(['Dinner'])
      await instance.call('DELETE', `${ACCOUNTS}/${body.id}`, person)
    })

    it('report a second event with the same UID when a file is imported', async () => {
      const uid = newUid()
      const file = (...events: string[]) =>
        instance.call('POST', '/api/calendar/import', {
          body: `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`,
          headers: { 'content-type': 'text/calendar' },
        })
      const events = [
        event(uid, 'Lunch', { sequence: 1 }),
        event(uid, 'Dinner', { sequence: 1 }),
        event(uid, 'Breakfast'),
      ]
      const first = await file(...events)
      expect(first.body).toMatchObject({ found: 3, created: 2, updated: 0, unchanged: 0, skippedCount: 1 })
      expect(first.body.warnings[0].reason).toContain('kept as a separate event')
      expect(first.body.skipped[0].reason).toContain('a higher SEQUENCE')
      expect(await titlesOf(uid)).toEqual(['Dinner', 'Lunch'])
      expect((await file(...events)).body).toMatchObject({ created: 0, unchanged: 2, skippedCount: 1 })
    })
  })
})
