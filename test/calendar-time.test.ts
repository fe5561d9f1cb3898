import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { DAY, MINUTE } from './support/clock.ts'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

const EVENTS = '/api/calendar/events'

onOneDatabase('sqlite', 'the calendar', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
  })
  afterAll(() => instance.close())

  const create = async (start: string, end: string, more: Record<string, unknown> = {}): Promise<number> => {
    const made = await instance.post(EVENTS, { title: 'Event', start, end, ...more })
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    return made.body.id
  }
  const clear = async (): Promise<void> => {
    await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
  }

  it('counts all overlaps, regardless of the number of parallel events', async () => {
    await create('2026-01-01', '2026-03-01', { recurrence: 'FREQ=MINUTELY;INTERVAL=5' })
    const { body } = await instance.get('/api/calendar/stats?start=2026-02-01&end=2026-03-01')
    const total = 59 * 288
    expect([body.total, body.conflicts]).toEqual([total, (total * (total - 1)) / 2])
    await clear()
  })

  it('lists free time within working hours in local time', async () => {
    await create('2026-03-27T09:30:00+01:00', '2026-03-27T10:00:00+01:00')
    await create('2026-03-27T12:00:00+01:00', '2026-03-27T18:00:00+01:00')
    await create('2026-03-27T10:00:00+01:00', '2026-03-27T11:00:00+01:00', { status: 'tentative' })
    await create('2026-03-27T11:00:00+01:00', '2026-03-27T11:15:00+01:00', { status: 'cancelled' })
    await create('2026-03-30T13:00:00+02:00', '2026-03-30T13:30:00+02:00', { busy: false })
    await create('2026-03-30T08:00:00+02:00', '2026-03-30T09:10:00+02:00', {
      recurrence: 'FREQ=DAILY;COUNT=2',
    })
    const slots = async (query: string) => {
      const { status, body } = await instance.get(
        `/api/calendar/free?start=2026-03-27&end=2026-03-31&${query}`,
      )
      expect(status).toBe(200)
      return body.slots.map((slot: { start: string; end: string; minutes: number }) => [
        slot.start.slice(5, 16),
        slot.end.slice(5, 16),
        slot.minutes,
      ])
    }
    // Friday in winter time, Monday in summer time.
    const monday = ['03-30T07:10', '03-30T15:00', 470]
    expect(await slots('minutes=30')).toEqual([
      ['03-27T08:00', '03-27T08:30', 30],
      ['03-27T10:00', '03-27T11:00', 60],
      monday,
    ])
    expect(await slots('minutes=31')).toEqual([['03-27T10:00', '03-27T11:00', 60], monday])
    expect(await slots('minutes=30&tentative=free')).toEqual([
      ['03-27T08:00', '03-27T08:30', 30],
      ['03-27T09:00', '03-27T11:00', 120],
      monday,
    ])
    expect(await slots('minutes=30&buffer=15')).toEqual([
      ['03-27T10:15', '03-27T10:45', 30],
      ['03-30T07:25', '03-30T15:00', 455],
    ])
    const first = await instance.get('/api/calendar/free?start=2026-03-27&end=2026-03-31&limit=1')
    expect(first.body.slots).toHaveLength(1)
    const second = await instance.get(
      `/api/calendar/free?start=2026-03-27&end=2026-03-31&cursor=${first.body.nextCursor}`,
    )
    expect(second.body.slots).toHaveLength(2)
    expect((await instance.get('/api/calendar/free?start=2026-03-27&end=2028-03-31')).status).toBe(400)
    expect((await instance.get('/api/calendar/free?minutes=0')).status).toBe(400)
    expect((await instance.get('/api/calendar/free')).status).toBe(200)
    await clear()
  })

  it('counts events by status, source, weekday and hour of the zone', async () => {
    await create('2026-03-02T08:30:00Z', '2026-03-02T10:00:00Z', { recurrence: 'FREQ=DAILY;COUNT=3' })
    await create('2026-03-02T09:00:00Z', '2026-03-02T09:30:00Z', { status: 'tentative' })
    await create('2026-03-02T09:00:00Z', '2026-03-02T09:30:00Z', { status: 'cancelled' })
    await create('2026-03-06T22:30:00Z', '2026-03-07T01:00:00Z', { bookingId: 'b1' })
    await create('2026-03-01', '2026-03-03', { allDay: true, busy: false })
    const { body } = await instance.get('/api/calendar/stats?start=2026-03-01&end=2026-03-07')
    expect(body).toEqual({
      start: '2026-02-28T23:00:00.000Z',
      end: '2026-03-06T23:00:00.000Z',
      timezone: 'Europe/Berlin',
      total: 7,
      byStatus: { tentative: 1, confirmed: 5, cancelled: 1 },
      bySource: { manual: 6, email: 0, chat: 0, bookingsvc: 1, ics: 0, caldav: 0 },
      hours: 5.5,
      averageMinutes: 66,
      byWeekday: [2, 1, 1, 0, 1, 0, 1],
      byHour: Object.assign(new Array(24).fill(0), { 9: 3, 10: 1, 23: 1 }),
      conflicts: 1,
    })
    expect((await instance.get('/api/calendar/stats')).status).toBe(200)
    expect((await instance.get('/api/calendar/stats?start=2026-03-07&end=2026-03-01')).status).toBe(400)
    await clear()
  })

  const reminders = () => instance.app.features.calendarReminders
  const listReminders = async () => {
    const rows = await instance.database.db
      .selectFrom('changes')
      .select('data')
      .where('type', '=', 'event.starting')
      .orderBy('id')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    return rows
      .map(({ data }) => JSON.parse(data))
      .map(({ title, start, minutesBefore }) => [title, start, minutesBefore])
  }
  const at = (ms: number) =>
    new Date(Math.ceil(instance.clock.now().getTime() / MINUTE) * MINUTE + ms).toISOString()

  it('sends a reminder once, across restarts and clocks that are set back', async () => {
    const [start, end] = [at(60 * MINUTE), at(90 * MINUTE)]
    const id = await create(start, end, {
      title: 'Talk',
      reminders: [{ minutesBefore: 30 }, { minutesBefore: 10 }],
    })
    await create(start, end, { title: 'Off', reminders: [{ minutesBefore: 30 }], status: 'cancelled' })
    await reminders().sendDue()
    expect(await listReminders()).toEqual([])
    instance.clock.advance(35 * MINUTE)
    await reminders().sendDue()
    expect(await listReminders()).toEqual([['Talk', start, 30]])
    await reminders().sendDue()
    instance.clock.advance(-20 * MINUTE)
    await reminders().sendDue()
    expect(await listReminders()).toHaveLength(1)
    instance.clock.advance(50 * MINUTE)
    await Promise.all([reminders().sendDue(), reminders().sendDue(), reminders().sendDue()])
    expect(await listReminders()).toEqual([
      ['Talk', start, 30],
      ['Talk', start, 10],
    ])
    // A moved event gets a new reminder. An event that is over does not.
    const later = at(300 * MINUTE)
    await instance.call('PATCH', `${EVENTS}/${id}`, { body: { start: later } })
    instance.clock.advance(400 * MINUTE)
    await reminders().sendDue()
    expect(await listReminders()).toHaveLength(2)
    await clear()
    await instance.database.db.deleteFrom('changes').modifyEnd(ALL_ACCOUNTS).execute()
  })

  it('sends a reminder for each occurrence of a series, including moved but not cancelled ones', async () => {
    const first = at(60 * MINUTE)
    const nth = (n: number) => new Date(Date.parse(first) + n * DAY).toISOString()
    const id = await create(first, at(90 * MINUTE), {
      title: 'Daily',
      timezone: 'UTC',
      recurrence: 'FREQ=DAILY;COUNT=5',
      reminders: [{ minutesBefore: 5 }],
    })
    const change = (n: number, body: unknown) =>
      instance.call('PATCH', `${EVENTS}/${id}?occurrence=${nth(n)}`, { body })
    expect((await change(1, { status: 'cancelled' })).status).toBe(200)
    const moved = new Date(Date.parse(nth(2)) + 120 * MINUTE).toISOString()
    expect((await change(2, { start: moved, title: 'Moved' })).status).toBe(200)
    for (let elapsed = 0; elapsed < 5 * DAY; elapsed += 30 * MINUTE) {
      instance.clock.advance(30 * MINUTE)
      await reminders().sendDue()
    }
    expect(await listReminders()).toEqual([
      ['Daily', nth(0), 5],
      ['Moved', moved, 5],
      ['Daily', nth(3), 5],
      ['Daily', nth(4), 5],
    ])
    const left = await instance.database.db
      .selectFrom('events')
      .select('id')
      .where('nextReminderAt', 'is not', null)
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(left).toEqual([])
  })
})

onOneDatabase('sqlite', 'a reminder of an event', (engine) => {
  it('is scheduled by jobs', async () => {
    const instance = await startInstance({ engine })
    const start = new Date(instance.clock.now().getTime() + 61_500).toISOString()
    const end = new Date(Date.parse(start) + MINUTE).toISOString()
    await instance.post(EVENTS, { title: 'Soon', start, end, reminders: [{ minutesBefore: 1 }] })
    await instance.app.jobs.start()
    const listReminders = () =>
      instance.database.db
        .selectFrom('changes')
        .select('data')
        .where('type', '=', 'event.starting')
        .modifyEnd(ALL_ACCOUNTS)
        .execute()
    await expect.poll(listReminders, { timeout: 60_000 }).toHaveLength(1)
    const [change] = await listReminders()
    expect(JSON.parse(change?.data ?? '')).toMatchObject({ title: 'Soon', start, minutesBefore: 1 })
    await instance.close()
  })
})

onEveryDatabase('statistics of events', (engine) => {
  it('count events by day in the zone of the instance, and return the next one', async () => {
    const instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Pacific/Auckland' } })
    // Noon in Auckland, so that hours around it stay in the same day.
    instance.clock.advance((24 - new Date(instance.clock.now()).getUTCHours()) * 60 * MINUTE)
    const now = instance.clock.now().getTime()
    const add = (title: string, ms: number, more: Record<string, unknown> = {}) =>
      instance.post(EVENTS, { title, start: new Date(now + ms).toISOString(), ...more })
    await add('before', -60 * MINUTE)
    await add('cancelled', 30 * MINUTE, { status: 'cancelled' })
    const { body: next } = await add('next', 60 * MINUTE)
    await add('daily', -2 * DAY + 90 * MINUTE, { recurrence: 'FREQ=DAILY;COUNT=5', timezone: 'UTC' })
    await add('far', 8 * DAY)
    const { body } = await instance.get('/api/stats')
    expect(body.events).toEqual({
      today: 3,
      next7Days: expect.any(Number),
      next: {
        id: next.id,
        title: 'next',
        start: next.start,
        end: next.end,
        allDay: false,
        timezone: next.timezone,
      },
    })
    expect(body.events.next7Days).toBeGreaterThanOrEqual(4)
    const perDay = body.activity.map(({ events }: { events: number }) => events)
    expect(perDay.slice(-4)).toEqual([0, 1, 1, 3])
    await instance.close()
  })
})
