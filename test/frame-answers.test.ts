import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

describe('a special error response', () => {
  let instance: Instance
  let person: Person
  let another: Person
  let described: Record<string, Record<string, { responses: object }>>
  beforeAll(async () => {
    instance = await startInstance()
    person = await register(instance)
    another = await register(instance)
    described = (await instance.get('/api-docs')).body.paths
    await instance.post('/api/stream/start', {})
    for (const uid of ['one', 'other'])
      await instance.post('/api/calendar/events', {
        title: uid,
        bookingId: uid,
        start: '2026-03-02T09:00:00Z',
        end: '2026-03-02T10:00:00Z',
      })
  })
  afterAll(() => instance.close())

  const wrong = { password: 'not the password' }
  const proof = { password: PASSWORD }
  it.each<[string, string, unknown, number, Record<string, string>?]>([
    ['POST', '/api/auth/password-reset', { email: 'ana@example.org' }, 409],
    ['DELETE', '/api/settings/profile/avatar', undefined, 404],
    ['POST', '/api/settings/security/email', { ...proof, email: 'taken' }, 409],
    ['POST', '/api/settings/security/2fa/disable', proof, 409],
    ['POST', '/api/settings/security/2fa/enable', { ...proof, code: '123456' }, 409],
    ['POST', '/api/settings/security/2fa/backup-codes', proof, 409],
    ['POST', '/api/settings/mail-accounts/oauth/start', { provider: 'google' }, 409],
    ['POST', '/api/api-keys/{openai}/verify', undefined, 409],
    ['POST', '/api/calendar/events/from-email', { emailId: 4711 }, 404],
    ['PATCH', '/api/calendar/events/{1}', { bookingId: 'other' }, 409],
    ['GET', '/api/stream/captions?streamId=4711', undefined, 404],
    ['GET', '/api/stream/captions.vtt?streamId=4711', undefined, 404],
    ['GET', '/api/stream/captions.srt?streamId=4711', undefined, 404],
    ['POST', '/api/stream/captions?streamId=4711', { text: 'Hello' }, 404],
    ['DELETE', '/api/stream/captions?streamId=4711', undefined, 404],
    ['DELETE', '/api/stream/streams/{1}', undefined, 409],
    ['POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, 406, { accept: 'text/html' }],
    ['PUT', '/api/stream/credentials/{twitch}', { streamKey: 'x' }, 412, { 'if-match': '"twitch.7"' }],
  ])('is documented: %s %s %j %d', async (method, path, body, status, headers = {}) => {
    const answer = await instance.call(method, path.replace(/[{}]/g, ''), {
      token: person.token,
      headers,
      ...(body !== undefined && {
        body: JSON.parse(JSON.stringify(body).replace('"taken"', `"${another.email}"`)),
      }),
    })
    expect([answer.status, answer.body]).toEqual([status, expect.any(Object)])
    const written = path.split('?')[0]?.replace(/\{[^}]*\}/, '{}')
    const known = Object.keys(described).find((each) => each.replace(/\{[^}]*\}/, '{}') === written) as string
    expect(Object.keys(described[known]?.[method.toLowerCase()]?.responses ?? {})).toContain(`${status}`)
  })

  it.each([
    ['POST', '/api/settings/security/password', { ...wrong, newPassword: 'another long password' }],
    ['POST', '/api/settings/security/email', { ...wrong, email: 'new@example.org' }],
    ['POST', '/api/settings/security/2fa/disable', wrong],
    ['POST', '/api/settings/export', wrong],
    ['DELETE', '/api/settings/account', wrong],
  ])('429 is documented where a password could be guessed: %s %s', async (method, path, body) => {
    const guesser = await register(instance)
    const guess = () => instance.call(method, path, { token: guesser.token, body })
    let answer = await guess()
    for (let tries = 1; answer.status === 401 && tries < 20; tries++) answer = await guess()
    expect(answer.status).toBe(429)
    expect(Object.keys(described[path]?.[method.toLowerCase()]?.responses ?? {})).toContain('429')
  })
})
