import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { entriesOf, exportOf } from './support/exports.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

const STREAM = '/api/stream'

onOneDatabase('sqlite', 'streams of two accounts', (engine) => {
  let instance: Instance
  let ana: Person
  let ben: Person

  const call = (method: string, path: string, { token }: Person, body?: unknown) =>
    instance.call(method, `${STREAM}${path}`, { token, ...(body !== undefined && { body }) })
  const read = async (path: string, person: Person) => {
    const { status, body } = await call('GET', path, person)
    expect([path, status]).toEqual([path, 200])
    return body
  }

  beforeAll(async () => {
    instance = await startInstance({ engine })
    await instance.post(`${STREAM}/start`, { title: 'Started without a token' })
    ana = await register(instance, { locale: 'en' })
    ben = await register(instance, { locale: 'de' })
  })
  afterAll(() => instance.close())

  it('the first account gets the stream that was started without a token', async () => {
    expect(await read('/state', ana)).toMatchObject({ live: true, title: 'Started without a token' })
    expect(await read('/state', ben)).toMatchObject({ live: false, title: '', streamId: null })
    expect((await instance.get(`${STREAM}/state`)).body).toMatchObject({ live: true })
  })

  it('both can be live, and each changes only its own state', async () => {
    const started = await call('POST', '/start', ben, { title: 'Garden' })
    expect([started.status, started.body.live, started.body.title]).toEqual([200, true, 'Garden'])
    await call('PATCH', '/state', ben, { viewers: 12, scene: 'Shed' })
    expect(await read('/state', ana)).toMatchObject({
      live: true,
      title: 'Started without a token',
      viewers: 0,
    })
    await call('POST', '/stop', ana)
    expect(await read('/state', ben)).toMatchObject({ live: true, viewers: 12 })
    await call('POST', '/start', ana, {})
    const streams = (await read('/streams', ben)).streams as { id: number; title: string }[]
    expect(streams.map(({ title }) => title)).toEqual(['Garden'])
    expect((await read('/streams', ana)).streams).toHaveLength(2)
  })

  it('foreign streams, captions and milestones answer 404', async () => {
    const { streamId } = await read('/state', ben)
    const caption = await call('POST', '/captions', ben, { text: 'hallo' })
    const milestone = await call('POST', '/milestones', ben, { title: 'Goal', target: 3 })
    expect([caption.status, milestone.status]).toEqual([201, 201])
    for (const [method, path, body] of [
      ['GET', `/streams/${streamId}`],
      ['DELETE', `/streams/${streamId}`],
      ['GET', `/captions?streamId=${streamId}`],
      ['DELETE', `/captions?streamId=${streamId}`],
      ['GET', `/captions.vtt?streamId=${streamId}`],
      ['GET', `/captions.srt?streamId=${streamId}`],
      ['POST', '/captions', { text: 'intruder', streamId }],
      ['GET', `/captions/${caption.body.id}`],
      ['PATCH', `/captions/${caption.body.id}`, { text: 'changed' }],
      ['DELETE', `/captions/${caption.body.id}`],
      ['GET', `/milestones/${milestone.body.id}`],
      ['PATCH', `/milestones/${milestone.body.id}`, { title: 'changed' }],
      ['POST', `/milestones/${milestone.body.id}/progress`, { amount: 1 }],
      ['DELETE', `/milestones/${milestone.body.id}`],
    ] as const)
      expect([method, path, (await call(method, path, ana, body)).status]).toEqual([method, path, 404])
    expect(await read(`/captions/${caption.body.id}`, ben)).toMatchObject({ text: 'hallo', language: 'de' })
    expect(await read(`/milestones/${milestone.body.id}`, ben)).toMatchObject({ title: 'Goal', current: 0 })
    expect((await read('/milestones', ana)).milestones).toEqual([])
    expect((await read('/captions', ana)).captions).toEqual([])
  })

  it('captions files contain only own captions, in the language of the account', async () => {
    await call('POST', '/captions', ana, { text: 'hello' })
    const fileOf = async (person: Person) => (await call('GET', '/captions.vtt', person)).body as string
    expect(await fileOf(ana)).toContain('hello')
    expect(await fileOf(ana)).not.toContain('hallo')
    expect(await fileOf(ben)).toContain('hallo')
    expect(await fileOf(ben)).not.toContain('hello')
  })

  it('the account of the token decides what the overlay shows', async () => {
    const tokenOf = async ({ token }: Person): Promise<string> => {
      const input = { name: 'OBS', purpose: 'overlay' }
      const made = await instance.post('/api/settings/feed-tokens', input, { token })
      expect(made.status).toBe(201)
      return made.body.token ?? new URL(made.body.url).searchParams.get('token')
    }
    const textsOf = async (person: Person): Promise<string[]> => {
      const { body } = await instance.get(`${STREAM}/overlay?token=${await tokenOf(person)}`)
      return body.captions.map(({ text }: { text: string }) => text)
    }
    expect(await textsOf(ana)).toEqual(['hello'])
    expect(await textsOf(ben)).toEqual(['hallo'])
  })

  it('a panic clears only the own overlay', async () => {
    expect((await call('POST', '/panic', ana, {})).status).toBe(200)
    expect((await read('/overlay', ana)).captions).toEqual([])
    const { captions, milestones } = await read('/overlay', ben)
    expect([captions.length, milestones.length]).toEqual([1, 1])
  })

  it('both can store credentials for the same platform', async () => {
    const put = (person: Person, streamKey: string) =>
      call('PUT', '/credentials/twitch', person, { streamKey })
    expect((await put(ana, 'a-long-key-that-ends-in-anna')).status).toBe(201)
    expect((await call('GET', '/credentials/twitch', ben)).status).toBe(404)
    expect((await put(ben, 'a-long-key-that-ends-in-benn')).status).toBe(201)
    expect((await put(ben, 'a-long-key-that-ends-in-bert')).status).toBe(200)
    const hintsOf = async (person: Person): Promise<string[]> =>
      (await read('/credentials', person)).credentials.map(({ hint }: { hint: string }) => hint)
    expect([await hintsOf(ana), await hintsOf(ben)]).toEqual([['…anna'], ['…bert']])
    expect((await call('DELETE', '/credentials/twitch', ana)).status).toBe(204)
    expect(await hintsOf(ben)).toEqual(['…bert'])
  })

  it('milestones count only own tasks', async () => {
    const input = { title: 'Tasks', target: 2, source: 'tasks_completed' }
    const mine = (await call('POST', '/milestones', ana, input)).body
    const other = (await call('POST', '/milestones', ben, input)).body
    for (let n = 0; n < 2; n++)
      await instance.post('/api/tasks', { title: 'Done', status: 'done' }, { token: ben.token })
    const currentOf = async (person: Person, { id }: { id: number }): Promise<number> =>
      (await read(`/milestones/${id}`, person)).current
    await expect.poll(() => currentOf(ben, other)).toBe(2)
    expect(await currentOf(ana, mine)).toBe(0)
  })

  it('an export contains only the own stream, and a deleted account takes its stream along', async () => {
    const entries = await entriesOf(await exportOf(instance, ben.token))
    const text = [...entries].map(([name, content]) => `${name}\n${content}`).join('\n')
    expect(text).toContain('hallo')
    expect(text).toContain('Garden')
    expect(text).not.toContain('hello')
    expect(text).not.toContain('Started without a token')
    const removed = await instance.call('DELETE', '/api/settings/account', {
      token: ben.token,
      body: { password: PASSWORD },
    })
    expect(removed.status).toBe(204)
    const { db } = instance.database
    for (const table of ['streams', 'stream_state', 'captions', 'milestones', 'stream_credentials'] as const)
      expect(await db.selectFrom(table).selectAll().where('userId', '=', ben.id).execute()).toEqual([])
    expect(await read('/state', ana)).toMatchObject({ live: true })
  })
})

onOneDatabase('sqlite', 'stream credentials in private mode', (engine) => {
  it('a member stores its own, and a personal access token cannot', async () => {
    const environment = { ACCESS: 'private', REGISTRATION: 'open' }
    const instance = await startInstance({ engine, environment })
    await register(instance)
    const member = await register(instance)
    const { body: access } = await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'OBS', scopes: ['stream:write'] },
      { token: member.token },
    )
    const path = `${STREAM}/credentials/twitch`
    const put = (token: string) => instance.call('PUT', path, { token, body: { streamKey: 'a-stream-key' } })
    expect((await put(access.token)).status).toBe(403)
    expect((await put(member.token)).status).toBe(201)
    expect((await instance.call('DELETE', path, { token: access.token })).status).toBe(403)
    expect((await instance.get(path, { token: access.token })).status).toBe(200)
    await instance.close()
  })
})
