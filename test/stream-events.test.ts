import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEveryDatabase, onOneDatabase, onPostgresOnly } from './support/databases.ts'
import { type EventStream, openEventStream } from './support/event-stream.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'

const typesOf = ({ events }: EventStream): string[] => events.map(({ event }) => event)

onEveryDatabase('stream events', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())
  const follow = (lastEventId?: string) =>
    openEventStream(instance.url, '/api/stream/events', lastEventId === undefined ? {} : { lastEventId })

  it('start with the overlay, continue with changes, and omit other features', async () => {
    await instance.post('/api/stream/start', { title: 'Live' })
    await instance.post('/api/stream/captions', { text: 'before' })
    const stream = await follow()
    const [greeting] = await stream.until(1)
    expect(greeting).toMatchObject({
      event: 'overlay',
      data: { state: { live: true, title: 'Live' }, captions: [{ text: 'before' }] },
    })
    await instance.post('/api/tasks', { title: 'not of the stream' })
    const { body: caption } = await instance.post('/api/stream/captions', { text: 'now' })
    await instance.call('PATCH', `/api/stream/captions/${caption.id}`, { body: { text: 'right now' } })
    await instance.post('/api/stream/panic')
    await instance.post('/api/stream/stop')
    await stream.until(5)
    expect(typesOf(stream).slice(1)).toEqual([
      'stream.caption_added',
      'stream.caption_corrected',
      'stream.panicked',
      'stream.stopped',
    ])
    expect(stream.events[1]?.data.data.caption).toMatchObject({ id: caption.id, text: 'now' })
    const revisions = stream.events.slice(1).map(({ data }) => data.data.revision as number)
    expect(Math.min(...revisions)).toBeGreaterThan(greeting?.data.revision)
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b))
    await stream.leave()
  })

  it('are replayed once and in order after a reconnect', async () => {
    const first = await follow()
    await first.until(1)
    await first.leave()
    await instance.post('/api/stream/start')
    const captions = Array.from({ length: 100 }, (_, n) => ({ text: `line ${n}` }))
    await instance.post('/api/stream/captions', { captions })
    const again = await follow(first.lastId())
    await again.until(101)
    expect(typesOf(again)[0]).toBe('stream.started')
    expect(again.events.slice(1).map(({ data }) => data.data.caption.text)).toEqual(
      captions.map(({ text }) => text),
    )
    await again.leave()
  })
})

onOneDatabase('sqlite', 'private stream events', (engine) => {
  it('require a valid overlay token, which grants access to nothing else', async () => {
    const instance = await startInstance({ engine, environment: { ACCESS: 'private' } })
    const { token } = await register(instance)
    const refused = await openEventStream(instance.url, '/api/stream/events')
    expect(refused.status).toBe(401)
    const feed = { name: 'OBS', purpose: 'overlay' }
    const { body } = await instance.post('/api/settings/feed-tokens', feed, { token })
    const path = `/api/stream/events?token=${body.token}`
    const stream = await openEventStream(instance.url, path)
    expect(stream.status).toBe(200)
    await stream.until(1)
    await instance.post('/api/tasks', { title: 'private' }, { token })
    await instance.post('/api/stream/start', {}, { token })
    await stream.until(2)
    expect(typesOf(stream)).toEqual(['overlay', 'stream.started'])
    const everything = await openEventStream(instance.url, `/api/events?token=${body.token}`)
    expect(everything.status).not.toBe(200)
    await instance.call('DELETE', `/api/settings/feed-tokens/${body.id}`, { token })
    await stream.ended()
    await instance.close()
  })
})

onPostgresOnly('stream events on two instances', () => {
  it('reach clients of both, and concurrent progress adds up', async () => {
    const one = await startInstance({ engine: 'postgres' })
    const other = await startInstance({ place: one.place })
    const stream = await openEventStream(other.url, '/api/stream/events')
    await stream.until(1)
    const { body } = await one.post('/api/stream/milestones', { title: 'Goal', target: 40 })
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 ? one : other).post(`/api/stream/milestones/${body.id}/progress`, { amount: 1 }),
      ),
    )
    await stream.until(53)
    expect(typesOf(stream).filter((type) => type === 'stream.milestone_reached')).toHaveLength(1)
    expect(stream.events.at(-1)?.data.data.milestone).toMatchObject({ current: 50, reached: true })
    await stream.leave()
    await other.close()
    await one.close()
  })
})
