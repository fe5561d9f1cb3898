import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { onOneDatabase } from './support/databases.ts'
import { entriesOf, exportOf } from './support/exports.ts'
import { type FileServer, startFileServer } from './support/file-server.ts'
import { calendarWith } from './support/icalendar.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

const EVENTS = '/api/calendar/events'
const ACCOUNTS = '/api/settings/calendar-accounts'
const MARCH = 'start=2040-03-01T00:00:00Z&end=2040-04-01T00:00:00Z'
const LUNCH = { title: 'Lunch', start: '2040-03-05T12:00:00Z', end: '2040-03-05T13:00:00Z' }

const calendarOf = (uid: string, title: string): string =>
  calendarWith(
    `UID:${uid}`,
    'DTSTAMP:20400301T000000Z',
    'DTSTART:20400306T090000Z',
    'DTEND:20400306T100000Z',
    `SUMMARY:${title}`,
  )

const titlesIn = ({ body }: Answer): string[] =>
  body.events.map(({ title }: { title: string }) => title).toSorted()

onOneDatabase('sqlite', 'events of two accounts', (engine) => {
  let instance: Instance
  let ana: Person
  let ben: Person
  let files: FileServer
  beforeAll(async () => {
    instance = await startInstance({
      engine,
      environment: { REGISTRATION: 'open', TZ_DEFAULT: 'UTC', ACCESS: 'open' },
    })
    files = await startFileServer()
  })
  afterAll(async () => {
    await instance.close()
    await files.close()
  })

  const create = async (token: string | undefined, body: Record<string, unknown>) => {
    const made = await instance.post(EVENTS, body, token === undefined ? {} : { token })
    expect(made.status).toBe(201)
    return made.body
  }
  const list = async (person: Person, query = MARCH) =>
    titlesIn(await instance.get(`${EVENTS}?${query}`, { token: person.token }))
  const importFile = (person: Person, file: string) =>
    instance.call('POST', '/api/calendar/import', {
      body: file,
      token: person.token,
      headers: { 'content-type': 'text/calendar' },
    })

  it('written without a token belong to the local account and then to the first registration', async () => {
    await create(undefined, { ...LUNCH, title: 'Before registration' })
    ana = await register(instance)
    ben = await register(instance)
    await create(undefined, { ...LUNCH, title: 'Without a token' })
    expect(await list(ana)).toEqual(['Before registration', 'Without a token'])
    expect(await list(ben)).toEqual([])
    expect(titlesIn(await instance.get(`${EVENTS}?${MARCH}`))).toEqual([
      'Before registration',
      'Without a token',
    ])
  })

  it('answer 404 to the other account', async () => {
    const { id } = await create(ana.token, { ...LUNCH, title: 'Of Ana' })
    const series = await create(ana.token, { ...LUNCH, title: 'Daily', recurrence: 'FREQ=DAILY;COUNT=2' })
    const occurrence = `occurrence=${encodeURIComponent(series.start)}`
    const { token } = ben
    const body = { title: 'Taken' }
    for (const [method, path, given] of [
      ['GET', `${EVENTS}/${id}`],
      ['PATCH', `${EVENTS}/${id}`, body],
      ['DELETE', `${EVENTS}/${id}`],
      ['GET', `${EVENTS}/${series.id}?${occurrence}`],
      ['PATCH', `${EVENTS}/${series.id}?${occurrence}&scope=this`, body],
      ['PATCH', `${EVENTS}/${series.id}?${occurrence}&scope=following`, body],
      ['DELETE', `${EVENTS}/${series.id}?${occurrence}`],
      ['GET', `${EVENTS}/${id}/alarms`],
      ['DELETE', `${EVENTS}/${id}/alarms/abc`],
      ['POST', `${EVENTS}/${id}/respond`, { status: 'accepted' }],
    ] as const)
      expect([
        method,
        path,
        (await instance.call(method, path, { token, ...(given && { body: given }) })).status,
      ]).toEqual([method, path, 404])
    expect((await instance.get(`${EVENTS}/${id}`, ana)).body.title).toBe('Of Ana')
    await instance.call('DELETE', `${EVENTS}/${series.id}`, { token: ana.token })
  })

  it('are listed, counted and planned around separately', async () => {
    const at = { start: '2040-05-07T10:00:00Z', end: '2040-05-07T11:00:00Z' }
    const may = 'start=2040-05-01&end=2040-05-31'
    const first = await create(ana.token, { ...at, title: 'Review' })
    const second = await create(ben.token, { ...at, title: 'Dentist' })
    expect([first.conflicts, second.conflicts]).toEqual([[], []])
    expect(await list(ana, may)).toEqual(['Review'])
    expect(await list(ben, may)).toEqual(['Dentist'])
    expect(await list(ben, 'source=manual')).toEqual(['Dentist'])
    expect(await list(ben, 'status=confirmed&source=manual')).toEqual(['Dentist'])
    const total = async (person: Person) =>
      (await instance.get(`/api/calendar/stats?${may}`, person)).body.total
    expect([await total(ana), await total(ben)]).toEqual([1, 1])
    await instance.call('DELETE', `${EVENTS}/${first.id}`, { token: ana.token })
    expect([await total(ana), await total(ben)]).toEqual([0, 1])
    const free = async (person: Person) =>
      (await instance.get('/api/calendar/free?start=2040-05-07&end=2040-05-08&minutes=60', person)).body.slots
    expect([(await free(ana)).length, (await free(ben)).length]).toEqual([1, 2])
    const plan = { start: '2040-05-07', end: '2040-05-08' }
    expect((await instance.post('/api/tasks/plan', plan, ben)).status).toBe(200)
  })

  it('appear in the overviews of their account only', async () => {
    const soonest = new Date(instance.clock.now().getTime() + 60_000).toISOString()
    await create(ben.token, { title: 'In a minute', start: soonest, reminders: [{ minutesBefore: 0 }] })
    expect(titlesIn(await instance.get('/api/calendar/upcoming', ana))).toEqual([])
    expect(titlesIn(await instance.get('/api/calendar/upcoming', ben))).toEqual(['In a minute'])
    const next = async (person: Person) => (await instance.get('/api/stats', person)).body.events.next
    expect(await next(ana)).toBeNull()
    expect(await next(ben)).toMatchObject({ title: 'In a minute' })
    const briefed = async (person: Person) =>
      (await instance.get(`/api/briefing?date=${soonest.slice(0, 10)}`, person)).body.events.length
    expect([await briefed(ana), await briefed(ben)]).toEqual([0, 1])
    const meetings = async (person: Person) =>
      (await instance.get('/api/stats/history', person)).body.totals.meetings.count
    expect([await meetings(ana), await meetings(ben)]).toEqual([0, 1])
    const chat = async (person: Person) =>
      (await instance.post('/api/ai/chat', { message: 'what do I have today' }, person)).body.reply
    expect(await chat(ana)).not.toContain('In a minute')
  })

  it('may have the same UID and booking id', async () => {
    const booked = { ...LUNCH, uid: 'same@example.org', bookingId: 'bk_same' }
    const first = await create(ana.token, { ...booked, title: 'Booked by Ana' })
    const second = await create(ben.token, { ...booked, title: 'Booked by Ben' })
    expect(second.id).not.toBe(first.id)
    const again = await instance.post(EVENTS, { ...booked, title: 'Again' }, ben)
    expect([again.status, again.body.id]).toEqual([200, second.id])
    const path = `${EVENTS}/by-bookingsvc/bk_same`
    const changed = await instance.call('PATCH', path, { token: ana.token, body: { title: 'Moved' } })
    expect([changed.status, changed.body.id]).toEqual([200, first.id])
    expect((await instance.get(`${EVENTS}/${second.id}`, ben)).body.title).toBe('Again')
    const unknown = await instance.call('PATCH', `${EVENTS}/by-bookingsvc/bk_other`, {
      token: ben.token,
      body: { title: 'x' },
    })
    expect(unknown.status).toBe(404)
    for (const [{ id }, { token }] of [
      [first, ana],
      [second, ben],
    ] as const)
      expect((await instance.call('DELETE', `${EVENTS}/${id}`, { token })).status).toBe(204)
  })

  it('come from imports of the same file, and each account undoes only its own', async () => {
    const file = calendarOf('shared@example.org', 'Shared')
    const [first, second] = [await importFile(ana, file), await importFile(ben, file)]
    expect([first.body.created, second.body.created]).toEqual([1, 1])
    await importFile(ben, file.replace('SUMMARY:Shared', 'SEQUENCE:1\r\nSUMMARY:Renamed'))
    expect(await list(ana)).toContain('Shared')
    const undone = await instance.post(`/api/actions/${first.body.actionId}/undo`, undefined, ana)
    expect(undone.status).toBe(200)
    expect(await list(ana)).not.toContain('Shared')
    expect(await list(ben)).toEqual(['Renamed'])
  })

  it('are exported and published separately', async () => {
    const file = async (path: string, person?: Person) =>
      (await instance.get(path, person ?? {})).body as string
    const exported = await file('/api/calendar/export.ics', ana)
    expect(exported).toContain('SUMMARY:Of Ana')
    expect(exported).not.toContain('Dentist')
    const feed = await instance.post('/api/settings/feed-tokens', { name: 'phone', purpose: 'calendar' }, ben)
    const published = await file(`/api/calendar/feed.ics?token=${feed.body.token}`)
    expect(published).toContain('SUMMARY:Dentist')
    expect(published).not.toContain('Of Ana')
    const entries = await entriesOf(await exportOf(instance, ben.token))
    const rows = entries.get('calendar/events.jsonl')?.toString() ?? ''
    expect(rows).toContain('Dentist')
    expect(rows).not.toContain('Of Ana')
    expect(entries.get('calendar/calendar.ics')?.toString()).not.toContain('Of Ana')
  })

  it('from one published calendar belong to each subscriber', async () => {
    await instance.app.jobs.start()
    files.answer = () => ({ body: calendarOf('holiday@example.org', 'Holiday') })
    const subscribe = async (person: Person) => {
      const added = await instance.post(ACCOUNTS, { kind: 'ics', url: `${files.url}/a.ics` }, person)
      expect(added.status).toBe(201)
      return added.body.id as string
    }
    const [first] = [await subscribe(ana), await subscribe(ben)]
    await soon(async () => {
      expect(await list(ana)).toContain('Holiday')
      expect(await list(ben)).toContain('Holiday')
    })
    const path = `${ACCOUNTS}/${first}`
    expect((await instance.get(path, ben)).status).toBe(404)
    await instance.call('DELETE', path, { token: ana.token })
    await soon(async () => expect(await list(ana)).not.toContain('Holiday'))
    expect(await list(ben)).toContain('Holiday')
  })

  it('go to one calendar account of their own account', async () => {
    const server = { kind: 'caldav', url: 'http://127.0.0.1:9/dav/', username: 'a', password: 'p' }
    const add = async (person: Person) => (await instance.post(ACCOUNTS, server, person)).body
    const [first, second] = [await add(ana), await add(ben)]
    expect([first.receivesNew, second.receivesNew]).toEqual([true, true])
    const third = await instance.post(ACCOUNTS, { ...server, receivesNew: true }, ben)
    expect(third.body.receivesNew).toBe(true)
    const receives = async (person: Person, id: string) =>
      (await instance.get(`${ACCOUNTS}/${id}`, person)).body.receivesNew
    expect([await receives(ana, first.id), await receives(ben, second.id)]).toEqual([true, false])
    const { id: calendarId } = await instance.database.db
      .insertInto('remote_calendars')
      .values({
        accountId: third.body.id,
        href: 'http://127.0.0.1:9/dav/work/',
        name: 'Work',
        colour: null,
        writable: 1,
        followed: 1,
        syncToken: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await instance.call('PATCH', `${ACCOUNTS}/${third.body.id}`, {
      token: ben.token,
      body: { calendars: [{ id: calendarId, followed: true }] },
    })
    await create(ben.token, { ...LUNCH, title: 'Pushed' })
    const waiting = async (person: Person, id: string) =>
      (await instance.get(`${ACCOUNTS}/${id}`, person)).body.sync.waiting
    expect([await waiting(ana, first.id), await waiting(ben, third.body.id)]).toEqual([0, 1])
  })

  it('remind their account', async () => {
    const at = new Date(instance.clock.now().getTime() + 120_000).toISOString()
    for (const { token } of [ana, ben])
      await create(token, { title: 'Reminded', start: at, reminders: [{ minutesBefore: 1 }] })
    instance.clock.advance(90_000)
    await instance.app.jobs.enqueue(instance.database.db, 'calendar.remind', {})
    await soon(async () => {
      const rows = await instance.database.db
        .selectFrom('changes')
        .select('data')
        .where('type', '=', 'event.starting')
        .modifyEnd(ALL_ACCOUNTS)
        .execute()
      expect(rows.filter(({ data }) => data.includes('"title":"Reminded"'))).toHaveLength(2)
    })
  })

  it('are deleted with their account', async () => {
    const { status } = await instance.call('DELETE', '/api/settings/account', {
      token: ben.token,
      body: { password: PASSWORD },
    })
    expect(status).toBe(204)
    const counts = await instance.database.db
      .selectFrom('events')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('userId', '=', ben.id)
      .executeTakeFirstOrThrow()
    expect(Number(counts.count)).toBe(0)
    expect(await list(ana)).toContain('Of Ana')
  })
})
