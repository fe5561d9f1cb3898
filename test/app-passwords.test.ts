import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { createAppPassword, hashAppPassword } from '../src/features/auth/app-passwords.ts'
import { dav } from '../src/platform/access/route-access.ts'
import { systemRandom } from '../src/platform/random.ts'
import { onOneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { exchange } from './support/raw-http.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const FULL = { calendars: 'write', tasks: 'write', contacts: 'write' }
const FORM = /^[a-km-np-z]{4}(-[a-km-np-z]{4}){6}$/

const testRoutes: Parameters<typeof startTestServer>[1] = async (app) => {
  app.get('/dav/', { config: { ...dav, page: true } }, async ({ caller, user }) => ({ ...caller, user }))
}

const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

it('a password has 128 random bits, in letters that a phone types without changing its keyboard', () => {
  const passwords = Array.from({ length: 200 }, () => createAppPassword(systemRandom))
  for (const password of passwords) expect(password).toMatch(FORM)
  expect(new Set(passwords).size).toBe(200)
  const largest = createAppPassword({ bytes: (size) => Buffer.alloc(size, 0xff) })
  expect(largest).toMatch(FORM)
})

it('separators and capital letters of a password make no difference', () => {
  const password = 'kqzb-mnwa-pfce-xhtv-gsrd-iyju-bcea'
  for (const typed of ['Kqzb mnwa pfce xhtv gsrd iyju bcea', 'kqzbmnwapfcexhtvgsrdiyjubcea'])
    expect(hashAppPassword(typed)).toBe(hashAppPassword(password))
  expect(hashAppPassword('kqzb-mnwa-pfce-xhtv-gsrd-iyju-bceb')).not.toBe(hashAppPassword(password))
})

onOneDatabase('postgres', 'app passwords', (engine) => {
  let instance: Instance
  let testServer: TestServer
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { REGISTRATION: 'open' } })
    testServer = await startTestServer(instance, testRoutes)
    person = await register(instance)
  })
  afterAll(async () => {
    await testServer.close()
    await instance.close()
  })

  const create = (body: Record<string, unknown> = {}, token = person.token) =>
    instance.post(
      '/api/settings/app-passwords',
      { password: PASSWORD, name: 'Pixel 9', access: FULL, invitations: 'ask', ...body },
      { token },
    )
  const open = (username: string, password: string) =>
    testServer.send({ path: '/dav/', headers: { authorization: basic(username, password) } })
  const remove = (id: string, token = person.token) =>
    instance.call('DELETE', `/api/settings/app-passwords/${id}`, { token })

  it('are returned once and stored hashed', async () => {
    const made = await create()
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`/api/settings/app-passwords/${made.body.id}`)
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'Pixel 9',
      username: person.email,
      password: expect.stringMatching(FORM),
      access: FULL,
      invitations: 'ask',
      createdAt: expect.any(String),
      lastUsedAt: null,
    })
    const { password, ...rest } = made.body
    const path = `/api/settings/app-passwords/${made.body.id}`
    expect((await instance.get(path, { token: person.token })).body).toEqual(rest)
    const list = await instance.get('/api/settings/app-passwords', { token: person.token })
    expect(list.body.appPasswords).toContainEqual(rest)
    const rows = await instance.database.db
      .selectFrom('app_passwords')
      .selectAll()
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    const stored = JSON.stringify(rows)
    for (const text of [password, password.replaceAll('-', '')]) expect(stored).not.toContain(text)
  })

  it('require the password of the account, and access to something', async () => {
    expect((await create({ password: 'not this one' })).status).toBe(401)
    expect((await create({ password: undefined })).status).toBe(400)
    const nothing = await create({ access: { calendars: 'none', tasks: 'none', contacts: 'none' } })
    expect([nothing.status, nothing.body.errors[0].path]).toEqual([400, 'access'])
    expect((await create({ access: { calendars: 'write' } })).status).toBe(400)
    expect((await create({ invitations: 'always' })).status).toBe(400)
    expect((await create({ invitations: undefined })).body.invitations).toBe('ask')
  })

  it('identify the account with what the app may reach', async () => {
    const access = { calendars: 'write', tasks: 'read', contacts: 'none' }
    const { body } = await create({ access, invitations: 'yes' })
    const expected = {
      kind: 'dav',
      userId: person.id,
      user: person.id,
      access,
      invitations: 'yes',
      appPasswordId: body.id,
      tokenId: null,
    }
    const answer = await open(person.email, body.password)
    expect([answer.status, answer.body]).toEqual([200, expected])
    const typed = body.password.replaceAll('-', ' ').toUpperCase()
    expect((await open(person.email.toUpperCase(), typed)).body).toEqual(expected)
  })

  it('are the only passwords of an app besides personal access tokens', async () => {
    const { body } = await create()
    const other = await register(instance)
    const refused = [
      await open(person.email, PASSWORD),
      await open(other.email, body.password),
      await open('', body.password),
      await open(person.email, ''),
      await testServer.send({ path: '/dav/' }),
      await testServer.send({ path: '/dav/', headers: { authorization: 'Basic !' } }),
      await testServer.send({ path: '/dav/', headers: { authorization: `Bearer ${person.token}` } }),
      await testServer.send({ path: '/dav/', headers: { authorization: `Bearer ${body.password}` } }),
    ]
    for (const { status, headers, body: problem } of refused) {
      expect([status, problem.code]).toEqual([401, 'unauthorized'])
      expect(headers['www-authenticate']).toBe('Basic realm="Factotum", charset="UTF-8"')
    }
    const elsewhere = await instance.get('/api/settings/profile', {
      headers: { authorization: basic(person.email, body.password) },
    })
    expect([elsewhere.status, elsewhere.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('keep working with the user name they were created with', async () => {
    const { token, email } = await register(instance)
    const { body } = await create({}, token)
    const change = { password: PASSWORD, email: 'moved@example.org' }
    expect((await instance.post('/api/settings/security/email', change, { token })).status).toBe(200)
    for (const username of [email, 'moved@example.org'])
      expect((await open(username, body.password)).status).toBe(200)
  })

  it('have scopes of their own when they are personal access tokens', async () => {
    const tokenFor = async (scopes: string[], expiresAt: string | null = null) =>
      (
        await instance.post(
          '/api/settings/tokens',
          { password: PASSWORD, name: 'khal', scopes, expiresAt },
          { token: person.token },
        )
      ).body
    const made = await tokenFor(['calendar:write', 'mail:read'])
    expect((await open(person.email, made.token)).body).toEqual({
      kind: 'dav',
      userId: person.id,
      user: person.id,
      access: { calendars: 'write', tasks: 'none', contacts: 'read' },
      invitations: 'no',
      appPasswordId: null,
      tokenId: made.id,
    })
    const other = await register(instance)
    expect((await open(other.email, made.token)).status).toBe(401)
    const soon = new Date(instance.clock.now().getTime() + 1000).toISOString()
    const expiring = await tokenFor(['tasks:read'], soon)
    expect((await open(person.email, expiring.token)).status).toBe(200)
    instance.clock.advance(2000)
    expect((await open(person.email, expiring.token)).status).toBe(401)
  })

  it('tell when they were last used', async () => {
    const { body } = await create()
    const path = `/api/settings/app-passwords/${body.id}`
    await open(person.email, body.password)
    await eventually(async () => (await instance.get(path, { token: person.token })).body.lastUsedAt !== null)
  })

  it('end at once when they are revoked, also in another instance', async () => {
    const { body } = await create()
    expect((await open(person.email, body.password)).status).toBe(200)
    const stranger = await register(instance)
    expect((await remove(body.id, stranger.token)).status).toBe(404)
    expect((await remove(body.id)).status).toBe(204)
    expect((await open(person.email, body.password)).status).toBe(401)
    expect((await remove(body.id)).status).toBe(404)
  })

  it('can be renamed, and send no invitations by themselves from then on', async () => {
    const { body } = await create({ invitations: 'yes' })
    const change = (changed: unknown) =>
      instance.call('PATCH', `/api/settings/app-passwords/${body.id}`, { body: changed, token: person.token })
    expect((await change({ name: 'Old phone' })).body).toMatchObject({
      name: 'Old phone',
      invitations: 'yes',
    })
    expect((await change({ invitations: 'ask' })).body.invitations).toBe('ask')
    expect((await open(person.email, body.password)).body.invitations).toBe('ask')
    expect((await change({ invitations: 'yes' })).status).toBe(400)
  })

  it('are named in the activity log and notify the person', async () => {
    const { token, ...rest } = await register(instance)
    const { body } = await create({ name: 'Tablet', invitations: 'yes' }, token)
    await instance.call('PATCH', `/api/settings/app-passwords/${body.id}`, {
      body: { invitations: 'no' },
      token,
    })
    await remove(body.id, token)
    const { activity } = (await instance.get('/api/settings/security/activity', { token })).body
    expect(
      activity
        .filter(({ action }: { action: string }) => action.startsWith('app_password.'))
        .map(({ action, details }: { action: string; details: unknown }) => [action, details]),
    ).toEqual([
      ['app_password.revoked', { name: 'Tablet' }],
      ['app_password.changed', { name: 'Tablet', invitations: 'no' }],
      ['app_password.created', { name: 'Tablet', access: FULL, invitations: 'yes' }],
    ])
    const { notifications } = (await instance.get('/api/notifications', { token })).body
    expect(notifications.map(({ title }: { title: string }) => title)).toContain(
      'The app password “Tablet” was created',
    )
    expect(rest.email).toBe(body.username)
  })

  describe('that are wrong', () => {
    it('are limited by user name and network, apart from sign-ins, and never stop a valid one', async () => {
      const { token, email } = await register(instance)
      const { body } = await create({}, token)
      const wrong = async (attempt: number) => (await open(email, `wrong ${attempt}`)).status
      const statuses: number[] = []
      for (let attempt = 0; attempt < 12; attempt++) statuses.push(await wrong(attempt))
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
      expect((await open(email, body.password)).status).toBe(200)
      const signIn = await instance.post('/api/auth/login', { email, password: PASSWORD })
      expect(signIn.status).toBe(200)
      expect((await open((await register(instance)).email, 'wrong')).status).toBe(401)
      instance.clock.advance(16 * 60_000)
      expect(await wrong(13)).toBe(401)
    })

    it('count once an hour if a device keeps sending the same one', async () => {
      const { token, email } = await register(instance)
      const { body } = await create({}, token)
      await remove(body.id, token)
      for (let poll = 0; poll < 30; poll++) expect((await open(email, body.password)).status).toBe(401)
      const failures = async () =>
        (
          await instance.database.db
            .selectFrom('attempts')
            .select('id')
            .where('kind', '=', 'app-password')
            .where('subject', '=', `${email} 127.0.0.1`)
            .execute()
        ).length
      expect(await failures()).toBe(1)
      instance.clock.advance(61 * 60_000)
      expect((await open(email, body.password)).status).toBe(401)
      expect(await failures()).toBe(2)
    })
  })
})

describe('a connection of an app', () => {
  let instance: Instance
  let person: Person
  let authorization: string
  beforeAll(async () => {
    instance = await startInstance()
    person = await register(instance)
    const { body } = await instance.post(
      '/api/settings/app-passwords',
      { password: PASSWORD, name: 'Phone', access: FULL },
      { token: person.token },
    )
    authorization = basic(person.email, body.password)
  })
  afterAll(() => instance.close())

  const connect = async (
    options: Parameters<typeof startTestServer>[2],
    headers: Record<string, string> = {},
  ) => {
    const server = await startTestServer(instance, testRoutes, {
      access: 'private',
      onlyThisMachine: false,
      ...options,
    })
    try {
      return await server.send({ path: '/dav/', headers: { authorization, ...headers } })
    } finally {
      await server.close()
    }
  }
  const proxied = { trustProxy: ['127.0.0.1'] }
  const phone = { 'x-forwarded-for': '192.168.1.20' }

  it.each([
    ['from this machine', {}, {}],
    ['with https in front', proxied, { ...phone, 'x-forwarded-proto': 'https' }],
    ['to a public address with https', { publicUrl: 'https://home.example.org' }, phone],
  ])('is accepted %s', async (_where, options, headers) => {
    expect((await connect(options, headers)).status).toBe(200)
  })

  it.each([
    ['a phone in the home network', proxied, phone],
    ['a phone behind a proxy with http', proxied, { ...phone, 'x-forwarded-proto': 'http' }],
    ['a phone behind an unknown proxy', {}, phone],
    ['a public address without https', { ...proxied, publicUrl: 'http://nas.lan' }, phone],
  ])('without https is refused with the page that explains it: %s', async (_where, options, headers) => {
    const { status, body, headers: answered } = await connect(options, headers)
    expect([status, body.code]).toEqual([403, 'https_required'])
    expect(body.detail).toContain('/help/dav')
    expect(answered['www-authenticate']).toBeUndefined()
  })

  it('is counted by its password, and by its address without a valid one', async () => {
    const made = await instance.post(
      '/api/settings/app-passwords',
      { password: PASSWORD, name: 'Tablet', access: FULL },
      { token: person.token },
    )
    const tablet = basic(person.email, made.body.password)
    const server = await startTestServer(instance, testRoutes, { access: 'private', rateLimit: 2 })
    const statusOf = async (sent: string) =>
      (await server.send({ path: '/dav/', headers: { authorization: sent } })).status
    const statuses = []
    for (const sent of [
      authorization,
      authorization,
      authorization,
      tablet,
      tablet,
      'Basic eA==',
      'Basic eA==',
    ])
      statuses.push(await statusOf(sent))
    expect(statuses).toEqual([200, 200, 429, 200, 200, 401, 401])
    expect(await statusOf('Basic eA==')).toBe(429)
    await server.close()
  })
})

describe('the address for apps', () => {
  it.each([
    [{}, 'local', /^http:\/\/127\.0\.0\.1:\d+\/dav\/$/],
    [{ PUBLIC_URL: 'https://home.example.org/desk' }, 'https', /^https:\/\/home\.example\.org\/desk\/dav\/$/],
    [{ PUBLIC_URL: 'http://nas.lan:3000' }, 'http', /^http:\/\/nas\.lan:3000\/dav\/$/],
    [{ PUBLIC_URL: 'http://localhost:3000' }, 'local', /^http:\/\/localhost:3000\/dav\/$/],
  ])('with %j is reachable: %s', async (environment, reach, url) => {
    const instance = await startInstance({ environment: { ACCESS: 'private', ...environment } })
    const person = await register(instance)
    const { body } = await instance.get('/api/settings/dav', { token: person.token })
    expect(body).toEqual({ url: expect.stringMatching(url), username: person.email, reach })
    await instance.close()
  })
})

it('the profile for iPhone and Mac has the calendar account and no password', async () => {
  const instance = await startInstance({ environment: { PUBLIC_URL: 'https://home.example.org:8443/desk' } })
  const get = (username: string) =>
    exchange(instance.url, {
      path: `/desk/dav/factotum.mobileconfig?username=${encodeURIComponent(username)}`,
    })
  const { status, headers, text } = await get('ana&bo@example.org')
  expect([status, headers['content-type']]).toEqual([200, 'application/x-apple-aspen-config'])
  for (const part of [
    '<key>CalDAVHostName</key><string>home.example.org</string>',
    '<key>CalDAVPort</key><integer>8443</integer>',
    '<key>CalDAVUseSSL</key><true/>',
    '<key>CalDAVPrincipalURL</key><string>https://home.example.org:8443/desk/dav/</string>',
    '<key>CalDAVUsername</key><string>ana&amp;bo@example.org</string>',
  ])
    expect(text).toContain(part)
  expect(text).not.toMatch(/Password/)
  expect((await get('ana&bo@example.org')).text).toBe(text)
  expect((await get('a\nb')).status).toBe(400)
  await instance.close()
})
