import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { pino } from 'pino'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { exchange } from './support/raw-http.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const FORM = /^[\w.-]{1,100}$/

describe('the id of a request', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance()
  })
  afterAll(() => instance.close())

  it('is part of every response, and unique', async () => {
    const paths = ['/api/health', '/nowhere', '/api/auth/me', '/docs', '/docs/reference.js']
    const answers = await Promise.all([...paths, ...paths].map((path) => exchange(instance.url, { path })))
    const ids = answers.map(({ headers }) => headers['x-request-id'] as string)
    for (const id of ids) expect(id).toMatch(FORM)
    expect(new Set(ids).size).toBe(10)
    for (const { headers, body, status } of answers)
      if (status >= 400) expect(body.requestId).toBe(headers['x-request-id'])
  })

  it('is generated, whatever the client sends', async () => {
    const answer = await exchange(instance.url, { path: '/nowhere', headers: { 'x-request-id': 'mine' } })
    expect(answer.headers['x-request-id']).not.toBe('mine')
    expect(answer.body.requestId).not.toBe('mine')
  })

  it.each(['true', '1', '127.0.0.1'])('is the proxy’s if TRUST_PROXY=%s', async (TRUST_PROXY) => {
    const behind = await startInstance({ environment: { TRUST_PROXY } })
    const headers = { 'x-request-id': '0af7651916cd43dd-8448eb211c80319c' }
    const answer = await exchange(behind.url, { path: '/nowhere', headers })
    expect(answer.headers['x-request-id']).toBe(headers['x-request-id'])
    expect(answer.body.requestId).toBe(headers['x-request-id'])
    await behind.close()
  })

  it('is generated if TRUST_PROXY names another proxy', async () => {
    const behind = await startInstance({ environment: { TRUST_PROXY: '10.1.2.3' } })
    const answer = await exchange(behind.url, { path: '/nowhere', headers: { 'x-request-id': 'mine' } })
    expect(answer.headers['x-request-id']).not.toBe('mine')
    await behind.close()
  })

  it('is generated if the proxy forwards an invalid id', async () => {
    const behind = await startInstance({ environment: { TRUST_PROXY: 'true' } })
    for (const id of [
      'x'.repeat(4000),
      '<script>alert(1)</script>',
      '"},{"level":"fatal',
      'a b',
      'one, two',
      'caf\u00e9',
      '',
    ]) {
      const answer = await exchange(behind.url, { path: '/nowhere', headers: { 'x-request-id': id } })
      expect(answer.headers['x-request-id'], id).toMatch(FORM)
      expect(answer.body.requestId, id).toBe(answer.headers['x-request-id'])
    }
    await behind.close()
  })
})

onEveryDatabase('health', (engine) => {
  /** The database is already closed, so a normal shutdown would fail. */
  const leave = async (instance: Instance): Promise<void> => {
    await instance.app.http.close()
    await instance.app.jobs.drain(0)
    await instance.place.remove()
  }

  it('is ok while the database answers, and down if it does not', async () => {
    const instance = await startInstance({ engine })
    const well = await instance.get('/api/health')
    expect(well.status).toBe(200)
    expect(well.body).toEqual({
      status: 'ok',
      version: '0.0.0-test',
      uptimeSeconds: expect.any(Number),
      database: { engine, ok: true },
      checks: expect.any(Object),
      backups: { lastProvenAt: null },
    })
    instance.clock.advance(90_000)
    expect((await instance.get('/api/health')).body.uptimeSeconds).toBeGreaterThanOrEqual(90)
    await instance.database.close()
    instance.clock.advance(1000)
    const down = await instance.get('/api/health')
    expect(down.status).toBe(503)
    expect(down.body).toMatchObject({ status: 'down', database: { engine, ok: false } })
    expect((await instance.get('/docs')).status).toBe(200)
    await leave(instance)
  })

  it('matches the 503 of other routes if the database does not answer', async () => {
    const instance = await startInstance({ engine })
    const { token } = await register(instance)
    await instance.database.close()
    const me = await instance.get('/api/auth/me', { token })
    expect([me.status, me.body.code]).toEqual([503, 'unavailable'])
    await leave(instance)
  })
})

describe('failures around a request', () => {
  let instance: Instance
  let testServer: TestServer
  const lines: { level: string; msg: string }[] = []
  const failures: Record<string, Error & { code?: string }> = {
    sqlite: Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }),
    postgres: Object.assign(new Error('could not extend file'), { code: '53100' }),
    file: Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
    mount: Object.assign(new Error('attempt to write a readonly database'), { code: 'SQLITE_READONLY' }),
  }

  beforeAll(async () => {
    instance = await startInstance()
    const sink = { write: (line: string) => void lines.push(JSON.parse(line)) }
    const log = pino({ level: 'warn', formatters: { level: (level) => ({ level }) } }, sink) as never
    const plugin: FastifyPluginAsyncTypebox = async (app) => {
      for (const [name, failure] of Object.entries(failures))
        app.get(`/${name}`, { config: { access: 'public' } }, () => Promise.reject(failure))
      app.post('/note', { config: { access: 'public' }, schema: { body: Type.Object({}) } }, () => ({}))
    }
    testServer = await startTestServer(instance, plugin, {}, log)
  })
  afterAll(async () => {
    await testServer.close()
    await instance.close()
  })

  it('a full disk is not reported as a temporary database failure', async () => {
    for (const name of ['sqlite', 'postgres', 'file']) {
      const { status, body } = await testServer.send({ path: `/${name}` })
      expect([name, status, body.code]).toEqual([name, 503, 'unavailable'])
      expect(body.detail).toMatch(/disk is full/)
    }
    expect((await testServer.send({ path: '/mount' })).body.detail).toMatch(/read-only/)
  })

  it('a client that disconnects is not a server error, and not a database failure', async () => {
    lines.length = 0
    const { hostname, port } = new URL(testServer.url)
    const socket = connect(Number(port), hostname)
    socket.write('POST /note HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n')
    socket.write('Content-Length: 100\r\n\r\n{')
    await once(socket, 'connect')
    // Requests are processed in order, so the previous one has been processed too.
    await testServer.send({ path: '/nowhere' })
    socket.destroy()
    await once(socket, 'close')
    for (let looks = 0; looks < 20; looks++) await testServer.send({ path: '/nowhere' })
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('metrics', () => {
  it('are off by default', async () => {
    const instance = await startInstance()
    expect((await instance.get('/metrics')).status).toBe(404)
    await instance.close()
  })

  it('are Prometheus text, by route and not by URL', async () => {
    const instance = await startInstance({ environment: { METRICS: 'on' } })
    const { token } = await register(instance)
    await instance.get('/api/settings/tokens/some-secret-looking-id', { token })
    await instance.get('/wp-login.php?x=some-other-id')
    const { body, headers } = await instance.get('/metrics')
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toContain('route="/api/settings/tokens/:id",status="4xx"')
    expect(body).toMatch(/factotum_changes_total\{type="[a-z_.]+"\} 1/)
    expect(body).not.toMatch(/some-secret|some-other|wp-login/)
    await instance.close()
  })

  it('require a credential while access is private', async () => {
    const instance = await startInstance({ environment: { METRICS: 'on', ACCESS: 'private' } })
    expect((await instance.get('/metrics')).status).toBe(401)
    const { token } = await register(instance)
    expect((await instance.get('/metrics', { token })).status).toBe(200)
    const invited = await instance.post('/api/settings/invitations', { password: PASSWORD }, { token })
    const member = await register(instance, { invitation: invited.body.code })
    expect((await instance.get('/metrics', member)).status).toBe(403)
    const create = (scopes: string[], person: { token: string }) =>
      instance.post('/api/settings/tokens', { name: 'Prometheus', scopes, password: PASSWORD }, person)
    expect((await create(['metrics:read'], member)).status).toBe(400)
    const statusWith = async (scope: string) =>
      (await instance.get('/metrics', { token: (await create([scope], { token })).body.token })).status
    expect([await statusWith('tasks:read'), await statusWith('metrics:read')]).toEqual([403, 200])
    await instance.close()
  })
})

describe('shutdown', () => {
  let person: Person
  let instance: Instance

  /** Starts a request whose body has not arrived yet. */
  const beginRequest = async (
    name: string,
  ): Promise<{ socket: Socket; rest: string; answer: Promise<string> }> => {
    const body = JSON.stringify({ name })
    const socket = connect(Number(new URL(instance.url).port), '127.0.0.1')
    await once(socket, 'connect')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    const answer = once(socket, 'close').then(() => text)
    const head = [
      'PATCH /api/settings/profile HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${person.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 3)}`)
    // A later response shows that this request has arrived.
    await instance.get('/api/health')
    await instance.get('/api/health')
    return { socket, rest: body.slice(3), answer }
  }

  const begin = async () => {
    instance = await startInstance()
    person = await register(instance)
  }

  it('completes the running request, and accepts no other', async () => {
    await begin()
    const { socket, rest, answer } = await beginRequest('Finished')
    const closed = instance.close()
    const later = await instance.get('/api/auth/me', { token: person.token }).catch(() => 'refused')
    if (later !== 'refused') expect(later).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    socket.write(rest)
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*"name":"Finished"/)
    await closed
  })

  it('is reported by health while requests finish', async () => {
    await begin()
    const { socket, rest, answer } = await beginRequest('Finished')
    const closed = instance.close()
    const health = await exchange(instance.url, { path: '/api/health' }).catch(
      (error: Error) => error.message,
    )
    socket.write(rest)
    await answer
    await closed
    expect(health).toMatchObject({ status: 503, body: { status: 'down', database: { ok: true } } })
  })

  it('answers a half-sent request with a problem, or not at all', async () => {
    await begin()
    const held = await beginRequest('Finished')
    const half = connect(Number(new URL(instance.url).port), '127.0.0.1')
    half.write('GET /docs HTTP/1.1\r\nHost: local')
    await instance.get('/api/health')
    let text = ''
    half.on('data', (chunk) => {
      text += chunk.toString()
    })
    const ended = once(half, 'close')
    const closed = instance.close()
    half.write('host\r\n\r\n')
    await ended
    held.socket.write(held.rest)
    await closed
    if (text !== '')
      expect(text).toMatch(/^HTTP\/1\.1 503 [\s\S]*application\/problem\+json[\s\S]*"code":"unavailable"/)
  })

  it('does not wait for a connection whose request has been answered', async () => {
    await begin()
    const kept = connect(Number(new URL(instance.url).port), '127.0.0.1')
    kept.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(kept, 'data')
    const ended = once(kept, 'close')
    await instance.close()
    await ended
  }, 30_000)

  it('does not wait for an unused connection, such as browsers keep open', async () => {
    await begin()
    const reserve = connect(Number(new URL(instance.url).port), '127.0.0.1')
    await once(reserve, 'connect')
    await instance.get('/api/health')
    const ended = once(reserve.resume(), 'close')
    await instance.close()
    await ended
  }, 30_000)
})

it('does not report a client that disconnects during its body as a database failure', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  const instance = await startInstance({ deps: { log } })
  const { hostname, port } = new URL(instance.url)
  for (const type of ['application/json', 'message/rfc822']) {
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /api/emails HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\nhalf`,
    )
    const count = () =>
      new Promise((resolve) => instance.app.http.server.getConnections((_, open) => resolve(open)))
    await expect.poll(count).toBe(1)
    socket.destroy()
    await expect.poll(count).toBe(0)
  }
  await instance.close()
  expect(lines).toEqual([])
})
