import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

const MINUTE = 60_000

onEveryDatabase('stream', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())
  beforeEach(async () => {
    await instance.post('/api/stream/stop')
  })

  const recordedEvents = async (type: string) =>
    (
      await instance.database.db
        .selectFrom('changes')
        .selectAll()
        .where('type', '=', type)
        .orderBy('id')
        .modifyEnd(ALL_ACCOUNTS)
        .execute()
    ).map(({ subject, data }) => ({ subject, ...JSON.parse(data) }))
  const patch = (path: string, body: unknown, headers = {}) => instance.call('PATCH', path, { body, headers })
  const read = (path: string) => instance.get(path).then(({ body }) => body)

  it('starts, stops and is stored', async () => {
    const before = await instance.get('/api/stream/state')
    expect(before.body).toMatchObject({ live: false, startedAt: null, viewers: 0 })
    const started = await instance.post('/api/stream/start', { title: 'Bird table' })
    expect(started.status).toBe(200)
    const { startedAt } = started.body
    expect(started.body).toMatchObject({ live: true, title: 'Bird table', startedAt: expect.any(String) })
    await patch('/api/stream/state', { viewers: 12, scene: 'Workbench' })
    await patch('/api/stream/state', { viewers: 5 })
    instance.clock.advance(MINUTE)
    const stopped = await instance.post('/api/stream/stop')
    expect(stopped.body).toMatchObject({ live: false, title: 'Bird table', startedAt: null, viewers: 0 })
    const { streams } = await read('/api/stream/streams')
    expect(streams[0]).toMatchObject({
      id: started.body.streamId,
      title: 'Bird table',
      scene: 'Workbench',
      live: false,
      rehearsal: false,
      startedAt,
      peakViewers: 12,
    })
    const { stoppedAt } = streams[0]
    expect(Date.parse(stoppedAt) - Date.parse(startedAt)).toBeGreaterThanOrEqual(MINUTE)
    expect((await recordedEvents('stream.stopped')).at(-1).stream.peakViewers).toBe(12)
  })

  it('is started and stopped once by concurrent requests', async () => {
    const starts = (await recordedEvents('stream.started')).length
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => instance.post('/api/stream/start', { title: 'Together' })),
    )
    expect(new Set(answers.map(({ body }) => body.streamId)).size).toBe(1)
    expect(await recordedEvents('stream.started')).toHaveLength(starts + 1)
    const stops = (await recordedEvents('stream.stopped')).length
    await Promise.all(Array.from({ length: 20 }, () => instance.post('/api/stream/stop')))
    expect(await recordedEvents('stream.stopped')).toHaveLength(stops + 1)
  })

  it('can be started and stopped through its state, with If-Match', async () => {
    const { body, headers } = await instance.get('/api/stream/state')
    expect(body.live).toBe(false)
    const etag = headers.get('etag') as string
    const live = await patch('/api/stream/state', { live: true, title: 'By state' }, { 'if-match': etag })
    expect(live.body).toMatchObject({ live: true, title: 'By state' })
    expect((await patch('/api/stream/state', { live: false }, { 'if-match': etag })).status).toBe(412)
    expect((await patch('/api/stream/state', { live: false })).body.live).toBe(false)
  })

  it('rejects unknown fields and suggests the nearest one', async () => {
    const wrong = await patch('/api/stream/state', { titel: 'x' })
    expect(wrong.status).toBe(400)
    expect(wrong.body.errors).toEqual([
      { path: 'titel', message: expect.stringContaining('did you mean title?') },
    ])
    expect((await patch('/api/stream/state', { viewers: -1 })).status).toBe(400)
    expect((await instance.get('/api/stream/streams/999999')).status).toBe(404)
    expect((await instance.call('PUT', '/api/stream/state')).status).toBe(405)
  })

  it('is deleted with its captions, but not while it is live', async () => {
    const { body } = await instance.post('/api/stream/start')
    const { body: caption } = await instance.post('/api/stream/captions', { text: 'gone soon' })
    const path = `/api/stream/streams/${body.streamId}`
    expect((await instance.call('DELETE', path)).status).toBe(409)
    await instance.post('/api/stream/stop')
    expect((await instance.call('DELETE', path)).status).toBe(204)
    expect((await instance.get(path)).status).toBe(404)
    expect((await instance.get(`/api/stream/captions/${caption.id}`)).status).toBe(404)
  })

  it('is listed with pagination', async () => {
    for (let n = 0; n < 3; n++) {
      await instance.post('/api/stream/start', { title: `Stream ${n}` })
      await instance.post('/api/stream/stop')
    }
    const first = await read('/api/stream/streams?limit=2')
    expect(first.streams.map(({ title }: { title: string }) => title)).toEqual(['Stream 2', 'Stream 1'])
    const second = await read(`/api/stream/streams?limit=1&cursor=${first.nextCursor}`)
    expect(second.streams[0].title).toBe('Stream 0')
  })

  describe('milestones', () => {
    const create = async (input: Record<string, unknown> = {}) =>
      (await instance.post('/api/stream/milestones', { title: 'Microphone', target: 50, ...input })).body
    const reached = async (id: number) =>
      (await recordedEvents('stream.milestone_reached')).filter(({ subject }) => subject === String(id))

    it('add up exactly with 100 concurrent requests, and are reached once', async () => {
      const { id } = await create()
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          instance.post(`/api/stream/milestones/${id}/progress`, { amount: n % 2 ? 1 : 2 }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200))
      expect(new Set(answers.map(({ body }) => body.current)).size).toBe(100)
      const milestone = await read(`/api/stream/milestones/${id}`)
      expect(milestone).toMatchObject({ current: 150, reached: true })
      expect(await reached(id)).toHaveLength(1)
    })

    it('are reached again only with a higher target', async () => {
      const { id } = await create({ target: 10 })
      const add = (amount: number) => instance.post(`/api/stream/milestones/${id}/progress`, { amount })
      await add(10)
      expect((await add(-5)).body).toMatchObject({ current: 5, reached: true })
      await add(20)
      expect(await reached(id)).toHaveLength(1)
      const raised = await patch(`/api/stream/milestones/${id}`, { target: 100 })
      expect(raised.body).toMatchObject({ reached: false, reachedAt: null, current: 25 })
      await add(75)
      expect(await reached(id)).toHaveLength(2)
    })

    it('reject negative and fractional progress', async () => {
      const { id } = await create()
      const add = (amount: unknown) => instance.post(`/api/stream/milestones/${id}/progress`, { amount })
      for (const amount of [-1, 0.5, '1', null, 1e13]) expect((await add(amount)).status).toBe(400)
      expect((await add(undefined)).status).toBe(400)
      expect((await read(`/api/stream/milestones/${id}`)).current).toBe(0)
    })

    it('replay progress with the same Idempotency-Key', async () => {
      const { id } = await create()
      const options = { headers: { 'idempotency-key': `add-${id}` } }
      for (let n = 0; n < 3; n++)
        await instance.post(`/api/stream/milestones/${id}/progress`, { amount: 7 }, options)
      expect((await read(`/api/stream/milestones/${id}`)).current).toBe(7)
    })

    it('count completed tasks automatically', async () => {
      const { id } = await create({ source: 'tasks_completed', target: 2 })
      const path = `/api/stream/milestones/${id}`
      expect((await instance.post(`${path}/progress`, { amount: 1 })).status).toBe(409)
      expect((await patch(path, { current: 5 })).status).toBe(400)
      const current = () =>
        instance.database.db
          .selectFrom('milestones')
          .select('current')
          .where('id', '=', id)
          .modifyEnd(ALL_ACCOUNTS)
      const tasks = []
      for (let n = 0; n < 3; n++)
        tasks.push((await instance.post('/api/tasks', { title: `Task ${n}`, status: 'done' })).body)
      await expect.poll(() => current().executeTakeFirst()).toEqual({ current: 3 })
      expect(await reached(id)).toHaveLength(1)
      await patch(`/api/tasks/${tasks[0].id}`, { status: 'todo' })
      await expect.poll(() => current().executeTakeFirst()).toEqual({ current: 2 })
      expect(await reached(id)).toHaveLength(1)
    })

    it('count bookings and mail automatically', async () => {
      const bookings = await create({ source: 'bookings' })
      const mails = await create({ source: 'emails_received' })
      const start = new Date(instance.clock.now().getTime() + 60 * MINUTE).toISOString()
      const end = new Date(instance.clock.now().getTime() + 90 * MINUTE).toISOString()
      await instance.post('/api/calendar/events', { title: 'Call', start, end, bookingId: `b${bookings.id}` })
      await instance.post('/api/emails', { from: 'a@b.example', subject: 'Hello', text: 'x' })
      const current = (id: number) => () => read(`/api/stream/milestones/${id}`)
      await expect.poll(current(bookings.id)).toMatchObject({ current: 1 })
      await expect.poll(current(mails.id)).toMatchObject({ current: 1 })
    })

    it('are changed and deleted with If-Match', async () => {
      const { id } = await create({ unit: '€' })
      const { headers } = await instance.get(`/api/stream/milestones/${id}`)
      const match = { 'if-match': headers.get('etag') as string }
      expect((await patch(`/api/stream/milestones/${id}`, { title: 'Lamp' }, match)).body.title).toBe('Lamp')
      const late = await instance.call('DELETE', `/api/stream/milestones/${id}`, { headers: match })
      expect(late.status).toBe(412)
      expect((await instance.call('DELETE', `/api/stream/milestones/${id}`)).status).toBe(204)
      expect((await instance.get(`/api/stream/milestones/${id}`)).status).toBe(404)
    })
  })

  describe('panic', () => {
    const readOverlay = () => read('/api/stream/overlay')

    it('clears the overlay and hides old captions even after edits, but shows new ones', async () => {
      await instance.post('/api/stream/start')
      const { body: caption } = await instance.post('/api/stream/captions', { text: 'a secret' })
      const { body: milestone } = await instance.post('/api/stream/milestones', { title: 'Goal', target: 5 })
      const before = await readOverlay()
      expect(before.captions.map(({ text }: { text: string }) => text)).toEqual(['a secret'])
      expect(before.milestones.map(({ id }: { id: number }) => id)).toContain(milestone.id)
      const panicked = await instance.post('/api/stream/panic')
      expect(panicked.status).toBe(200)
      expect(await readOverlay()).toMatchObject({ captions: [], milestones: [] })
      await patch(`/api/stream/captions/${caption.id}`, { text: 'corrected' })
      expect((await readOverlay()).captions).toEqual([])
      await instance.post('/api/stream/captions', { text: 'onwards' })
      await instance.post(`/api/stream/milestones/${milestone.id}/progress`, { amount: 1 })
      expect(await readOverlay()).toMatchObject({
        captions: [{ text: 'onwards' }],
        milestones: [{ current: 1 }],
      })
      expect((await read('/api/stream/captions')).captions).toHaveLength(2)
    })

    it('keeps the overlay empty while it is held', async () => {
      await instance.post('/api/stream/start')
      expect((await instance.post('/api/stream/panic', { hold: true })).body.held).toBe(true)
      await instance.post('/api/stream/captions', { text: 'still hidden' })
      expect(await readOverlay()).toMatchObject({ captions: [], milestones: [], state: { held: true } })
      await patch('/api/stream/state', { held: false })
      expect((await readOverlay()).captions).toMatchObject([{ text: 'still hidden' }])
    })
  })
})

onOneDatabase('sqlite', 'stream credentials', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  const read = async (path: string) => (await instance.get(path)).body
  const put = (platform: string, body: unknown) =>
    instance.call('PUT', `/api/stream/credentials/${platform}`, { body })

  it('are encrypted, and only their status is returned', async () => {
    const secret = 'live_123456789_verysecret'
    const made = await put('twitch', { streamKey: secret, serverUrl: 'rtmps://live.example.org/app' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      platform: 'twitch',
      configured: true,
      fields: ['streamKey'],
      hint: '…cret',
      serverUrl: 'rtmps://live.example.org/app',
    })
    expect((await put('twitch', { streamKey: `${secret}2`, clientId: 'me' })).status).toBe(200)
    const answers = [await read('/api/stream/credentials'), await read('/api/stream/credentials/twitch')]
    expect(JSON.stringify(answers)).not.toContain('verysecret')
    for (const table of ['stream_credentials', 'changes', 'idempotency_keys'] as const) {
      const rows = await instance.database.db.selectFrom(table).selectAll().modifyEnd(ALL_ACCOUNTS).execute()
      expect(JSON.stringify(rows)).not.toContain('verysecret')
    }
    expect((await instance.call('DELETE', '/api/stream/credentials/twitch')).status).toBe(204)
    expect((await instance.get('/api/stream/credentials/twitch')).status).toBe(404)
  })

  it('require a secret and a valid platform name', async () => {
    expect((await put('twitch', {})).status).toBe(400)
    expect((await put('twitch', { serverUrl: 'rtmp://x.example/a' })).status).toBe(400)
    expect((await put('twitch', { streamKey: 'k', serverUrl: 'javascript:alert(1)' })).status).toBe(400)
    expect((await put('Twitch%20TV', { streamKey: 'k' })).status).toBe(400)
    expect((await put('x', { streamKey: 'short' })).body.hint).toBe('…')
  })

  it('are re-encrypted when the key has changed', async () => {
    await put('youtube', { streamKey: 'abcd-efgh-ijkl-mnop' })
    const secret = async () =>
      (
        await instance.database.db
          .selectFrom('stream_credentials')
          .select('secret')
          .where('platform', '=', 'youtube')
          .modifyEnd(ALL_ACCOUNTS)
          .executeTakeFirstOrThrow()
      ).secret
    const before = await secret()
    const rotated = await startInstance({
      place: {
        ...instance.place,
        environment: {
          ...instance.place.environment,
          SECRET_KEY: 'f'.repeat(64),
          SECRET_KEY_PREVIOUS: instance.place.environment.SECRET_KEY as string,
        },
      },
    })
    await rotated.database.db.transaction().execute((tx) => rotated.app.features.streamCredentials.reseal(tx))
    await rotated.close()
    const after = await secret()
    expect(after.split('.')[1]).not.toBe(before.split('.')[1])
  })
})

onOneDatabase('sqlite', 'private stream', (engine) => {
  it('accepts the overlay token, sessions, and tokens with the scope', async () => {
    const instance = await startInstance({ engine, environment: { ACCESS: 'private' } })
    const { token } = await register(instance)
    expect((await instance.get('/api/stream/overlay')).status).toBe(401)
    expect((await instance.get('/api/stream/overlay', { token })).status).toBe(200)
    const feed = async (purpose: string) =>
      (await instance.post('/api/settings/feed-tokens', { name: 'OBS', purpose }, { token })).body.token
    const overlay = await feed('overlay')
    expect((await instance.get(`/api/stream/overlay?token=${overlay}`)).status).toBe(200)
    expect((await instance.get(`/api/stream/overlay?token=${await feed('calendar')}`)).status).toBe(401)
    expect((await instance.get(`/api/stream/state?token=${overlay}`)).status).toBe(401)
    const make = (scopes: string[]) =>
      instance.post('/api/settings/tokens', { password: PASSWORD, name: 'x', scopes }, { token })
    const { body: reader } = await make(['stream:read'])
    expect((await instance.get('/api/stream/overlay', { token: reader.token })).status).toBe(200)
    expect((await instance.post('/api/stream/start', {}, { token: reader.token })).status).toBe(403)
    const { body: other } = await make(['tasks:write'])
    expect((await instance.get('/api/stream/overlay', { token: other.token })).status).toBe(403)
    await instance.close()
  })
})
