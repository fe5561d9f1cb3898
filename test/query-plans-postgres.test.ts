import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { makeDataPlace, onPostgresOnly } from './support/databases.ts'
import { startInstance } from './support/instance.ts'

const EVENTS = 10_000

onPostgresOnly('a calendar window', () => {
  it('is read from short index ranges, however much data surrounds it', async () => {
    const place = await makeDataPlace('postgres', 'prepared')
    const instance = await startInstance({ place })
    const { db } = instance.database
    const now = instance.clock.now().toISOString()
    const hoursAfter = (n: number, instant: string) =>
      new Date(Date.parse(instant) + n * 3_600_000).toISOString()
    await instance.post('/api/calendar/events', { title: 'n', start: hoursAfter(-EVENTS / 2, now) })
    const { id, ...event } = await db.selectFrom('events').selectAll().executeTakeFirstOrThrow()
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
    await client.query('analyze events')
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    await instance.get('/api/calendar/upcoming')
    await instance.post('/api/calendar/events', { title: 'm', start: now })
    const queries = asked.mock.calls
      .map(([query]) => query as unknown as { text: string; values: unknown[] })
      .filter(({ text }) => / as reach cross join /.test(text ?? ''))
    asked.mockRestore()
    expect(queries.length).toBeGreaterThan(1)
    for (const { text, values } of queries) {
      const { rows: plan } = await client.query(`explain analyze ${text}`, values)
      const lines = plan.map((row) => row['QUERY PLAN'] as string)
      const removed = lines.map((line) => Number(/Rows Removed by .*?: (\d+)/.exec(line)?.[1] ?? 0))
      expect([Math.max(...removed) < EVENTS / 10, lines.join('\n')]).toEqual([true, lines.join('\n')])
    }
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

    const { id: _, ...event } = await db.selectFrom('events').selectAll().limit(1).executeTakeFirstOrThrow()
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
    await client.query('analyze')
    const counted = (await queriesOf()).filter(({ text }) => /count\(\*\) from events/.test(text))
    expect(counted).toHaveLength(1)
    for (const { text, values } of counted) {
      const { rows: plan } = await client.query(`explain analyze ${text}`, values)
      const lines = plan.map((row) => row['QUERY PLAN'] as string)
      const removed = lines.map((line) => Number(/Rows Removed by .*?: (\d+)/.exec(line)?.[1] ?? 0))
      expect([Math.max(...removed) < EVENTS / 10, lines.join('\n')]).toEqual([true, lines.join('\n')])
    }
    await client.end()
    await instance.close()
    await place.remove()
  })
})
