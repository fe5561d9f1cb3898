import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deriveKeys } from '../src/platform/secrets/seal.ts'
import { signJws } from '../src/platform/secrets/signatures.ts'
import { DAY, MINUTE } from './support/clock.ts'
import { onEveryDatabase, onOneDatabase, onPostgresOnly } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register, signIn } from './support/people.ts'

onOneDatabase('postgres', 'registration', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  it('sets the requested time zone, also for tasks that were due before there was an owner', async () => {
    const { body: task } = await instance.post('/api/tasks', { title: 'Rent', dueDay: '2031-07-04' })
    const refused = await instance.post('/api/auth/register', {
      email: 'first@example.org',
      password: PASSWORD,
      name: 'First',
      timezone: 'Etc/Unknown',
    })
    expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, 'timezone'])
    const { token } = await register(instance, { timezone: 'Asia/Kolkata', locale: 'en-IN' })
    const { body } = await instance.get('/api/settings/preferences', { token })
    // The week starts on Sunday in India.
    expect(body).toMatchObject({ timezone: 'Asia/Kolkata', locale: 'en-IN', weekStart: 'sunday' })
    expect((await instance.get(`/api/tasks/${task.id}`)).body).toMatchObject({
      dueDay: '2031-07-04',
      dueAt: '2031-07-03T18:30:00.000Z',
    })
  })

  it('responds with 201, a token, a refresh token and the user', async () => {
    const answer = await instance.post('/api/auth/register', {
      email: 'Ana@Example.org',
      password: PASSWORD,
      name: 'Ana',
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe('/api/auth/me')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      token: expect.any(String),
      refreshToken: expect.any(String),
      user: { id: expect.any(Number), email: 'Ana@Example.org', name: 'Ana' },
    })
    const me = await instance.get('/api/auth/me', { token: answer.body.token })
    expect(me.body).toEqual({
      id: answer.body.user.id,
      email: 'Ana@Example.org',
      name: 'Ana',
      avatarUrl: null,
      timezone: expect.any(String),
      role: expect.stringMatching(/^(owner|member)$/),
      twoFactorEnabled: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it('rejects an email that differs from a taken one only in case', async () => {
    await register(instance, { email: 'twice@example.org' })
    const again = await instance.post('/api/auth/register', {
      email: 'TWICE@example.ORG',
      password: PASSWORD,
      name: 'B',
    })
    expect(again.status).toBe(409)
    expect(again.body.code).toBe('email_taken')
  })

  it('creates one account for concurrent requests with the same email', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        instance.post('/api/auth/register', { email: 'race@example.org', password: PASSWORD, name: 'R' }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
  })

  it.each([
    ['too short', 'seven77'],
    ['longer than bcrypt reads', 'ü'.repeat(37)],
    ['one of the most common', 'Password123'],
  ])('rejects a password that is %s', async (_why, password) => {
    const answer = await instance.post('/api/auth/register', {
      email: 'weak@example.org',
      password,
      name: 'W',
    })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([{ path: 'password', message: expect.any(String) }])
  })

  it('accepts a password of exactly 72 bytes and distinguishes it from a longer one with the same prefix', async () => {
    const password = 'x'.repeat(72)
    await register(instance, { email: 'long@example.org', password })
    expect((await instance.post('/api/auth/login', { email: 'long@example.org', password })).status).toBe(200)
    const longer = await instance.post('/api/auth/login', {
      email: 'long@example.org',
      password: `${password}y`,
    })
    expect(longer.status).toBe(401)
  })
})

onOneDatabase('sqlite', 'login', (engine) => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine })
    person = await register(instance, { email: 'bo@example.org' })
  })
  afterAll(() => instance.close())

  it('returns a token, a refresh token and the user, and ignores the case of the email', async () => {
    const answer = await instance.post('/api/auth/login', { email: 'BO@example.org', password: PASSWORD })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body).sort()).toEqual(['refreshToken', 'token', 'user'])
  })

  it('returns the same error for a wrong password and an unknown email', async () => {
    const wrong = await instance.post('/api/auth/login', { email: person.email, password: 'not this one' })
    const unknown = await instance.post('/api/auth/login', {
      email: 'nobody@example.org',
      password: 'not this one',
    })
    expect(wrong.status).toBe(401)
    expect(unknown.status).toBe(401)
    expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
    expect(wrong.body.code).toBe('invalid_credentials')
  })

  it('is rate limited after ten failures and allowed again after 15 minutes', async () => {
    await register(instance, { email: 'tried@example.org' })
    const wrong = () =>
      instance.post('/api/auth/login', { email: 'tried@example.org', password: 'wrong wrong' })
    const failures = await Promise.all(Array.from({ length: 14 }, wrong))
    const statuses = failures.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(4)
    const right = await instance.post('/api/auth/login', { email: 'tried@example.org', password: PASSWORD })
    expect(right.status).toBe(429)
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(60)
    instance.clock.advance(15 * MINUTE + 1000)
    const later = await instance.post('/api/auth/login', { email: 'tried@example.org', password: PASSWORD })
    expect(later.status).toBe(200)
  })

  it('does not count successful logins: twenty at once succeed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        instance.post('/api/auth/login', { email: person.email, password: PASSWORD }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  })

  it('resets the count of failures after a success', async () => {
    await register(instance, { email: 'clumsy@example.org' })
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 6; n++)
        await instance.post('/api/auth/login', { email: 'clumsy@example.org', password: 'wrong wrong' })
      const right = await instance.post('/api/auth/login', {
        email: 'clumsy@example.org',
        password: PASSWORD,
      })
      expect(right.status).toBe(200)
    }
  })
})

onOneDatabase('sqlite', 'failed sign-ins from several networks', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({
      engine,
      environment: { TRUST_PROXY: '127.0.0.1', REGISTRATION: 'open' },
    })
  })
  afterAll(() => instance.close())

  const from = (ip: string, userAgent = 'Attacker/1.0') => ({
    headers: { 'x-forwarded-for': ip, 'user-agent': userAgent },
  })
  const login = async (email: string, password: string, options: { headers: Record<string, string> }) =>
    (await instance.post('/api/auth/login', { email, password }, options)).status
  /** Registers with the browser of a person, and returns the headers that this browser sends from then on. */
  const registerBrowser = async (email: string, ip: string) => {
    const { headers } = from(ip, 'Mozilla/5.0 Firefox/140.0')
    const answer = await instance.post(
      '/api/auth/register',
      { email, password: PASSWORD, name: 'Ana' },
      { headers: { ...headers, 'x-session': 'cookie' } },
    )
    expect(answer.status).toBe(201)
    const cookie = answer.headers
      .getSetCookie()
      .map((set) => set.split(';', 1)[0])
      .join('; ')
    return { headers: { ...headers, cookie } }
  }
  /** Fails 50 times at once from many networks. */
  const exhaustAccount = async (email: string) => {
    const statuses = await Promise.all(
      Array.from({ length: 56 }, (_, n) => login(email, 'wrong wrong', from(`198.51.100.${n}`))),
    )
    expect(statuses.filter((status) => status === 401)).toHaveLength(50)
    expect(statuses.filter((status) => status === 429)).toHaveLength(6)
  }

  it('count together for the addresses of one IPv6 /64, but not for the next /64', async () => {
    await register(instance, { email: 'six@example.org' })
    const statuses: number[] = []
    for (let n = 0; n < 11; n++)
      statuses.push(await login('six@example.org', 'wrong wrong', from(`2001:db8::${n}:b`)))
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect(await login('six@example.org', PASSWORD, from('2001:db8:0:0:ffff::1'))).toBe(429)
    expect(await login('six@example.org', PASSWORD, from('2001:db8:0:1::1'))).toBe(200)
  })

  it('are limited to 50 per email, whether the account exists or not', async () => {
    await registerBrowser('ana@example.org', '203.0.113.1')
    for (const email of ['ana@example.org', 'nobody@example.org']) {
      await exhaustAccount(email)
      expect(await login(email, PASSWORD, from('192.0.2.77'))).toBe(429)
    }
    instance.clock.advance(15 * MINUTE + 1000)
    expect(await login('ana@example.org', PASSWORD, from('192.0.2.77'))).toBe(200)
  })

  it('do not lock out a browser that has signed in before, wherever it is', async () => {
    const browser = await registerBrowser('bea@example.org', '203.0.113.2')
    await exhaustAccount('bea@example.org')
    const moved = { headers: { ...browser.headers, 'x-forwarded-for': '192.0.2.200' } }
    expect(await login('bea@example.org', PASSWORD, moved)).toBe(200)
    const { cookie: _, ...withoutCookie } = browser.headers
    expect(await login('bea@example.org', PASSWORD, { headers: withoutCookie })).toBe(200)
    expect(await login('bea@example.org', PASSWORD, from('203.0.113.2'))).toBe(429)
    // The cookie is valid for one account only.
    await exhaustAccount('other@example.org')
    expect(await login('other@example.org', PASSWORD, moved)).toBe(429)
  })

  it('also count for a browser that has signed in before', async () => {
    const browser = await registerBrowser('cleo@example.org', '203.0.113.3')
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push(await login('cleo@example.org', 'wrong wrong', browser))
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect(await login('cleo@example.org', PASSWORD, from('192.0.2.78'))).toBe(200)
  })

  it('are limited for a browser with a forged cookie', async () => {
    const { headers } = await registerBrowser('dora@example.org', '203.0.113.4')
    await exhaustAccount('dora@example.org')
    const forged = headers.cookie.replace(/(factotum_browser_\d+=[^.]+\.[^.]+\.).*/, '$1AAAA')
    expect(forged).not.toBe(headers.cookie)
    const attacker = from('192.0.2.79').headers
    expect(await login('dora@example.org', PASSWORD, { headers: { ...attacker, cookie: forged } })).toBe(429)
  })
})

onEveryDatabase('a session', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
    await register(instance)
  })
  afterAll(() => instance.close())

  const isAlive = async (token: string): Promise<boolean> =>
    (await instance.get('/api/auth/me', { token })).status === 200

  it('ends at logout, which invalidates its token and refresh token', async () => {
    const person = await register(instance)
    const out = await instance.call('POST', '/api/auth/logout', { token: person.token })
    expect(out.status).toBe(204)
    expect(out.body).toBe('')
    const me = await instance.get('/api/auth/me', { token: person.token })
    expect([me.status, me.body.code]).toEqual([401, 'unauthorized'])
    const refresh = await instance.post('/api/auth/refresh', { refreshToken: person.refreshToken })
    expect([refresh.status, refresh.body.code]).toEqual([401, 'invalid_refresh_token'])
  })

  it('ends when its row is deleted', async () => {
    const person = await register(instance)
    expect(await isAlive(person.token)).toBe(true)
    await instance.database.db.deleteFrom('sessions').where('userId', '=', person.id).execute()
    expect(await isAlive(person.token)).toBe(false)
  })

  it('continues after a refresh, which replaces both tokens', async () => {
    const person = await register(instance)
    const refreshed = await instance.post('/api/auth/refresh', { refreshToken: person.refreshToken })
    expect(refreshed.status).toBe(200)
    expect(refreshed.body.refreshToken).not.toBe(person.refreshToken)
    expect(await isAlive(refreshed.body.token)).toBe(true)
  })

  it('cannot be refreshed with its access token', async () => {
    const { token } = await register(instance)
    const answer = await instance.post('/api/auth/refresh', { refreshToken: token })
    expect([answer.status, answer.body.code]).toEqual([401, 'invalid_refresh_token'])
    expect(await isAlive(token)).toBe(true)
  })

  const refresh = (refreshToken: string) => instance.post('/api/auth/refresh', { refreshToken })

  it('accepts the previous refresh token for another 60 seconds', async () => {
    const person = await register(instance)
    const first = await refresh(person.refreshToken)
    instance.clock.advance(59_000)
    const again = await refresh(person.refreshToken)
    expect(again.status).toBe(200)
    expect(again.body.refreshToken).not.toBe(first.body.refreshToken)
    expect(await isAlive(again.body.token)).toBe(true)
    // The client may have received either response.
    for (const { body } of [first, again]) expect((await refresh(body.refreshToken)).status).toBe(200)
  })

  it('ends when the previous refresh token is used after 60 seconds', async () => {
    const person = await register(instance)
    const first = await refresh(person.refreshToken)
    instance.clock.advance(59_000)
    await refresh(person.refreshToken)
    // A use within the 60 seconds does not extend them.
    instance.clock.advance(2_000)
    const late = await refresh(person.refreshToken)
    expect([late.status, late.body.code]).toEqual([401, 'refresh_token_reused'])
    expect(await isAlive(first.body.token)).toBe(false)
    const gone = await refresh(first.body.refreshToken)
    expect([gone.status, gone.body.code]).toEqual([401, 'invalid_refresh_token'])
  })

  it('ends when an older refresh token is used, even at once', async () => {
    const person = await register(instance)
    const first = await refresh(person.refreshToken)
    const second = await refresh(first.body.refreshToken)
    const reused = await refresh(person.refreshToken)
    expect([reused.status, reused.body.code]).toEqual([401, 'refresh_token_reused'])
    expect(await isAlive(second.body.token)).toBe(false)
  })

  it('ends when two clients continue separately with one refresh token', async () => {
    const person = await register(instance)
    const [own, copied] = [await refresh(person.refreshToken), await refresh(person.refreshToken)]
    instance.clock.advance(14 * MINUTE)
    expect((await refresh(own.body.refreshToken)).status).toBe(200)
    instance.clock.advance(61_000)
    const detected = await refresh(copied.body.refreshToken)
    expect([detected.status, detected.body.code]).toEqual([401, 'refresh_token_reused'])
  })

  const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
  const openInBrowser = async () => {
    const email = `browser-${Math.random()}@example.org`
    const headers = { 'x-session': 'cookie', 'user-agent': CHROME }
    const body = { email, password: PASSWORD, name: 'Ana' }
    const { headers: answered } = await instance.call('POST', '/api/auth/register', { body, headers })
    return readCookie(answered)
  }
  const readCookie = (headers: Headers): string =>
    headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('factotum_refresh='))
      ?.split(';')[0] as string
  /** Loads a page of the console, which refreshes the session with the cookie. */
  const load = async (cookie: string) => {
    const { status, body, headers } = await instance.call('POST', '/api/auth/refresh', {
      headers: { cookie, origin: instance.url },
    })
    return { status, body, cookie: status === 200 ? readCookie(headers) : '' }
  }

  it('survives a browser that crashed and lost its newest cookies', async () => {
    const written = await openInBrowser()
    instance.clock.advance(30 * MINUTE)
    let { cookie } = await load(written)
    for (let loads = 0; loads < 3; loads++) {
      instance.clock.advance(3_000)
      cookie = (await load(cookie)).cookie
    }
    instance.clock.advance(100_000)
    const restarted = await load(written)
    expect(restarted.status).toBe(200)
    // Both continue the newest generation, so the tabs of the browser stay signed in.
    for (const each of [cookie, restarted.cookie]) expect((await load(each)).status).toBe(200)
  })

  it('ends when a cookie is used that was replaced more than 120 seconds ago', async () => {
    const stolen = await openInBrowser()
    const first = await load(stolen)
    const { cookie } = await load(first.cookie)
    instance.clock.advance(121_000)
    const theft = await load(stolen)
    expect([theft.status, theft.body.code]).toEqual([401, 'refresh_token_reused'])
    expect((await load(cookie)).body.code).toBe('invalid_refresh_token')
    expect(await isAlive(first.body.token)).toBe(false)
  })

  it('ends when an older cookie is sent in a body, even at once', async () => {
    const written = await openInBrowser()
    const { cookie } = await load((await load(written)).cookie)
    expect((await refresh(written.split('=')[1] as string)).body.code).toBe('refresh_token_reused')
    expect((await load(cookie)).status).toBe(401)
  })

  it('names the device that was signed out', async () => {
    const person = await register(instance, { email: 'copied@example.org' })
    const body = { email: 'copied@example.org', password: PASSWORD }
    const signedIn = await instance.call('POST', '/api/auth/login', {
      body,
      headers: { 'user-agent': CHROME },
    })
    const { refreshToken } = signedIn.body
    await refresh((await refresh(refreshToken)).body.refreshToken)
    await refresh(refreshToken)
    const { notifications } = (await instance.get('/api/notifications?kind=security', person)).body
    expect(notifications[0].title).toBe('Signed out on Chrome, Linux, to protect your account')
  })

  it('returns valid tokens for each of five concurrent refreshes', async () => {
    const person = await register(instance)
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(person.refreshToken)))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const next = await Promise.all(answers.map(({ body }) => refresh(body.refreshToken)))
    expect(next.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect((await refresh(person.refreshToken)).body.code).toBe('refresh_token_reused')
  })

  it('is not affected by the logout of another person', async () => {
    const [ana, bo] = [await register(instance), await register(instance)]
    await instance.call('POST', '/api/auth/logout', { token: ana.token })
    expect(await isAlive(bo.token)).toBe(true)
  })
})

onOneDatabase('sqlite', 'token expiry', (engine) => {
  it('is after 15 minutes for a JWT, and after 30 days without use or 90 days in total for a session', async () => {
    const instance = await startInstance({ engine })
    const person = await register(instance)
    instance.clock.advance(14 * MINUTE)
    expect((await instance.get('/api/auth/me', { token: person.token })).status).toBe(200)
    instance.clock.advance(2 * MINUTE)
    expect((await instance.get('/api/auth/me', { token: person.token })).status).toBe(401)

    let { refreshToken } = person
    const refresh = async () => {
      const answer = await instance.post('/api/auth/refresh', { refreshToken })
      if (answer.status === 200) refreshToken = answer.body.refreshToken
      return answer.status
    }
    for (let month = 0; month < 3; month++) {
      instance.clock.advance(29 * DAY)
      expect(await refresh()).toBe(200)
    }
    instance.clock.advance(4 * DAY)
    expect(await refresh()).toBe(401)

    const idle = await signIn(instance, person.email)
    instance.clock.advance(31 * DAY)
    expect((await instance.post('/api/auth/refresh', { refreshToken: idle.refreshToken })).status).toBe(401)
    await instance.close()
  })
})

describe('a forged token', () => {
  let instance: Instance
  let person: Person
  let key: ReturnType<typeof deriveKeys>['signing']
  const claims = (change: Record<string, unknown> = {}) => {
    const [, payload] = person.token.split('.')
    return JSON.stringify({
      ...JSON.parse(Buffer.from(payload as string, 'base64url').toString()),
      ...change,
    })
  }
  const statusWith = async (token: string) => (await instance.get('/api/auth/me', { token })).status
  const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  beforeAll(async () => {
    instance = await startInstance()
    person = await register(instance)
    key = deriveKeys(instance.place.environment.SECRET_KEY as string).signing
  })
  afterAll(() => instance.close())

  it('differs from a real one: the same claims with our key are accepted', async () => {
    expect(await statusWith(signJws(claims(), key))).toBe(200)
  })

  it.each<[string, () => string]>([
    ['signed with another key', () => signJws(claims(), deriveKeys('another key').signing)],
    ['expired', () => signJws(claims({ exp: Math.floor(Date.now() / 1000) - 1 }), key)],
    ['without an expiry', () => signJws(claims({ exp: undefined }), key)],
    ['from the future', () => signJws(claims({ iat: Math.floor(Date.now() / 1000) + 3600 }), key)],
    ['of another issuer', () => signJws(claims({ iss: 'other' }), key)],
    ['for another audience', () => signJws(claims({ aud: 'other' }), key)],
    ['for another user in the same session', () => signJws(claims({ sub: '999' }), key)],
    ['of a session that does not exist', () => signJws(claims({ sid: 'nope' }), key)],
    ['with alg none', () => `${b64({ alg: 'none' })}.${b64(JSON.parse(claims()))}.`],
    [
      'with alg none and a signature',
      () => `${b64({ alg: 'none' })}.${person.token.split('.').slice(1).join('.')}`,
    ],
    [
      'with another alg',
      () => `${b64({ alg: 'HS512', typ: 'JWT' })}.${person.token.split('.').slice(1).join('.')}`,
    ],
    [
      'with its payload changed',
      () => person.token.replace(/\.[^.]+\./, `.${b64({ ...JSON.parse(claims()), sub: '2' })}.`),
    ],
    ['truncated', () => person.token.slice(0, -2)],
    ['without a signature', () => person.token.split('.').slice(0, 2).join('.')],
    ['that is not a token', () => 'x'],
    ['that looks like a personal access token', () => 'fct_nothing'],
  ])('%s gets 401', async (_what, forge) => {
    expect(await statusWith(forge())).toBe(401)
  })

  it('with a scheme other than Bearer gets 401', async () => {
    const answer = await instance.get('/api/auth/me', { headers: { authorization: 'Basic YTpi' } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('is rejected on public routes too', async () => {
    const answer = await instance.get('/api/health', { token: 'fct_nothing' })
    expect(answer.status).toBe(401)
  })
})

describe('a session in a cookie', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance()
  })
  afterAll(() => instance.close())

  it('is refreshed without a body only by a page of the same origin', async () => {
    const answer = await instance.post(
      '/api/auth/register',
      { email: 'cookie@example.org', password: PASSWORD, name: 'C' },
      { headers: { 'x-session': 'cookie' } },
    )
    expect(answer.body.refreshToken).toBeUndefined()
    const set = answer.headers.get('set-cookie') ?? ''
    expect(set).toMatch(
      /^factotum_refresh=[\w-]{43}; HttpOnly; Path=\/api\/auth; Max-Age=\d+; SameSite=Strict/,
    )
    const cookie = set.split(';')[0] as string

    const without = await instance.call('POST', '/api/auth/refresh', { headers: { cookie } })
    expect([without.status, without.body.code]).toEqual([403, 'origin_not_allowed'])
    const foreign = await instance.call('POST', '/api/auth/refresh', {
      headers: { cookie, origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)

    const neither = await instance.post('/api/auth/refresh', {})
    expect([neither.status, neither.body.errors?.[0]?.path]).toEqual([400, 'refreshToken'])

    const ours = await instance.call('POST', '/api/auth/refresh', {
      headers: { cookie, origin: instance.url },
    })
    expect(ours.status).toBe(200)
    expect(ours.body.refreshToken).toBeUndefined()
    expect(ours.headers.get('set-cookie')).toContain('factotum_refresh=')
    // The browser was closed before the response arrived, so it still has the previous cookie.
    const again = await instance.call('POST', '/api/auth/refresh', {
      headers: { cookie, origin: instance.url },
    })
    expect(again.status).toBe(200)

    const out = await instance.call('POST', '/api/auth/logout', { token: ours.body.token })
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
  })

  it('is marked Secure if the public URL is https', async () => {
    const secure = await startInstance({ environment: { PUBLIC_URL: 'https://desk.example.org' } })
    const answer = await secure.post(
      '/api/auth/register',
      { email: 'tls@example.org', password: PASSWORD, name: 'C' },
      { headers: { 'x-session': 'cookie' } },
    )
    expect(answer.headers.get('set-cookie')).toMatch(/; Secure$/)
    expect(answer.headers.get('strict-transport-security')).toContain('max-age=')
    await secure.close()
  })
})

onOneDatabase('postgres', 'permission to register', (engine) => {
  const tryRegister = (instance: Instance, more: Record<string, unknown> = {}) =>
    instance.post('/api/auth/register', {
      email: `r${Math.random()}@example.org`,
      password: PASSWORD,
      name: 'R',
      ...more,
    })

  it('is granted only to the first of several concurrent requests with REGISTRATION=first', async () => {
    const instance = await startInstance({ engine, environment: { REGISTRATION: 'first' } })
    expect((await instance.get('/console/options')).body).toEqual({ hasOwner: false, registration: 'open' })
    const answers = await Promise.all([tryRegister(instance), tryRegister(instance), tryRegister(instance)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403])
    expect(answers.find(({ status }) => status === 403)?.body.code).toBe('registration_closed')
    expect((await instance.get('/console/options')).body).toEqual({ hasOwner: true, registration: 'closed' })
    await instance.close()
  })

  it('requires a single-use invitation after the first account with private access', async () => {
    const instance = await startInstance({ engine, environment: { ACCESS: 'private' } })
    const owner = await register(instance)
    expect((await tryRegister(instance)).body.code).toBe('registration_closed')
    const invite = (more: Record<string, unknown> = {}) =>
      instance.post('/api/settings/invitations', { password: PASSWORD, ...more }, { token: owner.token })
    const { body: invitation } = await invite()
    expect(invitation.url).toContain(`/register?invitation=${invitation.code}`)
    const five = await Promise.all(
      Array.from({ length: 5 }, () => tryRegister(instance, { invitation: invitation.code })),
    )
    expect(five.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403, 403])

    const { body: bound } = await invite({ email: 'Cleo@example.org' })
    expect((await tryRegister(instance, { invitation: bound.code })).status).toBe(403)
    const cleo = await tryRegister(instance, { invitation: bound.code, email: 'cleo@EXAMPLE.org' })
    expect(cleo.status).toBe(201)
    const byMember = await instance.post(
      '/api/settings/invitations',
      { password: PASSWORD },
      { token: cleo.body.token },
    )
    expect([byMember.status, byMember.body.code]).toEqual([403, 'forbidden'])

    const { body: late } = await invite()
    instance.clock.advance(8 * DAY)
    expect((await tryRegister(instance, { invitation: late.code })).status).toBe(403)
    await instance.close()
  })
})

onPostgresOnly('two instances on one database', () => {
  it('share the limit of ten failed logins and accept all correct ones', async () => {
    const one = await startInstance({ engine: 'postgres' })
    const two = await startInstance({ engine: 'postgres', place: one.place, clock: one.clock })
    const [guessed, known] = [await register(one), await register(one)]
    const tries = async (email: string, password: string) => {
      const answers = await Promise.all(
        Array.from({ length: 14 }, (_, n) => [one, two][n % 2]?.post('/api/auth/login', { email, password })),
      )
      return answers.map((answer) => answer?.status).sort()
    }
    expect(await tries(guessed.email, 'wrong wrong')).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    expect(await tries(known.email, PASSWORD)).toEqual(Array(14).fill(200))
    await two.close()
    await one.close()
  })

  it('invalidate a session on both when it ends on one', async () => {
    const one = await startInstance({ engine: 'postgres' })
    const two = await startInstance({ engine: 'postgres', place: one.place })
    const person = await register(one)
    expect((await two.get('/api/auth/me', { token: person.token })).status).toBe(200)
    await one.call('POST', '/api/auth/logout', { token: person.token })
    expect((await two.get('/api/auth/me', { token: person.token })).status).toBe(401)
    await two.close()
    await one.close()
  })
})
