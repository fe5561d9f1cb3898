import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'

const EVENTS = '/api/calendar/events'
const MEETING = { title: 'Meeting', start: '2040-03-05T10:00:00Z', end: '2040-03-05T11:00:00Z' }
const BUFFERS = { bufferBefore: 30, bufferAfter: 45 }

onOneDatabase('sqlite', 'events with buffers and video calls', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({
      engine,
      environment: { TZ_DEFAULT: 'UTC', ACCESS: 'open', REGISTRATION: 'open' },
    })
  })
  afterAll(() => instance.close())

  const patch = (path: string, body: object) => instance.call('PATCH', path, { body })
  const slots = async () => {
    const { body } = await instance.get('/api/calendar/free?start=2040-03-05&end=2040-03-06&minutes=15')
    return body.slots.map(({ start, end }: { start: string; end: string }) => [
      start.slice(11, 16),
      end.slice(11, 16),
    ])
  }

  it('count the buffers as busy, and move and delete them with the event', async () => {
    const { status, body } = await instance.post(EVENTS, { ...MEETING, ...BUFFERS })
    expect([status, body]).toMatchObject([201, BUFFERS])
    expect(await slots()).toEqual([
      ['09:00', '09:30'],
      ['11:45', '17:00'],
    ])
    const found = await instance.post('/api/calendar/find-time', {
      attendees: [],
      start: '2040-03-05',
      end: '2040-03-06',
    })
    expect(found.body.own.busy).toEqual([
      { start: '2040-03-05T09:30:00.000Z', end: '2040-03-05T11:45:00.000Z' },
    ])
    await patch(`${EVENTS}/${body.id}`, { start: '2040-03-05T08:45:00Z', end: '2040-03-05T09:00:00Z' })
    expect(await slots()).toEqual([['09:45', '17:00']])
    await instance.call('DELETE', `${EVENTS}/${body.id}`)
    expect(await slots()).toEqual([['09:00', '17:00']])
  })

  it('count the buffers of each occurrence, also of an event outside the period', async () => {
    const made = await instance.post(EVENTS, {
      ...MEETING,
      start: '2040-03-04T07:00:00Z',
      end: '2040-03-04T08:00:00Z',
      recurrence: 'FREQ=DAILY;COUNT=2',
      bufferAfter: 120,
    })
    expect(await slots()).toEqual([['10:00', '17:00']])
    const { body } = await instance.get('/api/calendar/free?start=2040-03-05T09:00:00Z&end=2040-03-06')
    expect(body.slots[0].start).toBe('2040-03-05T10:00:00.000Z')
    await instance.call('DELETE', `${EVENTS}/${made.body.id}`)
  })

  it('keep the buffers out of calendar files, and through an import of the same event', async () => {
    const { body } = await instance.post(EVENTS, { ...MEETING, ...BUFFERS })
    const file = await instance.call('GET', '/api/calendar/export.ics')
    const text = String(file.body)
    expect(text).toContain('SUMMARY:Meeting')
    expect(text).not.toMatch(/buffer|TRAVEL/i)
    const later = text.replace('SUMMARY:Meeting', 'SUMMARY:Renamed').replace(/SEQUENCE:\d+/, 'SEQUENCE:7')
    await instance.call('POST', '/api/calendar/import', {
      body: later,
      headers: { 'content-type': 'text/calendar' },
    })
    expect((await instance.get(`${EVENTS}/${body.id}`)).body).toMatchObject({ title: 'Renamed', ...BUFFERS })
    await instance.call('DELETE', `${EVENTS}/${body.id}`)
  })

  it('reject buffers that are no minutes', async () => {
    for (const bufferBefore of [0, -5, 481, 1.5, '5'])
      expect((await instance.post(EVENTS, { ...MEETING, bufferBefore })).status).toBe(400)
  })

  it('get a link for a video call that nobody can guess', async () => {
    const { token } = await register(instance)
    const create = (body: object) => instance.post(EVENTS, body, { token })
    const patch = (path: string, body: object) => instance.call('PATCH', path, { token, body })
    const refused = await create({ ...MEETING, conferencing: true })
    expect([refused.status, refused.body.code]).toEqual([409, 'not_configured'])
    const conferencingLink = 'https://meet.example/{random}'
    expect((await patch('/api/settings/preferences', { conferencingLink })).status).toBe(200)
    const made = await Promise.all([1, 2].map(() => create({ ...MEETING, conferencing: true })))
    const links = made.map(({ body }) => body.meetingUrl)
    for (const link of links) expect(link).toMatch(/^https:\/\/meet\.example\/[\w-]{22}$/)
    expect(links[0]).not.toBe(links[1])
    const both = { ...MEETING, conferencing: true, meetingUrl: 'https://other.example/a' }
    expect((await create(both)).status).toBe(400)
    const { body } = await create(MEETING)
    const changed = await patch(`${EVENTS}/${body.id}`, { conferencing: true })
    expect(changed.body.meetingUrl).toMatch(/^https:\/\/meet\.example\//)
    expect((await patch('/api/settings/preferences', { conferencingLink: null })).body.conferencingLink).toBe(
      null,
    )
  })
})
