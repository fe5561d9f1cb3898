import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

const CALENDARS = '/api/calendars'
const EVENTS = '/api/calendar/events'
/** A Monday. */
const DAY = { start: '2040-03-05T00:00:00Z', end: '2040-03-06T00:00:00Z' }

interface Range {
  start: string
  end: string
}

const toHours = (ranges: readonly Range[]): string[] =>
  ranges.map(({ start, end }) => `${start.slice(11, 16)}-${end.slice(11, 16)}`)

onOneDatabase('sqlite', 'finding a time', (engine) => {
  let instance: Instance
  let ana: Person
  let ben: Person
  let cem: Person
  beforeAll(async () => {
    instance = await startInstance({
      engine,
      environment: { REGISTRATION: 'open', TZ_DEFAULT: 'UTC', ACCESS: 'open' },
    })
    ana = await register(instance, { name: 'Ana' })
    ben = await register(instance, { name: 'Ben' })
    cem = await register(instance, { name: 'Cem' })
  })
  afterAll(() => instance.close())

  const create = async (person: Person, from: string, to: string, more: object = {}) => {
    const body = { title: 'Secret', start: `2040-03-05T${from}:00Z`, end: `2040-03-05T${to}:00Z`, ...more }
    const made = await instance.post(EVENTS, body, person)
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    return made.body
  }
  /** Shares a new calendar with Ana. */
  const share = async (person: Person, role: string): Promise<number> => {
    const { body } = await instance.post(CALENDARS, { name: `For Ana as ${role}` }, person)
    const offered = await instance.post(`${CALENDARS}/${body.id}/shares`, { email: ana.email, role }, person)
    await instance.post(`/api/shares/${offered.body.id}/accept`, undefined, ana)
    return body.id
  }
  const find = async (body: object) => {
    const found = await instance.post('/api/calendar/find-time', { ...DAY, ...body }, ana)
    expect([found.status, found.body.detail]).toEqual([200, undefined])
    return found.body
  }

  it('shows when people who share a calendar are busy, and nothing else of them', async () => {
    const calendarId = await share(ben, 'freeBusy')
    await create(ben, '10:00', '11:00', { calendarId })
    await create(ben, '10:30', '11:30', { calendarId, tags: ['private'] })
    await create(ben, '13:00', '14:00', { calendarId, busy: false })
    await create(ben, '15:00', '16:00')
    await create(ana, '09:00', '09:30')
    const found = await find({ attendees: [`Ben <${ben.email.toUpperCase()}>`, cem.email, ana.email] })
    expect(toHours(found.own.busy)).toEqual(['09:00-09:30'])
    expect(toHours(found.own.working)).toEqual(['09:00-17:00'])
    expect(found.people).toEqual([
      {
        email: ben.email.toUpperCase(),
        known: true,
        working: found.own.working,
        busy: [{ start: '2040-03-05T10:00:00.000Z', end: '2040-03-05T11:30:00.000Z' }],
      },
      { email: cem.email, known: false, working: [], busy: [] },
    ])
    expect(JSON.stringify(found)).not.toContain('Secret')
  })

  it('suggests slots within the working hours of all', async () => {
    const change = { workingHours: [{ day: 'monday', start: '08:00', end: '12:30' }] }
    const changed = await instance.call('PATCH', '/api/settings/preferences', {
      token: ben.token,
      body: change,
    })
    expect(changed.status).toBe(200)
    const both = await find({ attendees: [ben.email], minutes: 30 })
    expect(toHours(both.slots)).toEqual(['09:30-10:00', '11:30-12:00'])
    expect(toHours((await find({ attendees: [ben.email], minutes: 60 })).slots)).toEqual(['11:30-12:30'])
    const alone = await find({ attendees: [cem.email], minutes: 60, limit: 2 })
    expect(toHours(alone.slots)).toEqual(['09:30-10:30', '10:30-11:30'])
  })

  it('leaves out the event that is planned, also in calendars that show their events', async () => {
    const planned = await create(ana, '14:00', '15:00')
    const calendarId = await share(cem, 'viewer')
    await create(cem, '14:00', '15:00', { calendarId, uid: planned.uid })
    await create(cem, '11:00', '12:00', { calendarId })
    const counted = await find({ attendees: [cem.email] })
    expect(toHours(counted.people[0].busy)).toEqual(['11:00-12:00', '14:00-15:00'])
    const left = await find({ attendees: [cem.email], eventId: planned.id })
    expect(toHours(left.people[0].busy)).toEqual(['11:00-12:00'])
    expect(toHours(left.own.busy)).toEqual(['09:00-09:30'])
    const foreign = await find({ attendees: [], eventId: 999_999 })
    expect(toHours(foreign.own.busy)).toEqual(['09:00-09:30', '14:00-15:00'])
  })

  it('knows nothing of people whose share has ended', async () => {
    const { body } = await instance.get('/api/shares', ana)
    for (const { id } of body.shares) await instance.post(`/api/shares/${id}/decline`, undefined, ana)
    const found = await find({ attendees: [ben.email, cem.email] })
    expect(found.people.map(({ known, busy }: { known: boolean; busy: [] }) => [known, busy])).toEqual([
      [false, []],
      [false, []],
    ])
  })

  it('rejects wrong addresses, periods and lengths', async () => {
    for (const body of [
      { attendees: ['nobody'] },
      { attendees: ['a@b.c', 'A@b.c'] },
      { attendees: [], start: '2040-03-06', end: '2040-03-05' },
      { attendees: [], minutes: 0 },
      { attendees: [], end: '2043-03-05' },
    ])
      expect((await instance.post('/api/calendar/find-time', { ...DAY, ...body }, ana)).status).toBe(400)
  })
})
