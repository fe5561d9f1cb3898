import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register, signIn } from './support/people.ts'

/** Builds a valid PNG with one pixel of data. */
const png = (width = 1, height = 1): Buffer => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(4))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const jpeg = (side: number): Buffer => {
  const frame = Buffer.from('ffc0000b08000000000101110000', 'hex')
  frame.writeUInt16BE(side, 5)
  frame.writeUInt16BE(side, 7)
  return Buffer.concat([Buffer.from('ffd8ffe000041234', 'hex'), frame, Buffer.from('ffd9', 'hex')])
}

const webp = (side: number): Buffer => {
  const head = Buffer.from('RIFF\x16\0\0\0WEBPVP8L\x0a\0\0\0\x2f0000000000', 'latin1')
  head.writeUInt32LE((side - 1) | ((side - 1) << 14), 21)
  return head
}

onOneDatabase('postgres', 'the settings of a person', (engine) => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Asia/Tokyo' } })
    person = await register(instance)
  })
  afterAll(() => instance.close())

  const patch = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    instance.call('PATCH', `/api/settings${path}`, { body, token: person.token, headers })
  const putAvatar = (body: Uint8Array | string, type = 'image/png') =>
    instance.call('PUT', '/api/settings/profile/avatar', {
      body,
      token: person.token,
      headers: { 'content-type': type },
    })

  it('start with the time zone of the instance and a default working week', async () => {
    const preferences = await instance.get('/api/settings/preferences', { token: person.token })
    expect(preferences.body).toMatchObject({ timezone: 'Asia/Tokyo', locale: 'en', weekStart: 'monday' })
    expect(preferences.body.workingHours).toHaveLength(5)
    expect(preferences.body.workingHours[0]).toEqual({ day: 'monday', start: '09:00', end: '17:00' })
  })

  it('store a name exactly as given', async () => {
    const name = '  Łukasz 👩🏽‍🚀 <b>"Ó\'Brien"</b>  '
    const changed = await patch('/profile', { name })
    expect(changed.status).toBe(200)
    expect(changed.body.name).toBe(name)
    expect((await instance.get('/api/auth/me', { token: person.token })).body.name).toBe(name)
  })

  it('change preferences field by field', async () => {
    const workingHours = [
      { day: 'monday', start: '08:00', end: '12:00' },
      { day: 'monday', start: '13:00', end: '18:00' },
      { day: 'saturday', start: '10:00', end: '11:30' },
    ]
    await patch('/preferences', { timezone: 'Europe/Berlin' })
    await patch('/preferences', {
      remoteImages: 'never',
      imageSenders: ['News@Loom.example', 'news@loom.example'],
    })
    const changed = await patch('/preferences', { workingHours, weekStart: 'sunday', locale: 'de-AT' })
    expect(changed.body).toEqual({
      timezone: 'Europe/Berlin',
      locale: 'de-AT',
      weekStart: 'sunday',
      workingHours,
      remoteImages: 'never',
      imageSenders: ['news@loom.example'],
      conferencingLink: null,
    })
    expect((await instance.get('/api/auth/me', { token: person.token })).body.timezone).toBe('Europe/Berlin')
  })

  it.each([
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['locale', { locale: 'no such tongue' }],
    ['weekStart', { weekStart: 'someday' }],
    ['conferencingLink', { conferencingLink: 'http://meet.example/{random}' }],
    ['conferencingLink', { conferencingLink: 'javascript:alert(1)' }],
    ['conferencingLink', { conferencingLink: 'https://{random}.example/a' }],
    ['conferencingLink', { conferencingLink: 'https://ana:secret@meet.example/{random}' }],
    ['workingHours.0.end', { workingHours: [{ day: 'monday', start: '17:00', end: '09:00' }] }],
    ['workingHours.0.start', { workingHours: [{ day: 'monday', start: '25:00', end: '26:00' }] }],
    [
      'workingHours.1.start',
      {
        workingHours: [
          { day: 'monday', start: '09:00', end: '12:00' },
          { day: 'monday', start: '11:00', end: '13:00' },
        ],
      },
    ],
  ])('reject an invalid %s with its path', async (path, body) => {
    const answer = await patch('/preferences', body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].path).toBe(path)
  })

  it('detect the type of a picture by content, return it unchanged, and delete it', async () => {
    const set = await putAvatar(png(), 'application/octet-stream')
    expect(set.status).toBe(200)
    expect(set.body.avatarUrl).toMatch(/^\/api\/settings\/profile\/avatar\?v=/)
    const response = await fetch(`${instance.url}${set.body.avatarUrl}`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await response.arrayBuffer()).equals(png())).toBe(true)
    const cached = await instance.get('/api/settings/profile/avatar', {
      token: person.token,
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    })
    expect(cached.status).toBe(304)
    const removed = await instance.call('DELETE', '/api/settings/profile/avatar', { token: person.token })
    expect(removed.status).toBe(204)
    expect((await instance.get('/api/settings/profile/avatar', { token: person.token })).status).toBe(404)
  })

  it('accept JPEG and WebP pictures', async () => {
    for (const picture of [jpeg(4096), webp(4096)]) expect((await putAvatar(picture)).status).toBe(200)
  })

  it.each<[string, Uint8Array | string, string, number]>([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 415],
    ['an SVG declared as a PNG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png', 415],
    ['HTML', '<html>', 'image/png', 415],
    ['an empty body', new Uint8Array(), 'image/png', 415],
    ['JSON', '{}', 'application/json', 415],
    ['a picture of 100,000 pixels a side', png(100_000, 100_000), 'image/png', 400],
    ['a JPEG of 60,000 pixels a side', jpeg(60_000), 'image/jpeg', 400],
    ['a WebP of 16,000 pixels a side', webp(16_000), 'image/webp', 400],
    ['a PNG without a header', png().subarray(0, 16), 'image/png', 415],
    ['a PNG with zero width', png(0, 8), 'image/png', 415],
    ['a JPEG without a frame', Buffer.from('ffd8ffe000021234', 'hex'), 'image/jpeg', 415],
    ['a WebP without a picture', Buffer.from('RIFF\x04\0\0\0WEBP'), 'image/webp', 415],
    ['more than 2 MiB', Buffer.concat([png(), Buffer.alloc(2 * 1024 * 1024)]), 'image/png', 413],
  ])('reject %s as a picture', async (_what, body, type, status) => {
    expect((await putAvatar(body, type)).status).toBe(status)
  })

  it('change the email with the password, and login requires the new one', async () => {
    const mover = await register(instance)
    const change = (body: Record<string, unknown>) =>
      instance.post('/api/settings/security/email', body, { token: mover.token })
    expect((await change({ email: 'moved@example.org', password: 'not this one' })).status).toBe(401)
    const taken = await change({ email: person.email.toUpperCase(), password: PASSWORD })
    expect([taken.status, taken.body.code]).toEqual([409, 'email_taken'])
    const changed = await change({ email: 'Moved@example.org', password: PASSWORD })
    expect(changed.body.email).toBe('Moved@example.org')
    await signIn(instance, 'moved@example.org')
    const old = await instance.post('/api/auth/login', { email: mover.email, password: PASSWORD })
    expect(old.status).toBe(401)
  })

  it('change the password with the old one, which ends all other sessions', async () => {
    const changer = await register(instance)
    const elsewhere = await signIn(instance, changer.email)
    const change = (body: Record<string, unknown>) =>
      instance.post('/api/settings/security/password', body, { token: changer.token })
    expect((await change({ password: 'not this one', newPassword: 'a better password' })).status).toBe(401)
    expect((await change({ password: PASSWORD, newPassword: 'short' })).status).toBe(400)
    expect((await change({ password: PASSWORD, newPassword: PASSWORD })).status).toBe(400)
    const changed = await change({ password: PASSWORD, newPassword: 'a better password' })
    expect([changed.status, changed.body]).toEqual([200, { sessionsEnded: 1 }])
    expect((await instance.get('/api/auth/me', { token: changer.token })).status).toBe(200)
    expect((await instance.get('/api/auth/me', { token: elsewhere.token })).status).toBe(401)
    const old = await instance.post('/api/auth/login', { email: changer.email, password: PASSWORD })
    expect(old.status).toBe(401)
  })

  it('limit wrong passwords in dangerous actions per account', async () => {
    const victim = await register(instance)
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) {
      const answer = await instance.post(
        '/api/settings/security/2fa/setup',
        { password: 'a wrong guess' },
        { token: victim.token },
      )
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429])
  })

  it('list sessions, and revoke one session or all others', async () => {
    const owner = await register(instance)
    const [second, third] = [await signIn(instance, owner.email), await signIn(instance, owner.email)]
    const list = async () =>
      (await instance.get('/api/settings/security/sessions', { token: owner.token })).body.sessions
    const sessions = await list()
    expect(sessions).toHaveLength(3)
    for (const { device } of sessions) expect(device).toEqual({ name: 'node', kind: 'program' })
    expect(sessions.filter((session: { current: boolean }) => session.current)).toHaveLength(1)
    expect(JSON.stringify(sessions)).not.toContain(owner.refreshToken)
    const other = sessions.find((session: { current: boolean }) => !session.current)
    const stranger = await instance.call('DELETE', `/api/settings/security/sessions/${other.id}`, {
      token: person.token,
    })
    expect(stranger.status).toBe(404)
    const revoked = await instance.call('DELETE', `/api/settings/security/sessions/${other.id}`, {
      token: owner.token,
    })
    expect(revoked.status).toBe(204)
    const rest = await instance.call('POST', '/api/settings/security/sessions/revoke-others', {
      token: owner.token,
    })
    expect(rest.body).toEqual({ revoked: 1 })
    expect(await list()).toHaveLength(1)
    for (const { token } of [second, third])
      expect((await instance.get('/api/auth/me', { token })).status).toBe(401)
  })

  it('list the activity of the person, newest first, in pages', async () => {
    const actor = await register(instance)
    for (let n = 0; n < 5; n++)
      await instance.call('PATCH', '/api/settings/profile', {
        body: { name: `Name ${n}` },
        token: actor.token,
      })
    const seen: { action: string; id: number }[] = []
    let path = '/api/settings/security/activity?limit=3'
    for (;;) {
      const { body } = await instance.get(path, { token: actor.token })
      seen.push(...body.activity)
      if (body.nextCursor === null) break
      path = `/api/settings/security/activity?limit=3&cursor=${body.nextCursor}`
    }
    expect(seen.map(({ action }) => action)).toEqual([
      ...Array(5).fill('profile.changed'),
      'session.started',
      'account.registered',
    ])
    expect(seen.map(({ id }) => id)).toEqual(seen.map(({ id }) => id).toSorted((a, b) => b - a))
  })
})
