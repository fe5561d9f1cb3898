import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { exchange } from './support/raw-http.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const LISTS = [
  '/api/settings/tokens',
  '/api/settings/feed-tokens',
  '/api/settings/app-passwords',
  '/api/settings/invitations',
  '/api/settings/security/sessions',
  '/api/settings/security/activity',
]

const cursorOf = (key: unknown): string => Buffer.from(JSON.stringify(key)).toString('base64url')

describe('unknown or invalid input', () => {
  let instance: Instance
  let testServer: TestServer
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ environment: { METRICS: 'on' } })
    person = await register(instance)
    const config = { access: 'public' } as const
    testServer = await startTestServer(instance, async (app) => {
      const strict = { additionalProperties: false }
      const querystring = Type.Object(
        {
          urgent: Type.Optional(Type.Boolean()),
          tag: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
          days: Type.Integer({ minimum: -5, maximum: 30, default: 7 }),
        },
        strict,
      )
      app.get('/list', { config, schema: { querystring } }, ({ query }) => query)
      const body = Type.Object(
        { attendees: Type.Array(Type.Object({ email: Type.String() }, strict)) },
        strict,
      )
      app.post('/nested', { config, schema: { body } }, (request) => request.body)
    })
  })
  afterAll(async () => {
    await testServer.close()
    await instance.close()
  })

  it.each([
    ['emial', 'email'],
    ['eMail', 'email'],
    ['pasword', 'password'],
    ['Name', 'name'],
    ['invitaton', 'invitation'],
  ])('in a body is rejected with the nearest name: %s → %s', async (wrong, right) => {
    const answer = await instance.post('/api/auth/register', { [wrong]: 'x' })
    expect(answer.status).toBe(400)
    const { message } = answer.body.errors.find(({ path }: { path: string }) => path === wrong)
    expect(message).toContain(`did you mean ${right}?`)
  })

  it('in a body is rejected without a suggestion if no name is similar', async () => {
    const answer = await instance.post('/api/auth/login', { email: 'a@b', password: 'x', colour: 'blue' })
    expect(answer.body.errors).toEqual([{ path: 'colour', message: 'is unknown' }])
  })

  it('in a body is rejected in the same words if there is much of it', async () => {
    const many = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`codde${n}`, 1]))
    const answer = await instance.post('/api/auth/login', { email: 'a@b', password: 'x', ...many })
    expect(answer.status).toBe(400)
    for (const { message } of answer.body.errors) expect(message).toBe('is unknown; did you mean code?')
  })

  it('deep in a body is reported with its full path', async () => {
    const answer = await testServer.send({
      method: 'POST',
      path: '/nested',
      headers: { 'content-type': 'application/json' },
      body: '{"attendees":[{"email":"a@b"},{"email":"c@d","emial":"e@f"}]}',
    })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([
      { path: 'attendees.1.emial', message: expect.stringContaining('mean email?') },
    ])
  })

  it('is reported completely, each field once', async () => {
    const answer = await instance.post('/api/auth/register', { emial: 'a@b', pasword: 'x', name: '' })
    const paths = answer.body.errors.map(({ path }: { path: string }) => path)
    expect(paths.sort()).toEqual(['email', 'emial', 'name', 'password', 'pasword'])
  })

  it.each(LISTS)('in the query is rejected with the nearest name: %s', async (path) => {
    for (const [wrong, right] of [
      ['limti', 'limit'],
      ['Limit', 'limit'],
      ['cursr', 'cursor'],
    ]) {
      const answer = await instance.get(`${path}?${wrong}=5`, { token: person.token })
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toEqual([
        { path: wrong, message: expect.stringContaining(`did you mean ${right}?`) },
      ])
    }
    for (const hostile of [
      '__proto__=1',
      'constructor=1',
      '__proto__=1&__proto__=2',
      'toString=x',
      'limit[]=5',
      '=5',
    ])
      expect(`${hostile} ${(await instance.get(`${path}?${hostile}`, { token: person.token })).status}`).toBe(
        `${hostile} 400`,
      )
  })

  it('in the query is rejected by every route, with or without parameters', async () => {
    const taken: string[] = []
    for (const { method, url, config } of instance.app.routes.entries()) {
      // Pages parse their own query: `/register?invitation=`.
      if (method !== 'GET' || config.page) continue
      const path = `${url.replace(/:[^/]+/g, 'x').replace('*', 'x')}?nonsense=1`
      const headers = { authorization: `Bearer ${person.token}` }
      const { status } = await exchange(instance.url, { path, headers })
      if (status !== 400) taken.push(`${url} ${status}`)
    }
    expect(taken).toEqual([])
  })

  it.each([
    ['urgent=true', { urgent: true, days: 7 }],
    ['urgent=false&days=0', { urgent: false, days: 0 }],
    ['days=-5', { days: -5 }],
    ['tag=a', { tag: ['a'], days: 7 }],
    ['tag=a&tag=b', { tag: ['a', 'b'], days: 7 }],
    ['tag=%2B1+2', { tag: ['+1 2'], days: 7 }],
  ])('does not include valid booleans, numbers and lists: %s', async (query, expected) => {
    expect((await testServer.send({ path: `/list?${query}` })).body).toEqual(expected)
  })

  it.each([
    'urgent=1',
    'urgent=yes',
    'urgent=TRUE',
    'urgent=',
    'urgent=true&urgent=false',
    'days=',
    'days=x',
    'days=1e1',
    'days=0x1f',
    'days=1.5',
    'days=%2B5',
    'days= 5',
    'days=NaN',
    'days=Infinity',
    'days=31',
    'days=-6',
    'days=1&days=2',
    'days=99999999999999999999',
    'tag=a&tag=b&tag=c&tag=d',
  ])('in the query is rejected if a value has the wrong type or range: %s', async (query) => {
    expect((await testServer.send({ path: `/list?${query.replace(' ', '%20')}` })).status).toBe(400)
  })
})

onEveryDatabase('a list', (engine) => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine })
    person = await register(instance)
    for (const name of ['one', 'two', 'three'])
      await instance.post('/api/settings/feed-tokens', { name, purpose: 'calendar' }, { token: person.token })
  })
  afterAll(() => instance.close())

  const get = (path: string) => instance.get(path, { token: person.token })

  it.each([
    '0',
    '-1',
    '201',
    '1.5',
    '',
    'ten',
    '1e2',
    '0x10',
    '9007199254740993',
    '99999999999999999999',
    'null',
  ])('rejects a limit of %s', async (limit) => {
    for (const list of LISTS) {
      const answer = await get(`${list}?limit=${limit}`)
      expect(answer.status).toBe(400)
      expect(answer.body.errors[0].path).toBe('limit')
    }
  })

  it('has no entry with the highest possible id', async () => {
    for (const list of ['/api/tasks', '/api/emails', '/api/calendar/events', '/api/stream/milestones']) {
      expect([list, (await get(`${list}/${Number.MAX_SAFE_INTEGER}`)).status]).toEqual([list, 404])
      const { status, body } = await get(`${list}/9007199254740993`)
      expect([list, status, body.errors[0].path]).toEqual([list, 400, 'id'])
    }
  })

  it('accepts limits from 1 to 200, with a default of 50', async () => {
    for (const list of LISTS)
      for (const limit of [1, 200]) expect((await get(`${list}?limit=${limit}`)).status).toBe(200)
    const many = Array.from({ length: 60 }, (_, n) =>
      instance.call('PATCH', '/api/settings/profile', { body: { name: `Name ${n}` }, token: person.token }),
    )
    await Promise.all(many)
    expect((await get('/api/settings/security/activity')).body.activity).toHaveLength(50)
  })

  it('returns each entry once, page by page', async () => {
    const names: string[] = []
    let cursor: string | null = null
    do {
      const { body } = await get(
        `/api/settings/feed-tokens?limit=1${cursor === null ? '' : `&cursor=${cursor}`}`,
      )
      names.push(...body.feedTokens.map(({ name }: { name: string }) => name))
      cursor = body.nextCursor
    } while (cursor !== null && names.length < 10)
    expect(names.sort()).toEqual(['one', 'three', 'two'])
  })

  it.each([
    ['empty', ''],
    ['words', 'next'],
    ['not base64', '%F0%9F%A6%89'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['an object', cursorOf({ id: 1 })],
    ['an empty place', cursorOf([])],
    ['a place too long', cursorOf(['a', 'b', 'c'])],
    ['null', cursorOf(null)],
    ['nulls', cursorOf([null, null])],
    ['nested', cursorOf([['a'], ['b']])],
    ['a fraction', cursorOf([1.5])],
    ['text with a NUL in it', cursorOf(['a\0b', 'c\0d'])],
    ['half a pair', cursorOf(['\ud800', '\udc00'])],
    ['a number beyond ids', cursorOf([1e300])],
    ['a number beyond 64 bits', cursorOf([1e20])],
    ['too long', 'x'.repeat(1001)],
  ])('rejects a cursor that is %s', async (_what, cursor) => {
    for (const list of LISTS) {
      const answer = await get(`${list}?cursor=${cursor}`)
      expect(`${list} ${answer.status}`).toBe(`${list} 400`)
      expect(answer.body.errors[0].path).toBe('cursor')
    }
  })

  it('accepts the cursor of another list or user only as a position', async () => {
    const { body } = await get('/api/settings/feed-tokens?limit=1')
    expect((await get(`/api/settings/security/activity?cursor=${body.nextCursor}`)).status).toBe(400)
    const stranger = await register(instance)
    const answer = await instance.get(`/api/settings/feed-tokens?cursor=${body.nextCursor}`, {
      token: stranger.token,
    })
    expect(answer.body).toEqual({ feedTokens: [], nextCursor: null })
  })

  it('treats ids as text, whatever they look like', async () => {
    for (const id of ['1', '0', '-1', '%27%20or%201=1', 'x'.repeat(100), '..%2f..%2fetc', '%F0%9F%A6%89']) {
      expect((await get(`/api/settings/tokens/${id}`)).status).toBe(404)
      const removed = await instance.call('DELETE', `/api/settings/security/sessions/${id}`, {
        token: person.token,
      })
      expect(removed.status).toBe(404)
    }
    for (const length of [101, 501])
      expect((await get(`/api/settings/tokens/${'x'.repeat(length)}`)).status).toBe(400)
  })

  it('requires a password before it creates something', async () => {
    const body = { password: PASSWORD, name: 'x', scopes: ['tasks:read'], limit: 5 }
    const answer = await instance.post('/api/settings/tokens', body, { token: person.token })
    expect(answer.body.errors).toEqual([{ path: 'limit', message: 'is unknown' }])
  })
})
