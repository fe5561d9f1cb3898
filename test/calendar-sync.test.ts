import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  makeCalendar,
  newCalendarUser,
  radicale,
  remoteEvent,
  sendCaldavRequest,
  withRadicale,
} from './support/calendar-servers.ts'
import { onOneDatabase } from './support/databases.ts'
import { type FileServer, startFileServer } from './support/file-server.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { type Person, register } from './support/people.ts'

const EVENTS = '/api/calendar/events'
const ACCOUNTS = '/api/settings/calendar-accounts'
const MARCH = 'start=2026-03-01T00:00:00Z&end=2026-04-01T00:00:00Z&limit=200'

withRadicale('calendars on a server', () => {
  onOneDatabase('postgres', 'in two ways', (engine) => {
    let instance: Instance
    let person: Person
    beforeAll(async () => {
      instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
      person = await register(instance)
      await instance.app.jobs.start()
    })
    afterAll(() => instance.close())

    const accountOf = async (id: string) => (await instance.get(`${ACCOUNTS}/${id}`, person)).body
    /** Waits until the sync of an account is finished. */
    const settled = (id: string) =>
      soon(async () => {
        const { sync } = await accountOf(id)
        expect(sync).toMatchObject({ status: 'live', waiting: 0 })
        const jobs = await instance.database.db
          .selectFrom('calendar_sync')
          .select('lastSyncAt')
          .where('accountId', '=', id)
          .executeTakeFirstOrThrow()
        expect(jobs.lastSyncAt).not.toBeNull()
        return sync
      })
    /** Requests a sync and waits for its end. */
    const look = async (id: string) => {
      const before = (await settled(id)).lastSyncAt
      await instance.post(`${ACCOUNTS}/${id}/sync`, undefined, person)
      await soon(async () => {
        const { sync } = await accountOf(id)
        expect(sync.status).toBe('live')
        expect(sync.lastSyncAt > before).toBe(true)
      })
      await settled(id)
    }
    const connect = async (input: Record<string, unknown> = {}) => {
      const user = newCalendarUser()
      const work = await makeCalendar(user, 'work', { name: 'Work' })
      const add = async () => {
        const added = await instance.post(
          ACCOUNTS,
          { kind: 'caldav', url: user.url, username: user.username, password: user.password, ...input },
          person,
        )
        expect(added.status).toBe(201)
        return added.body.id as string
      }
      const put = (uid: string, text: string, calendar = work) =>
        sendCaldavRequest(user, 'PUT', `${calendar}${uid}.ics`, {
          body: text,
          headers: { 'content-type': 'text/calendar' },
        })
      const textOf = async (uid: string): Promise<string> =>
        (await sendCaldavRequest(user, 'GET', `${work}${encodeURIComponent(uid)}.ics`)).text()
      return { user, work, add, put, textOf }
    }
    const march = async () => (await instance.get(`${EVENTS}?${MARCH}`)).body.events
    const byUid = async (uid: string) => (await march()).filter((event: { uid: string }) => event.uid === uid)
    const newUid = () => `${randomUUID()}@example.test`

    it('sync their events, including changes and deletions on the server', async () => {
      const { add, put, user, work } = await connect()
      const [kept, dropped] = [newUid(), newUid()]
      await put(kept, remoteEvent(kept, 'Lunch', 'LOCATION:Canteen'))
      await put(dropped, remoteEvent(dropped, 'Dinner'))
      const id = await add()
      await settled(id)
      expect(await byUid(kept)).toMatchObject([{ title: 'Lunch', location: 'Canteen', source: 'caldav' }])
      expect(await accountOf(id)).toMatchObject({
        calendars: [{ name: 'Work', writable: true, followed: true }],
        sync: { progress: { done: 2, total: 2 } },
      })
      const [{ id: eventId }] = await byUid(kept)
      await put(kept, remoteEvent(kept, 'Late lunch'))
      await sendCaldavRequest(user, 'DELETE', `${work}${dropped}.ics`)
      await look(id)
      expect(await byUid(kept)).toMatchObject([{ id: eventId, title: 'Late lunch', location: '' }])
      expect(await byUid(dropped)).toEqual([])
    })

    it('receive local events, changes and deletions', async () => {
      const { add, textOf } = await connect({ receivesNew: true })
      const id = await add()
      await settled(id)
      const { body: made } = await instance.post(EVENTS, {
        title: 'Review',
        attendees: ['li@example.org'],
        start: '2026-03-05T09:00:00+01:00',
        end: '2026-03-05T10:00:00+01:00',
      })
      await soon(async () => expect(await textOf(made.uid)).toContain('SUMMARY:Review'))
      await settled(id)
      await instance.call('PATCH', `${EVENTS}/${made.id}`, { body: { title: 'Quarterly review' } })
      await soon(async () => expect(await textOf(made.uid)).toContain('SUMMARY:Quarterly review'))
      // The server must not invite anybody by itself.
      expect(await textOf(made.uid)).toMatch(/ATTENDEE;(?:[^:]|\r\n )*SCHEDULE-AGENT=CLIENT/)
      await settled(id)
      await instance.call('DELETE', `${EVENTS}/${made.id}`)
      await soon(() => expect(textOf(made.uid)).rejects.toThrow('404'))
      await look(id)
      expect(await byUid(made.uid)).toEqual([])
    })

    /** Runs `work` while the account is disabled: both sides change before the next sync. */
    const meanwhile = async (id: string, work: () => Promise<unknown>) => {
      await switchTo(id, false)
      await work()
      await switchTo(id, true)
      await settled(id)
    }
    const switchTo = async (id: string, enabled: boolean) => {
      const { status } = await instance.call('PATCH', `${ACCOUNTS}/${id}`, { ...person, body: { enabled } })
      expect(status).toBe(200)
    }
    const change = (id: number, body: Record<string, unknown>, query = '') =>
      instance.call('PATCH', `${EVENTS}/${id}${query}`, { body })
    const remove = (id: number) => instance.call('DELETE', `${EVENTS}/${id}`)
    /** Creates an event that both sides have. */
    const shared = async (text = (uid: string) => remoteEvent(uid, 'Lunch')) => {
      const connection = await connect()
      const uid = newUid()
      await connection.put(uid, text(uid))
      const id = await connection.add()
      await settled(id)
      const [event] = await byUid(uid)
      return { ...connection, uid, id, event }
    }

    it('are merged with local changes', async () => {
      const { id, uid, event, put, textOf } = await shared()
      await meanwhile(id, async () => {
        await change(event.id, { title: 'Working lunch', location: 'Room 5' })
        await put(
          uid,
          remoteEvent(
            uid,
            'Lunch',
            'DESCRIPTION:Bring the sketches\\nLOCATION:Canteen'.replace('\\n', '\r\n'),
          ),
        )
      })
      const joined = {
        id: event.id,
        title: 'Working lunch',
        description: 'Bring the sketches',
        location: 'Canteen',
      }
      expect(await byUid(uid)).toMatchObject([joined])
      await soon(async () => expect(await textOf(uid)).toContain('SUMMARY:Working lunch'))
      expect(await textOf(uid)).toContain('LOCATION:Canteen')
    })

    it('recreate a locally changed event after it was deleted on the server', async () => {
      const { id, uid, event, user, work, textOf } = await shared()
      await meanwhile(id, async () => {
        await change(event.id, { title: 'Working lunch' })
        await sendCaldavRequest(user, 'DELETE', `${work}${uid}.ics`)
      })
      expect(await textOf(uid)).toContain('SUMMARY:Working lunch')
      expect(await byUid(uid)).toMatchObject([{ id: event.id, title: 'Working lunch' }])
    })

    it('restore an event changed on the server after it was deleted locally', async () => {
      const { id, uid, event, put } = await shared()
      await meanwhile(id, async () => {
        await remove(event.id)
        await put(uid, remoteEvent(uid, 'Important lunch'))
      })
      expect(await byUid(uid)).toMatchObject([{ title: 'Important lunch' }])
    })

    it('sync series with their changed occurrences in both directions', async () => {
      const series = (uid: string) => remoteEvent(uid, 'Standup', 'RRULE:FREQ=WEEKLY;COUNT=3')
      const { id, uid, event, put, textOf } = await shared(series)
      expect(await byUid(uid)).toHaveLength(3)
      const seriesId = event.recurringEventId ?? event.id
      await change(seriesId, { title: 'Standup in the park' }, '?occurrence=2026-03-17T12:00:00Z&scope=this')
      await soon(async () => expect(await textOf(uid)).toContain('RECURRENCE-ID'))
      await settled(id)
      await put(uid, series(uid))
      await look(id)
      expect((await byUid(uid)).map(({ title }: { title: string }) => title)).toEqual(
        Array(3).fill('Standup'),
      )
    })

    it('may change following occurrences of a series, which stays one object on both sides', async () => {
      const master = (uid: string) =>
        remoteEvent(uid, 'Standup', 'RRULE:FREQ=DAILY;COUNT=5').split('END:VCALENDAR')[0] as string
      const later = (uid: string) =>
        remoteEvent(uid, 'Walk', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20260312T120000Z')
          .replace(/20260310T1(?=[23]0000Z\r\n(?:DTEND|SUMMARY))/g, '20260312T1')
          .split('//EN\r\n')[1] as string
      const { id, uid, event, put, textOf } = await shared((name) => master(name) + later(name))
      const titles = async () => (await byUid(uid)).map(({ title }: { title: string }) => title)
      expect(await titles()).toEqual(['Standup', 'Standup', 'Walk', 'Walk', 'Walk'])
      const seriesId = event.recurringEventId ?? event.id
      await change(seriesId, { title: 'Run' }, '?occurrence=2026-03-13T12:00:00Z&scope=this')
      await soon(async () => expect(await textOf(uid)).toContain('SUMMARY:Run'))
      await settled(id)
      const content = await textOf(uid)
      expect(
        [...content.matchAll(/^(?:RECURRENCE-ID.*|SUMMARY:.*|UID:.*)$/gm)].map(([line]) => line.trim()),
      ).toEqual([
        `UID:${uid}`,
        'SUMMARY:Standup',
        `UID:${uid}`,
        'RECURRENCE-ID:20260312T120000Z',
        'SUMMARY:Walk',
        `UID:${uid}`,
        'RECURRENCE-ID:20260313T120000Z',
        'SUMMARY:Run',
        `UID:${uid}`,
        'RECURRENCE-ID:20260314T120000Z',
        'SUMMARY:Walk',
      ])
      await put(uid, `${master(uid)}END:VCALENDAR\r\n`)
      await look(id)
      expect(await titles()).toEqual(Array(5).fill('Standup'))
    })

    it('keep an event that moves from one calendar to another', async () => {
      const { id, uid, event, user, work, put } = await shared()
      const other = await makeCalendar(user, 'private', { name: 'Private' })
      await sendCaldavRequest(user, 'DELETE', `${work}${uid}.ics`)
      await put(uid, remoteEvent(uid, 'Lunch'), other)
      await look(id)
      expect(await byUid(uid)).toMatchObject([{ id: event.id }])
    })

    it('are synced only while they are followed', async () => {
      const { id, uid } = await shared()
      const [calendar] = (await accountOf(id)).calendars
      const follow = async (followed: boolean) => {
        const body = { calendars: [{ id: calendar.id, followed }] }
        expect((await instance.call('PATCH', `${ACCOUNTS}/${id}`, { ...person, body })).status).toBe(200)
      }
      await follow(false)
      await soon(async () => expect(await byUid(uid)).toEqual([]))
      await settled(id)
      await follow(true)
      await soon(async () => expect(await byUid(uid)).toHaveLength(1))
    })

    it('delete their local copies with the account, unless the user keeps them', async () => {
      const [gone, staying] = [await shared(), await shared()]
      expect((await instance.call('DELETE', `${ACCOUNTS}/${gone.id}`, person)).status).toBe(204)
      expect((await instance.call('DELETE', `${ACCOUNTS}/${staying.id}?events=keep`, person)).status).toBe(
        204,
      )
      expect(await byUid(gone.uid)).toEqual([])
      expect(await byUid(staying.uid)).toHaveLength(1)
      expect(await gone.textOf(gone.uid)).toContain('SUMMARY:Lunch')
    })

    it('receive an event once, even if the result could not be recorded', async () => {
      const { id, uid, event, textOf } = await shared()
      await change(event.id, { title: 'Told' })
      await soon(async () => expect(await textOf(uid)).toContain('SUMMARY:Told'))
      await settled(id)
      // As after a crash between the response of the server and the commit.
      const { db } = instance.database
      await db.updateTable('event_placements').set({ etag: '"before"' }).where('uid', '=', uid).execute()
      const push = { changes: 1, notedAt: '2026-03-01T00:00:00.000Z', attempts: 0, tryAt: null, error: null }
      await db
        .insertInto('event_pushes')
        .values({ accountId: id, uid, ...push })
        .execute()
      await instance.post(`${ACCOUNTS}/${id}/sync`, undefined, person)
      await settled(id)
      expect(await byUid(uid)).toMatchObject([{ id: event.id, title: 'Told' }])
      expect(await textOf(uid)).toContain('SUMMARY:Told')
    })

    it('that are read-only report it, and local changes stay local', async () => {
      const { user, add, put } = await connect()
      const holidays = await makeCalendar(user, 'readonly', { name: 'Holidays' }, radicale().keeper)
      const uid = newUid()
      await sendCaldavRequest(radicale().keeper, 'PUT', `${holidays}${uid}.ics`, {
        body: remoteEvent(uid, 'Carnival'),
        headers: { 'content-type': 'text/calendar' },
      })
      await put(newUid(), remoteEvent(newUid()))
      const id = await add()
      await settled(id)
      const [event] = await byUid(uid)
      await change(event.id, { title: 'Carnival in Cologne' })
      await soon(async () => {
        const { sync } = await accountOf(id)
        expect(sync).toMatchObject({
          status: 'live',
          waiting: 1,
          error: expect.stringContaining('“Holidays” is read-only'),
        })
      })
      expect(await byUid(uid)).toMatchObject([{ title: 'Carnival in Cologne' }])
    })

    it('that cannot be reached report the reason, and sync again later', async () => {
      const { user, add, put } = await connect({ password: 'wrong' })
      const uid = newUid()
      await put(uid, remoteEvent(uid))
      const id = await add()
      await soon(async () => {
        const { sync } = await accountOf(id)
        expect(sync).toMatchObject({
          status: 'failing',
          error: expect.stringContaining('user name or password'),
        })
      })
      const failures = '/api/notifications?kind=calendar_account_failing'
      const { notifications } = (await instance.get(failures, person)).body
      expect(notifications).toMatchObject([
        { kind: 'calendar_account_failing', link: '/settings/calendar-accounts' },
      ])
      const body = { password: user.password }
      await instance.call('PATCH', `${ACCOUNTS}/${id}`, { ...person, body })
      await settled(id)
      expect(await byUid(uid)).toHaveLength(1)
      expect((await accountOf(id)).sync.error).toBeNull()
    })
  })
})

onOneDatabase('sqlite', 'a published calendar', (engine) => {
  let instance: Instance
  let person: Person
  let files: FileServer
  beforeAll(async () => {
    instance = await startInstance({ engine })
    person = await register(instance)
    files = await startFileServer()
    await instance.app.jobs.start()
  })
  afterAll(async () => {
    await instance.close()
    await files.close()
  })

  const publish = (...events: (readonly [uid: string, title: string, more?: string])[]) => {
    const bodies = events.map(
      ([uid, title, more = '']) =>
        `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20260301T000000Z\r\nDTSTART:20260302T090000Z\r\nSUMMARY:${title}\r\n${more}END:VEVENT\r\n`,
    )
    const body = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Team\r\n${bodies.join('')}END:VCALENDAR\r\n`
    files.answer = () => ({ body })
  }
  const titles = async (): Promise<string[]> =>
    (await instance.get(`${EVENTS}?${MARCH}`)).body.events.map(({ title }: { title: string }) => title).sort()
  const soonHere = (...expected: string[]) => soon(async () => expect(await titles()).toEqual(expected))

  it('is synced, and its events are deleted with the subscription', async () => {
    publish(['one', 'Planning'], ['two', 'Retro'], ['series', 'Daily', 'RRULE:FREQ=DAILY;COUNT=2\r\n'])
    const { body: account } = await instance.post(ACCOUNTS, { kind: 'ics', url: files.url }, person)
    const look = () => instance.post(`${ACCOUNTS}/${account.id}/sync`, undefined, person)
    await soonHere('Daily', 'Daily', 'Planning', 'Retro')
    const { events } = (await instance.get(`${EVENTS}?${MARCH}`)).body
    expect(events.every(({ source }: { source: string }) => source === 'ics')).toBe(true)
    const planning = events.find(({ title }: { title: string }) => title === 'Planning')
    // The user's notes and changes stay until the publisher changes the event.
    const body = { title: 'Planning (mine)', notes: 'Bring cake' }
    await instance.call('PATCH', `${EVENTS}/${planning.id}`, { body })
    publish(['one', 'Planning'], ['series', 'Daily', 'RRULE:FREQ=DAILY;COUNT=2\r\n'])
    await look()
    await soonHere('Daily', 'Daily', 'Planning (mine)')
    publish(['one', 'Planning in Room 5'])
    await look()
    await soonHere('Planning in Room 5')
    expect((await instance.get(`${EVENTS}/${planning.id}`)).body).toMatchObject({ notes: 'Bring cake' })
    await soon(async () => {
      expect((await instance.get(`${ACCOUNTS}/${account.id}`, person)).body).toMatchObject({
        calendars: [{ name: 'Team', writable: false }],
        sync: { status: 'live', waiting: 0 },
      })
    })
    // A new URL does not create a new calendar.
    const moved = { url: `${files.url}/moved.ics` }
    await instance.call('PATCH', `${ACCOUNTS}/${account.id}`, { body: moved, token: person.token })
    publish(['one', 'Planning in Room 6'])
    await look()
    await soonHere('Planning in Room 6')
    expect((await instance.get(`${EVENTS}/${planning.id}`)).body).toMatchObject({ notes: 'Bring cake' })
    await instance.call('DELETE', `${ACCOUNTS}/${account.id}`, person)
    expect(await titles()).toEqual([])
  })

  it('may change following occurrences of a series, and revert that', async () => {
    const series = (count: number) => ['series', 'Daily', `RRULE:FREQ=DAILY;COUNT=${count}\r\n`] as const
    const later = ['series', 'Later', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20260304T090000Z\r\n'] as const
    publish(series(4), later)
    const { body: account } = await instance.post(ACCOUNTS, { kind: 'ics', url: files.url }, person)
    const look = () => instance.post(`${ACCOUNTS}/${account.id}/sync`, undefined, person)
    await soonHere('Daily', 'Daily', 'Later', 'Later')
    publish(series(5), later)
    await look()
    await soonHere('Daily', 'Daily', 'Later', 'Later', 'Later')
    publish(series(3))
    await look()
    await soonHere('Daily', 'Daily', 'Daily')
    publish(series(4), later)
    await look()
    await soonHere('Daily', 'Daily', 'Later', 'Later')
    await instance.call('DELETE', `${ACCOUNTS}/${account.id}`, person)
    expect(await titles()).toEqual([])
  })

  it('may revert a changed occurrence of one series and change the same of another', async () => {
    const series = (uid: string) => [uid, uid, 'RRULE:FREQ=DAILY;COUNT=2\r\n'] as const
    const second = (uid: string, title: string) => [uid, title, 'RECURRENCE-ID:20260303T090000Z\r\n'] as const
    publish(series('A'), second('A', 'A moved'), series('B'), second('B', 'B moved'))
    const { body: account } = await instance.post(ACCOUNTS, { kind: 'ics', url: files.url }, person)
    await soonHere('A', 'A moved', 'B', 'B moved')
    publish(series('A'), series('B'), second('B', 'B moved again'), ['C', 'C'])
    await instance.post(`${ACCOUNTS}/${account.id}/sync`, undefined, person)
    await soonHere('A', 'A', 'B', 'B moved again', 'C')
    await instance.call('DELETE', `${ACCOUNTS}/${account.id}`, person)
    expect(await titles()).toEqual([])
  })

  it('may contain characters that a database rejects', async () => {
    publish(['odd\0 one', 'Plan\0ning \ud800', 'X-ODD:\0\r\n'], ['two', 'Retro'])
    const { body: account } = await instance.post(ACCOUNTS, { kind: 'ics', url: files.url }, person)
    await soonHere('Planning \ufffd', 'Retro')
    await instance.call('DELETE', `${ACCOUNTS}/${account.id}`, person)
    expect(await titles()).toEqual([])
  })

  it('does not change events from other sources', async () => {
    const own = { uid: 'own', title: 'Mine', start: '2026-03-02T09:00:00Z', end: '2026-03-02T10:00:00Z' }
    await instance.post(EVENTS, own)
    publish(['own', 'Taken over'], ['other', 'Published'])
    const { body: account } = await instance.post(ACCOUNTS, { kind: 'ics', url: files.url }, person)
    await soonHere('Mine', 'Published')
    await instance.call('DELETE', `${ACCOUNTS}/${account.id}`, person)
    expect(await titles()).toEqual(['Mine'])
  })

  it('that is no longer a calendar reports an error, and its events stay', async () => {
    publish(['one', 'Planning'])
    const { body: account } = await instance.post(ACCOUNTS, { kind: 'ics', url: files.url }, person)
    await soonHere('Mine', 'Planning')
    files.answer = () => ({ body: '<html>Please sign in</html>' })
    await instance.post(`${ACCOUNTS}/${account.id}/sync`, undefined, person)
    await soon(async () => {
      const { sync } = (await instance.get(`${ACCOUNTS}/${account.id}`, person)).body
      expect(sync).toMatchObject({ status: 'failing', error: expect.stringContaining('is not a calendar') })
    })
    expect(await titles()).toEqual(['Mine', 'Planning'])
  })
})
