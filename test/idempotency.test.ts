import { EventEmitter, once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { DAY, MINUTE } from './support/clock.ts'
import { onEveryDatabase } from './support/databases.ts'
import { idempotentRoutes } from './support/idempotent-routes.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register, signIn } from './support/people.ts'
import type { RawAnswer } from './support/raw-http.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

onEveryDatabase('an Idempotency-Key', (engine) => {
  let instance: Instance
  let testServer: TestServer
  let person: Person
  let count = 0
  const arrivals = new EventEmitter()
  const waiting = new Map<string, { arrived: () => void; go: Promise<void> }>()
  beforeAll(async () => {
    instance = await startInstance({ engine })
    person = await register(instance)
    const written = async (subject: string): Promise<void> => {
      const pause = waiting.get(subject)
      waiting.delete(subject)
      pause?.arrived()
      await pause?.go
    }
    const arrived = async (subject: string): Promise<void> => void arrivals.emit(subject)
    testServer = await startTestServer(instance, idempotentRoutes(instance.database.db, { arrived, written }))
  })
  afterAll(async () => {
    await testServer.close()
    await instance.close()
  })

  const fresh = (): string => `thing-${++count}`
  const made = async (subject: string): Promise<number> => {
    const rows = await instance.database.db
      .selectFrom('changes')
      .select('id')
      .where('subject', '=', subject)
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    return rows.length
  }
  const send = (
    key: string | null,
    body: unknown,
    { token = '', path = '/things', method = 'POST' } = {},
  ): Promise<RawAnswer> =>
    testServer.send({
      method,
      path,
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        ...(key !== null && { 'idempotency-key': key }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
    })
  /** Blocks the handler after its write, until it is released. */
  const pauseAt = (subject: string) => {
    let arrived = () => {}
    let letGo = () => {}
    const here = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const go = new Promise<void>((resolve) => {
      letGo = resolve
    })
    waiting.set(subject, { arrived, go })
    return { here, letGo }
  }
  const replayed = ({ headers }: RawAnswer): boolean => headers['idempotency-replayed'] === 'true'

  it('replays the first response: status, body, Location and ETag', async () => {
    const subject = fresh()
    const first = await send(subject, { subject })
    const again = await send(subject, { subject })
    expect(first.status).toBe(201)
    expect(replayed(first)).toBe(false)
    expect(replayed(again)).toBe(true)
    for (const name of ['location', 'etag', 'content-type', 'cache-control'])
      expect(`${name}: ${again.headers[name]}`).toBe(`${name}: ${first.headers[name]}`)
    expect(first.headers.location).toBe(`/things/${first.body.id}`)
    expect(first.headers.etag).toBe(`"${first.body.id}.3"`)
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(await made(subject)).toBe(1)
  })

  it('replays an empty response as well', async () => {
    const subject = fresh()
    const answers = [
      await send(subject, { subject }, { path: '/empties' }),
      await send(subject, { subject }, { path: '/empties' }),
    ]
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ])
    expect(await made(subject)).toBe(1)
  })

  it('is optional: without it every request is independent', async () => {
    const subject = fresh()
    await send(null, { subject })
    expect(replayed(await send(null, { subject }))).toBe(false)
    expect(await made(subject)).toBe(2)
  })

  it('compares bodies by value, not by whitespace', async () => {
    const subject = fresh()
    await send(subject, { subject })
    const spaced = await testServer.send({
      method: 'POST',
      path: '/things',
      body: `{ "subject" :\n"${subject}" }`,
      headers: { 'content-type': 'application/json', 'idempotency-key': subject },
    })
    expect(replayed(spaced)).toBe(true)
  })

  it('is rejected with another body, which changes nothing', async () => {
    const subject = fresh()
    await send(subject, { subject })
    const other = await send(subject, { subject: `${subject}-other` })
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_mismatch'])
    expect(await made(`${subject}-other`)).toBe(0)
    expect(replayed(await send(subject, { subject }))).toBe(true)
  })

  it('lets one of many concurrent requests run; the others wait for its response or get a conflict', async () => {
    const subject = fresh()
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(subject, { subject })))
    const news = answers.filter((answer) => answer.status === 201 && !replayed(answer))
    expect(news).toHaveLength(1)
    for (const answer of answers)
      if (answer.status === 201) expect(answer.text).toBe(news[0]?.text)
      else expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    expect(await made(subject)).toBe(1)
    expect((await send(subject, { subject })).text).toBe(news[0]?.text)
  })

  it('causes a conflict, or waits, while the first request is in progress', async () => {
    const subject = fresh()
    const { here, letGo } = pauseAt(subject)
    const first = send(subject, { subject })
    await here
    const second = send(subject, { subject })
    const other = send(subject, { subject: 'other' })
    letGo()
    expect((await first).status).toBe(201)
    const answer = await second
    if (answer.status === 409) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    else expect(replayed(answer)).toBe(true)
    expect((await other).body.code).toBe('idempotency_mismatch')
    expect(await made(subject)).toBe(1)
  })

  it('results in one change, even if the first request takes longer than its claim', async () => {
    const subject = fresh()
    const { here, letGo } = pauseAt(subject)
    const first = send(subject, { subject })
    await here
    instance.clock.advance(2 * MINUTE)
    const second = send(subject, { subject })
    if (engine === 'postgres') await second
    letGo()
    const answers = await Promise.all([first, second])
    expect(
      answers.map(({ status }) => status).filter((status) => status === 201).length,
    ).toBeGreaterThanOrEqual(1)
    for (const { status } of answers) expect([201, 409]).toContain(status)
    expect(await made(subject)).toBe(1)
    expect(replayed(await send(subject, { subject }))).toBe(true)
  })

  it('belongs to one caller', async () => {
    const subject = fresh()
    const stranger = await register(instance)
    const program = { password: PASSWORD, name: 'p', scopes: ['tasks:write'] }
    const pat = (await instance.post('/api/settings/tokens', program, { token: person.token })).body.token
    for (const token of ['', person.token, stranger.token, pat])
      expect(replayed(await send(subject, { subject }, { token }))).toBe(false)
    expect(await made(subject)).toBe(4)
    const { token } = await signIn(instance, person.email)
    expect(replayed(await send(subject, { subject }, { token }))).toBe(true)
  })

  it('belongs to one method and one path', async () => {
    const subject = fresh()
    for (const [path, method] of [
      ['/things', 'POST'],
      ['/others', 'POST'],
      ['/things', 'PUT'],
    ])
      expect(replayed(await send(subject, { subject }, { path, method }))).toBe(false)
    expect(await made(subject)).toBe(3)
  })

  it('expires after a day, and not before', async () => {
    const subject = fresh()
    await send(subject, { subject })
    instance.clock.advance(DAY - MINUTE)
    expect(replayed(await send(subject, { subject }))).toBe(true)
    instance.clock.advance(2 * MINUTE)
    const again = await send(subject, { subject })
    expect([again.status, replayed(again)]).toEqual([201, false])
    expect(await made(subject)).toBe(2)
    instance.clock.advance(DAY + MINUTE)
    expect((await send(subject, { subject: `${subject}-other` })).status).toBe(201)
  })

  it.each(['fail', 'break'])('stores no response of a server error, and no change (%s)', async (end) => {
    const subject = fresh()
    const failed = await send(subject, { subject, end })
    expect(failed.status).toBeGreaterThanOrEqual(500)
    expect(await made(subject)).toBe(0)
    const again = await send(subject, { subject, end })
    expect([again.status, replayed(again)]).toEqual([failed.status, false])
    expect((await send(subject, { subject })).status).toBe(201)
    expect(await made(subject)).toBe(1)
  })

  it('replays an error response, without the change', async () => {
    const subject = fresh()
    const first = await send(subject, { subject, end: 'refuse' })
    const again = await send(subject, { subject, end: 'refuse' })
    expect([first.status, first.body.code]).toEqual([409, 'not_configured'])
    expect({ ...again.body, requestId: '' }).toEqual({ ...first.body, requestId: '' })
    expect(again.headers['content-type']).toBe(first.headers['content-type'])
    expect(await made(subject)).toBe(0)
    expect((await send(subject, { subject })).body.code).toBe('idempotency_mismatch')
    expect(replayed(again)).toBe(true)
  })

  it('is not consumed by a rejected request', async () => {
    const subject = fresh()
    expect((await send(subject, { subject, nonsense: 1 })).status).toBe(400)
    expect((await send(subject, { subject }, { token: 'nonsense' })).status).toBe(401)
    expect((await send(subject, { subject })).status).toBe(201)
  })

  it('of a response with a secret is deleted with the response', async () => {
    const subject = fresh()
    for (let n = 0; n < 2; n++) {
      const answer = await send(subject, { subject }, { path: '/secrets' })
      expect([answer.status, replayed(answer)]).toEqual([201, false])
    }
    expect(await made(subject)).toBe(2)
    const rows = await instance.database.db.selectFrom('idempotency_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('secrets')
  })

  it('of a response with a secret still blocks concurrent duplicates', async () => {
    const subject = fresh()
    const { here, letGo } = pauseAt(subject)
    const first = send(subject, { subject }, { path: '/secrets' })
    await here
    const arrived = once(arrivals, subject)
    const second = send(subject, { subject }, { path: '/secrets' })
    await arrived
    // On SQLite it waits for the first; on PostgreSQL it is answered at once.
    if (engine === 'postgres') await second
    else await setImmediate()
    letGo()
    expect((await first).status).toBe(201)
    expect([(await second).status, (await second).body.code]).toEqual([409, 'conflict'])
    expect(await made(subject)).toBe(1)
  })

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['with a blank', 'a b'],
    ['with a tab', 'a\tb'],
    ['not ASCII', 'schl\u00fcssel'],
  ])('is rejected if it is %s', async (_what, key) => {
    const subject = fresh()
    const answer = await send(key, { subject })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([{ path: 'Idempotency-Key', message: expect.any(String) }])
    expect(await made(subject)).toBe(0)
  })

  it('is rejected if it is sent twice, and accepted up to 255 characters', async () => {
    const subject = fresh()
    const headers = { 'content-type': 'application/json', 'idempotency-key': ['one', 'two'] }
    const twice = await testServer.send({
      method: 'POST',
      path: '/things',
      body: JSON.stringify({ subject }),
      headers,
    })
    expect(twice.status).toBe(400)
    expect((await send('x'.repeat(255), { subject })).status).toBe(201)
    expect((await send(`"${subject}"!~{}`, { subject })).status).toBe(201)
  })

  it('is stored so that the table reveals neither key nor body', async () => {
    const subject = `${fresh()}-telltale`
    await send(`${subject}-key`, { subject, end: 'refuse' })
    const rows = await instance.database.db.selectFrom('idempotency_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('telltale')
  })
})
