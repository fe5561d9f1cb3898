import { afterAll, beforeAll, expect, it } from 'vitest'
import { MINUTE } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { type Person, register, signIn } from './support/people.ts'

const CALENDARS = '/api/calendars'
const EVENTS = '/api/calendar/events'
const FEEDS = '/api/settings/feed-tokens'
const MARCH = 'start=2040-03-01T00:00:00Z&end=2040-04-01T00:00:00Z'
const LUNCH = { title: 'Lunch', start: '2040-03-05T12:00:00Z', end: '2040-03-05T13:00:00Z' }

interface Listed {
  id: number
  title: string
  calendarId: number
}

const titlesIn = ({ body }: Answer): string[] => body.events.map(({ title }: Listed) => title)

onOneDatabase('sqlite', 'shared calendars', (engine) => {
  let instance: Instance
  let ana: Person
  let ben: Person
  let cem: Person
  let dan: Person
  beforeAll(async () => {
    instance = await startInstance({
      engine,
      environment: { REGISTRATION: 'open', TZ_DEFAULT: 'UTC', ACCESS: 'open' },
    })
    ana = await register(instance, { name: 'Ana' })
    ben = await register(instance, { name: 'Ben' })
    cem = await register(instance, { name: 'Cem' })
    dan = await register(instance, { name: 'Dan' })
  })
  afterAll(() => instance.close())

  const createCalendar = async (person: Person, name = 'Family') => {
    const made = await instance.post(CALENDARS, { name }, person)
    expect(made.status).toBe(201)
    return made.body.id as number
  }
  const create = async (person: Person, body: object = {}) => {
    const made = await instance.post(EVENTS, { ...LUNCH, ...body }, person)
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    return made.body
  }
  /** Shares a calendar of Ana, and returns the share. */
  const share = async (calendarId: number, person: Person, role: string) => {
    const path = `${CALENDARS}/${calendarId}/shares`
    const offered = await instance.post(path, { email: person.email, role }, ana)
    expect(offered.status).toBe(202)
    const { id } = offered.body
    expect((await instance.post(`/api/shares/${id}/accept`, undefined, person)).status).toBe(200)
    return { id, path: `${path}/${id}` }
  }
  const patch = (person: Person, id: number, body: object, query = '') =>
    instance.call('PATCH', `${EVENTS}/${id}${query}`, { token: person.token, body })
  const remove = (person: Person, id: number, query = '') =>
    instance.call('DELETE', `${EVENTS}/${id}${query}`, { token: person.token })
  const window = async (person: Person, query = MARCH) =>
    (await instance.get(`${EVENTS}?${query}`, person)).body.events

  /** Sessions end after a while, so everybody signs in again. */
  const advance = async (ms: number) => {
    instance.clock.advance(ms)
    for (const person of [ana, ben, cem, dan]) person.token = (await signIn(instance, person.email)).token
  }

  it('appear among the calendars of a member, with their owner, role and own color', async () => {
    const id = await createCalendar(ana)
    const { id: shareId } = await share(id, ben, 'viewer')
    const seen = (await instance.get(CALENDARS, ben)).body.calendars.find((one: Listed) => one.id === id)
    expect(seen).toMatchObject({
      id,
      name: 'Family',
      isDefault: false,
      visible: true,
      readOnly: true,
      role: 'viewer',
      owner: { name: 'Ana', email: ana.email },
      shareId,
      shared: false,
    })
    expect((await instance.get(`${CALENDARS}/${id}`, ben)).body).toEqual(seen)
    expect((await instance.get(`${CALENDARS}/${id}`, ana)).body).toMatchObject({
      role: 'owner',
      shared: true,
    })
    const change = (body: object) => instance.call('PATCH', `${CALENDARS}/${id}`, { token: ben.token, body })
    const own = await change({ visible: false, color: '#ABCDEF' })
    expect([own.status, own.body.visible, own.body.color]).toEqual([200, false, '#abcdef'])
    expect((await instance.get(`${CALENDARS}/${id}`, ana)).body).toMatchObject({ visible: true })
    for (const body of [{ name: 'Mine' }, { isDefault: true }, { visible: true, name: 'x' }]) {
      const refused = await change(body)
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    }
    const removed = await instance.call('DELETE', `${CALENDARS}/${id}`, { token: ben.token })
    expect([removed.status, removed.body.code]).toEqual([403, 'forbidden'])
    for (const method of ['GET', 'DELETE'])
      expect((await instance.call(method, `${CALENDARS}/${id}`, { token: dan.token })).status).toBe(404)
  })

  it('show their events to members in lists, windows and single reads, page by page', async () => {
    const id = await createCalendar(ana)
    const other = await createCalendar(ana, 'Private')
    await share(id, ben, 'viewer')
    const series = await create(ana, { calendarId: id, title: 'Series', recurrence: 'FREQ=DAILY;COUNT=3' })
    const secret = await create(ana, { calendarId: other, title: 'Secret' })
    await create(ben, { title: 'Own' })
    const pages = async (query: string): Promise<string[]> => {
      const titles: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const next = cursor === '' ? '' : `&cursor=${cursor}`
        const answer = await instance.get(`${EVENTS}?limit=1&${query}${next}`, ben)
        titles.push(...titlesIn(answer))
        cursor = answer.body.nextCursor
      }
      return titles
    }
    expect((await pages(MARCH)).toSorted()).toEqual(['Own', 'Series', 'Series', 'Series'])
    expect((await pages('')).toSorted()).toEqual(['Own', 'Series'])
    expect(await pages(`calendarId=${id}`)).toEqual(['Series'])
    expect(await pages(`calendarId=${other}`)).toEqual([])
    expect((await instance.get(`${EVENTS}/${series.id}`, ben)).body).toMatchObject({
      title: 'Series',
      calendarId: id,
      changedBy: null,
      bufferBefore: null,
      bufferAfter: null,
      mirrorOf: null,
    })
    const one = await instance.get(`${EVENTS}/${series.id}?occurrence=2040-03-06T12:00:00.000Z`, ben)
    expect([one.status, one.body.start]).toEqual([200, '2040-03-06T12:00:00.000Z'])
    expect((await instance.get(`${EVENTS}/${secret.id}`, ben)).status).toBe(404)
    for (const person of [dan]) {
      expect((await instance.get(`${EVENTS}/${series.id}`, person)).status).toBe(404)
      expect(await window(person)).toEqual([])
    }
    const soon = new Date(instance.clock.now().getTime() + 60 * MINUTE).toISOString()
    await create(ana, { calendarId: id, title: 'Soon', start: soon, end: undefined })
    expect(titlesIn(await instance.get(`/api/calendar/upcoming?calendarId=${id}`, ben))).toEqual(['Soon'])
    expect(titlesIn(await instance.get('/api/calendar/upcoming', ben))).toEqual(['Soon'])
    // Statistics and free time are the member's own.
    const stats = await instance.get('/api/calendar/stats?start=2040-03-01&end=2040-04-01', ben)
    expect(stats.body.total).toBe(1)
  })

  it('refuse the tool calls of a viewer at once, not after a confirmation', async () => {
    const id = await createCalendar(ana)
    await share(id, ben, 'viewer')
    const { id: event } = await create(ana, { calendarId: id, attendees: ['tom@example.org'] })
    const headers = { accept: 'application/json, text/event-stream' }
    for (const [name, input] of [
      ['move_event', { id: event, start: '2040-03-09T09:00:00Z' }],
      ['update_event', { id: event, title: 'Dinner' }],
      ['cancel_event', { id: event }],
      ['delete_event', { id: event }],
    ] as const) {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
      const { body } = await instance.post('/mcp', call, { token: ben.token, headers })
      expect([name, JSON.stringify(body)]).toEqual([
        name,
        expect.stringContaining('You can view this calendar, but not change it.'),
      ])
    }
    expect((await instance.get('/api/ai/actions?status=pending', ben)).body.actions).toEqual([])
  })

  it('let editors change events, which then show who changed them', async () => {
    const id = await createCalendar(ana)
    const { path } = await share(id, ben, 'viewer')
    const event = await create(ana, { calendarId: id, recurrence: 'FREQ=DAILY;COUNT=5' })
    const viewer = [
      await patch(ben, event.id, { title: 'x' }),
      await remove(ben, event.id),
      await instance.post(EVENTS, { ...LUNCH, calendarId: id }, ben),
    ]
    for (const { status, body } of viewer)
      expect([status, body.code, body.detail]).toEqual([
        403,
        'forbidden',
        'You can view this calendar, but not change it.',
      ])
    for (const { status } of [await patch(dan, event.id, { title: 'x' }), await remove(dan, event.id)])
      expect(status).toBe(404)
    expect((await instance.post(EVENTS, { ...LUNCH, calendarId: id }, dan)).status).toBe(400)

    await instance.call('PATCH', path, { token: ana.token, body: { role: 'editor' } })
    const changed = await patch(ben, event.id, { title: 'Brunch' })
    expect([changed.status, changed.body.title, changed.body.changedBy]).toEqual([200, 'Brunch', 'Ben'])
    const read = await instance.get(`${EVENTS}/${event.id}`, ana)
    expect([read.body.title, read.body.changedBy]).toEqual(['Brunch', 'Ben'])
    const occurrence = '?occurrence=2040-03-06T12:00:00.000Z'
    expect((await patch(ben, event.id, { title: 'Late' }, occurrence)).body.changedBy).toBe('Ben')
    expect((await remove(ben, event.id, '?occurrence=2040-03-07T12:00:00.000Z')).status).toBe(204)
    const split = await patch(
      ben,
      event.id,
      { title: 'Later' },
      '?occurrence=2040-03-08T12:00:00.000Z&scope=following',
    )
    expect([split.status, split.body.changedBy, split.body.calendarId]).toEqual([200, 'Ben', id])
    expect(titlesIn(await instance.get(`${EVENTS}?${MARCH}&calendarId=${id}`, ana))).toEqual([
      'Brunch',
      'Late',
      'Later',
      'Later',
    ])
    expect((await patch(ana, event.id, { title: 'Lunch again' })).body.changedBy).toBeNull()
    const made = await create(ben, { calendarId: id, title: 'By Ben' })
    expect([made.calendarId, made.changedBy]).toEqual([id, 'Ben'])
    expect((await instance.get(`${EVENTS}/${made.id}`, ana)).body.title).toBe('By Ben')
    expect((await remove(ben, made.id)).status).toBe(204)
    expect((await instance.get(`${EVENTS}/${made.id}`, ana)).status).toBe(404)
  })

  it('check If-Match of members, and report only their own conflicts', async () => {
    const id = await createCalendar(ana)
    await share(id, ben, 'editor')
    const event = await create(ana, {
      calendarId: id,
      start: '2041-03-05T12:00:00Z',
      end: '2041-03-05T13:00:00Z',
    })
    await create(ana, { title: 'Private', start: '2041-03-05T12:00:00Z', end: '2041-03-05T13:00:00Z' })
    const etag = (await instance.get(`${EVENTS}/${event.id}`, ben)).headers.get('etag') as string
    const change = (title: string) =>
      instance.call('PATCH', `${EVENTS}/${event.id}`, {
        token: ben.token,
        body: { title },
        headers: { 'if-match': etag },
      })
    const first = await change('One')
    expect([first.status, first.body.conflicts]).toEqual([200, []])
    expect((await change('Two')).status).toBe(412)
  })

  it('never show or take references to emails and bookings', async () => {
    const id = await createCalendar(ana)
    await share(id, ben, 'editor')
    const mail = { from: 'li@example.org', to: ['ana@example.org'], text: 'Hello' }
    const { body: email } = await instance.post('/api/emails', mail, ana)
    const event = await create(ana, { calendarId: id, emailId: email.id })
    expect(event.emailId).toBe(email.id)
    expect((await instance.get(`${EVENTS}/${event.id}`, ben)).body.emailId).toBeNull()
    const listed = (await window(ben)).find((one: Listed) => one.id === event.id)
    expect(listed.emailId).toBeNull()
    for (const body of [{ emailId: email.id }, { bookingId: 'b' }]) {
      const [name] = Object.keys(body)
      const changed = await patch(ben, event.id, body)
      expect([changed.status, changed.body.errors[0].path]).toEqual([400, name])
      const made = await instance.post(EVENTS, { ...LUNCH, ...body, calendarId: id }, ben)
      expect([made.status, made.body.errors[0].path]).toEqual([400, name])
    }
    expect((await patch(ben, event.id, { title: 'x' })).body.emailId).toBeNull()
    expect((await instance.get(`${EVENTS}/${event.id}`, ana)).body.emailId).toBe(email.id)
  })

  it('reject moves between calendars of different accounts', async () => {
    const [one, two, hidden] = [
      await createCalendar(ana, 'One'),
      await createCalendar(ana, 'Two'),
      await createCalendar(ana, 'Hidden'),
    ]
    await share(one, ben, 'editor')
    const { path } = await share(two, ben, 'viewer')
    const event = await create(ana, { calendarId: one })
    const own = await create(ben)
    for (const [id, calendarId] of [
      [event.id, own.calendarId],
      [own.id, one],
    ]) {
      const refused = await patch(ben, id, { calendarId })
      expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    }
    expect((await patch(ben, event.id, { calendarId: two })).status).toBe(403)
    expect((await patch(ben, event.id, { calendarId: hidden })).status).toBe(400)
    await instance.call('PATCH', path, { token: ana.token, body: { role: 'editor' } })
    const moved = await patch(ben, event.id, { calendarId: two })
    expect([moved.status, moved.body.calendarId]).toEqual([200, two])
  })

  it('show members with freeBusy only when the owner is busy', async () => {
    const id = await createCalendar(ana)
    await share(id, cem, 'freeBusy')
    const event = await create(ana, {
      calendarId: id,
      title: 'Doctor',
      location: 'Clinic',
      notes: 'secret',
      tags: ['health'],
      attendees: ['li@example.org'],
      reminders: [{ minutesBefore: 5 }],
      recurrence: 'FREQ=DAILY;COUNT=2',
    })
    await create(ana, { calendarId: id, title: 'Free', busy: false })
    await create(ana, { calendarId: id, title: 'Cancelled', status: 'cancelled' })
    const events = await window(cem)
    expect(events).toHaveLength(2)
    expect(events[0]).toEqual({
      id: event.id,
      recurringEventId: null,
      occurrenceStart: null,
      uid: `busy-${event.id}-2040-03-05T12:00:00.000Z@factotum`,
      title: 'Busy',
      description: '',
      location: '',
      meetingUrl: null,
      start: '2040-03-05T12:00:00.000Z',
      end: '2040-03-05T13:00:00.000Z',
      allDay: false,
      timezone: 'UTC',
      status: 'confirmed',
      source: 'manual',
      bookingId: null,
      organizer: null,
      attendees: [],
      reminders: [],
      notes: '',
      tags: [],
      recurrence: null,
      exdates: [],
      rdates: [],
      busy: true,
      emailId: null,
      calendarId: id,
      changedBy: null,
      bufferBefore: null,
      bufferAfter: null,
      mirrorOf: null,
      createdAt: '2040-03-05T12:00:00.000Z',
      updatedAt: '2040-03-05T12:00:00.000Z',
    })
    for (const query of ['', `calendarId=${id}`, 'start=2040-03-01', `${MARCH}&source=manual`])
      expect([query, await window(cem, query)]).toEqual([query, []])
    expect((await instance.get(`${EVENTS}/${event.id}`, cem)).status).toBe(404)
    expect((await patch(cem, event.id, { title: 'x' })).status).toBe(403)
    expect((await patch(cem, event.id, { reminders: [] })).status).toBe(403)
    expect((await remove(cem, event.id)).status).toBe(403)
    expect((await instance.post(EVENTS, { ...LUNCH, calendarId: id }, cem)).status).toBe(403)
    const file = (await instance.get(`/api/calendar/export.ics?calendarId=${id}`, cem)).body
    expect(file).not.toMatch(/Doctor|Clinic|li@example|health|RRULE/)
  })

  it('have reminders of each person, which end with the share', async () => {
    const id = await createCalendar(ana)
    const { path } = await share(id, ben, 'viewer')
    const start = new Date(instance.clock.now().getTime() + 120 * MINUTE).toISOString()
    const end = new Date(Date.parse(start) + 30 * MINUTE).toISOString()
    const event = await create(ana, { calendarId: id, start, end, reminders: [{ minutesBefore: 10 }] })
    expect((await instance.get(`${EVENTS}/${event.id}`, ben)).body.reminders).toEqual([])
    const etag = (await instance.get(`${EVENTS}/${event.id}`, ben)).headers.get('etag')
    const set = await patch(ben, event.id, { reminders: [{ minutesBefore: 60 }] })
    expect([set.status, set.body.reminders, set.body.changedBy]).toEqual([200, [{ minutesBefore: 60 }], null])
    const read = await instance.get(`${EVENTS}/${event.id}`, ben)
    expect(read.body.reminders).toEqual([{ minutesBefore: 60 }])
    expect(read.headers.get('etag')).not.toBe(etag)
    const listed = (await instance.get(`/api/calendar/upcoming?calendarId=${id}`, ben)).body.events
    expect(listed[0].reminders).toEqual([{ minutesBefore: 60 }])
    const owners = (await instance.get(`${EVENTS}/${event.id}`, ana)).body
    expect([owners.reminders, owners.updatedAt]).toEqual([[{ minutesBefore: 10 }], event.updatedAt])
    expect((await instance.get(`${EVENTS}/${event.id}/alarms`, ben)).body.alarms).toEqual([])

    const sent = async (person: Person) =>
      (
        await instance.database.db
          .selectFrom('changes')
          .select('data')
          .where('userId', '=', person.id)
          .where('type', '=', 'event.starting')
          .orderBy('id')
          .execute()
      ).map(({ data }) => JSON.parse(data).minutesBefore)
    const send = () => instance.app.features.calendarReminders.sendDue()
    // The owner postpones the event, and the reminder of the member follows.
    const moved = {
      start: new Date(Date.parse(start) + 60 * MINUTE).toISOString(),
      end: new Date(Date.parse(end) + 60 * MINUTE).toISOString(),
    }
    expect((await patch(ana, event.id, moved)).status).toBe(200)
    await advance(61 * MINUTE)
    await send()
    expect([await sent(ben), await sent(ana)]).toEqual([[], []])
    await advance(60 * MINUTE)
    await send()
    await send()
    expect([await sent(ben), await sent(ana)]).toEqual([[60], []])
    await patch(ben, event.id, { reminders: [{ minutesBefore: 30 }] })
    expect((await instance.call('DELETE', path, { token: ana.token })).status).toBe(204)
    await advance(55 * MINUTE)
    await send()
    expect([await sent(ben), await sent(ana)]).toEqual([[60], [10]])
    const left = await instance.database.db
      .selectFrom('event_reminders')
      .select('eventId')
      .where('userId', '=', ben.id)
      .execute()
    expect(left).toEqual([])
  })

  it('remind members of changed occurrences at their new time', async () => {
    const id = await createCalendar(ana)
    await share(id, ben, 'editor')
    const base = instance.clock.now().getTime()
    const at = (minutes: number) => new Date(base + minutes * MINUTE).toISOString()
    const series = await create(ben, {
      calendarId: id,
      title: 'Series',
      start: at(24 * 60),
      end: at(24 * 60 + 30),
      recurrence: 'FREQ=DAILY;COUNT=3',
      reminders: [{ minutesBefore: 15 }],
    })
    expect(series.reminders).toEqual([{ minutesBefore: 15 }])
    expect((await instance.get(`${EVENTS}/${series.id}`, ana)).body.reminders).toEqual([])
    const occurrence = `?occurrence=${at(24 * 60)}`
    const refused = await patch(ben, series.id, { reminders: [] }, occurrence)
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'reminders'])
    await patch(ana, series.id, { start: at(24 * 60 + 120), end: at(24 * 60 + 150) }, occurrence)
    const sent = async () =>
      (
        await instance.database.db
          .selectFrom('changes')
          .select('data')
          .where('userId', '=', ben.id)
          .where('type', '=', 'event.starting')
          .where('subject', '=', String(series.id))
          .execute()
      ).map(({ data }) => JSON.parse(data).start)
    await advance((24 * 60 + 60) * MINUTE)
    await instance.app.features.calendarReminders.sendDue()
    expect(await sent()).toEqual([])
    await advance(50 * MINUTE)
    await instance.app.features.calendarReminders.sendDue()
    expect(await sent()).toEqual([at(24 * 60 + 120)])
  })

  it('send their changes to members at once, until the share is revoked', async () => {
    const id = await createCalendar(ana)
    const other = await createCalendar(ana, 'Other')
    const { path } = await share(id, ben, 'viewer')
    await share(id, cem, 'freeBusy')
    const streams = {
      ben: await openEventStream(instance.url, '/api/events?types=event.*', { token: ben.token }),
      cem: await openEventStream(instance.url, '/api/events?types=event.*', { token: cem.token }),
    }
    const event = await create(ana, { calendarId: id, title: 'Doctor', bookingId: `b-${engine}` })
    await patch(ana, event.id, { calendarId: other })
    await patch(ana, event.id, { calendarId: id })
    const seen = (await streams.ben.until(3)).map(({ data }) => [data.type, data.data])
    expect(seen).toEqual([
      ['event.created', expect.objectContaining({ title: 'Doctor', calendarId: id, bookingId: null })],
      ['event.cancelled', { id: event.id, calendarId: id, deleted: true }],
      ['event.updated', expect.objectContaining({ title: 'Doctor', calendarId: id })],
    ])
    for (const name of ['uid', 'source']) for (const [, data] of seen) expect(data).not.toHaveProperty(name)
    const notified = (await instance.get('/api/notifications?kind=booking_made', ben)).body
    expect(notified.notifications).toEqual([])
    const busy = (await streams.cem.until(3)).map(({ data }) => data.data)
    expect(busy[0]).toEqual({ id: event.id, calendarId: id })
    expect(JSON.stringify(busy)).not.toContain('Doctor')

    expect((await instance.call('DELETE', path, { token: ana.token })).status).toBe(204)
    await patch(ana, event.id, { title: 'After' })
    await streams.cem.until(4)
    expect(JSON.stringify(streams.ben.events)).not.toContain('After')
    await streams.ben.leave()
    await streams.cem.leave()
    expect((await instance.get(`${EVENTS}/${event.id}`, ben)).status).toBe(404)
    expect((await window(ben)).filter((one: Listed) => one.calendarId === id)).toEqual([])
  })

  it('can be subscribed by private link while they are shared', async () => {
    const id = await createCalendar(ana, 'Choir')
    const { path } = await share(id, ben, 'viewer')
    const { path: busyPath } = await share(id, cem, 'freeBusy')
    await create(ana, { calendarId: id, title: 'Rehearsal', notes: 'private' })
    await create(ana, { title: 'Elsewhere' })
    const soon = new Date(instance.clock.now().getTime() + 60 * MINUTE).toISOString()
    await create(ana, { calendarId: id, title: 'Secret soon', start: soon, end: undefined })
    const linkOf = async (person: Person) => {
      const made = await instance.post(FEEDS, { name: 'n', purpose: 'calendar', calendarId: id }, person)
      expect([made.status, made.body.calendarId]).toEqual([201, id])
      return `/api/calendar/feed.ics?token=${made.body.token}`
    }
    const [own, viewer, busy] = [await linkOf(ana), await linkOf(ben), await linkOf(cem)]
    for (const link of [own, viewer]) {
      const { status, body } = await instance.get(link)
      expect(status).toBe(200)
      expect(body).toContain('SUMMARY:Rehearsal')
      expect(body).toContain('X-WR-CALNAME:Choir')
      expect(body).not.toMatch(/Elsewhere|private/)
    }
    const taken = (await instance.get(busy)).body
    expect(taken).toContain('SUMMARY:Busy')
    expect(taken).not.toContain('Secret')
    for (const body of [
      { name: 'n', purpose: 'calendar', calendarId: 999_999_999 },
      { name: 'n', purpose: 'overlay', calendarId: id },
    ])
      expect((await instance.post(FEEDS, body, ana)).body.errors[0].path).toBe('calendarId')
    const foreign = { name: 'n', purpose: 'calendar', calendarId: id }
    expect((await instance.post(FEEDS, foreign, dan)).status).toBe(400)
    for (const one of [path, busyPath])
      expect((await instance.call('DELETE', one, { token: ana.token })).status).toBe(204)
    for (const link of [viewer, busy]) expect((await instance.get(link)).status).toBe(404)
    expect((await instance.get(own)).status).toBe(200)
  })

  it('end with the calendar, and leave nothing behind', async () => {
    const id = await createCalendar(ana)
    await share(id, ben, 'editor')
    const event = await create(ana, { calendarId: id })
    expect((await instance.call('DELETE', `${CALENDARS}/${id}`, { token: ana.token })).status).toBe(204)
    expect((await instance.get(`${EVENTS}/${event.id}`, ben)).status).toBe(404)
    expect((await instance.get(`${CALENDARS}/${id}`, ben)).status).toBe(404)
    expect((await instance.get('/api/shares', ben)).body.shares).not.toContainEqual(
      expect.objectContaining({ kind: 'calendar', resourceId: id }),
    )
  })

  it('give way to a revocation that comes before a change', async () => {
    const id = await createCalendar(ana)
    const { path } = await share(id, ben, 'editor')
    const event = await create(ana, { calendarId: id })
    const [revoked, changed] = await Promise.all([
      instance.call('DELETE', path, { token: ana.token }),
      patch(ben, event.id, { title: 'Race' }),
    ])
    expect(revoked.status).toBe(204)
    expect([200, 404]).toContain(changed.status)
    expect((await patch(ben, event.id, { title: 'Late' })).status).toBe(404)
  })
})
