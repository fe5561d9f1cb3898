import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY } from './support/clock.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

onEveryDatabase('dashboard statistics', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Pacific/Auckland' } })
  })
  afterAll(() => instance.close())

  it('return counts per day, and 0 for empty features', async () => {
    const before = await instance.get('/api/stats')
    expect(before.status).toBe(200)
    expect(before.body).toEqual({
      emails: { total: 0, unread: 0, urgent: 0, receivedToday: 0 },
      tasks: { open: 0, overdue: 0, dueToday: 0, completedThisWeek: 0 },
      events: { today: 0, next7Days: 0, next: null },
      bookings: { total: 0, lastSyncAt: null },
      ai: { requests: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
      activity: Array.from({ length: 14 }, () => ({
        date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        emailsReceived: 0,
        tasksCompleted: 0,
        events: 0,
      })),
    })
    const now = instance.clock.now().getTime()
    const store = async (daysAgo: number, more: Record<string, unknown> = {}): Promise<number> => {
      const date = new Date(now - daysAgo * DAY).toISOString()
      return (await instance.post('/api/emails', { from: 'a@b.example', date, ...more })).body.id
    }
    await store(0)
    const read = await store(0)
    await store(3, { read: true })
    await store(100)
    await store(0, { folder: 'sent' })
    await store(3, { folder: 'trash' })
    await instance.call('PATCH', `/api/emails/${read}`, { body: { read: true } })
    const after = await instance.get('/api/stats')
    expect(after.body.emails).toEqual({ total: 6, unread: 2, urgent: 0, receivedToday: 2 })
    const days = after.body.activity.map(({ emailsReceived }: { emailsReceived: number }) => emailsReceived)
    expect(days).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2])
    const today = new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Auckland' }).format(now)
    expect(after.body.activity.at(-1).date).toBe(today)
    await instance.call('DELETE', `/api/emails/${read}`)
    await instance.app.features.emails.prune()
    expect((await instance.get('/api/stats')).body.emails.total).toBe(5)
  })

  it('count each occurrence of a five-minute series on the day it starts', async () => {
    const start = new Date(instance.clock.now().getTime() - 5 * DAY).toISOString()
    const series = { title: 'Beat', start, recurrence: 'FREQ=MINUTELY;INTERVAL=5' }
    const { body: made } = await instance.post('/api/calendar/events', series)
    const { body } = await instance.get('/api/stats')
    const perDay = body.activity.map(({ events }: { events: number }) => events)
    expect(perDay.slice(0, 8)).toEqual(Array(8).fill(0))
    // A day with a clock change has an hour less or more.
    const ofDays = [276, 288, 300]
    for (const count of [...perDay.slice(9), body.events.today]) expect(ofDays).toContain(count)
    expect(ofDays.map((count) => 6 * 288 + count)).toContain(body.events.next7Days)
    await instance.call('DELETE', `/api/calendar/events/${made.id}`)
  })

  it('count every booking in the calendar, whatever its source', async () => {
    const booking = { title: 'Intro call', start: '2031-03-02T09:00:00Z', bookingId: 'stats-1' }
    const { body: made } = await instance.post('/api/calendar/events', booking)
    await instance.post('/api/calendar/events', { ...booking, title: 'Moved' })
    await instance.post('/api/calendar/events', { ...booking, bookingId: null })
    const total = async () => (await instance.get('/api/stats')).body.bookings.total
    expect(await total()).toBe(1)
    await instance.call('DELETE', `/api/calendar/events/${made.id}`)
    expect(await total()).toBe(0)
  })

  it('show a token only what its scopes cover', async () => {
    const { token } = await register(instance)
    const made = await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'n', scopes: ['tasks:read'] },
      { token },
    )
    const { body } = await instance.get('/api/stats', { token: made.body.token })
    expect(Object.keys(body).sort()).toEqual(['activity', 'tasks'])
    expect(Object.keys(body.activity[0]).sort()).toEqual(['date', 'tasksCompleted'])
  })

  it('follow every change of unread and urgent emails', async () => {
    const { token, id: userId } = await register(instance)
    const as = { token }
    const figures = async () => {
      const { emails } = (await instance.get('/api/stats', as)).body
      return [emails.unread, emails.urgent]
    }
    const ids: number[] = []
    for (const folder of ['inbox', 'archive', 'trash', 'junk', 'inbox'])
      ids.push((await instance.post('/api/emails', { from: 'a@b.example', folder }, as)).body.id)
    expect(await figures()).toEqual([3, 0])
    const patch = (index: number, body: object) =>
      instance.call('PATCH', `/api/emails/${ids[index]}`, { ...as, body })
    await patch(0, { folder: 'trash' })
    expect(await figures()).toEqual([2, 0])
    await patch(0, { folder: 'inbox', read: true })
    await patch(1, { starred: true })
    expect(await figures()).toEqual([2, 0])
    await patch(0, { read: false })
    const { db } = instance.database
    const setUrgency = (urgency: string | null) =>
      db.updateTable('emails').set({ urgency }).where('userId', '=', userId).execute()
    await setUrgency('high')
    expect(await figures()).toEqual([3, 5])
    await setUrgency('critical')
    await instance.call('DELETE', `/api/emails/${ids[1]}`, as)
    await instance.app.features.emails.prune()
    expect(await figures()).toEqual([2, 4])
    await setUrgency(null)
    expect(await figures()).toEqual([2, 0])
  })
})

onEveryDatabase('used tags', (engine) => {
  it('are listed once for mail and tasks, with pagination, limited by the scopes of a token', async () => {
    const instance = await startInstance({ engine })
    const person = await register(instance)
    expect((await instance.get('/api/tags')).body).toEqual({ tags: [], nextCursor: null })
    for (const tags of [['work', 'Zoo'], ['Home', 'Büro'], ['Work']])
      await instance.post('/api/emails', { from: 'a@b.example', tags })
    await instance.post('/api/tasks', { title: 'x', tags: ['WORK', 'büro', 'Garden'] })
    const all = [
      { tag: 'Büro', emails: true, tasks: true },
      { tag: 'Garden', emails: false, tasks: true },
      { tag: 'Home', emails: true, tasks: false },
      { tag: 'Work', emails: true, tasks: true },
      { tag: 'Zoo', emails: true, tasks: false },
    ]
    expect((await instance.get('/api/tags')).body).toEqual({ tags: all, nextCursor: null })
    const first = (await instance.get('/api/tags?limit=3')).body
    expect(first.tags).toEqual(all.slice(0, 3))
    const second = (await instance.get(`/api/tags?limit=3&cursor=${first.nextCursor}`)).body
    expect(second).toEqual({ tags: all.slice(3), nextCursor: null })
    const tokenInput = { password: PASSWORD, name: 'tasks', scopes: ['tasks:read'] }
    const { token } = (await instance.post('/api/settings/tokens', tokenInput, person)).body
    expect((await instance.get('/api/tags', { token })).body.tags).toEqual([
      { tag: 'büro', tasks: true },
      { tag: 'Garden', tasks: true },
      { tag: 'WORK', tasks: true },
    ])
    await instance.close()
  })
})
