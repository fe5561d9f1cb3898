import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

interface Interval {
  date: string
  emails: { received: number; sent: number; answered: number; medianReplyMinutes: number | null }
  meetings: { count: number; hours: number }
  tasks: { created: number; completed: number }
  ai: { requests: number; costUsd: number | null }
}

onEveryDatabase('statistics over time', (engine) => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    person = await register(instance, { timezone: 'America/New_York' })
  })
  afterAll(() => instance.close())
  beforeEach(async () => {
    for (const table of ['tasks', 'events', 'ai_days'] as const)
      await instance.database.db.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
    const { emails } = (await instance.get('/api/emails')).body
    for (const { id } of emails) await instance.call('DELETE', `/api/emails/${id}`)
  })

  const read = async (query: string, as: { token?: string } = person) => {
    const { status, body } = await instance.get(`/api/stats/history?${query}`, as)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body as { timezone: string; from: string; to: string; intervals: Interval[]; totals: Interval }
  }
  const march = async () => {
    const { intervals, totals } = await read('from=2026-03-06&to=2026-03-09')
    return { days: intervals, totals }
  }
  const store = async (date: string, more: Record<string, unknown> = {}): Promise<number> => {
    const email = { from: 'Ben <ben@b.example>', subject: 'Hello', date, ...more }
    const { status, body } = await instance.post('/api/emails', email)
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.id
  }

  it('use the days of the person, also when the clocks change', async () => {
    // New York is five hours behind UTC until 8 March 2026, 2:00, then four.
    await store('2026-03-07T04:59:00Z')
    await store('2026-03-07T05:00:00Z')
    await store('2026-03-09T03:59:00Z')
    await store('2026-03-09T04:00:00Z')
    const { days, totals } = await march()
    expect(days.map(({ date, emails }) => [date, emails.received])).toEqual([
      ['2026-03-06', 1],
      ['2026-03-07', 1],
      ['2026-03-08', 1],
      ['2026-03-09', 1],
    ])
    expect(totals.emails.received).toBe(4)
    const { timezone, intervals } = await read('from=2026-03-07&to=2026-03-07', {})
    expect([timezone, intervals[0]?.emails.received]).toEqual(['America/New_York', 1])
  })

  it('count replies and their median time', async () => {
    const exchange = async (n: number, minutes: number) => {
      const asked = Date.parse('2026-03-07T15:00:00Z') + n * 3_600_000
      const messageId = `question-${n}@b.example`
      await store(new Date(asked).toISOString(), { messageId, subject: `Question ${n}` })
      const answer = {
        folder: 'sent',
        from: 'ana@example.org',
        subject: `Re: Question ${n}`,
        inReplyTo: messageId,
      }
      await store(new Date(asked + minutes * 60_000).toISOString(), answer)
      return { ...answer, references: [messageId] }
    }
    await exchange(0, 10)
    await exchange(1, 20)
    expect((await march()).days[1]?.emails).toEqual({
      received: 2,
      sent: 2,
      answered: 2,
      medianReplyMinutes: 15,
    })
    const answer = await exchange(2, 300)
    // A second email without one in between is no reply, and neither is a new conversation.
    await store('2026-03-08T22:00:00Z', answer)
    await store('2026-03-08T22:00:00Z', { folder: 'sent', from: 'ana@example.org', subject: 'New' })
    const { days, totals } = await march()
    expect(days.map(({ emails }) => [emails.sent, emails.answered, emails.medianReplyMinutes])).toEqual([
      [0, 0, null],
      [3, 3, 20],
      [2, 0, null],
      [0, 0, null],
    ])
    expect(totals.emails).toEqual({ received: 3, sent: 5, answered: 3, medianReplyMinutes: 20 })
  })

  it('do not count emails that could not be sent, and drafts', async () => {
    await store('2026-03-07T15:00:00Z', { folder: 'sent' })
    const failedId = await store('2026-03-07T16:00:00Z', { folder: 'sent' })
    await store('2026-03-07T17:00:00Z', { folder: 'drafts' })
    await instance.database.db
      .updateTable('emails')
      .set({ deliveryStatus: 'failed' })
      .where('id', '=', failedId)
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect((await march()).totals.emails).toMatchObject({ received: 0, sent: 1 })
  })

  it('count meetings where they start, and hours where they are', async () => {
    const event = (title: string, start: string, end: string, more = {}) =>
      instance.post('/api/calendar/events', { title, start, end, ...more })
    await event('Review', '2026-03-06T15:00:00Z', '2026-03-06T16:30:00Z')
    await event('Night shift', '2026-03-07T03:00:00Z', '2026-03-07T07:00:00Z')
    await event('Daily', '2026-03-02T14:00:00Z', '2026-03-02T14:15:00Z', { recurrence: 'FREQ=DAILY' })
    await event('Cancelled', '2026-03-07T15:00:00Z', '2026-03-07T16:00:00Z', { status: 'cancelled' })
    await event('Free', '2026-03-07T15:00:00Z', '2026-03-07T16:00:00Z', { busy: false })
    await event('Report', '2026-03-07T15:00:00Z', '2026-03-07T16:00:00Z', { tags: ['focus'] })
    await event('Fair', '2026-03-07', '2026-03-08', { allDay: true })
    const { days, totals } = await march()
    expect(days.map(({ meetings }) => meetings)).toEqual([
      { count: 3, hours: 3.75 },
      { count: 1, hours: 2.25 },
      { count: 1, hours: 0.25 },
      { count: 1, hours: 0.25 },
    ])
    expect(totals.meetings).toEqual({ count: 6, hours: 6.5 })
  })

  it('count created and completed tasks', async () => {
    const { db } = instance.database
    const done = await instance.post('/api/tasks', { title: 'Done', status: 'done' })
    await instance.post('/api/tasks', { title: 'Open' })
    await db
      .updateTable('tasks')
      .set({ createdAt: '2026-03-07T04:59:00.000Z' })
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    await db
      .updateTable('tasks')
      .set({ completedAt: '2026-03-09T03:59:59.999Z' })
      .where('id', '=', done.body.id)
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    const { days, totals } = await march()
    expect(days.map(({ tasks }) => [tasks.created, tasks.completed])).toEqual([
      [2, 0],
      [0, 0],
      [0, 1],
      [0, 0],
    ])
    expect(totals.tasks).toEqual({ created: 2, completed: 1 })
  })

  it('sum the AI cost, which is unknown without a price', async () => {
    const usage = {
      userId: person.id,
      model: 'm',
      tokenId: '',
      requests: 2,
      inputTokens: 1,
      outputTokens: 1,
    }
    await instance.database.db
      .insertInto('ai_days')
      .values([
        { ...usage, day: '2026-03-06', costNano: 250_000_000, unpriced: 0 },
        { ...usage, day: '2026-03-06', model: 'n', costNano: 500_000_000, unpriced: 0 },
        { ...usage, day: '2026-03-07', costNano: 0, unpriced: 1 },
        { ...usage, day: '2026-03-10', costNano: 1, unpriced: 0 },
      ])
      .execute()
    const { days, totals } = await march()
    expect(days.map(({ ai }) => ai)).toEqual([
      { requests: 4, costUsd: 0.75 },
      { requests: 2, costUsd: null },
      { requests: 0, costUsd: 0 },
      { requests: 0, costUsd: 0 },
    ])
    expect(totals.ai).toEqual({ requests: 6, costUsd: null })
  })

  it('group by week and by month', async () => {
    for (const date of ['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-09'])
      await store(`${date}T12:00:00Z`)
    const counts = async (interval: string) =>
      (await read(`from=2026-02-27&to=2026-03-10&interval=${interval}`)).intervals.map(({ date, emails }) => [
        date,
        emails.received,
      ])
    expect(await counts('week')).toEqual([
      ['2026-02-27', 2],
      ['2026-03-02', 1],
      ['2026-03-09', 1],
    ])
    expect(await counts('month')).toEqual([
      ['2026-02-27', 1],
      ['2026-03-01', 3],
    ])
  })

  it('cover the last 30 days by default, and 366 days in 100 intervals at most', async () => {
    const { from, to, intervals } = await read('')
    const today = new Intl.DateTimeFormat('sv', { timeZone: 'America/New_York' }).format(instance.clock.now())
    expect([to, intervals.length, intervals[0]?.date]).toEqual([today, 30, from])
    expect((await read('from=2024-01-01&to=2024-12-31&interval=month')).intervals).toHaveLength(12)
    expect((await read('from=2026-01-01&to=2026-04-10')).intervals).toHaveLength(100)
    const refused = async (query: string) => {
      const { status, body } = await instance.get(`/api/stats/history?${query}`)
      return [status, body.errors?.[0]?.path ?? body.errors]
    }
    for (const [query, path] of [
      ['from=2024-01-01&to=2025-01-01&interval=month', 'from'],
      ['from=2026-01-01&to=2026-04-11', 'interval'],
      ['from=2026-01-02&to=2026-01-01', 'to'],
      ['from=2026-02-30', 'from'],
      ['from=yesterday', 'from'],
      ['interval=hour', 'interval'],
    ] as const)
      expect([query, ...(await refused(query))]).toEqual([query, 400, path])
  })

  it('show a token only what its scopes cover', async () => {
    const input = { password: PASSWORD, name: 'n', scopes: ['tasks:read'] }
    const { body } = await instance.post('/api/settings/tokens', input, person)
    const { intervals, totals } = await read('', body)
    expect(Object.keys(intervals[0] ?? {}).sort()).toEqual(['date', 'tasks'])
    expect(Object.keys(totals)).toEqual(['tasks'])
  })
})
