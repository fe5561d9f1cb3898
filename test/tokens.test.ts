import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { DAY } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

onOneDatabase('postgres', 'personal access tokens', (engine) => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine })
    person = await register(instance)
  })
  afterAll(() => instance.close())

  const create = (body: Record<string, unknown> = {}, token = person.token) =>
    instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'n8n', scopes: ['tasks:write', 'calendar:read'], ...body },
      { token },
    )
  const isTaken = async (token: string) => (await instance.get('/api/health', { token })).status === 200

  it('are returned once and stored hashed', async () => {
    const made = await create()
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`/api/settings/tokens/${made.body.id}`)
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'n8n',
      scopes: ['tasks:write', 'calendar:read'],
      hint: `…${made.body.token.slice(-4)}`,
      createdAt: expect.any(String),
      expiresAt: null,
      lastUsedAt: null,
      token: expect.stringMatching(/^fct_[\w-]{43}$/),
    })
    const again = await instance.get(`/api/settings/tokens/${made.body.id}`, { token: person.token })
    expect(again.body.token).toBeUndefined()
    const rows = await instance.database.db
      .selectFrom('access_tokens')
      .selectAll()
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(JSON.stringify(rows)).not.toContain(made.body.token)
  })

  it('require the password', async () => {
    expect((await create({ password: 'not this one' })).status).toBe(401)
    expect((await create({ password: undefined })).status).toBe(400)
  })

  it('accept only known scopes and at least one', async () => {
    const wrong = await create({ scopes: ['task:write'] })
    expect(wrong.status).toBe(400)
    expect(wrong.body.errors[0].path).toBe('scopes.0')
    expect((await create({ scopes: [] })).status).toBe(400)
  })

  it('are valid until they expire or are rotated or revoked', async () => {
    const expiresAt = new Date(instance.clock.now().getTime() + 2 * DAY).toISOString()
    const { body: token } = await create({ expiresAt })
    expect(token.expiresAt).toBe(expiresAt)
    expect(await isTaken(token.token)).toBe(true)
    const rotated = await instance.post(
      `/api/settings/tokens/${token.id}/rotate`,
      { password: PASSWORD },
      { token: person.token },
    )
    expect(rotated.body.token).not.toBe(token.token)
    expect(await isTaken(token.token)).toBe(false)
    expect(await isTaken(rotated.body.token)).toBe(true)
    instance.clock.advance(3 * DAY)
    expect(await isTaken(rotated.body.token)).toBe(false)
    person = {
      ...person,
      ...(await instance.post('/api/auth/login', { email: person.email, password: PASSWORD })).body,
    }
    const { body: other } = await create()
    const gone = await instance.call('DELETE', `/api/settings/tokens/${other.id}`, { token: person.token })
    expect(gone.status).toBe(204)
    expect(await isTaken(other.token)).toBe(false)
  })

  it('cannot expire in the past, and a date without a time is in the time zone of the person', async () => {
    expect((await create({ expiresAt: '2001-01-01' })).body.errors[0].path).toBe('expiresAt')
    expect((await create({ expiresAt: 'soon' })).body.errors[0].path).toBe('expiresAt')
    await instance.call('PATCH', '/api/settings/preferences', {
      body: { timezone: 'Asia/Tokyo' },
      token: person.token,
    })
    expect((await create({ expiresAt: '2099-05-01' })).body.expiresAt).toBe('2099-04-30T15:00:00.000Z')
  })

  it('cannot access settings, logout or the current account', async () => {
    const { body } = await create({ scopes: ['mail:write', 'ai:write'] })
    for (const [method, path] of [
      ['GET', '/api/settings/profile'],
      ['GET', '/api/auth/me'],
      ['POST', '/api/auth/logout'],
      ['GET', '/api/settings/tokens'],
    ] as const) {
      const answer = await instance.call(method, path, { token: body.token })
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'insufficient_scope'])
    }
  })

  it('can ask which token they are', async () => {
    const person = await register(instance, { name: 'Ana Ruiz' })
    const made = await instance.post(
      '/api/settings/tokens',
      { name: 'Script', scopes: ['stream:read'], password: PASSWORD },
      person,
    )
    const { status, body } = await instance.get('/api/auth/token', { token: made.body.token })
    expect([status, body]).toEqual([
      200,
      {
        name: 'Script',
        scopes: ['stream:read'],
        expiresAt: null,
        lease: null,
        user: { id: person.id, name: 'Ana Ruiz' },
      },
    ])
    expect((await instance.get('/api/auth/me', { token: made.body.token })).status).toBe(403)
    for (const token of [undefined, person.token, 'fct_unknown'])
      expect((await instance.get('/api/auth/token', { token })).status).toBe(401)
  })

  it('can only be renamed by their owner', async () => {
    const { body: token } = await create()
    const rename = (as: string, headers: Record<string, string> = {}) =>
      instance.call('PATCH', `/api/settings/tokens/${token.id}`, {
        body: { name: 'renamed' },
        token: as,
        headers,
      })
    const stranger = await register(instance)
    expect((await rename(stranger.token)).status).toBe(404)
    const renamed = await rename(person.token)
    expect(renamed.body.name).toBe('renamed')
    expect((await rename(person.token, { 'if-match': '"old"' })).status).toBe(412)
    expect((await rename(person.token, { 'if-match': renamed.headers.get('etag') ?? '' })).status).toBe(200)
  })

  it('are listed in pages, each token once', async () => {
    const owner = await register(instance)
    for (let n = 0; n < 7; n++) await create({ name: `token ${n}` }, owner.token)
    const names: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: { tokens: { name: string }[]; nextCursor: string | null } } =
        await instance.get(`/api/settings/tokens?limit=3${cursor && `&cursor=${cursor}`}`, {
          token: owner.token,
        })
      names.push(...body.tokens.map(({ name }) => name))
      cursor = body.nextCursor
    }
    expect(names.toSorted()).toEqual(Array.from({ length: 7 }, (_, n) => `token ${n}`))
    expect(names).toHaveLength(7)
  })
})

onOneDatabase('sqlite', 'feed tokens', (engine) => {
  it('are created, returned once, listed and revoked', async () => {
    const instance = await startInstance({ engine })
    const person = await register(instance)
    const made = await instance.post(
      '/api/settings/feed-tokens',
      { name: 'Phone', purpose: 'calendar' },
      { token: person.token },
    )
    expect([made.status, made.body.token.length]).toEqual([201, 43])
    const list = await instance.get('/api/settings/feed-tokens', { token: person.token })
    expect(list.body.feedTokens).toHaveLength(1)
    expect(JSON.stringify(list.body)).not.toContain(made.body.token)
    const stranger = await register(instance)
    const path = `/api/settings/feed-tokens/${made.body.id}`
    expect((await instance.call('DELETE', path, { token: stranger.token })).status).toBe(404)
    expect((await instance.call('DELETE', path, { token: person.token })).status).toBe(204)
    await instance.close()
  })
})
