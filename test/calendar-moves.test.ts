import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  makeCalendar,
  newCalendarUser,
  remoteEvent,
  sendCaldavRequest,
  withRadicale,
} from './support/calendar-servers.ts'
import { followCalendarSync } from './support/calendar-sync.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { type Person, register } from './support/people.ts'

const CALENDARS = '/api/calendars'
const EVENTS = '/api/calendar/events'
const ACCOUNTS = '/api/settings/calendar-accounts'
const LUNCH = { title: 'Lunch', start: '2026-03-05T12:00:00Z', end: '2026-03-05T13:00:00Z' }

interface Listed {
  id: number
  name: string
  color: string
  isDefault: boolean
  readOnly: boolean
  account: { id: string; kind: string; name: string } | null
}

onOneDatabase('sqlite', 'calendars of a calendar account', (engine) => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC', REGISTRATION: 'open' } })
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())

  const { accountOf, settled, look } = followCalendarSync(() => ({ instance, person }))
  const changeAccount = (id: string, body: object) =>
    instance.call('PATCH', `${ACCOUNTS}/${id}`, { token: person.token, body })
  const list = async (): Promise<Listed[]> => (await instance.get(CALENDARS, person)).body.calendars
  const named = async (name: string): Promise<Listed> =>
    (await list()).find((calendar) => calendar.name === name) as Listed
  const create = async (body: object = {}) => {
    const made = await instance.post(EVENTS, { ...LUNCH, ...body }, person)
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    return made.body
  }
  const patch = (id: number, body: object) =>
    instance.call('PATCH', `${EVENTS}/${id}`, { token: person.token, body })
  const read = async (id: number) => (await instance.get(`${EVENTS}/${id}`, person)).body

  withRadicale('on a server', () => {
    const connect = async (names: readonly string[], input: object = {}) => {
      const user = newCalendarUser()
      const calendars: string[] = []
      for (const name of names) calendars.push(await makeCalendar(user, name, { name, color: '#AA3366FF' }))
      const { url, username, password } = user
      const body = { kind: 'caldav', url, username, password, ...input }
      const added = await instance.post(ACCOUNTS, body, person)
      expect(added.status).toBe(201)
      const id = added.body.id as string
      await settled(id)
      const objects = async (calendar: string): Promise<string> =>
        (await sendCaldavRequest(user, 'GET', calendar)).text()
      const put = (calendar: string, uid: string, text: string) =>
        sendCaldavRequest(user, 'PUT', `${calendar}${uid}.ics`, {
          body: text,
          headers: { 'content-type': 'text/calendar' },
        })
      return { id, user, calendars, objects, put }
    }
    const has = (objects: (calendar: string) => Promise<string>, calendar: string, uid: string) =>
      soon(async () => expect(await objects(calendar)).toContain(uid))
    const hasNot = (objects: (calendar: string) => Promise<string>, calendar: string, uid: string) =>
      soon(async () => expect(await objects(calendar)).not.toContain(uid))

    it('appear with name, color and account, and the first account becomes the default', async () => {
      person = await register(instance)
      const local = await create()
      const { id } = await connect(['alpha', 'beta'], { name: 'Family server' })
      const calendars = await list()
      expect(calendars.map(({ name, isDefault }) => [name, isDefault]).toSorted()).toEqual([
        ['Calendar', false],
        ['alpha', true],
        ['beta', false],
      ])
      expect(await named('alpha')).toMatchObject({
        color: '#aa3366',
        readOnly: false,
        account: { id, kind: 'caldav', name: 'Family server' },
      })
      expect((await read(local.id)).calendarId).toBe((await named('Calendar')).id)

      // The settings of the account are a view of the default calendar.
      const beta = await named('beta')
      const chosen = await instance.call('PATCH', `${CALENDARS}/${beta.id}`, {
        token: person.token,
        body: { isDefault: true },
      })
      expect(chosen.status).toBe(200)
      const account = await accountOf(id)
      const remote = account.calendars.find(({ name }: { name: string }) => name === 'beta')
      expect([account.receivesNew, account.newEventsCalendarId]).toEqual([true, remote.id])
      await changeAccount(id, { newEventsCalendarId: null })
      expect((await named('alpha')).isDefault).toBe(true)
      await changeAccount(id, { receivesNew: false })
      expect((await named('Calendar')).isDefault).toBe(true)
      await changeAccount(id, { receivesNew: true })
      expect((await named('alpha')).isDefault).toBe(true)
      const own = await named('Calendar')
      await instance.call('PATCH', `${CALENDARS}/${own.id}`, {
        token: person.token,
        body: { isDefault: true },
      })
      expect((await accountOf(id)).receivesNew).toBe(false)
    })

    it('receive the events that are created in them or moved to them', async () => {
      person = await register(instance)
      const { id, calendars, objects } = await connect(['alpha', 'beta'])
      const [alpha, beta] = calendars as [string, string]
      const own = await named('Calendar')
      const made = await create({ calendarId: (await named('beta')).id, recurrence: 'FREQ=DAILY;COUNT=3' })
      await has(objects, beta, made.uid)
      expect(await objects(alpha)).not.toContain(made.uid)
      await settled(id)

      // From one calendar of the account to another.
      expect((await patch(made.id, { calendarId: (await named('alpha')).id })).status).toBe(200)
      await has(objects, alpha, made.uid)
      await hasNot(objects, beta, made.uid)
      await look(id)
      expect((await read(made.id)).calendarId).toBe((await named('alpha')).id)

      // From the server to a local calendar, and back.
      expect((await patch(made.id, { calendarId: own.id, title: 'At home' })).status).toBe(200)
      await hasNot(objects, alpha, made.uid)
      await look(id)
      expect(await read(made.id)).toMatchObject({ calendarId: own.id, title: 'At home' })
      await patch(made.id, { title: 'Still at home' })
      await look(id)
      expect(await objects(alpha)).not.toContain(made.uid)
      expect((await patch(made.id, { calendarId: (await named('beta')).id })).status).toBe(200)
      await has(objects, beta, made.uid)
      await look(id)
      expect(await read(made.id)).toMatchObject({ title: 'Still at home' })
      expect(await objects(alpha)).not.toContain(made.uid)
    })

    it('exchange events between two servers, and lose none while one of them fails', async () => {
      person = await register(instance)
      const first = await connect(['one'])
      const second = await connect(['two'])
      const made = await create({ calendarId: (await named('one')).id })
      const [one, two] = [first.calendars[0] as string, second.calendars[0] as string]
      await has(first.objects, one, made.uid)
      await settled(first.id)

      // The new server gets nothing while its account is disabled. The former one keeps the event.
      await changeAccount(second.id, { enabled: false })
      const target = (await named('two')).id
      expect((await patch(made.id, { calendarId: target, title: 'Moved' })).status).toBe(200)
      await look(first.id)
      expect(await first.objects(one)).toContain(made.uid)
      expect(await second.objects(two)).not.toContain(made.uid)
      expect(await read(made.id)).toMatchObject({ calendarId: target, title: 'Moved' })

      // A change on the former server is merged, and the event stays in its new calendar.
      await first.put(one, encodeURIComponent(made.uid), remoteEvent(made.uid, 'Lunch', 'LOCATION:Canteen'))
      await look(first.id)
      expect(await read(made.id)).toMatchObject({ calendarId: target, title: 'Moved', location: 'Canteen' })

      await changeAccount(second.id, { enabled: true })
      await has(second.objects, two, made.uid)
      await hasNot(first.objects, one, made.uid)
      await settled(second.id)
      await look(first.id)
      await look(second.id)
      expect(await read(made.id)).toMatchObject({ calendarId: target, title: 'Moved', location: 'Canteen' })
    })

    it('keep an event that was moved away, even if its former server deletes it meanwhile', async () => {
      person = await register(instance)
      const { id, calendars, objects, user } = await connect(['work'])
      const made = await create({ calendarId: (await named('work')).id })
      const work = calendars[0] as string
      await has(objects, work, made.uid)
      await settled(id)
      await changeAccount(id, { enabled: false })
      await patch(made.id, { calendarId: (await named('Calendar')).id })
      await sendCaldavRequest(user, 'DELETE', `${work}${encodeURIComponent(made.uid)}.ics`)
      await changeAccount(id, { enabled: true })
      await look(id)
      expect(await read(made.id)).toMatchObject({ calendarId: (await named('Calendar')).id })
    })

    it('follow an event that the server moves to another calendar', async () => {
      person = await register(instance)
      const { id, calendars, put, user } = await connect(['alpha', 'beta'])
      const [alpha, beta] = calendars as [string, string]
      const uid = `${randomUUID()}@example.test`
      for (const [from, to, name] of [
        [undefined, beta, 'beta'],
        [beta, alpha, 'alpha'],
        [alpha, beta, 'beta'],
      ] as const) {
        await put(to, uid, remoteEvent(uid))
        if (from !== undefined) await sendCaldavRequest(user, 'DELETE', `${from}${uid}.ics`)
        await look(id)
        const { events } = (await instance.get(`${EVENTS}?calendarId=${(await named(name)).id}`, person)).body
        expect(events.map((event: { uid: string }) => event.uid)).toEqual([uid])
      }
    })

    it('follow a rename on the server, until the user renames them', async () => {
      person = await register(instance)
      const { id, calendars, user } = await connect(['work'])
      const rename = (name: string) =>
        sendCaldavRequest(user, 'PROPPATCH', calendars[0] as string, {
          headers: { 'content-type': 'application/xml' },
          body: `<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><D:displayname>${name}</D:displayname></D:prop></D:set></D:propertyupdate>`,
        })
      await rename('Office')
      await look(id)
      const calendar = await named('Office')
      await instance.call('PATCH', `${CALENDARS}/${calendar.id}`, {
        token: person.token,
        body: { name: 'My office' },
      })
      await rename('Company')
      await look(id)
      expect((await named('My office')).id).toBe(calendar.id)
    })

    it('disappear when they are deselected, with their events, and come back', async () => {
      person = await register(instance)
      const { id, objects, calendars } = await connect(['alpha', 'beta'])
      const made = await create()
      expect(made.calendarId).toBe((await named('alpha')).id)
      await has(objects, calendars[0] as string, made.uid)
      await settled(id)
      const [alpha] = (await accountOf(id)).calendars
      await changeAccount(id, { calendars: [{ id: alpha.id, followed: false }] })
      expect((await list()).map(({ name, isDefault }) => [name, isDefault])).toEqual([
        ['Calendar', false],
        ['beta', true],
      ])
      await soon(async () => expect((await instance.get(`${EVENTS}/${made.id}`, person)).status).toBe(404))
      await look(id)
      await changeAccount(id, { calendars: [{ id: alpha.id, followed: true }] })
      await look(id)
      const { events } = (await instance.get(`${EVENTS}?calendarId=${(await named('alpha')).id}`, person))
        .body
      expect(events.map((event: { uid: string }) => event.uid)).toEqual([made.uid])
    })

    it('leave their events in a local calendar if the account is removed without them', async () => {
      person = await register(instance)
      const { id, objects, calendars } = await connect(['alpha'])
      const made = await create()
      await has(objects, calendars[0] as string, made.uid)
      await settled(id)
      const gone = await instance.call('DELETE', `${ACCOUNTS}/${id}?events=keep`, { token: person.token })
      expect(gone.status).toBe(204)
      expect((await list()).map(({ name, isDefault }) => [name, isDefault])).toEqual([['Calendar', true]])
      expect((await read(made.id)).calendarId).toBe((await named('Calendar')).id)
      expect(await objects(calendars[0] as string)).toContain(made.uid)
    })
  })
})
