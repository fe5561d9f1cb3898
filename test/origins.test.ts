import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Instance, startInstance } from './support/instance.ts'
import { OUTER_ADDRESS } from './support/outer-address.ts'
import { PASSWORD, register } from './support/people.ts'
import { converse, exchange, type RawCall } from './support/raw-http.ts'

const GUEST = 'https://console.example.net'

describe('the Host of a request while access is open', () => {
  let instance: Instance
  let port: string
  beforeAll(async () => {
    instance = await startInstance({
      environment: { ALLOWED_HOSTS: 'desk.lan, Desk.Example.Org', PUBLIC_URL: 'http://localhost:4000' },
    })
    port = new URL(instance.url).port
  })
  afterAll(() => instance.close())

  const refusalOf = async (host: string): Promise<string | undefined> => {
    const answer = await exchange(instance.url, { path: '/api/health', headers: { host } })
    return answer.status === 200 ? undefined : `${answer.status} ${answer.body.code}`
  }

  it.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST:3000',
    '127.0.0.1',
    '127.0.0.1:3000',
    '192.168.1.20:3000',
    '[::1]',
    '[::1]:3000',
    '[fd00::20]:3000',
    'desk.lan',
    'DESK.lan:8443',
    'desk.example.org',
  ])('is accepted: %s', async (host) => {
    expect(await refusalOf(host)).toBeUndefined()
  })

  it.each([
    'evil.example',
    'evil.example:3000',
    'evil.example.',
    'localhost.evil.example.',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'localhost.evil.example:3000',
    'evil-localhost',
    'a.desk.lan',
    'desk.lan.evil.example',
    '127.0.0.1.nip.io',
    '2130706433',
    '0x7f000001',
    '127.1.evil',
    'localhost@evil.example',
    'evil.example#localhost',
    '[::1].evil.example',
    'localhost:3000.evil.example',
    'xn--lclhost-90a',
  ])('is rejected: %s', async (host) => {
    expect(await refusalOf(host)).toBe('403 host_not_allowed')
  })

  it('is required', async () => {
    for (const empty of ['', ' ', `:${port}`]) {
      const request = `GET /api/health HTTP/1.1\r\nHost: ${empty}\r\nConnection: close\r\n\r\n`
      expect((await converse(instance.url, request)).status).toBe(403)
    }
    const old = await converse(instance.url, 'GET /api/health HTTP/1.0\r\n\r\n')
    expect(old.status).toBe(403)
    const none = await converse(instance.url, 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(none.status).toBe(400)
  })

  it('must be unique: a request with two is rejected', async () => {
    const own = `localhost:${port}`
    const ask = async (target: string, ...hosts: string[]) => {
      const lines = hosts.map((host) => `Host: ${host}\r\n`).join('')
      const request = `GET ${target} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`
      const { status, body } = await converse(instance.url, request)
      return status === 200 ? status : `${status} ${body.code}`
    }
    for (const others of [[own], ['evil.example']])
      for (const hosts of [
        [own, ...others],
        [...others, own],
      ])
        expect(await ask('/api/health', ...hosts)).toBe('400 validation_failed')
    expect(await ask(`http://evil.example/api/health`, own)).toBe('400 validation_failed')
    expect(await ask(`http://${own}/api/health`, '127.0.0.1:1')).toBe('400 validation_failed')
    expect(await ask(`http://${own}/api/health`, own)).toBe(200)
    expect(await ask(`HTTP://LOCALHOST:${port}/api/health`, own)).toBe(200)
    expect(await ask('http://localhost/api/health', 'localhost:80')).toBe(200)
  })

  it('may be the name of PUBLIC_URL', async () => {
    const named = await startInstance({
      environment: { PUBLIC_URL: 'http://Desk.Example.Org', ACCESS: 'open' },
    })
    const ask = (host: string) => exchange(named.url, { path: '/api/health', headers: { host } })
    expect((await ask('desk.example.org')).status).toBe(200)
    expect((await ask('example.org')).status).toBe(403)
    await named.close()
  })

  it('is not checked while access is private, because a name alone gives no access', async () => {
    const guarded = await startInstance({ environment: { ACCESS: 'private' } })
    const answer = await exchange(guarded.url, { path: '/api/health', headers: { host: 'desk.example.org' } })
    expect(answer.status).toBe(200)
    await guarded.close()
  })
})

describe.each(['open', 'private'] as const)('a page of another site while access is %s', (access) => {
  let instance: Instance
  let own: string
  let token: string
  beforeAll(async () => {
    instance = await startInstance({ environment: { ACCESS: access } })
    own = `http://localhost:${new URL(instance.url).port}`
    token = (await register(instance)).token
  })
  afterAll(() => instance.close())

  const send = (call: Partial<RawCall>) => exchange(instance.url, { path: '/api/health', ...call })

  it.each([
    ['another site', 'https://evil.example'],
    ['a sandbox or a file', 'null'],
    ['our name on another port', 'http://localhost:1'],
    ['our name on the usual port', 'http://localhost'],
    ['a name below ours', 'http://evil.localhost:PORT'],
    ['a name that begins like ours', 'http://localhost.evil.example:PORT'],
    ['an address that begins like ours', 'http://127.0.0.1.evil.example:PORT'],
    ['https on our port', 'https://localhost:PORT'],
    ['nothing at all', ''],
  ])('is rejected, being %s', async (_what, origin) => {
    const headers = {
      host: new URL(own).host,
      origin: origin.replace('PORT', new URL(own).port),
      authorization: `Bearer ${token}`,
    }
    for (const path of ['/api/health', '/api/auth/me', '/docs', '/nowhere']) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
        const answer = await send({ method, path, headers })
        expect(answer.status).toBe(403)
        expect(answer.body.code).toBe('origin_not_allowed')
        expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      }
    }
  })

  it('is rejected with two origins, one of them ours', async () => {
    expect((await send({ headers: { origin: [own, 'https://evil.example'] } })).status).toBe(403)
  })

  it('differs from our own page, which is accepted', async () => {
    const { port } = new URL(own)
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
      expect((await send({ headers })).status).toBe(200)
    }
  })

  it('is rejected without an Origin, if Fetch Metadata names its site', async () => {
    for (const mode of ['no-cors', 'cors', 'websocket'])
      for (const method of ['GET', 'HEAD', 'POST']) {
        const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode }
        expect((await send({ method, headers })).status).toBe(403)
      }
    expect((await send({ headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
  })

  it('may link to us, but may not post a form', async () => {
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    expect((await send({ path: '/docs', headers })).status).toBe(200)
    expect((await send({ path: '/docs', method: 'HEAD', headers })).status).toBe(200)
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await send({ method, headers })).status).toBe(403)
    expect(
      (await send({ method: 'POST', headers: { ...headers, origin: 'https://evil.example' } })).status,
    ).toBe(403)
  })

  it('differs from a direct navigation of the user', async () => {
    for (const site of ['same-origin', 'none', 'same-site'])
      expect((await send({ headers: { 'sec-fetch-site': site, 'sec-fetch-mode': 'cors' } })).status).toBe(200)
  })
})

describe('the origin of the instance', () => {
  it('is PUBLIC_URL and no loopback name beside it', async () => {
    const instance = await startInstance({
      environment: { PUBLIC_URL: 'https://desk.example.org', TRUST_PROXY: '1' },
    })
    const { port } = new URL(instance.url)
    const ask = (origin: string) => exchange(instance.url, { path: '/api/health', headers: { origin } })
    expect((await ask('https://desk.example.org')).status).toBe(200)
    for (const origin of [
      'http://desk.example.org',
      'https://desk.example.org:8443',
      `http://localhost:${port}`,
    ])
      expect((await ask(origin)).status).toBe(403)
    await instance.close()
  })

  it('is any loopback address that it listens on', async () => {
    const instance = await startInstance({ environment: { HOST: '127.0.0.2' } })
    const home = `http://127.0.0.2:${new URL(instance.url).port}`
    const answer = await exchange(home, { path: '/api/health', headers: { origin: home } })
    expect(answer.status).toBe(200)
    await instance.close()
  })
})

describe('a page on a local network', () => {
  let instance: Instance
  let port: string
  beforeAll(async () => {
    instance = await startInstance({ environment: { HOST: '0.0.0.0', ALLOWED_HOSTS: 'nas.lan' } })
    port = new URL(instance.url).port
  })
  afterAll(() => instance.close())

  /** Signs in and refreshes the session like the console, from a page at `page`. */
  const signInFrom = async (page: string, email: string) => {
    const url = `http://${OUTER_ADDRESS}:${port}`
    const headers = { host: new URL(page).host, origin: page, 'sec-fetch-site': 'same-origin' }
    const login = await exchange(url, {
      method: 'POST',
      path: '/api/auth/login',
      headers: { ...headers, 'content-type': 'application/json', 'x-session': 'cookie' },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
    const cookies = login.headers['set-cookie'] ?? []
    const refresh = await exchange(url, {
      method: 'POST',
      path: '/api/auth/refresh',
      headers: { ...headers, cookie: cookies.map((each) => each.split(';', 1)[0]).join('; ') },
    })
    return { login, refresh, cookies }
  }

  it('can sign in at an address of the machine, a mapped port and a name of ALLOWED_HOSTS', async () => {
    const { email } = await register(instance)
    for (const page of [
      `http://${OUTER_ADDRESS}:${port}`,
      `http://${OUTER_ADDRESS}:8080`,
      'http://192.168.1.20',
      `http://nas.lan:${port}`,
    ]) {
      const { login, refresh, cookies } = await signInFrom(page, email)
      expect([page, login.status, refresh.status]).toEqual([page, 200, 200])
      // On plain http a browser would drop a cookie with the Secure flag.
      for (const cookie of cookies) expect(cookie).not.toMatch(/secure/i)
    }
  })

  it('gets an error with the setting to change if its name is unknown', async () => {
    const { login } = await signInFrom(`http://printer.lan:${port}`, 'nobody@example.org')
    expect([login.status, login.body.code]).toEqual([403, 'origin_not_allowed'])
    expect(login.body.detail).toMatch(/PUBLIC_URL.*ALLOWED_HOSTS/)
  })

  it('of another site is rejected', async () => {
    const answer = await exchange(`http://${OUTER_ADDRESS}:${port}`, {
      method: 'POST',
      path: '/api/auth/login',
      headers: { origin: 'http://192.168.1.99', 'content-type': 'application/json' },
      body: '{}',
    })
    expect([answer.status, answer.body.code]).toEqual([403, 'origin_not_allowed'])
  })
})

describe('a page behind a trusted proxy without PUBLIC_URL', () => {
  const ask = async (trustProxy: string, ...requests: Record<string, string>[]): Promise<number[]> => {
    const instance = await startInstance({
      environment: { TRUST_PROXY: trustProxy, ALLOWED_HOSTS: 'desk.example.org' },
    })
    const statuses: number[] = []
    for (const headers of requests)
      statuses.push((await exchange(instance.url, { path: '/api/health', headers })).status)
    await instance.close()
    return statuses
  }
  const forwarded = {
    origin: 'https://desk.example.org',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'desk.example.org',
  }

  it('is ours at the scheme and host that the proxy sends', async () => {
    const other = { ...forwarded, origin: 'https://other.example.org' }
    expect(await ask('127.0.0.1', forwarded)).toEqual([200])
    expect(await ask('1', other, { ...forwarded, 'x-forwarded-proto': 'http' })).toEqual([403, 403])
  })

  it('is not ours if the peer is not that proxy', async () => {
    expect(await ask('10.1.2.3', forwarded)).toEqual([403])
  })
})

describe.each(['open', 'private'] as const)('a site named in CORS_ORIGINS while access is %s', (access) => {
  let instance: Instance
  let token: string
  beforeAll(async () => {
    instance = await startInstance({
      environment: { ACCESS: access, CORS_ORIGINS: `${GUEST}, http://localhost:5173` },
    })
    token = (await register(instance)).token
  })
  afterAll(() => instance.close())

  const fromGuest = (call: Partial<RawCall>) =>
    exchange(instance.url, {
      path: '/api/auth/me',
      ...call,
      headers: { origin: GUEST, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', ...call.headers },
    })
  const preflight = (headers: Record<string, string> = {}, path = '/api/settings/profile') =>
    fromGuest({ method: 'OPTIONS', path, headers: { 'access-control-request-method': 'PATCH', ...headers } })

  it('gets an answer to its preflight request, which has no token', async () => {
    const answer = await preflight({
      'access-control-request-headers': 'authorization,content-type,if-match,idempotency-key',
    })
    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBe(GUEST)
    expect(answer.headers['access-control-allow-methods']).toContain('PATCH')
    for (const name of ['authorization', 'content-type', 'if-match', 'idempotency-key'])
      expect(answer.headers['access-control-allow-headers']).toContain(name)
    expect(answer.headers.vary).toMatch(/origin/i)
  })

  it('is accepted', async () => {
    const answer = await fromGuest({ headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(200)
    expect(answer.headers['access-control-allow-origin']).toBe(GUEST)
    expect(answer.headers.vary).toMatch(/origin/i)
  })

  it('can read the headers that a client needs: ETag, Location, Retry-After, request id and replay marker', async () => {
    const { headers } = await fromGuest({ headers: { authorization: `Bearer ${token}` } })
    const exposed = (headers['access-control-expose-headers'] ?? '').toLowerCase().split(/, */)
    expect(exposed).toEqual(
      expect.arrayContaining(['etag', 'location', 'retry-after', 'x-request-id', 'idempotency-replayed']),
    )
  })

  it('can read error responses', async () => {
    const answer = await fromGuest({})
    expect(answer.status).toBe(401)
    expect(answer.headers['access-control-allow-origin']).toBe(GUEST)
  })

  it('can never use the cookies of the browser', async () => {
    const answers = [
      await fromGuest({ headers: { authorization: `Bearer ${token}` } }),
      await preflight(),
      await fromGuest({
        method: 'POST',
        path: '/api/auth/refresh',
        headers: { cookie: 'factotum_refresh=x' },
      }),
    ]
    for (const { headers } of answers) expect(headers['access-control-allow-credentials']).toBeUndefined()
    expect(answers[2]?.status).toBe(403)
  })

  it('does not allow any other site', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      `${GUEST}.evil.example`,
      'http://console.example.net',
    ]) {
      const answer = await preflight({ origin })
      expect(answer.status).toBe(403)
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  it('does not change OPTIONS, 404 and 405 for other clients', async () => {
    const options = await exchange(instance.url, { method: 'OPTIONS', path: '/api/settings/profile' })
    expect(options.status).toBe(204)
    expect(options.headers.allow).toBe('GET, HEAD, OPTIONS, PATCH')
    expect((await exchange(instance.url, { method: 'OPTIONS', path: '/nowhere' })).status).toBe(404)
    expect((await exchange(instance.url, { method: 'DELETE', path: '/api/health' })).status).toBe(405)
  })
})
