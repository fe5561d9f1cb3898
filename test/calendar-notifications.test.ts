import { afterAll, beforeAll, expect, it } from 'vitest'
import { MINUTE } from './support/clock.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

const CALENDARS = '/api/calendars'
const EVENTS = '/api/calendar/events'

onEveryDatabase('notifications per calendar', (engine) => {
  let instance: Instance
  let ana: Person
  let ben: Person
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { REGISTRATION: 'open', TZ_DEFAULT: 'UTC' } })
    ana = await register(instance, { name: 'Ana' })
    ben = await register(instance, { name: 'Ben' })
  })
  afterAll(() => instance.close())

  const send = async (person: Person, method: string, path: string, body?: unknown) => {
    const answer = await instance.call(method, path, { token: person.token, body })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  const createCalendar = async (notifications?: string): Promise<number> => {
    const { id } = await send(ana, 'POST', CALENDARS, { name: 'Club' })
    if (notifications) await send(ana, 'PATCH', `${CALENDARS}/${id}`, { notifications })
    return id
  }
  const titlesOf = async (person: Person): Promise<string[]> => {
    const { notifications } = await send(person, 'GET', '/api/notifications?limit=200')
    return notifications.map(({ data }: { data: { title?: string } | null }) => data?.title)
  }
  const at = (minutes: number): string =>
    new Date(instance.clock.now().getTime() + minutes * MINUTE).toISOString()
  /** Lets the reminders become due, and sends them. */
  const passTime = async (): Promise<void> => {
    instance.clock.advance(2 * MINUTE)
    await instance.app.features.calendarReminders.sendDue()
  }
  const remind = (calendarId: number, title: string) =>
    send(ana, 'POST', EVENTS, {
      calendarId,
      title,
      start: at(11),
      end: at(20),
      reminders: [{ minutesBefore: 10 }],
    })
  const book = (calendarId: number, title: string) =>
    send(ana, 'POST', EVENTS, { calendarId, title, bookingId: title, start: at(600), end: at(660) })

  it('are on by default, and can be off or limited to reminders', async () => {
    const [on, reminders, off] = [
      await createCalendar(),
      await createCalendar('reminders'),
      await createCalendar('none'),
    ]
    const { calendars } = await send(ana, 'GET', CALENDARS)
    const chosen = new Map(
      calendars.map((one: { id: number; notifications: string }) => [one.id, one.notifications]),
    )
    expect([on, reminders, off].map((id) => chosen.get(id))).toEqual(['all', 'reminders', 'none'])
    await remind(off, 'off reminder')
    await remind(reminders, 'quiet reminder')
    await remind(on, 'loud reminder')
    await book(off, 'off booking')
    await book(reminders, 'quiet booking')
    await book(on, 'loud booking')
    await passTime()
    expect((await titlesOf(ana)).sort()).toEqual(['loud booking', 'loud reminder', 'quiet reminder'])
    await send(ana, 'PATCH', `${CALENDARS}/${off}`, { notifications: 'all' })
    await book(off, 'later booking')
    expect(await titlesOf(ana)).toContain('later booking')
  })

  it('are each member’s own in a shared calendar', async () => {
    const id = await createCalendar('none')
    const share = await send(ana, 'POST', `${CALENDARS}/${id}/shares`, { email: ben.email, role: 'viewer' })
    await send(ben, 'POST', `/api/shares/${share.id}/accept`)
    expect((await send(ben, 'GET', `${CALENDARS}/${id}`)).notifications).toBe('all')
    const event = await send(ana, 'POST', EVENTS, {
      calendarId: id,
      title: 'Match',
      start: at(11),
      end: at(20),
    })
    await send(ben, 'PATCH', `${EVENTS}/${event.id}`, { reminders: [{ minutesBefore: 10 }] })
    await passTime()
    expect(await titlesOf(ben)).toContain('Match')
    expect((await send(ben, 'PATCH', `${CALENDARS}/${id}`, { notifications: 'none' })).notifications).toBe(
      'none',
    )
    expect((await send(ana, 'GET', `${CALENDARS}/${id}`)).notifications).toBe('none')
    const other = await send(ana, 'POST', EVENTS, {
      calendarId: id,
      title: 'Other',
      start: at(11),
      end: at(20),
    })
    await send(ben, 'PATCH', `${EVENTS}/${other.id}`, { reminders: [{ minutesBefore: 10 }] })
    await passTime()
    expect(await titlesOf(ben)).not.toContain('Other')
  })

  it('reject an unknown choice', async () => {
    const id = await createCalendar()
    const answer = await instance.call('PATCH', `${CALENDARS}/${id}`, {
      token: ana.token,
      body: { notifications: 'loud' },
    })
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'notifications'])
  })
})
