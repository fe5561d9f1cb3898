import type { RouteShorthandOptions } from 'fastify'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError, type ErrorKind } from '../src/platform/errors.ts'
import { createServer } from '../src/platform/http/server.ts'
import { createLog } from '../src/platform/log.ts'
import { systemRandom } from '../src/platform/random.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'
import { converse, exchange, type RawAnswer } from './support/raw-http.ts'
import { startTestServer, type TestServer, TOY_OPTIONS } from './support/test-server.ts'

const KINDS: [ErrorKind, string, number][] = [
  ['invalid', 'validation_failed', 400],
  ['unauthenticated', 'unauthorized', 401],
  ['forbidden', 'forbidden', 403],
  ['not_found', 'not_found', 404],
  ['conflict', 'conflict', 409],
  ['precondition', 'precondition_failed', 412],
  ['too_large', 'too_large', 413],
  ['unsupported', 'unsupported_media_type', 415],
  ['rate_limited', 'rate_limited', 429],
  ['upstream', 'upstream_failed', 502],
  ['unavailable', 'unavailable', 503],
  ['upstream', 'upstream_timeout', 504],
]

const expectProblem = ({ status, headers, body }: RawAnswer, expected: number, code: string): void => {
  expect(status).toBe(expected)
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toMatchObject({
    type: `/docs#error-${code}`,
    title: expect.stringMatching(/./),
    status: expected,
    detail: expect.stringMatching(/./),
    code,
    requestId: headers['x-request-id'],
  })
}

describe('an error', () => {
  let instance: Instance
  let testServer: TestServer
  beforeAll(async () => {
    instance = await startInstance()
    testServer = await startTestServer(instance, async (app) => {
      const config = { access: 'public' } as const
      const Kind = Type.Object({ kind: Type.String(), code: Type.String() })
      app.get('/fail/:kind/:code', { config, schema: { params: Kind } }, async (request) => {
        const { kind, code } = request.params
        const cause = new Error('/home/ana/secret.ts:12 the inner reason')
        throw new AppError(kind as ErrorKind, code, 'In public words.', { cause })
      })
      app.get('/bug', { config }, async () => {
        throw new Error('select * from users where passwordHash')
      })
      app.get('/library', { config }, async () => {
        throw Object.assign(new Error('internal words'), { statusCode: 418 })
      })
      app.get('/nothing', { config }, async () => {
        throw null
      })
      app.get('/text', { config }, async () => {
        throw 'select * from users'
      })
    })
  })
  afterAll(async () => {
    await testServer.close()
    await instance.close()
  })

  it.each(KINDS)('of kind %s has code %s and status %i', async (kind, code, status) => {
    const answer = await testServer.send({ path: `/fail/${kind}/${code}` })
    expectProblem(answer, status, code)
    expect(answer.body.detail).toBe('In public words.')
    expect(answer.text).not.toContain('secret.ts')
    // test/browser/docs.test.ts follows the link. The reference shows this text.
    expect((await exchange(instance.url, { path: answer.body.type.split('#')[0] })).status).toBe(200)
    const { body } = await exchange(instance.url, { path: '/api-docs' })
    expect(body.info.description).toContain(`### ${code}\n`)
  })

  it.each(['/bug', '/nothing', '/text'])('that is unexpected reveals no details: %s', async (path) => {
    const answer = await testServer.send({ path })
    expectProblem(answer, 500, 'internal')
    expect(answer.text).not.toMatch(/select|users| at |\.ts/)
  })

  it('of a library has our own message', async () => {
    const answer = await testServer.send({ path: '/library' })
    expectProblem(answer, 400, 'validation_failed')
    expect(answer.text).not.toContain('internal words')
  })

  it('in the path has the same format and headers', async () => {
    for (const path of ['/fail/%ff/x', '/fail/%/x', '/%E0%A4%A', '/fail/%zz/x']) {
      const answer = await testServer.send({ path })
      expectProblem(answer, 400, 'validation_failed')
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    }
    const foreign = await testServer.send({
      path: '/fail/%ff/x',
      headers: { origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)
  })

  it('in the HTTP protocol has the same format', async () => {
    const broken = [
      'NONSENSE\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
    ]
    for (const request of broken) {
      const answer = await converse(testServer.url, request)
      expect([400, 431, 505]).toContain(answer.status)
      expect(answer.headers['content-type']).toContain('application/problem+json')
      expect(answer.body).toMatchObject({
        status: answer.status,
        code: expect.any(String),
        title: expect.any(String),
      })
    }
  })
})

describe('a path and its methods', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance()
  })
  afterAll(() => instance.close())

  it.each(['/nowhere', '/api', '/api/', '/api/health/', '/api//health', '/API/health', '/api/health/x'])(
    'unknown: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE'])
        expectProblem(await exchange(instance.url, { method, path }), 404, 'not_found')
    },
  )

  it.each([
    ['/api/health', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE']],
    ['/api/auth/login', 'OPTIONS, POST', ['GET', 'HEAD', 'PUT', 'DELETE']],
    ['/api/settings/tokens/some-id', 'DELETE, GET, HEAD, OPTIONS, PATCH', ['PUT', 'POST']],
    ['/api/settings/tokens/some%20id?x=1', 'DELETE, GET, HEAD, OPTIONS, PATCH', ['PUT', 'POST']],
    ['/api/settings/profile/avatar', 'DELETE, GET, HEAD, OPTIONS, PUT', ['PATCH', 'POST']],
    ['/api/tasks/quick', 'OPTIONS, POST', ['GET', 'HEAD', 'PATCH', 'DELETE']],
    ['/api/tasks/qu%69ck', 'OPTIONS, POST', ['GET', 'PATCH', 'DELETE']],
    ['/api/t%61sks', 'GET, HEAD, OPTIONS, POST', ['PUT', 'PATCH', 'DELETE']],
    ['/api/tasks/', 'GET, HEAD, OPTIONS, POST', ['PUT', 'PATCH', 'DELETE']],
    ['/api/calendar/events/from-email?x=1', 'OPTIONS, POST', ['GET', 'PATCH', 'DELETE']],
    ['/docs', 'GET, HEAD, OPTIONS', ['POST']],
  ])('%s accepts %s only', async (path, allow, wrong) => {
    for (const method of wrong) {
      const answer = await exchange(instance.url, { method, path })
      if (method === 'HEAD') expect(answer.status).toBe(405)
      else expectProblem(answer, 405, 'method_not_allowed')
      expect(answer.headers.allow).toBe(allow)
    }
    const options = await exchange(instance.url, { method: 'OPTIONS', path })
    expect([options.status, options.headers.allow, options.text]).toEqual([204, allow, ''])
  })

  it('a body does not change the answer to an unknown path or a wrong method', async () => {
    for (const body of ['{"title":"Milk"}', '["a"]', '"a"', '{'])
      for (const [path, method, status] of [
        ['/api/nowhere', 'POST', 404],
        ['/nowhere', 'PUT', 404],
        ['/api/auth/me', 'POST', 405],
        ['/api/tasks', 'PUT', 405],
      ] as const) {
        const answer = await instance.call(method, path, { body })
        expect([body, path, answer.status]).toEqual([body, path, status])
      }
  })

  it('HEAD answers like GET, without the body', async () => {
    const { token } = await register(instance)
    const headers = { authorization: `Bearer ${token}` }
    for (const path of ['/api/auth/me', '/api/settings/tokens', '/docs', '/api-docs']) {
      const get = await exchange(instance.url, { path, headers })
      const head = await exchange(instance.url, { method: 'HEAD', path, headers })
      expect([head.status, head.text]).toEqual([200, ''])
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
        expect(`${path} ${name} ${head.headers[name]}`).toBe(`${path} ${name} ${get.headers[name]}`)
    }
    expect((await exchange(instance.url, { method: 'HEAD', path: '/api/auth/me' })).status).toBe(401)
  })

  it('is found in a request with an absolute URL', async () => {
    const answer = await exchange(instance.url, { path: `${instance.url}/api/health` })
    expect(answer.status).toBe(200)
  })
})

describe('a route without access rules', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance()
  })
  afterAll(() => instance.close())

  const build = async () => {
    const log = createLog('silent')
    const credentials = {
      identify: async () => undefined,
      identifyFeed: async () => undefined,
      hasAccounts: async () => true,
      localUserId: async () => 1,
      dav: { identify: async () => undefined, authenticate: () => Promise.reject(new Error('not used')) },
    }
    const { db, processLock } = instance.database
    const deps = { db, processLock, clock: instance.clock, random: systemRandom, log, credentials }
    const { app } = await createServer(TOY_OPTIONS, deps)
    return app
  }

  it.each([
    ['nothing at all', undefined],
    ['something else', { config: { idempotency: 'kept' as const } }],
    ['a word that is no access', { config: { access: 'everyone' as never } }],
    ['a feed without its purpose', { config: { access: 'feed' as const } }],
  ])('stops startup if it declares %s', async (_what, options) => {
    const app = await build()
    app.register(async (plugin) => {
      plugin.get('/forgotten', (options ?? {}) as RouteShorthandOptions, () => ({}))
    })
    await expect(Promise.resolve(app.ready())).rejects.toThrow('GET /forgotten')
    await app.close()
  })
})

describe('the headers of every response', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance()
  })
  afterAll(() => instance.close())

  it('that is JSON are few, because no browser displays it as a page', async () => {
    const { id } = (await instance.post('/api/tasks', { title: 'Call the bank' })).body
    const { status, headers } = await exchange(instance.url, { path: `/api/tasks/${id}` })
    expect(status).toBe(200)
    expect(headers['x-content-type-options']).toBe('nosniff')
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    expect(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`.length).toBeLessThanOrEqual(250)
  })

  it.each(['/nowhere', '/api/auth/me', '/docs', '/api-docs', '/'])('%s', async (path) => {
    const { headers } = await exchange(instance.url, { path })
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['x-frame-options']).toBeDefined()
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers.server).toBeUndefined()
    expect(headers['strict-transport-security']).toBeUndefined()
    const policy = headers['content-security-policy'] as string
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    const isPage = ['/docs', '/api-docs', '/'].includes(path)
    // Mail needs style attributes; all other styles are files.
    const attributes = isPage ? "style-src-attr 'unsafe-inline'" : ''
    expect(policy).toContain(attributes)
    // Scalar adds style elements.
    const styles = path === '/docs' ? "style-src 'self' 'unsafe-inline'" : ''
    expect(policy.replace(attributes, '').replace(styles, '')).not.toMatch(/unsafe|\*/)
    expect(policy.includes("script-src 'self'")).toBe(isPage)
  })

  it('contain HSTS only if PUBLIC_URL is https', async () => {
    const secure = await startInstance({ environment: { PUBLIC_URL: 'https://desk.example.org' } })
    const { headers } = await exchange(secure.url, { path: '/api/health' })
    expect(headers['strict-transport-security']).toContain('max-age=')
    await secure.close()
  })

  it('prevent shared caching of data, and any caching of secrets', async () => {
    const { token } = await register(instance)
    const headers = { authorization: `Bearer ${token}` }
    const me = await exchange(instance.url, { path: '/api/auth/me', headers })
    expect(me.headers['cache-control']).toMatch(/private/)
    const secrets = instance.app.routes.entries().filter(({ config }) => config.secret)
    expect(secrets.map(({ url }) => url)).toEqual(
      expect.arrayContaining(['/api/auth/login', '/api/auth/refresh', '/api/settings/tokens']),
    )
    for (const { method, url } of secrets) {
      const answer = await exchange(instance.url, { method, path: url.replace(':id', 'x'), headers })
      expect(answer.headers['cache-control']).toBe('no-store')
    }
  })
})
