import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../src/database/transaction.ts'
import { toChange } from './support/changes.ts'
import { DAY, MINUTE } from './support/clock.ts'
import { onEveryDatabase, onPostgresOnly, onSqliteUnlessFull } from './support/databases.ts'
import { type EventStream, openEventStream } from './support/event-stream.ts'
import { eventually } from './support/eventually.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register, signIn } from './support/people.ts'

const titles = ({ events }: EventStream): string[] => events.map(({ data }) => data.data.title)

onEveryDatabase('live events', (engine) => {
  let instance: Instance
  let owner: Person
  const open: EventStream[] = []
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { ACCESS: 'private', REGISTRATION: 'open' } })
    owner = await register(instance)
  })
  afterAll(() => instance.close())

  const listen = async (options: Parameters<typeof openEventStream>[2], path = '/api/events') => {
    const stream = await openEventStream(instance.url, path, options)
    open.push(stream)
    return stream
  }
  const addTask = (token: string, title: string) => instance.post('/api/tasks', { title }, { token })

  it('are sent as they happen, with the change and an id for resuming', async () => {
    const { token } = await signIn(instance, owner.email)
    const stream = await listen({ token })
    expect(stream.status).toBe(200)
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    const { body: task } = await addTask(token, 'Pay the rent')
    const [received] = await stream.until(1)
    expect(received).toMatchObject({
      id: stream.lastId(),
      event: 'task.created',
      data: { type: 'task.created', subject: String(task.id), data: { id: task.id, title: 'Pay the rent' } },
    })
    await stream.leave()
  })

  it('arrive in the same order at every client, each once', async () => {
    const { token } = await signIn(instance, owner.email)
    const streams = await Promise.all([listen({ token }), listen({ token }), listen({ token })])
    const names = Array.from({ length: 60 }, (_, n) => `task ${n}`)
    await Promise.all(names.map((name) => addTask(token, name)))
    for (const stream of streams) await stream.until(60)
    const [first] = streams
    expect(titles(first as EventStream).toSorted()).toEqual(names.toSorted())
    for (const stream of streams) {
      expect(stream.events).toEqual(first?.events)
      const ids = stream.events.map(({ id }) => Number(id))
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    }
    for (const stream of streams) await stream.leave()
  })

  it('that were missed are sent after a reconnect, before new ones', async () => {
    const { token } = await signIn(instance, owner.email)
    const before = await listen({ token })
    await addTask(token, 'seen')
    await before.until(1)
    await before.leave()
    await inTransaction(instance.database.db, async (tx) => {
      for (let n = 0; n < 230; n++) {
        const data = { title: `missed ${n}` }
        const change = toChange({ userId: owner.id, type: 'task.created', subject: '1', data })
        await instance.app.changes.record(tx, change)
      }
    })
    const after = await listen({ token, lastEventId: before.lastId() })
    await after.until(230)
    await addTask(token, 'new')
    await after.until(231)
    expect(titles(after)).toEqual([...Array.from({ length: 230 }, (_, n) => `missed ${n}`), 'new'])
    await after.leave()
  })

  it('can be resumed by a client that left before the first event', async () => {
    const { token } = await signIn(instance, owner.email)
    const before = await listen({ token })
    await eventually(() => before.lastId() !== '')
    await before.leave()
    await addTask(token, 'while away')
    const after = await listen({ token, lastEventId: before.lastId() })
    await after.until(1)
    expect(titles(after)).toEqual(['while away'])
    await after.leave()
  })

  it('cannot be resumed from an invalid id, and report an id that is no longer known', async () => {
    const { token } = await signIn(instance, owner.email)
    const bad = await instance.get('/api/events', { token, headers: { 'last-event-id': 'yesterday' } })
    expect([bad.status, bad.body.code]).toEqual([400, 'validation_failed'])
    const future = await listen({ token, lastEventId: '999999999' })
    await future.until(1)
    expect(future.events[0]?.event).toBe('reset')
    await future.leave()
    await addTask(token, 'old')
    instance.clock.advance(31 * DAY)
    const fresh = await signIn(instance, owner.email)
    await instance.app.changes.prune(new Date(instance.clock.now().getTime() - 30 * DAY).toISOString())
    const past = await listen({ token: fresh.token, lastEventId: '1' })
    await past.until(1)
    expect(past.events[0]).toMatchObject({ event: 'reset' })
    await addTask(fresh.token, 'afterwards')
    await past.until(2)
    expect(past.events[1]?.data.data.title).toBe('afterwards')
    await past.leave()
  })

  onSqliteUnlessFull(engine, () => {
    it('of other types are filtered out', async () => {
      const { token } = await signIn(instance, owner.email)
      const stream = await listen({ token }, '/api/events?types=task.updated,event.*')
      const { body: task } = await addTask(token, 'not told')
      await instance.call('PATCH', `/api/tasks/${task.id}`, { token, body: { title: 'told' } })
      await stream.until(1)
      expect(stream.events.map(({ event }) => event)).toEqual(['task.updated'])
      await stream.leave()
      const wrong = await instance.get('/api/events?types=everything', { token })
      expect(wrong.status).toBe(400)
    })

    it('are filtered by the scopes of a token, and internal ones are sent to nobody', async () => {
      const { token } = await signIn(instance, owner.email)
      const make = async (scopes: string[]) =>
        (await instance.post('/api/settings/tokens', { name: 'x', scopes, password: PASSWORD }, { token }))
          .body.token
      const tasks = await listen({ token: await make(['tasks:write']) })
      const calendar = await listen({ token: await make(['calendar:read']) })
      // The user is also notified of a new token: see test/notifications.test.ts.
      const everything = await listen({ token }, '/api/events?types=task.*,event.*,account.*')
      await addTask(token, 'a task')
      await register(instance)
      await instance.post(
        '/api/calendar/events',
        { title: 'an event', start: '2030-01-01T10:00:00Z', end: '2030-01-01T11:00:00Z' },
        { token },
      )
      await everything.until(2)
      await tasks.until(1)
      await calendar.until(1)
      const kinds = ({ events }: EventStream) => events.map(({ event }) => event)
      expect(kinds(everything)).toEqual(['task.created', 'event.created'])
      expect(kinds(tasks)).toEqual(['task.created'])
      expect(kinds(calendar)).toEqual(['event.created'])
      for (const stream of [tasks, calendar, everything]) await stream.leave()
    })

    it('require a credential: 401 without a token, and HEAD is answered at once', async () => {
      expect((await instance.get('/api/events')).status).toBe(401)
      const { token } = await signIn(instance, owner.email)
      const head = await instance.call('HEAD', '/api/events', { token })
      expect([head.status, head.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ])
    })

    it('end with the session, without affecting other sessions', async () => {
      const person = await signIn(instance, owner.email)
      const other = await signIn(instance, owner.email)
      const ending = await listen({ token: person.token })
      const staying = await listen({ token: other.token })
      await instance.post('/api/auth/logout', undefined, { token: person.token })
      await ending.ended()
      await addTask(other.token, 'still here')
      await staying.until(1)
      expect(staying.hasEnded()).toBe(false)
      await staying.leave()
    })

    it('end when their personal access token is revoked or rotated', async () => {
      const { token } = await signIn(instance, owner.email)
      const make = async () =>
        (
          await instance.post(
            '/api/settings/tokens',
            { name: 'x', scopes: ['tasks:read'], password: PASSWORD },
            { token },
          )
        ).body
      const [revoked, rotated] = [await make(), await make()]
      const streams = [await listen({ token: revoked.token }), await listen({ token: rotated.token })]
      await instance.call('DELETE', `/api/settings/tokens/${revoked.id}`, { token })
      await instance.post(`/api/settings/tokens/${rotated.id}/rotate`, { password: PASSWORD }, { token })
      for (const stream of streams) await stream.ended()
    })

    it('end when the access token expires', async () => {
      const { token } = await signIn(instance, owner.email)
      const stream = await listen({ token })
      instance.clock.advance(16 * MINUTE)
      await stream.ended()
    })
  })

  it('wait in the log, not in memory, for a slow client, and all arrive', async () => {
    const { token } = await signIn(instance, owner.email)
    const slow = await listen({ token, paused: true })
    const notes = 'x'.repeat(20_000)
    let count = 0
    const recordNext = () =>
      inTransaction(instance.database.db, (tx) =>
        instance.app.changes.record(
          tx,
          toChange({
            userId: owner.id,
            type: 'task.updated',
            subject: '1',
            data: { title: `n ${count++}`, notes },
          }),
        ),
      )
    // The socket buffers of both sides fill first. A client that does not read for 30 seconds is disconnected, so few
    // events follow.
    while (instance.app.live.unreadBytes() <= 64 * 1024) await recordNext()
    for (let n = 0; n < 30; n++) await recordNext()
    expect(instance.app.live.unreadBytes()).toBeLessThan(150_000)
    let text = ''
    slow.response.on('data', (chunk: string) => {
      text += chunk
    })
    await eventually(() => text.includes(`"n ${count - 1}"`))
    const received = [...text.matchAll(/"title":"n (\d+)"/g)].map(([, n]) => Number(n))
    expect(received).toEqual(Array.from({ length: count }, (_, n) => n))
    await slow.leave()
  })

  it('are limited to 50 streams per account, with a clear 429', async () => {
    const [ana, ben] = [await register(instance), await register(instance)]
    const streams = await Promise.all(
      Array.from({ length: 50 }, () => openEventStream(instance.url, '/api/events', { token: ana.token })),
    )
    const refused = await instance.get('/api/events', { token: ana.token })
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('retry-after')).toBe('30')
    expect(refused.body.detail).toContain('Close one of them')
    const other = await openEventStream(instance.url, '/api/events', { token: ben.token })
    expect(other.status).toBe(200)
    await streams[0]?.leave()
    await expect
      .poll(async () => {
        const next = await openEventStream(instance.url, '/api/events', { token: ana.token })
        await next.leave()
        return next.status
      })
      .toBe(200)
    for (const stream of [...streams.slice(1), other]) await stream.leave()
  })

  it('of a disconnected client are released', async () => {
    await eventually(() => instance.app.live.count() === 0)
    expect(open.every((stream) => stream.hasEnded())).toBe(true)
  })
})

describe('an instance that shuts down', () => {
  it('ends its live streams at once', async () => {
    const instance = await startInstance()
    const stream = await openEventStream(instance.url, '/api/events')
    await instance.close()
    await stream.ended()
    // Ended cleanly, not aborted like requests that exceed the shutdown limit.
    expect(stream.response.complete).toBe(true)
  })
})

onPostgresOnly('live events of two instances', () => {
  let one: Instance
  let other: Instance
  let owner: Person
  beforeAll(async () => {
    one = await startInstance({
      engine: 'postgres',
      environment: { ACCESS: 'private', REGISTRATION: 'open' },
    })
    owner = await register(one)
    other = await startInstance({
      place: one.place,
      environment: { ACCESS: 'private', REGISTRATION: 'open' },
    })
  })
  afterAll(async () => {
    await other.close()
    await one.close()
  })

  it('are sent by both instances, in one order', async () => {
    const { token } = await signIn(one, owner.email)
    const streams = [
      await openEventStream(one.url, '/api/events', { token }),
      await openEventStream(other.url, '/api/events', { token }),
    ]
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (n % 2 ? one : other).post('/api/tasks', { title: `task ${n}` }, { token }),
      ),
    )
    for (const stream of streams) await stream.until(60)
    expect(streams[0]?.events).toEqual(streams[1]?.events)
    for (const stream of streams) await stream.leave()
  })

  it('end on one instance when the session is deleted on the other', async () => {
    const { token } = await signIn(one, owner.email)
    const stream = await openEventStream(other.url, '/api/events', { token })
    await one.post('/api/auth/logout', undefined, { token })
    await stream.ended()
  })

  it('are not lost if an earlier transaction commits later', async () => {
    const { token } = await signIn(one, owner.email)
    const stream = await openEventStream(one.url, '/api/events', { token })
    const record = (title: string, meanwhile: () => Promise<unknown>) =>
      inTransaction(one.database.db, async (tx) => {
        await one.app.changes.record(
          tx,
          toChange({
            userId: owner.id,
            type: 'task.created',
            subject: '1',
            data: { title },
          }),
        )
        await meanwhile()
      })
    await record('begun first', async () => {
      // In a separate transaction, not as part of the open one.
      await other.post('/api/tasks', { title: 'begun later' }, { token })
      await stream.until(1)
    })
    await stream.until(2)
    expect(titles(stream)).toEqual(['begun later', 'begun first'])
    const again = await openEventStream(one.url, '/api/events', {
      token,
      lastEventId: stream.events[0]?.id as string,
    })
    await again.until(1)
    expect(titles(again)).toEqual(['begun first'])
    await stream.leave()
    await again.leave()
  })

  it('continue after the listening connection is cut', async () => {
    const { token } = await signIn(one, owner.email)
    const stream = await openEventStream(other.url, '/api/events', { token })
    const { sql } = await import('kysely')
    await eventually(async () => {
      const { rows } = await sql<{ cut: boolean }>`
        select pg_terminate_backend(pid) as cut from pg_stat_activity
        where datname = current_database() and query like 'listen%'`.execute(one.database.db)
      return rows.length > 0
    })
    await one.post('/api/tasks', { title: 'told all the same' }, { token })
    await stream.until(1)
    expect(titles(stream)).toEqual(['told all the same'])
    await stream.leave()
  })
})
