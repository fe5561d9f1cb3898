import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { type Person, register } from './support/people.ts'

const CALENDARS = '/api/calendars'
const EVENTS = '/api/calendar/events'
const MARCH = 'start=2040-03-01T00:00:00Z&end=2040-04-01T00:00:00Z&limit=200'
const LUNCH = {
  title: 'Lunch',
  description: 'With the whole team.',
  location: 'Canteen',
  meetingUrl: 'https://meet.example.org/lunch',
  notes: 'Ask about the budget.',
  start: '2040-03-05T12:00:00Z',
  end: '2040-03-05T13:00:00Z',
  organizer: 'ana@example.org',
  attendees: ['ben@example.org'],
  reminders: [{ minutesBefore: 15 }],
  tags: ['team'],
}

interface Listed {
  id: number
  title: string
  start: string
  calendarId: number
  mirrorOf: number | null
}

onEveryDatabase('calendar mirrors', (engine) => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({
      engine,
      environment: { REGISTRATION: 'open', TZ_DEFAULT: 'UTC', ACCESS: 'open' },
    })
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())

  const send = (method: string, path: string, body?: unknown) =>
    instance.call(method, path, { token: person.token, body })
  const created = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }
  const createCalendar = async (name: string): Promise<number> =>
    (await created(send('POST', CALENDARS, { name }))).id
  const createEvent = (body: object) => created(send('POST', EVENTS, { ...LUNCH, ...body }))
  const mirror = (from: number, to: number, detail: string) =>
    created(send('POST', `${CALENDARS}/${from}/mirrors`, { targetCalendarId: to, detail }))
  const eventsIn = async (calendarId: number, who = person): Promise<Listed[]> =>
    (await instance.get(`${EVENTS}?${MARCH}&calendarId=${calendarId}`, who)).body.events
  const titlesIn = async (calendarId: number): Promise<string[]> =>
    (await eventsIn(calendarId)).map(({ title }) => title)
  const patch = (id: number, body: object, query = '') => send('PATCH', `${EVENTS}/${id}${query}`, body)
  const remove = (id: number, query = '') => send('DELETE', `${EVENTS}/${id}${query}`)

  /** A new account with the calendars Work and Private, the first mirrored in the second. */
  const setUp = async (detail = 'busy') => {
    person = await register(instance)
    const [work, home] = [await createCalendar('Work'), await createCalendar('Private')]
    const made = await mirror(work, home, detail)
    return { work, home, made, path: `${CALENDARS}/${work}/mirrors/${made.id}` }
  }

  it('show events as busy, without people, reminders, notes and links', async () => {
    const { work, home } = await setUp()
    const lunch = await createEvent({ calendarId: work })
    const [mirrored] = await eventsIn(home)
    expect(mirrored).toMatchObject({
      title: 'Busy',
      description: '',
      location: '',
      meetingUrl: null,
      notes: '',
      organizer: null,
      attendees: [],
      reminders: [],
      tags: [],
      start: '2040-03-05T12:00:00.000Z',
      end: '2040-03-05T13:00:00.000Z',
      calendarId: home,
      mirrorOf: lunch.id,
    })
    expect(lunch.mirrorOf).toBeNull()
    expect(await eventsIn(home)).toHaveLength(1)
  })

  it('show the title, or everything but what belongs to the original', async () => {
    const { work, home, path } = await setUp('title')
    await createEvent({ calendarId: work })
    expect((await eventsIn(home))[0]).toMatchObject({ title: 'Lunch', location: '', description: '' })
    const changed = await send('PATCH', path, { detail: 'all' })
    expect([changed.status, changed.body.detail]).toEqual([200, 'all'])
    expect((await eventsIn(home))[0]).toMatchObject({
      title: 'Lunch',
      description: 'With the whole team.',
      location: 'Canteen',
      meetingUrl: 'https://meet.example.org/lunch',
      tags: ['team'],
      attendees: [],
      organizer: null,
      reminders: [],
      notes: '',
    })
    await send('PATCH', path, { detail: 'busy' })
    expect((await eventsIn(home))[0]).toMatchObject({
      title: 'Busy',
      description: '',
      location: '',
      tags: [],
    })
  })

  it('show events that exist already, and remove them with the mirror', async () => {
    person = await register(instance)
    const [work, home] = [await createCalendar('Work'), await createCalendar('Private')]
    for (let day = 10; day < 20; day++)
      await createEvent({
        calendarId: work,
        start: `2040-03-${day}T09:00:00Z`,
        end: `2040-03-${day}T10:00:00Z`,
      })
    const { id } = await mirror(work, home, 'title')
    expect(await eventsIn(home)).toHaveLength(10)
    expect((await send('GET', `${CALENDARS}/${work}/mirrors`)).body.mirrors).toMatchObject([
      { id, calendarId: work, targetCalendarId: home, detail: 'title' },
    ])
    expect((await send('GET', `${CALENDARS}/${home}/mirrors`)).body.mirrors).toEqual([])
    expect((await send('DELETE', `${CALENDARS}/${work}/mirrors/${id}`)).status).toBe(204)
    expect(await eventsIn(home)).toEqual([])
    expect(await eventsIn(work)).toHaveLength(10)
  })

  it('show private events only as busy, and no event that takes no time', async () => {
    const { work, home } = await setUp('all')
    const event = await createEvent({ calendarId: work, tags: ['private'] })
    expect((await eventsIn(home))[0]).toMatchObject({ title: 'Busy', location: '', tags: [] })
    await patch(event.id, { busy: false })
    expect(await eventsIn(home)).toEqual([])
    await patch(event.id, { tags: [] })
    expect(await titlesIn(home)).toEqual(['Lunch'])
    await patch(event.id, { status: 'cancelled' })
    expect(await eventsIn(home)).toEqual([])
  })

  it('follow changes, moves and deletions', async () => {
    const { work, home } = await setUp('title')
    const other = await createCalendar('Other')
    const event = await createEvent({ calendarId: work })
    const [{ id }] = (await eventsIn(home)) as [Listed]
    await patch(event.id, { title: 'Late lunch', start: '2040-03-05T14:00:00Z' })
    expect(await eventsIn(home)).toMatchObject([
      { id, title: 'Late lunch', start: '2040-03-05T14:00:00.000Z', end: '2040-03-05T15:00:00.000Z' },
    ])
    await patch(event.id, { calendarId: other })
    expect(await eventsIn(home)).toEqual([])
    await patch(event.id, { calendarId: work })
    expect(await titlesIn(home)).toEqual(['Late lunch'])
    await patch(event.id, { calendarId: home })
    expect(await eventsIn(home)).toMatchObject([{ id: event.id, mirrorOf: null }])
    await patch(event.id, { calendarId: work })
    expect((await remove(event.id)).status).toBe(204)
    expect(await eventsIn(home)).toEqual([])
  })

  it('follow series with their changed, cancelled and private occurrences', async () => {
    const { work, home } = await setUp('title')
    const series = await createEvent({ calendarId: work, recurrence: 'FREQ=WEEKLY;COUNT=4' })
    const starts = async () => (await eventsIn(home)).map(({ start, title }) => [start.slice(5, 16), title])
    const at = (day: string) => `?occurrence=2040-03-${day}T12:00:00Z`
    expect(await starts()).toEqual([
      ['03-05T12:00', 'Lunch'],
      ['03-12T12:00', 'Lunch'],
      ['03-19T12:00', 'Lunch'],
      ['03-26T12:00', 'Lunch'],
    ])
    await patch(
      series.id,
      { title: 'Brunch', start: '2040-03-12T10:00:00Z', end: '2040-03-12T11:00:00Z' },
      at('12'),
    )
    await patch(series.id, { tags: ['private'] }, at('19'))
    await remove(series.id, at('26'))
    expect(await starts()).toEqual([
      ['03-05T12:00', 'Lunch'],
      ['03-12T10:00', 'Brunch'],
      ['03-19T12:00', 'Busy'],
    ])
    const [first] = (await eventsIn(home)) as [Listed & { occurrenceStart: string }]
    expect(first).toMatchObject({ mirrorOf: series.id, occurrenceStart: '2040-03-05T12:00:00.000Z' })
    await patch(series.id, { status: 'cancelled' }, at('12'))
    expect(await starts()).toEqual([
      ['03-05T12:00', 'Lunch'],
      ['03-19T12:00', 'Busy'],
    ])
    await patch(series.id, { status: 'confirmed' }, at('12'))
    await patch(series.id, { start: '2040-03-05T13:00:00Z' })
    expect((await starts()).map(([start]) => start)).toEqual(['03-05T13:00', '03-12T10:00', '03-19T13:00'])
    await patch(series.id, { title: 'Dinner' }, '?occurrence=2040-03-19T13:00:00Z&scope=following')
    expect((await starts()).at(-1)?.[0]).toBe('03-19T13:00')
    await patch(series.id, { recurrence: null })
    expect((await starts())[0]).toEqual(['03-05T13:00', 'Lunch'])
    await remove(series.id)
    expect((await starts()).map(([start]) => start)).toEqual(['03-19T13:00'])
  })

  it('work in both directions without a loop, and are not shown further', async () => {
    const { work, home } = await setUp('title')
    const third = await createCalendar('Third')
    await mirror(home, work, 'title')
    await mirror(home, third, 'title')
    await createEvent({ calendarId: work, title: 'At work' })
    await createEvent({ calendarId: home, title: 'At home' })
    expect((await titlesIn(work)).sort()).toEqual(['At home', 'At work'])
    expect((await titlesIn(home)).sort()).toEqual(['At home', 'At work'])
    expect(await titlesIn(third)).toEqual(['At home'])
  })

  it('are read-only through every route', async () => {
    const { work, home } = await setUp('all')
    const series = await createEvent({ calendarId: work, recurrence: 'FREQ=WEEKLY;COUNT=4' })
    const [{ id }] = (await eventsIn(home)) as [Listed]
    const before = await eventsIn(home)
    const occurrence = '?occurrence=2040-03-12T12:00:00Z'
    for (const answer of [
      patch(id, { title: 'Mine' }),
      patch(id, { calendarId: work }),
      patch(id, { title: 'Mine' }, occurrence),
      patch(id, { title: 'Mine' }, `${occurrence}&scope=following`),
      patch(id, { reminders: [{ minutesBefore: 5 }] }),
      remove(id),
      remove(id, occurrence),
      remove(id, `${occurrence}&scope=following`),
    ]) {
      const { status, body } = await answer
      expect([status, body.code]).toEqual([409, 'conflict'])
      expect(body.detail).toContain('shown from another calendar')
    }
    expect((await patch(id, { title: 'Mine' }, '?sendInvitations=true')).status).toBe(409)
    const responded = await send('POST', `${EVENTS}/${id}/respond`, { status: 'accepted' })
    expect(responded.status).toBeGreaterThanOrEqual(400)
    expect(await eventsIn(home)).toEqual(before)
    const file = (await instance.get(`/api/calendar/export.ics?calendarId=${home}`, person)).body as string
    expect(file).toContain('SUMMARY:Lunch')
    expect(file).not.toMatch(/ATTENDEE|ORGANIZER|VALARM|ben@example/)
    const later = file.replaceAll('SUMMARY:Lunch', 'SUMMARY:Other').replaceAll(/SEQUENCE:\d+/g, 'SEQUENCE:99')
    const imported = await instance.call('POST', '/api/calendar/import', {
      token: person.token,
      body: later,
      headers: { 'content-type': 'text/calendar' },
    })
    expect(imported.body).toMatchObject({ created: 0, updated: 0, skippedCount: 1 })
    expect(await eventsIn(home)).toEqual(before)
    expect((await patch(series.id, { title: 'Still mine' })).status).toBe(200)
    expect((await instance.get('/api/calendar/export.ics', person)).body.match(/BEGIN:VEVENT/g)).toHaveLength(
      1,
    )
  })

  it('count once in conflicts, statistics, upcoming events and free time', async () => {
    const { work, home } = await setUp()
    const now = Date.now()
    const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
    const event = await createEvent({ calendarId: work, start: at(1), end: at(2) })
    expect(event.conflicts).toEqual([])
    const other = await createEvent({ calendarId: home, title: 'Other', start: at(1), end: at(2) })
    expect(other.conflicts).toEqual([event.id])
    const upcoming = (await send('GET', '/api/calendar/upcoming')).body.events as Listed[]
    expect(upcoming.map(({ id }) => id)).toEqual([event.id, other.id])
    const stats = (await send('GET', `/api/calendar/stats?start=${at(-1)}&end=${at(20)}`)).body
    expect(stats).toMatchObject({ total: 2, conflicts: 1, hours: 2 })
    const figures = (await send('GET', '/api/stats')).body.events
    expect(figures.next7Days).toBe(2)
  })

  it('disappear with their calendars', async () => {
    const { work, home } = await setUp('title')
    const other = await createCalendar('Other')
    await mirror(work, other, 'title')
    const event = await createEvent({ calendarId: work })
    expect((await send('DELETE', `${CALENDARS}/${home}`)).status).toBe(204)
    const everywhere = async () =>
      ((await send('GET', `${EVENTS}?${MARCH}`)).body.events as Listed[]).map(({ calendarId, mirrorOf }) => [
        calendarId,
        mirrorOf,
      ])
    expect(await everywhere()).toEqual([
      [work, null],
      [other, event.id],
    ])
    expect((await send('GET', `${CALENDARS}/${work}/mirrors`)).body.mirrors).toHaveLength(1)
    expect((await send('DELETE', `${CALENDARS}/${work}?events=move`)).status).toBe(204)
    expect((await everywhere()).map(([, mirrorOf]) => mirrorOf)).toEqual([null])
  })

  it('show members of the target what the detail allows, and nothing of the source', async () => {
    const { work, home } = await setUp()
    const owner = person
    const member = await register(instance)
    const share = async (calendarId: number, role: string) => {
      const path = `${CALENDARS}/${calendarId}/shares`
      const { body } = await instance.post(path, { email: member.email, role }, owner)
      expect((await instance.post(`/api/shares/${body.id}/accept`, undefined, member)).status).toBe(200)
    }
    await share(home, 'editor')
    const now = Date.now() + 3_600_000
    const times = { start: new Date(now).toISOString(), end: new Date(now + 3_600_000).toISOString() }
    const secret = await createEvent({ calendarId: work, ...times })
    const upcoming = async () =>
      (await instance.get('/api/calendar/upcoming', member)).body.events as Listed[]
    const [seen] = (await upcoming()) as [Listed]
    expect(seen).toMatchObject({ title: 'Busy', calendarId: home, location: '', attendees: [] })
    expect((await instance.get(`${EVENTS}/${secret.id}`, member)).status).toBe(404)
    const changed = await instance.call('PATCH', `${EVENTS}/${seen.id}`, {
      token: member.token,
      body: { title: 'x' },
    })
    expect(changed.status).toBe(409)
    expect((await instance.call('DELETE', `${EVENTS}/${seen.id}`, { token: member.token })).status).toBe(409)
    expect(
      (await instance.post(`${CALENDARS}/${home}/mirrors`, { targetCalendarId: work }, member)).status,
    ).toBe(403)
    await share(work, 'viewer')
    expect((await upcoming()).map(({ id }) => id)).toEqual([secret.id])
  })

  it('reject what is not possible', async () => {
    const { work, home, made } = await setUp()
    const post = (from: number, body: object) => send('POST', `${CALENDARS}/${from}/mirrors`, body)
    expect((await post(work, { targetCalendarId: work })).body.errors[0].path).toBe('targetCalendarId')
    expect((await post(work, { targetCalendarId: 999_999 })).status).toBe(400)
    expect((await post(999_999, { targetCalendarId: home })).status).toBe(404)
    expect((await post(work, { targetCalendarId: home })).status).toBe(409)
    expect((await post(home, { targetCalendarId: work, detail: 'secret' })).status).toBe(400)
    expect((await send('DELETE', `${CALENDARS}/${home}/mirrors/${made.id}`)).status).toBe(404)
    const stranger = await register(instance)
    expect((await instance.get(`${CALENDARS}/${work}/mirrors`, stranger)).status).toBe(404)
    const foreign = await instance.post(`${CALENDARS}/${work}/mirrors`, { targetCalendarId: home }, stranger)
    expect(foreign.status).toBe(404)
    expect((await createEvent({ calendarId: work, mirrorOf: 1 }).catch(() => 'rejected')) as string).toBe(
      'rejected',
    )
  })

  it('of many events are brought up to date by a job', async () => {
    const { work, home, path } = await setUp('title')
    const lines = Array.from({ length: 450 }, (_, n) => {
      const minute = String(n % 60).padStart(2, '0')
      const hour = String(Math.floor(n / 60) + 8).padStart(2, '0')
      return `BEGIN:VEVENT\r\nUID:many-${n}@example.org\r\nDTSTAMP:20400101T000000Z\r\nDTSTART:20400310T${hour}${minute}00Z\r\nDURATION:PT5M\r\nSUMMARY:Event ${n}\r\nEND:VEVENT\r\n`
    })
    const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n${lines.join('')}END:VCALENDAR\r\n`
    const imported = await instance.call('POST', `/api/calendar/import?calendarId=${work}`, {
      token: person.token,
      body: text,
      headers: { 'content-type': 'text/calendar' },
    })
    expect(imported.body).toMatchObject({ created: 450 })
    const count = async () =>
      (
        await instance.database.db
          .selectFrom('events')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('userId', '=', person.id)
          .where('calendarId', '=', home)
          .where('mirrorOf', 'is not', null)
          .executeTakeFirstOrThrow()
      ).count
    await soon(async () => expect(Number(await count())).toBe(450))
    expect((await send('DELETE', path)).status).toBe(204)
    await soon(async () => expect(Number(await count())).toBe(0))
  }, 120_000)
})
