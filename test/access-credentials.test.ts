import { Writable } from 'node:stream'
import { pino } from 'pino'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { SCOPES } from '../src/platform/access/caller.ts'
import { createServer } from '../src/platform/http/server.ts'
import { createLog } from '../src/platform/log.ts'
import { systemRandom } from '../src/platform/random.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { exchange } from './support/raw-http.ts'
import { startTestServer, type TestServer, TOY_OPTIONS } from './support/test-server.ts'

const testRoutes: Parameters<typeof startTestServer>[1] = async (app) => {
  const tell = async ({ caller }: { caller: { kind: string } }) => ({ caller: caller.kind })
  app.get('/tasks', { config: { access: 'switched', scope: 'tasks:read' } }, tell)
  app.post('/tasks', { config: { access: 'switched', scope: 'tasks:write' } }, tell)
  app.get('/keys', { config: { access: 'switched' } }, tell)
  app.get('/account', { config: { access: 'session' } }, tell)
  app.get('/owned', { config: { access: 'switched', scope: 'tasks:read', ownerOnly: true } }, tell)
  const querystring = Type.Object({ token: Type.Optional(Type.String()) }, { additionalProperties: false })
  const feed = { access: 'feed', purpose: 'calendar', scope: 'calendar:read' } as const
  app.get('/feed', { config: feed, schema: { querystring } }, tell)
}

describe.each(['open', 'private'] as const)('a personal access token while access is %s', (access) => {
  let instance: Instance
  let testServer: TestServer
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ environment: { ACCESS: access, REGISTRATION: 'open', METRICS: 'on' } })
    testServer = await startTestServer(instance, testRoutes, { access, onlyThisMachine: false })
    person = await register(instance)
  })
  afterAll(async () => {
    await testServer.close()
    await instance.close()
  })

  const tokenFor = async (...scopes: string[]): Promise<string> => {
    const body = { password: PASSWORD, name: 'a program', scopes }
    return (await instance.post('/api/settings/tokens', body, { token: person.token })).body.token
  }
  const send = (token: string, path: string, method = 'GET') =>
    testServer.send({ method, path, headers: { authorization: `Bearer ${token}` } })

  it('with a read scope can read but not write', async () => {
    const token = await tokenFor('tasks:read')
    expect((await send(token, '/tasks')).body).toEqual({ caller: 'token' })
    const refused = await send(token, '/tasks', 'POST')
    expect(refused.status).toBe(403)
    expect(refused.body.code).toBe('insufficient_scope')
    expect(refused.body.detail).toContain('tasks:write')
  })

  it('with a write scope can read and write', async () => {
    const token = await tokenFor('tasks:write')
    expect((await send(token, '/tasks')).status).toBe(200)
    expect((await send(token, '/tasks', 'POST')).status).toBe(200)
    expect((await send(token, '/tasks', 'HEAD')).status).toBe(200)
  })

  it('lacks scope for other areas, even where open access needs no token', async () => {
    const token = await tokenFor('calendar:write', 'mail:write')
    const refused = await send(token, '/tasks')
    expect(refused.status).toBe(403)
    expect(refused.body.code).toBe('insufficient_scope')
    expect((await testServer.send({ path: '/tasks' })).status).toBe(access === 'open' ? 200 : 401)
  })

  it('never reaches routes without a scope, routes for sessions, or routes for the owner', async () => {
    const token = await tokenFor(...SCOPES)
    for (const path of ['/keys', '/account']) {
      const refused = await send(token, path)
      expect(refused.status).toBe(403)
      expect(refused.body.code).toBe('insufficient_scope')
    }
    expect((await send(token, '/owned')).status).toBe(403)
  })

  it('never reaches the settings, logout or me', async () => {
    const token = await tokenFor(...SCOPES)
    const routes = instance.app.routes.entries().filter(({ access: needed }) => needed === 'session')
    expect(routes.filter(({ url }) => url.startsWith('/api/settings')).length).toBeGreaterThan(30)
    for (const { method, url } of routes) {
      const path = url.replace(/:[^/]+/g, 'x')
      const { status } = await exchange(instance.url, {
        method,
        path,
        headers: { authorization: `Bearer ${token}` },
      })
      expect(`${method} ${url} ${status}`).toBe(`${method} ${url} 403`)
    }
  })

  it('can read the metrics with their scope, because a scraper cannot sign in every 15 minutes', async () => {
    const read = async (scope: string) =>
      (
        await exchange(instance.url, {
          path: '/metrics',
          headers: { authorization: `Bearer ${await tokenFor(scope)}` },
        })
      ).status
    expect([await read('metrics:read'), await read('tasks:read')]).toEqual([200, 403])
  })

  it('replaces a feed token if it has the scope', async () => {
    expect((await send(await tokenFor('calendar:read'), '/feed')).body).toEqual({ caller: 'token' })
    expect((await send(await tokenFor('mail:read'), '/feed')).status).toBe(403)
  })

  it('cannot be sent in the URL', async () => {
    const token = await tokenFor(...SCOPES)
    expect((await testServer.send({ path: `/feed?token=${token}` })).status).toBe(401)
  })
})

describe.each(['open', 'private'] as const)('a feed token while access is %s', (access) => {
  let instance: Instance
  let testServer: TestServer
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ environment: { ACCESS: access } })
    testServer = await startTestServer(instance, testRoutes, { access, onlyThisMachine: false })
    person = await register(instance)
  })
  afterAll(async () => {
    await testServer.close()
    await instance.close()
  })

  const make = async (purpose: string) =>
    (await instance.post('/api/settings/feed-tokens', { name: 'phone', purpose }, { token: person.token }))
      .body

  it('opens its feed in the URL', async () => {
    const { token } = await make('calendar')
    expect((await testServer.send({ path: `/feed?token=${token}` })).body).toEqual({ caller: 'feed' })
  })

  it('is required', async () => {
    for (const path of ['/feed', '/feed?token=', '/feed?token=guess', '/feed?token=a&token=b'])
      expect((await testServer.send({ path })).status).toBe(401)
  })

  it('opens no feed of another purpose, and is not a bearer token', async () => {
    const overlay = await make('overlay')
    expect((await testServer.send({ path: `/feed?token=${overlay.token}` })).status).toBe(401)
    const { token } = await make('calendar')
    for (const path of ['/tasks', '/feed', '/account'])
      expect((await testServer.send({ path, headers: { authorization: `Bearer ${token}` } })).status).toBe(
        401,
      )
  })

  it('stops working when it is revoked', async () => {
    const { id, token } = await make('calendar')
    await instance.call('DELETE', `/api/settings/feed-tokens/${id}`, { token: person.token })
    expect((await testServer.send({ path: `/feed?token=${token}` })).status).toBe(401)
  })

  it('is stored hashed, and does not appear in the log at the most verbose level', async () => {
    const { token } = await make('calendar')
    expect(
      JSON.stringify(
        await instance.database.db.selectFrom('feed_tokens').selectAll().modifyEnd(ALL_ACCOUNTS).execute(),
      ),
    ).not.toContain(token)
    let written = ''
    const stream = new Writable({
      write(chunk, _encoding, done) {
        written += String(chunk)
        done()
      },
    })
    const shipped = createLog('trace') as unknown as Record<symbol, Record<string, never>>
    const serializers = shipped[pino.symbols.serializersSym] ?? {}
    const log = pino({ level: 'trace', serializers }, stream)
    const { db } = instance.database
    const credentials = {
      identify: async () => undefined,
      hasAccounts: async () => true,
      localUserId: async () => 1,
      dav: { identify: async () => undefined, authenticate: () => Promise.reject(new Error('not used')) },
      identifyFeed: async (given: string) => {
        if (given !== token) throw new Error('the database is gone')
        return { kind: 'feed' as const, calendarId: null, userId: 1, feedId: 'x', purpose: 'calendar' }
      },
    }
    const { app } = await createServer(TOY_OPTIONS, {
      db,
      processLock: instance.database.processLock,
      clock: instance.clock,
      random: systemRandom,
      log,
      credentials,
    })
    await app.register(testRoutes)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
    const headers = { authorization: 'Bearer not-a-token-but-a-secret' }
    expect((await exchange(url, { path: `/feed?token=${token}` })).status).toBe(200)
    expect((await exchange(url, { path: '/feed?token=another-secret' })).status).toBe(500)
    expect((await exchange(url, { path: `/feed?token=${token}`, headers })).status).toBe(401)
    expect((await exchange(url, { path: `/feed/%ff?token=${token}` })).status).toBe(400)
    await app.close()
    expect(written).toContain('request answered')
    for (const secret of [token, 'another-secret', 'not-a-token-but-a-secret'])
      expect(written).not.toContain(secret)
  })
})

describe('the rate limit of private access', () => {
  it('allows a number of requests per minute, reports it, then answers 429 to any request', async () => {
    const instance = await startInstance({ environment: { ACCESS: 'private', RATE_LIMIT: '3' } })
    const asked = []
    for (const path of ['/api/health', '/nowhere', '/api/settings/profile', '/docs', '/api/health'])
      asked.push(await exchange(instance.url, { path }))
    expect(asked.map(({ status }) => status)).toEqual([200, 404, 401, 429, 429])
    expect(asked.slice(0, 3).map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['2', '1', '0'])
    const refused = asked[4]
    expect(refused?.body.code).toBe('rate_limited')
    expect(refused?.headers['content-type']).toContain('application/problem+json')
    expect(refused?.headers['ratelimit-limit']).toBe('3')
    expect(refused?.headers['ratelimit-remaining']).toBe('0')
    for (const name of ['ratelimit-reset', 'retry-after']) {
      expect(Number(refused?.headers[name])).toBeGreaterThan(0)
      expect(Number(refused?.headers[name])).toBeLessThanOrEqual(60)
    }
    await instance.close()
  })

  it('counts each client behind a trusted proxy separately, and ignores spoofed addresses', async () => {
    const behind = await startInstance({
      environment: { ACCESS: 'private', RATE_LIMIT: '1', TRUST_PROXY: '127.0.0.1' },
    })
    const from = (url: string, address: string) =>
      exchange(url, { path: '/api/health', headers: { 'x-forwarded-for': address } })
    expect((await from(behind.url, '203.0.113.1')).status).toBe(200)
    expect((await from(behind.url, '203.0.113.2')).status).toBe(200)
    expect((await from(behind.url, '198.51.100.9, 203.0.113.1')).status).toBe(429)
    await behind.close()
    const alone = await startInstance({ environment: { ACCESS: 'private', RATE_LIMIT: '1' } })
    expect((await from(alone.url, '203.0.113.1')).status).toBe(200)
    expect((await from(alone.url, '203.0.113.2')).status).toBe(429)
    await alone.close()
  })
})
