import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'
import { exchange } from './support/raw-http.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

/**
 * Routes without a credential in private mode: those of the specification, and those that the start page
 * needs.
 */
const PUBLIC = [
  'GET /',
  // RFC 6764: redirects.
  'GET /.well-known/caldav',
  'GET /.well-known/caldav/',
  'GET /.well-known/carddav',
  'GET /.well-known/carddav/',
  'GET /api-docs',
  'GET /api/health',
  // The OAuth redirect of a mail provider; it requires a state and a cookie that only that browser has.
  'GET /api/settings/mail-accounts/oauth/callback',
  'GET /console/options',
  'GET /dav/factotum.mobileconfig',
  'GET /docs',
  'GET /docs/reference.js',
  'GET /docs/scalar.js',
  'GET /help',
  'GET /help/*',
  'OPTIONS /dav/*',
  'POST /api/auth/login',
  'POST /api/auth/password-reset',
  'POST /api/auth/password-reset/confirm',
  'POST /api/auth/refresh',
  'POST /api/auth/register',
  // Signed by the payment provider.
  'POST /api/billing/webhook',
  // Signed by the booking provider.
  'POST /api/bookingsvc/webhook',
  'PROPFIND /.well-known/caldav',
  'PROPFIND /.well-known/caldav/',
  'PROPFIND /.well-known/carddav',
  'PROPFIND /.well-known/carddav/',
]

const testRoutes: Parameters<typeof startTestServer>[1] = async (app) => {
  app.get('/desk', { config: { access: 'switched', scope: 'tasks:read' } }, ({ caller }) => ({
    caller: caller.kind,
  }))
}

const pathOf = (url: string): string => url.replace(/:[^/]+/g, 'x').replace('*', 'x')

const withInstance = async (
  environment: Record<string, string>,
  work: (instance: Instance) => Promise<void>,
) => {
  const instance = await startInstance({ environment })
  try {
    await work(instance)
  } finally {
    await instance.close()
  }
}

describe('the default access mode', () => {
  it.each([
    ['nothing is set', {}, 'open'],
    ['HOST is localhost', { HOST: 'localhost' }, 'open'],
    ['HOST is another loopback address', { HOST: '127.0.0.2' }, 'open'],
    ['PUBLIC_URL is loopback', { PUBLIC_URL: 'http://localhost:8080' }, 'open'],
    ['HOST is every address', { HOST: '0.0.0.0' }, 'private'],
    ['PUBLIC_URL is a name in the world', { PUBLIC_URL: 'https://desk.example.org' }, 'private'],
    ['PUBLIC_URL only looks like loopback', { PUBLIC_URL: 'https://127.0.0.1.example.org' }, 'private'],
    ['there is a proxy', { TRUST_PROXY: 'true' }, 'private'],
    ['there is a proxy, by address', { TRUST_PROXY: '127.0.0.1' }, 'private'],
    ['ACCESS=private says so', { ACCESS: 'private' }, 'private'],
    ['ACCESS=open says so on every address', { HOST: '0.0.0.0', ACCESS: 'open' }, 'open'],
  ])('when %s', async (_when, environment, access) => {
    await withInstance({ ...environment, METRICS: 'on' }, async (instance) => {
      const { port } = new URL(instance.url)
      const host = (environment as { HOST?: string }).HOST ?? '127.0.0.1'
      const answer = await exchange(`http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`, {
        path: '/metrics',
      })
      expect(answer.status).toBe(access === 'open' ? 200 : 401)
    })
  })
})

describe('open access that is not configured explicitly', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance()
  })
  afterAll(() => instance.close())

  it('answers on this machine without a token', async () => {
    expect((await exchange(instance.url, { path: '/api/health' })).status).toBe(200)
  })

  it.each([
    ['Forwarded', 'for=203.0.113.7'],
    ['Via', '1.1 proxy'],
    ['X-Forwarded-For', '203.0.113.7'],
    ['X-Forwarded-For', ''],
    ['X-Forwarded-Host', 'desk.example.org'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Server', 'proxy'],
    ['X-Forwarded-Prefix', '/desk'],
    ['X-Forwarded-Scheme', 'https'],
  ])('rejects requests through a proxy: %s "%s"', async (name, value) => {
    const answer = await exchange(instance.url, { path: '/api/health', headers: { [name]: value } })
    expect(answer.status).toBe(403)
    expect(answer.body.code).toBe('forbidden')
  })

  it('rejects them for unknown paths and pages too', async () => {
    for (const path of ['/', '/docs', '/nowhere', '/api-docs']) {
      const answer = await exchange(instance.url, { path, headers: { 'x-forwarded-for': '203.0.113.7' } })
      expect(answer.status).toBe(403)
    }
  })

  it('accepts the same from a proxy if ACCESS=open is set', async () => {
    await withInstance({ ACCESS: 'open' }, async ({ url }) => {
      const answer = await exchange(url, {
        path: '/api/health',
        headers: { 'x-forwarded-for': '203.0.113.7', via: '1.1 p' },
      })
      expect(answer.status).toBe(200)
    })
  })
})

describe('open access', () => {
  let instance: Instance
  let testServer: TestServer
  beforeAll(async () => {
    instance = await startInstance()
    testServer = await startTestServer(instance, testRoutes)
  })
  afterAll(async () => {
    await testServer.close()
    await instance.close()
  })

  it('requires a session for account routes, and no credential elsewhere', async () => {
    expect((await testServer.send({ path: '/desk' })).body).toEqual({ caller: 'local' })
    for (const { method, url, access } of instance.app.routes.entries()) {
      // The guard runs before the rejection of unknown parameters. The parameter prevents a stream that never
      // ends.
      const { status } = await exchange(instance.url, { method, path: `${pathOf(url)}?nonsense=1` })
      // A feed and DAV require a credential of their own in both modes.
      if (access === 'session' || access === 'feed' || access === 'dav')
        expect(`${method} ${url} ${status}`).toBe(`${method} ${url} 401`)
      else expect(status).not.toBe(401)
    }
  })

  it.each([
    ['a JWT that nobody signed', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.AAAA'],
    ['a personal access token that does not exist', `Bearer fct_${'x'.repeat(43)}`],
    ['words', 'Bearer letmein'],
    ['another scheme', 'Basic YW5hOnNlY3JldA=='],
    ['no token at all', 'Bearer'],
    ['two tokens', 'Bearer a b'],
    ['an empty header', ''],
  ])('verifies a credential that is sent, and rejects %s', async (_what, authorization) => {
    for (const answer of [
      await testServer.send({ path: '/desk', headers: { authorization } }),
      await exchange(instance.url, { path: '/api/health', headers: { authorization } }),
    ]) {
      expect(answer.status).toBe(401)
      expect(answer.body.code).toBe('unauthorized')
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
    }
  })

  it('has no rate limit', async () => {
    await withInstance({ RATE_LIMIT: '1' }, async ({ url }) => {
      for (let n = 0; n < 5; n++) {
        const answer = await exchange(url, { path: '/api/health' })
        expect(answer.status).toBe(200)
        expect(Object.keys(answer.headers).filter((name) => name.includes('ratelimit'))).toEqual([])
      }
    })
  })

  it('limits owner routes to the owner', async () => {
    await register(instance)
    const member = await register(instance)
    expect((await instance.get('/api/settings/invitations', { token: member.token })).status).toBe(403)
  })
})

describe('private access', () => {
  let instance: Instance
  let testServer: TestServer
  beforeAll(async () => {
    instance = await startInstance({
      environment: { ACCESS: 'private', METRICS: 'on', REGISTRATION: 'open' },
    })
    testServer = await startTestServer(instance, testRoutes, { access: 'private', onlyThisMachine: false })
  })
  afterAll(async () => {
    await testServer.close()
    await instance.close()
  })

  it('leaves exactly the specified routes public', () => {
    const open = instance.app.routes
      .entries()
      .filter(({ access, method }) => access === 'public' && method !== 'HEAD')
      .map(({ method, url }) => `${method} ${url}`)
    expect(open.sort()).toEqual(PUBLIC)
  })

  it('requires a credential on every other route, before any other check', async () => {
    const others = instance.app.routes.entries().filter(({ access }) => access !== 'public')
    expect(others.length).toBeGreaterThan(30)
    for (const { method, url } of others) {
      const answer = await exchange(instance.url, {
        method,
        path: `${pathOf(url)}?nonsense=1`,
        headers: { 'content-type': 'text/plain' },
        ...(['POST', 'PUT', 'PATCH'].includes(method) && { body: '{' }),
      })
      expect(`${method} ${url} ${answer.status}`).toBe(`${method} ${url} 401`)
    }
  })

  it('accepts a session', async () => {
    const { token } = await register(instance)
    const headers = { authorization: `Bearer ${token}` }
    expect((await testServer.send({ path: '/desk', headers })).body).toEqual({ caller: 'session' })
    expect((await instance.get('/metrics', { token })).status).toBe(200)
  })

  it('limits owner routes to the owner', async () => {
    await withInstance({ ACCESS: 'private', REGISTRATION: 'open' }, async (fixture) => {
      const owner = await register(fixture)
      const member = await register(fixture)
      const owned = fixture.app.routes
        .entries()
        .filter(({ ownerOnly, method }) => ownerOnly && method !== 'HEAD')
      expect(owned.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
        'DELETE /api/accounts/:id',
        'DELETE /api/backups/:id',
        'DELETE /api/instance/oauth-clients/:provider',
        'DELETE /api/jobs/:id',
        'DELETE /api/settings/invitations/:id',
        'GET /api/accounts',
        'GET /api/accounts/:id',
        'GET /api/backups',
        'GET /api/backups/:id',
        'GET /api/backups/schedule',
        'GET /api/instance',
        'GET /api/instance/oauth-clients',
        'GET /api/jobs',
        'GET /api/jobs/:id',
        'GET /api/settings/invitations',
        'GET /api/settings/invitations/:id',
        'PATCH /api/accounts/:id',
        'PATCH /api/instance',
        'POST /api/ai/local-models',
        'POST /api/backups',
        'POST /api/backups/:id/download',
        'POST /api/jobs/:id/retry',
        'POST /api/settings/invitations',
        'PUT /api/ai/local-models',
        'PUT /api/backups/schedule',
        'PUT /api/instance/oauth-clients/:provider',
      ])
      for (const { method, url } of owned) {
        const refused = await fixture.call(method, pathOf(url), { token: member.token })
        expect(refused.status).toBe(403)
        expect(refused.body.code).toBe('forbidden')
        const admitted = await fixture.call(method, pathOf(url), { token: owner.token })
        expect([200, 201, 202, 204, 400, 404]).toContain(admitted.status)
      }
    })
  })
})
