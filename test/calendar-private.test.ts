import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MINUTE } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { entriesOf, exportOf } from './support/exports.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'
import { startReceiver } from './support/webhook-receiver.ts'

/*
 * A private event of a shared calendar shows other accounts when its time is taken, and nothing else. Every text of
 * the private events below contains the word Quartz.
 */

const EVENTS = '/api/calendar/events'
const SECRET = {
  title: 'Quartz',
  description: 'Quartz description',
  location: 'Quartz street',
  meetingUrl: 'https://quartz.example.org/',
  notes: 'Quartz notes',
  attendees: [{ name: 'Quartz guest', email: 'quartz@example.org' }],
  tags: ['quartz', 'Private'],
}

const icsFile = (...events: string[][]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

onOneDatabase('sqlite', 'private events of a shared calendar', (engine) => {
  let instance: Instance
  let ana: Person
  let viewer: Person
  let editor: Person
  let calendarId: number
  beforeAll(async () => {
    instance = await startInstance({
      engine,
      environment: { REGISTRATION: 'open', TZ_DEFAULT: 'UTC', ACCESS: 'open', ACCESS_TOKEN_TTL: '2h' },
    })
    ana = await register(instance, { name: 'Ana' })
    viewer = await register(instance, { name: 'Vic' })
    editor = await register(instance, { name: 'Edo' })
    calendarId = (await instance.post('/api/calendars', { name: 'Family' }, ana)).body.id
    for (const [person, role] of [
      [viewer, 'viewer'],
      [editor, 'editor'],
    ] as const) {
      const path = `/api/calendars/${calendarId}/shares`
      const { body } = await instance.post(path, { email: person.email, role }, ana)
      expect((await instance.post(`/api/shares/${body.id}/accept`, undefined, person)).status).toBe(200)
    }
  })
  afterAll(() => instance.close())

  const at = (minutes: number): string =>
    new Date(instance.clock.now().getTime() + minutes * MINUTE).toISOString()
  const create = async (body: object) => {
    const made = await instance.post(EVENTS, { calendarId, start: at(60), end: at(90), ...body }, ana)
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    return made.body
  }
  const patch = (person: Person, path: string, body: object) =>
    instance.call('PATCH', `${EVENTS}/${path}`, { token: person.token, body })
  const remove = (person: Person, path: string) =>
    instance.call('DELETE', `${EVENTS}/${path}`, { token: person.token })
  const month = () => `start=${at(-60)}&end=${at(30 * 24 * 60)}`

  it('are busy in lists and single reads, and readable for their owner', async () => {
    const event = await create(SECRET)
    const busy = {
      id: event.id,
      recurringEventId: null,
      occurrenceStart: null,
      uid: `busy-${event.id}@factotum`,
      title: 'Busy',
      description: '',
      location: '',
      meetingUrl: null,
      start: event.start,
      end: event.end,
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
      calendarId,
      changedBy: null,
      bufferBefore: null,
      bufferAfter: null,
      mirrorOf: null,
      createdAt: event.start,
      updatedAt: event.start,
    }
    for (const person of [viewer, editor]) {
      for (const path of [`${EVENTS}?${month()}`, EVENTS, `/api/calendar/upcoming?calendarId=${calendarId}`])
        expect([path, (await instance.get(path, person)).body.events]).toEqual([path, [busy]])
      expect((await instance.get(`${EVENTS}/${event.id}`, person)).body).toEqual(busy)
      expect((await instance.get(`${EVENTS}/${event.id}/alarms`, person)).body.alarms).toEqual([])
      // The filter would tell where the event comes from.
      expect((await instance.get(`${EVENTS}?${month()}&source=manual`, person)).body.events).toEqual([])
    }
    expect((await instance.get(`${EVENTS}/${event.id}`, ana)).body).toMatchObject({ title: 'Quartz' })
    const etag = async () => (await instance.get(`${EVENTS}/${event.id}`, viewer)).headers.get('etag')
    const before = await etag()
    await patch(ana, event.id, { description: 'Quartz, again' })
    expect(await etag()).toBe(before)
    await patch(ana, event.id, { start: at(70) })
    expect(await etag()).not.toBe(before)
    expect((await patch(ana, event.id, { tags: [] })).status).toBe(200)
    expect((await instance.get(`${EVENTS}/${event.id}`, viewer)).body.title).toBe('Quartz')
    await remove(ana, event.id)
  })

  it('include those that a calendar file marks as private or confidential', async () => {
    const start = at(120).replaceAll(/[-:]|\.\d+/g, '')
    const classes = ['PRIVATE', 'confidential', 'X-COMPANY-ONLY', 'PUBLIC']
    const file = icsFile(
      ...classes.map((name) => [
        `UID:${name}@quartz`,
        `DTSTAMP:${start}`,
        `DTSTART:${start}`,
        `SUMMARY:Quartz ${name}`,
        `CLASS;X-NOTE="a:b":${name}`,
      ]),
    )
    const imported = await instance.call('POST', `/api/calendar/import?calendarId=${calendarId}`, {
      token: ana.token,
      headers: { 'content-type': 'text/calendar' },
      body: file,
    })
    expect([imported.status, imported.body.created]).toEqual([200, 4])
    const events = async (person: Person) =>
      (await instance.get(`${EVENTS}?${month()}&calendarId=${calendarId}`, person)).body.events as {
        id: number
        title: string
      }[]
    expect((await events(viewer)).map(({ title }) => title).sort()).toEqual([
      'Busy',
      'Busy',
      'Busy',
      'Quartz PUBLIC',
    ])
    for (const { id } of await events(ana)) expect((await remove(ana, String(id))).status).toBe(204)
  })

  it('hide one occurrence of a series, or the whole series', async () => {
    const start = at(24 * 60)
    const times = { start, end: at(24 * 60 + 30), recurrence: 'FREQ=DAILY;COUNT=3' }
    const series = await create({ ...times, title: 'Choir' })
    const second = `occurrence=${new Date(Date.parse(start) + 86_400_000).toISOString()}`
    await patch(ana, `${series.id}?${second}`, SECRET)
    const titles = async () =>
      (await instance.get(`${EVENTS}?${month()}`, viewer)).body.events.map(
        ({ title }: { title: string }) => title,
      )
    expect(await titles()).toEqual(['Choir', 'Busy', 'Choir'])
    const one = await instance.get(`${EVENTS}/${series.id}?${second}`, viewer)
    expect(one.body).toMatchObject({ title: 'Busy', recurringEventId: series.id, tags: [] })
    expect((await patch(editor, `${series.id}?${second}`, { title: 'x' })).status).toBe(403)
    expect((await remove(editor, `${series.id}?${second}`)).status).toBe(403)
    const first = `occurrence=${start}`
    expect((await patch(editor, `${series.id}?${first}`, { title: 'Band' })).body.title).toBe('Band')
    await patch(ana, String(series.id), { tags: ['private'] })
    expect(await titles()).not.toContain('Choir')
    const whole = (await instance.get(`${EVENTS}/${series.id}`, viewer)).body
    expect([whole.title, whole.recurrence]).toEqual(['Busy', times.recurrence])
    expect((await remove(editor, `${series.id}?${first}&scope=all`)).status).toBe(403)
    await remove(ana, String(series.id))
  })

  it('include the changed occurrences of a private series', async () => {
    const start = at(24 * 60)
    const second = new Date(Date.parse(start) + 86_400_000).toISOString()
    const end = at(24 * 60 + 30)
    const series = await create({ title: 'Choir', start, end, recurrence: 'FREQ=DAILY;COUNT=3' })
    await patch(ana, `${series.id}?occurrence=${second}`, { title: 'Quartz', tags: ['stage'] })
    await patch(ana, String(series.id), { tags: ['private'] })
    const stream = await openEventStream(instance.url, '/api/events?types=event.*', { token: viewer.token })
    await patch(ana, `${series.id}?occurrence=${second}`, { location: 'Quartz hall' })
    const stamp = (moment: string) => moment.replaceAll(/[-:]|\.\d+/g, '')
    const common = ['UID:series@quartz', `DTSTAMP:${stamp(start)}`]
    const file = icsFile(
      [
        ...common,
        `DTSTART:${stamp(start)}`,
        'RRULE:FREQ=DAILY;COUNT=3',
        'SUMMARY:Quartz series',
        'CLASS:PRIVATE',
      ],
      [
        ...common,
        `RECURRENCE-ID:${stamp(second)}`,
        `DTSTART:${stamp(second)}`,
        'SUMMARY:Quartz without class',
      ],
    )
    await instance.call('POST', `/api/calendar/import?calendarId=${calendarId}`, {
      token: ana.token,
      headers: { 'content-type': 'text/calendar' },
      body: file,
    })
    await create({ title: 'End' })
    await expect.poll(() => JSON.stringify(stream.events)).toContain('End')
    expect(JSON.stringify(stream.events)).not.toMatch(/quartz/i)
    await stream.leave()
    const list = async (person: Person) =>
      (await instance.get(`${EVENTS}?${month()}&calendarId=${calendarId}`, person)).body.events as {
        id: number
        title: string
      }[]
    expect((await list(ana)).filter(({ title }) => title.includes('Quartz'))).toHaveLength(4)
    expect((await list(viewer)).filter(({ title }) => title === 'Busy')).toHaveLength(6)
    for (const { id } of await list(ana)) {
      const one = await instance.get(`${EVENTS}/${id}?occurrence=${second}`, viewer)
      expect(JSON.stringify(one.body)).not.toMatch(/quartz/i)
    }
    const exported = await instance.get(`/api/calendar/export.ics?calendarId=${calendarId}`, viewer)
    for (const text of [JSON.stringify(await list(viewer)), exported.body])
      expect(text).not.toMatch(/quartz/i)
    for (const id of new Set((await list(ana)).map(({ id }) => id))) await remove(ana, String(id))
  })

  it('include one occurrence of a series with single dates', async () => {
    const second = at(48 * 60)
    const times = { start: at(24 * 60), end: at(24 * 60 + 30), rdates: [second] }
    const series = await create({ ...times, title: 'Choir' })
    await patch(ana, `${series.id}?occurrence=${second}`, SECRET)
    const target = `${series.id}?occurrence=${second}`
    expect((await patch(editor, target, { title: 'x' })).status).toBe(403)
    expect((await remove(editor, target)).status).toBe(403)
    expect((await instance.get(`${EVENTS}/${target}`, ana)).body.title).toBe('Quartz')
    await remove(ana, String(series.id))
  })

  it('cannot be changed, deleted or created by an editor', async () => {
    const event = await create(SECRET)
    for (const { status, body } of [
      await patch(editor, event.id, { title: 'x' }),
      await patch(editor, event.id, { reminders: [{ minutesBefore: 5 }] }),
      await remove(editor, event.id),
    ])
      expect([status, body.code, body.detail]).toEqual([
        403,
        'forbidden',
        'This event is private. Only the owner of the calendar can read and change it.',
      ])
    expect((await instance.get(`${EVENTS}/${event.id}`, ana)).body.title).toBe('Quartz')
    const open = await create({ title: 'Open' })
    for (const refused of [
      await patch(editor, open.id, { tags: ['private'] }),
      await instance.post(EVENTS, { title: 'x', start: at(60), calendarId, tags: [' PRIVATE '] }, editor),
    ])
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'tags'])
    for (const { id } of [event, open]) await remove(ana, id)
  })

  it('are hidden in live events, webhooks, reminders and notifications', async () => {
    const receiver = await startReceiver()
    instance.app.sending.start()
    const hook = { url: receiver.url, events: ['*'] }
    expect((await instance.post('/api/settings/webhooks', hook, viewer)).status).toBe(201)
    const stream = await openEventStream(instance.url, '/api/events?types=event.*', { token: viewer.token })
    const event = await create({ ...SECRET, tags: [] })
    await patch(viewer, event.id, { reminders: [{ minutesBefore: 30 }] })
    await expect.poll(() => JSON.stringify(stream.events)).toContain('Quartz')
    const seen = stream.events.length
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    const received = receiver.received.length
    await patch(ana, event.id, { tags: ['private'], title: 'Quartz hidden' })
    await patch(ana, event.id, { status: 'tentative' })
    instance.clock.advance(35 * MINUTE)
    await instance.app.features.calendarReminders.sendDue()
    await remove(ana, event.id)
    await create({ title: 'End' })
    await expect.poll(() => JSON.stringify(stream.events.slice(seen))).toContain('End')
    await expect.poll(() => receiver.received.map(({ text }) => text).join()).toContain('End')
    const live = stream.events.slice(seen).map(({ data }) => data)
    expect(JSON.stringify(live)).not.toMatch(/quartz/i)
    expect(live).toContainEqual(
      expect.objectContaining({ type: 'event.updated', data: { id: event.id, calendarId } }),
    )
    expect(live).toContainEqual(
      expect.objectContaining({
        type: 'event.starting',
        data: expect.objectContaining({ id: event.id, title: 'Busy', minutesBefore: 30 }),
      }),
    )
    const sent = receiver.received.slice(received).map(({ text }) => text)
    expect(sent.join()).not.toMatch(/quartz/i)
    await stream.leave()
    await receiver.close()
    const { body } = await instance.get('/api/notifications', viewer)
    expect(JSON.stringify(body)).not.toMatch(/quartz/i)
    expect(JSON.stringify(body)).toContain('Busy')
  })

  it('are hidden in files, private links, statistics, planning, tools and exports', async () => {
    const event = await create(SECRET)
    await create({ ...SECRET, recurrence: 'FREQ=DAILY;COUNT=3' })
    const feed = { name: 'n', purpose: 'calendar', calendarId }
    const { body: link } = await instance.post('/api/settings/feed-tokens', feed, viewer)
    const week = `start=${at(-60)}&end=${at(7 * 24 * 60)}`
    for (const path of [
      `/api/calendar/export.ics?calendarId=${calendarId}`,
      `/api/calendar/feed.ics?token=${link.token}`,
    ]) {
      const { status, body } = await instance.get(path, path.includes('token') ? undefined : viewer)
      expect([status, body]).toEqual([200, expect.stringContaining('SUMMARY:Busy')])
      expect(body).toContain('RRULE:FREQ=DAILY;COUNT=3')
      expect(body).not.toMatch(/quartz/i)
    }
    const own = await instance.get(`/api/calendar/export.ics?calendarId=${calendarId}`, ana)
    expect(own.body).toContain('SUMMARY:Quartz')
    for (const path of [
      `/api/calendar/stats?${week}`,
      `/api/calendar/free?${week}&minutes=30`,
      '/api/calendar/export.ics',
      '/api/stats',
      '/api/briefing',
      '/api/actions',
      '/api/calendars',
      '/api/settings/security/activity',
    ]) {
      const { status, body } = await instance.get(path, viewer)
      expect([path, status]).toEqual([path, 200])
      expect(JSON.stringify(body)).not.toMatch(/quartz/i)
    }
    const plan = await instance.post('/api/tasks/plan', { start: at(0), end: at(24 * 60) }, viewer)
    expect(JSON.stringify(plan.body)).not.toMatch(/quartz/i)
    const meeting = { title: 'Mine', start: at(60), end: at(90) }
    expect(JSON.stringify((await instance.post(EVENTS, meeting, viewer)).body)).not.toMatch(/quartz/i)
    const archive = await entriesOf(await exportOf(instance, viewer.token))
    expect(JSON.stringify(archive)).not.toMatch(/quartz/i)

    for (const person of [viewer, editor]) {
      const client = new Client({ name: 'test', version: '1.0.0' })
      const headers = { authorization: `Bearer ${person.token}` }
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${instance.url}/mcp`), { requestInit: { headers } }),
      )
      const call = async (name: string, input: object) =>
        JSON.stringify(await client.callTool({ name, arguments: { ...input } }))
      const listed = await call('list_events', { start: at(-60), end: at(24 * 60) })
      expect(listed).toContain('Busy')
      const results = [
        listed,
        await call('find_free_time', { start: at(0), end: at(24 * 60), minutes: 30 }),
        await call('get_priorities', {}),
        await call('update_event', { id: event.id, title: 'x' }),
        await call('move_event', { id: event.id, start: at(200) }),
        await call('cancel_event', { id: event.id }),
        await call('delete_event', { id: event.id }),
      ]
      expect(results.join('\n')).not.toMatch(/quartz/i)
      expect(results.at(-1)).toContain(person === editor ? 'This event is private.' : 'You can view this')
      await client.close()
      // A confirmation could not succeed.
      expect((await instance.get('/api/ai/actions?status=pending', person)).body.actions).toEqual([])
    }
    expect((await instance.get(`${EVENTS}/${event.id}`, ana)).body).toMatchObject({
      title: 'Quartz',
      start: event.start,
      status: 'confirmed',
    })
  })
})
