import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { getLocalUserId } from '../src/database/local-account.ts'
import { positionOf } from '../src/database/positions.ts'
import { makeDataPlace, onPostgresOnly } from './support/databases.ts'
import { startInstance } from './support/instance.ts'

const EVENTS = 10_000

interface Query {
  text: string
  values: unknown[]
}

/** Expects that no part of the plan reads many rows that it does not need. */
const expectShortRanges = async (client: pg.Client, queries: readonly Query[]): Promise<void> => {
  for (const { text, values } of queries) {
    const { rows: plan } = await client.query(`explain analyze ${text}`, values)
    const lines = plan.map((row) => row['QUERY PLAN'] as string)
    const removed = lines.map((line) => Number(/Rows Removed by .*?: (\d+)/.exec(line)?.[1] ?? 0))
    expect([Math.max(...removed) < EVENTS / 10, lines.join('\n')]).toEqual([true, lines.join('\n')])
  }
}

onPostgresOnly('a calendar window', () => {
  it('is read from short index ranges, with and without statistics', async () => {
    const place = await makeDataPlace('postgres', 'prepared')
    const instance = await startInstance({ place })
    const { db } = instance.database
    const now = instance.clock.now().toISOString()
    const hoursAfter = (n: number, instant: string) =>
      new Date(Date.parse(instant) + n * 3_600_000).toISOString()
    await instance.post('/api/calendar/events', { title: 'n', start: hoursAfter(-EVENTS / 2, now) })
    const { id, ...event } = await db
      .selectFrom('events')
      .selectAll()
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: EVENTS }, (_, n) => ({
      ...event,
      uid: `hour-${n}`,
      start: hoursAfter(n, event.start),
      end: hoursAfter(n, event.end),
      lastEnd: hoursAfter(n, event.lastEnd),
    }))
    for (let at = 0; at < EVENTS; at += 1_000)
      await db
        .insertInto('events')
        .values(rows.slice(at, at + 1_000))
        .execute()

    const client = new pg.Client({ connectionString: place.databaseUrl as string })
    await client.connect()
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    await instance.get('/api/calendar/upcoming')
    await instance.post('/api/calendar/events', { title: 'm', start: now })
    const queries = asked.mock.calls
      .map(([query]) => query as unknown as { text: string; values: unknown[] })
      .filter(({ text }) => / as reach cross join /.test(text ?? ''))
    asked.mockRestore()
    expect(queries.length).toBeGreaterThan(1)
    await expectShortRanges(client, queries)
    await client.query('analyze events')
    await expectShortRanges(client, queries)
    await client.end()
    await instance.close()
    await place.remove()
  })
})

onPostgresOnly('statistics', () => {
  it('take the same number of queries for any number of occurrences, each with an index', async () => {
    const place = await makeDataPlace('postgres', 'prepared')
    const instance = await startInstance({ place })
    const { db } = instance.database
    const now = instance.clock.now().getTime()
    const start = new Date(now - 5 * 86_400_000).toISOString()
    const addDense = () =>
      instance.post('/api/calendar/events', { title: 'n', start, recurrence: 'FREQ=MINUTELY;INTERVAL=5' })
    const readQueries = async () => {
      const asked = vi.spyOn(pg.Client.prototype, 'query')
      expect((await instance.get('/api/stats')).status).toBe(200)
      const queries = asked.mock.calls.map(
        ([query]) => query as unknown as { text: string; values: unknown[] },
      )
      asked.mockRestore()
      return queries.filter(({ text }) => text !== undefined && !/pgboss|pg_notify/.test(text))
    }
    /** Background work can add queries to a reading, so the shortest of several counts. */
    const queriesOf = async () => {
      const readings = []
      for (let n = 0; n < 5; n++) readings.push(await readQueries())
      return readings.toSorted((a, b) => a.length - b.length)[0] as (typeof readings)[number]
    }
    await addDense()
    const few = await queriesOf()
    for (let n = 0; n < 12; n++) await addDense()
    expect((await queriesOf()).length).toBe(few.length)

    const { id: _, ...event } = await db
      .selectFrom('events')
      .selectAll()
      .limit(1)
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirstOrThrow()
    const single = { ...event, recurrence: null, expandedFrom: null, expandedUntil: null, spanClass: 0 }
    for (let at = 0; at < EVENTS; at += 1_000)
      await db
        .insertInto('events')
        .values(
          Array.from({ length: 1_000 }, (_, n) => {
            const instant = new Date(now + (at + n - EVENTS / 2) * 3_600_000).toISOString()
            return { ...single, uid: `hour-${at + n}`, start: instant, end: instant, lastEnd: instant }
          }),
        )
        .execute()
    const client = new pg.Client({ connectionString: place.databaseUrl as string })
    await client.connect()
    const counted = (await queriesOf()).filter(({ text }) => /count\(\*\) from events/.test(text))
    expect(counted).toHaveLength(1)
    await expectShortRanges(client, counted)
    await client.query('analyze')
    await expectShortRanges(client, counted)
    await client.end()
    await instance.close()
    await place.remove()
  })
})

onPostgresOnly('statistics over time', () => {
  it('read every large table from an index, with and without ANALYZE', async () => {
    const place = await makeDataPlace('postgres', 'prepared')
    const instance = await startInstance({ place })
    const { db } = instance.database
    const now = instance.clock.now().getTime()
    const hoursAgo = (n: number) => new Date(now - n * 3_600_000).toISOString()
    await instance.post('/api/tasks', { title: 'n', status: 'done' })
    await instance.post('/api/calendar/events', { title: 'n', start: hoursAgo(1) })
    for (const folder of ['inbox', 'sent'])
      await instance.post('/api/emails', { from: `${folder}@a.example`, folder, date: hoursAgo(1) })
    const { id: _task, ...task } = await db
      .selectFrom('tasks')
      .selectAll()
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirstOrThrow()
    const { id: _event, ...event } = await db
      .selectFrom('events')
      .selectAll()
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirstOrThrow()
    const emails = await db.selectFrom('emails').selectAll().orderBy('id').modifyEnd(ALL_ACCOUNTS).execute()
    for (let at = 0; at < EVENTS; at += 500) {
      const hours = Array.from({ length: 500 }, (_, n) => at + n)
      await db
        .insertInto('tasks')
        .values(hours.map((n) => ({ ...task, createdAt: hoursAgo(n), completedAt: hoursAgo(n) })))
        .execute()
      await db
        .insertInto('events')
        .values(
          hours.map((n) => ({
            ...event,
            uid: `hour-${n}`,
            start: hoursAgo(n),
            end: hoursAgo(n - 1),
            lastEnd: hoursAgo(n - 1),
          })),
        )
        .execute()
      await db
        .insertInto('emails')
        .values(
          hours.map((n) => {
            const { id: _email, ...email } = emails[n % 2] as (typeof emails)[number]
            // Not the position of the two emails above, which must be unique.
            const position = positionOf(hoursAgo(n)) + 1_000
            return { ...email, position, threadId: 100 + Math.floor(n / 2), date: hoursAgo(n) }
          }),
        )
        .execute()
      const userId = await getLocalUserId(db)
      await db
        .insertInto('ai_days')
        .values(
          hours.map((n) => ({
            userId,
            day: hoursAgo(n * 24).slice(0, 10),
            model: 'model_a',
            tokenId: '',
            requests: 1,
            inputTokens: 1,
            outputTokens: 1,
            costNano: 1,
            unpriced: 0,
          })),
        )
        .execute()
    }
    const client = new pg.Client({ connectionString: place.databaseUrl as string })
    await client.connect()
    const visits = [null, 'analyze'].flatMap((command) =>
      ['day', 'week', 'month'].map((interval) => ({ command, interval })),
    )
    for (const { command, interval } of visits) {
      if (command !== null) await client.query(command)
      const asked = vi.spyOn(pg.Client.prototype, 'query')
      const { status } = await instance.get(`/api/stats/history?interval=${interval}`)
      const queries = asked.mock.calls
        .map(([query]) => query as unknown as { text: string; values: unknown[] })
        .filter(({ text }) => /\b(emails|events|tasks|ai_days)\b/.test(text ?? ''))
        .filter(({ text }) => !/pgboss|pg_notify/.test(text))
      asked.mockRestore()
      expect(status).toBe(200)
      const plans: string[] = []
      for (const { text, values } of queries) {
        const { rows } = await client.query(`explain ${text}`, values)
        plans.push(rows.map((row) => row['QUERY PLAN'] as string).join('\n'))
      }
      for (const table of ['emails', 'events', 'tasks', 'ai_days'])
        expect([table, plans.some((plan) => plan.includes(` on ${table}`))]).toEqual([table, true])
      expect(plans.filter((plan) => /Seq Scan on (emails|events|tasks|ai_days)\b/.test(plan))).toEqual([])
    }
    await client.end()
    await instance.close()
    await place.remove()
  })
})
