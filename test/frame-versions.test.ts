import { afterAll, beforeAll, expect, it } from 'vitest'
import { MINUTE } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

/** The smallest valid images: only their first bytes are checked. */
const picture = (last: number): Uint8Array =>
  Buffer.from(`89504e470d0a1a0a0000000d494844520000000100000001080600000${last}`, 'hex')

onOneDatabase('sqlite', 'the version of a resource', (engine) => {
  let instance: Instance
  let person: Person
  let tokenPath: string
  beforeAll(async () => {
    instance = await startInstance({ engine })
    person = await register(instance)
    const body = { password: PASSWORD, name: 'n8n', scopes: ['tasks:read'] }
    const made = await instance.post('/api/settings/tokens', body, { token: person.token })
    tokenPath = made.headers.get('location') as string
  })
  afterAll(() => instance.close())

  const get = (path: string, headers: Record<string, string> = {}) =>
    instance.get(path, { token: person.token, headers })
  const patch = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    instance.call('PATCH', path, { body, token: person.token, headers })
  const etagOf = async (path: string): Promise<string> => (await get(path)).headers.get('etag') as string

  const mondayUntil = (minute: number) => [
    { day: 'monday', start: '00:00', end: `17:${String(minute).padStart(2, '0')}` },
  ]
  /** Each resource with a change; another number makes another change. */
  const resources = (): [string, (n: number) => unknown][] => [
    ['/api/settings/profile', (n) => ({ name: `Name ${n}` })],
    ['/api/settings/preferences', (n) => ({ workingHours: mondayUntil(n) })],
    [tokenPath, (n) => ({ name: `Token ${n}` })],
  ]

  it('is a strong quoted ETag, and changes with the resource', async () => {
    for (const [path, change] of resources()) {
      const before = await etagOf(path)
      expect(before).toMatch(/^"[\x21\x23-\x7e]+"$/)
      expect(await etagOf(path)).toBe(before)
      const changed = await patch(path, change(1))
      expect(changed.status).toBe(200)
      expect(changed.headers.get('etag')).not.toBe(before)
      expect(await etagOf(path)).toBe(changed.headers.get('etag'))
    }
  })

  it('protects the settings of the booking provider', async () => {
    const path = '/api/bookingsvc/settings'
    const save = (apiKey: string) => instance.post(path, { apiKey }, { token: person.token })
    const remove = (known: string) =>
      instance.call('DELETE', path, { token: person.token, headers: { 'if-match': known } })
    await save('cal_live_first')
    const old = await etagOf(path)
    expect((await get(path, { 'if-none-match': old })).status).toBe(304)
    instance.clock.advance(MINUTE)
    await save('cal_live_second')
    expect((await remove(old)).status).toBe(412)
    expect((await remove(await etagOf(path))).status).toBe(204)
  })

  it('is rejected in If-Match for items that only exist in lists', async () => {
    const budget = '/api/settings/billing/budgets/aiRequests'
    const { status } = await instance.call('PUT', budget, { body: { limit: 5 }, token: person.token })
    expect(status).toBeLessThan(300)
    const { sessions } = (await get('/api/settings/security/sessions')).body
    for (const path of [budget, `/api/settings/security/sessions/${sessions[0].id}`]) {
      const remove = (known: string) =>
        instance.call('DELETE', path, { token: person.token, headers: { 'if-match': known } })
      expect([path, (await remove('"1.1"')).status]).toEqual([path, 412])
      if (path === budget) expect((await remove('*')).status).toBe(204)
    }
  })

  it('is sent for everything that is created, equals that of its Location, and protects its deletion', async () => {
    const password = PASSWORD
    const inputs: [string, unknown][] = [
      ['/api/settings/feed-tokens', { name: 'phone', purpose: 'calendar' }],
      [
        '/api/settings/app-passwords',
        { password, name: 'phone', access: { calendars: 'read', tasks: 'none', contacts: 'none' } },
      ],
      ['/api/settings/invitations', { password, email: 'bo@example.org' }],
      ['/api/api-keys', { provider: 'openai', key: 'sk-0123456789abcdef', baseUrl: 'http://127.0.0.1:9' }],
      ['/api/settings/webhooks', { url: 'http://127.0.0.1:9/', events: ['stream.started'] }],
      ['/api/stream/milestones', { title: 'Ten', target: 10 }],
    ]
    // Without a key, the built-in engine answers.
    const chat = { message: 'what do I have today' }
    const { status, body } = await instance.post('/api/ai/chat', chat, { token: person.token })
    expect([status, body.detail]).toEqual([200, undefined])
    const places: string[] = []
    for (const [path, input] of inputs) {
      const made = await instance.post(path, input, person)
      expect([path, made.status]).toEqual([path, 201])
      places.push(made.headers.get('location') as string)
    }
    for (const path of [...places, `/api/ai/conversations/${body.conversationId}`]) {
      const etag = await etagOf(path)
      expect([path, etag]).toEqual([path, expect.stringMatching(/^"[\x21\x23-\x7e]+"$/)])
      expect([path, (await get(path, { 'if-none-match': etag })).status]).toEqual([path, 304])
      const remove = (known: string) =>
        instance.call('DELETE', path, { token: person.token, headers: { 'if-match': known } })
      expect([path, (await remove('"other"')).status]).toEqual([path, 412])
      expect([path, (await remove(etag)).status]).toEqual([path, 204])
      expect([path, (await get(path)).status]).toEqual([path, path.includes('api-keys') ? 200 : 404])
    }
  })

  it('is a content hash for a resource without a version counter', async () => {
    const path = '/api/workflow/templates/booking-sync'
    const etag = await etagOf(path)
    const headers = { authorization: `Bearer ${person.token}` }
    const head = await fetch(`${instance.url}${path}`, { method: 'HEAD', headers })
    expect(head.headers.get('etag')).toBe(etag)
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304)
    expect(await etagOf('/api/workflow/templates/daily-briefing')).not.toBe(etag)
  })

  it('avoids the body for a client that has it', async () => {
    for (const [path] of [...resources(), ['/api/auth/me'] as const]) {
      const etag = await etagOf(path)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, `"other",W/${etag} , "more"`, '*']) {
        const answer = await get(path, { 'if-none-match': known })
        expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([304, '', etag])
      }
      for (const unknown of [
        '"other"',
        etag.slice(1, -1),
        `"x${etag.slice(1)}`,
        '""',
        'garbage',
        ',,,',
        `"a,${etag}`.replace(/"$/, ''),
      ])
        expect((await get(path, { 'if-none-match': unknown })).status).toBe(200)
    }
  })

  it('is the same for HEAD and GET', async () => {
    for (const path of [...resources().map(([one]) => one), '/api/auth/me', '/api/calendar/export.ics']) {
      const etag = await etagOf(path)
      const head = (known: string) => {
        const headers = { authorization: `Bearer ${person.token}`, 'if-none-match': known }
        return fetch(`${instance.url}${path}`, { method: 'HEAD', headers })
      }
      const same = await head(etag)
      expect([path, same.status, same.headers.get('etag')]).toEqual([path, 304, etag])
      expect([path, (await head('"other"')).status]).toEqual([path, 200])
    }
  })

  it('is sent for single resources, and not for pages of a list', async () => {
    const ones = [
      '/api/ai-model',
      '/api/bookingsvc/settings',
      '/api/settings/security/2fa',
      '/api-docs',
      '/docs',
    ]
    for (const path of ones) {
      const etag = await etagOf(path)
      expect([path, etag]).toEqual([path, expect.stringMatching(/^"[\x21\x23-\x7e]+"$/)])
      expect([path, (await get(path, { 'if-none-match': etag })).status]).toEqual([path, 304])
    }
    const chosen = (await get('/api/ai-model')).body.model === 'model_a' ? 'model_b' : 'model_a'
    const before = await etagOf('/api/ai-model')
    await instance.post('/api/ai-model', { model: chosen }, person)
    expect(await etagOf('/api/ai-model')).not.toBe(before)
    expect(await etagOf('/api/tasks')).toBeNull()
  })

  it('in a change is accepted only while it is current', async () => {
    for (const [path, change] of resources()) {
      const old = await etagOf(path)
      expect((await patch(path, change(2), { 'if-match': old })).status).toBe(200)
      const late = await patch(path, change(3), { 'if-match': old })
      expect([late.status, late.body.code]).toEqual([412, 'precondition_failed'])
      const now = await etagOf(path)
      for (const wrong of ['"other"', 'garbage', '""', now.slice(1, -1), `"x", "y"`])
        expect((await patch(path, change(4), { 'if-match': wrong })).status).toBe(412)
      expect(await etagOf(path)).toBe(now)
      expect((await patch(path, change(5), { 'if-match': `"x", ${now}` })).status).toBe(200)
      expect((await patch(path, change(6), { 'if-match': '*' })).status).toBe(200)
    }
  })

  it('lets one of several changes to the same version win', async () => {
    for (const [path, change] of resources()) {
      for (let round = 0; round < 5; round++) {
        const etag = await etagOf(path)
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, n) =>
            patch(path, change(10 * (round % 2) + n + 10), { 'if-match': etag }),
          ),
        )
        const statuses = answers.map(({ status }) => status)
        expect(`${path} ${statuses.sort()}`).toBe(`${path} 200,412,412,412,412,412`)
      }
    }
  })

  it('changes with every visible field, so that no client keeps old data', async () => {
    const body = { password: PASSWORD, name: 'seen', scopes: ['tasks:read'] }
    const made = (await instance.post('/api/settings/tokens', body, { token: person.token })).body
    const path = `/api/settings/tokens/${made.id}`
    const etag = await etagOf(path)
    expect((await instance.get('/api/health', { token: made.token })).status).toBe(200)
    await expect.poll(async () => (await get(path)).body.lastUsedAt).not.toBeNull()
    expect((await get(path, { 'if-none-match': etag })).status).toBe(200)
  })

  it('of a user changes with the email, the time zone and the picture', async () => {
    const other = await register(instance)
    const meOf = async () => (await instance.get('/api/auth/me', { token: other.token })).headers.get('etag')
    const seen = [await meOf()]
    const post = (path: string, given: unknown) =>
      instance.post(`/api/settings/${path}`, given, { token: other.token })
    await post('security/email', { password: PASSWORD, email: `moved-${engine}@example.org` })
    seen.push(await meOf())
    await instance.call('PATCH', '/api/settings/preferences', {
      body: { timezone: 'Asia/Tokyo' },
      token: other.token,
    })
    seen.push(await meOf())
    const headers = { 'content-type': 'image/png' }
    await instance.call('PUT', '/api/settings/profile/avatar', {
      body: picture(1),
      token: other.token,
      headers,
    })
    seen.push(await meOf())
    expect(new Set(seen).size).toBe(4)
  })

  it('of a picture is checked when it is read and when it is removed', async () => {
    const avatar = '/api/settings/profile/avatar'
    const set = (last: number) =>
      instance.call('PUT', avatar, {
        body: picture(last),
        token: person.token,
        headers: { 'content-type': 'image/png' },
      })
    expect((await set(1)).status).toBe(200)
    const old = await etagOf(avatar)
    expect((await get(avatar, { 'if-none-match': old })).status).toBe(304)
    expect((await set(2)).status).toBe(200)
    expect(await etagOf(avatar)).not.toBe(old)
    const late = await instance.call('DELETE', avatar, { token: person.token, headers: { 'if-match': old } })
    expect(late.status).toBe(412)
    const now = await etagOf(avatar)
    const removed = await instance.call('DELETE', avatar, {
      token: person.token,
      headers: { 'if-match': now },
    })
    expect(removed.status).toBe(204)
  })

  it('in a deletion prevents it after another change', async () => {
    const body = { password: PASSWORD, name: 'doomed', scopes: ['tasks:read'] }
    const made = (await instance.post('/api/settings/tokens', body, { token: person.token })).body
    const path = `/api/settings/tokens/${made.id}`
    const old = await etagOf(path)
    await patch(path, { name: 'changed' })
    const remove = (headers: Record<string, string>) =>
      instance.call('DELETE', path, { token: person.token, headers })
    expect((await remove({ 'if-match': old })).status).toBe(412)
    expect((await remove({ 'if-match': await etagOf(path) })).status).toBe(204)
    expect((await remove({ 'if-match': '*' })).status).toBe(404)
  })

  it('does not depend on time: it is a version, not a date', async () => {
    const etag = await etagOf(tokenPath)
    instance.clock.advance(MINUTE)
    expect((await get(tokenPath, { 'if-none-match': etag })).status).toBe(304)
  })
})
