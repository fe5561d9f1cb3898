import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { createSending } from '../src/features/webhooks/sender.ts'
import { createLog } from '../src/platform/log.ts'
import { systemRandom } from '../src/platform/random.ts'
import { toChange } from './support/changes.ts'
import { DAY, MINUTE } from './support/clock.ts'
import { withDatabase } from './support/copies.ts'
import {
  type DataPlace,
  onEveryDatabase,
  onOneDatabase,
  onPostgresOnly,
  onSqliteUnlessFull,
} from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register, signIn } from './support/people.ts'
import { startFactotum } from './support/process.ts'
import { startReceiver, type WebhookReceiver } from './support/webhook-receiver.ts'

const BASE = '/api/settings/webhooks'

onEveryDatabase('webhooks', (engine) => {
  let instance: Instance
  let owner: Person
  let token: string
  let receiver: WebhookReceiver
  let ahead = 0
  const elapse = (ms: number): void => {
    ahead += ms
    instance.clock.advance(ms)
  }
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { ACCESS_TOKEN_TTL: '30d' } })
    owner = await register(instance)
    token = owner.token
    instance.app.sending.start()
  })
  afterAll(() => instance.close())
  afterEach(async () => {
    // Resets the clock, because the verifier rejects timestamps that differ from the real time.
    elapse(-ahead)
    await instance.database.db.deleteFrom('webhooks').modifyEnd(ALL_ACCOUNTS).execute()
    await receiver?.close()
  })

  const add = async (input: Record<string, unknown> = {}) => {
    receiver = await startReceiver()
    const made = await instance.post(BASE, { url: receiver.url, events: ['*'], ...input }, { token })
    expect(made.status).toBe(201)
    return made.body
  }
  const addTask = (title: string) => instance.post('/api/tasks', { title })
  const deliveries = async (id: string, query = '') =>
    (await instance.get(`${BASE}/${id}/deliveries?limit=200${query}`, { token })).body.deliveries
  const inState = (id: string, state: string, count: number) =>
    eventually(async () => (await deliveries(id, `&state=${state}`)).length === count)
  const titles = () => receiver.received.map(({ body }) => body.data.title)

  it('are sent with a signature that the official verifier accepts', async () => {
    const { id, secret } = await add()
    expect(secret).toMatch(/^whsec_/)
    const { body: task } = await addTask('Pay the rent')
    const [hook] = await receiver.until(1)
    const verified = new Verifier(secret).verify(hook?.text as string, hook?.headers as never)
    expect(verified).toMatchObject({
      type: 'task.created',
      subject: String(task.id),
      data: { id: task.id, title: 'Pay the rent' },
    })
    expect(() => new Verifier(secret).verify(`${hook?.text} `, hook?.headers as never)).toThrow()
    await inState(id, 'delivered', 1)
    const [delivery] = await deliveries(id)
    expect(delivery.id).toBe(hook?.headers['webhook-id'])
    const whole = await instance.get(`${BASE}/${id}/deliveries/${delivery.id}`, { token })
    expect(whole.body.body).toBe(hook?.text)
    expect(whole.body.tries).toMatchObject([{ status: 204, error: null }])
  })

  it('are sent only for the chosen event types', async () => {
    const { id } = await add({ events: ['task.completed'] })
    const { body: task } = await addTask('quietly made')
    await instance.call('PATCH', `/api/tasks/${task.id}`, { body: { status: 'done' } })
    await receiver.until(1)
    await inState(id, 'delivered', 1)
    expect(receiver.received.map(({ body }) => body.type)).toEqual(['task.completed'])
  })

  it('are sent in order, also for many changes at once', async () => {
    const { id } = await add()
    const many = Array.from({ length: 120 }, (_, n) => ({
      userId: owner.id,
      type: 'task.created' as const,
      subject: String(n),
      data: { title: `n ${n}` },
    }))
    await inTransaction(instance.database.db, (tx) => instance.app.changes.recordAll(tx, many.map(toChange)))
    await receiver.until(120)
    await inState(id, 'delivered', 120)
    expect(titles()).toEqual(many.map(({ data }) => data.title))
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(120)
  })

  it('are not sent for a transaction that was rolled back', async () => {
    const { id } = await add()
    const work = inTransaction(instance.database.db, async (tx) => {
      await instance.app.changes.record(
        tx,
        toChange({
          userId: owner.id,
          type: 'task.created',
          subject: '1',
          data: {},
        }),
      )
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(await deliveries(id)).toEqual([])
  })

  it('are retried with the same id, while later deliveries wait', async () => {
    const { id } = await add()
    receiver.answer(503, 'busy')
    await addTask('first')
    await addTask('second')
    await receiver.until(1)
    await inState(id, 'waiting', 2)
    receiver.answer(204)
    elapse(MINUTE)
    await inState(id, 'delivered', 2)
    expect(titles()).toEqual(['first', 'first', 'second'])
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids[0]).toBe(ids[1])
    const whole = await instance.get(`${BASE}/${id}/deliveries/${ids[0]}`, { token })
    expect(whole.body.tries).toMatchObject([
      { status: 503, error: 'The endpoint responded with 503.', response: 'busy' },
      { status: 204, error: null },
    ])
  })

  it('skip a single delivery that keeps failing', async () => {
    const { id } = await add()
    receiver.answerTo(({ body }) => (body.data.title === 'poison' ? 500 : 204))
    await addTask('poison')
    await addTask('wholesome')
    await eventually(async () => {
      elapse(10 * MINUTE)
      return (await deliveries(id, '&state=delivered')).length === 1
    })
    expect(titles()).toContain('wholesome')
    expect((await deliveries(id, '&state=waiting')).length).toBe(1)
  })

  it('fail a delivery after a day, and disable an endpoint that has failed for days', async () => {
    const { id } = await add()
    receiver.answer(500)
    await addTask('in vain')
    const hasAttempts = async (times: number) => {
      const [{ attempts }] = await deliveries(id)
      return attempts === times
    }
    let tries = 1
    for (; ; tries++) {
      await eventually(() => hasAttempts(tries))
      const [{ nextAttemptAt }] = await deliveries(id)
      if (nextAttemptAt === null) break
      elapse(Date.parse(nextAttemptAt) - instance.clock.now().getTime() + 1)
      instance.app.sending.wake()
    }
    expect([tries, receiver.received.length]).toEqual([13, 13])
    const [failed] = await deliveries(id, '&state=failed')
    expect(Date.parse(failed.finishedAt) - Date.parse(failed.createdAt)).toBeGreaterThan(DAY)
    elapse(3 * DAY)
    await addTask('the last straw')
    await eventually(async () => !(await instance.get(`${BASE}/${id}`, { token })).body.enabled)
    const { body } = await instance.get(`${BASE}/${id}`, { token })
    expect(body.disabledReason).toContain('All deliveries have failed since')
    const activity = await instance.get('/api/settings/security/activity', { token })
    expect(activity.body.activity.map((entry: { action: string }) => entry.action)).toContain(
      'webhook.disabled',
    )
    await addTask('not sent')
    expect((await deliveries(id)).length).toBe(2)
    const on = await instance.call('PATCH', `${BASE}/${id}`, { token, body: { enabled: true } })
    expect(on.body).toMatchObject({ enabled: true, disabledReason: null, failingSince: null })
  })

  onSqliteUnlessFull(engine, () => {
    it('are disabled at once if the endpoint responds with 410', async () => {
      const { id } = await add()
      receiver.answer(410)
      await addTask('to nobody')
      await eventually(async () => !(await instance.get(`${BASE}/${id}`, { token })).body.enabled)
      expect((await deliveries(id, '&state=failed')).length).toBe(1)
    })

    it('do not follow redirects', async () => {
      const { id } = await add()
      receiver.answer(302)
      const test = await instance.post(`${BASE}/${id}/test`, undefined, { token })
      expect(test.body.tries[0]).toMatchObject({ status: 302, error: expect.stringContaining('redirect') })
      expect(receiver.received.length).toBe(1)
    })

    it('can be tested with a test event, which returns the result', async () => {
      const { id, secret } = await add({ events: ['stream.started'] })
      const good = await instance.post(`${BASE}/${id}/test`, undefined, { token })
      expect([good.status, good.body.state, good.body.type]).toEqual([200, 'delivered', 'webhook.test'])
      const [hook] = receiver.received
      expect(new Verifier(secret).verify(hook?.text as string, hook?.headers as never)).toMatchObject({
        type: 'webhook.test',
      })
      const once = { token, headers: { 'idempotency-key': `try-${engine}` } }
      const first = await instance.post(`${BASE}/${id}/test`, undefined, once)
      expect((await instance.post(`${BASE}/${id}/test`, undefined, once)).body).toEqual(first.body)
      expect(receiver.received).toHaveLength(2)
      await receiver.close()
      const bad = await instance.post(`${BASE}/${id}/test`, undefined, { token })
      expect(bad.body).toMatchObject({ state: 'failed', tries: [{ status: null }] })
      expect(bad.body.tries[0].error).toBeTruthy()
      receiver = await startReceiver()
    })

    it('are signed with both secrets for a day after a rotation, then only with the new one', async () => {
      const { id, secret: before } = await add()
      const { body } = await instance.post(`${BASE}/${id}/rotate`, undefined, { token })
      expect(body.secret).not.toBe(before)
      await instance.post(`${BASE}/${id}/test`, undefined, { token })
      const [both] = receiver.received
      for (const secret of [before, body.secret])
        expect(new Verifier(secret).verify(both?.text as string, both?.headers as never)).toBeTruthy()
      elapse(DAY + MINUTE)
      await instance.post(`${BASE}/${id}/test`, undefined, { token })
      expect(both?.headers['webhook-signature'].split(' ')).toHaveLength(2)
      expect(receiver.received[1]?.headers['webhook-signature'].split(' ')).toHaveLength(1)
    })
  })

  it('are redelivered on request, one or all of a period, with the same ids', async () => {
    const { id } = await add()
    await addTask('one')
    await addTask('two')
    await inState(id, 'delivered', 2)
    const [{ id: last }] = await deliveries(id)
    const one = await instance.post(`${BASE}/${id}/deliveries/${last}/redeliver`, undefined, { token })
    expect([one.status, one.body.state]).toEqual([200, 'waiting'])
    await receiver.until(3)
    await inState(id, 'delivered', 2)
    const range = { from: '2020-01-01', states: ['delivered'] }
    const all = await instance.post(`${BASE}/${id}/redeliver`, range, { token })
    expect(all.body).toEqual({ redelivered: 2 })
    await receiver.until(5)
    expect(titles()).toEqual(['one', 'two', 'two', 'one', 'two'])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    const none = await instance.post(
      `${BASE}/${id}/redeliver`,
      { from: '2030-01-01', to: '2020-01-01' },
      { token },
    )
    expect(none.status).toBe(400)
  })

  onSqliteUnlessFull(engine, () => {
    it('cannot be read or changed by another person', async () => {
      const { id } = await add()
      const stranger = await register(instance)
      const other = { token: stranger.token }
      expect((await instance.get(BASE, other)).body.webhooks).toEqual([])
      for (const [method, path] of [
        ['GET', id],
        ['PATCH', id],
        ['DELETE', id],
        ['POST', `${id}/rotate`],
        ['POST', `${id}/test`],
        ['GET', `${id}/deliveries`],
      ])
        expect(
          (
            await instance.call(method as string, `${BASE}/${path}`, {
              ...other,
              ...(method === 'PATCH' && { body: { name: 'mine' } }),
            })
          ).status,
        ).toBe(404)
      expect((await instance.get(BASE)).status).toBe(401)
    })

    it('do not return their secret again', async () => {
      const { id, secret } = await add()
      const bare = secret.slice('whsec_'.length)
      const answers = [await instance.get(BASE, { token }), await instance.get(`${BASE}/${id}`, { token })]
      for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(bare)
      const { secret: sealed } = await instance.database.db
        .selectFrom('webhooks')
        .select('secret')
        .modifyEnd(ALL_ACCOUNTS)
        .executeTakeFirstOrThrow()
      expect(sealed).not.toContain(bare)
    })

    it('reject invalid URLs, event types and fields', async () => {
      await add()
      const wrong = [
        { url: 'ftp://example.org/', events: ['*'] },
        { url: 'not an address', events: ['*'] },
        { url: 'https://user:pass@example.org/', events: ['*'] },
        { url: 'https://example.org/', events: [] },
        { url: 'https://example.org/', events: ['task.imagined'] },
        { url: 'https://example.org/', events: ['*'], sceret: 'x' },
      ]
      for (const body of wrong)
        expect([body, (await instance.post(BASE, body, { token })).status]).toEqual([body, 400])
    })

    it('can only be changed with the latest ETag', async () => {
      const { id } = await add()
      const read = await instance.get(`${BASE}/${id}`, { token })
      const headers = { 'if-match': String(read.headers.get('etag')) }
      const change = () => instance.call('PATCH', `${BASE}/${id}`, { token, headers, body: { name: 'mine' } })
      expect((await change()).body.name).toBe('mine')
      expect((await change()).status).toBe(412)
      expect((await instance.call('DELETE', `${BASE}/${id}`, { token })).status).toBe(204)
      expect((await instance.get(`${BASE}/${id}`, { token })).status).toBe(404)
    })
  })
})

describe('a webhook to a private address', () => {
  it('is not sent while access is private', async () => {
    const receiver = await startReceiver()
    const instance = await startInstance({ environment: { ACCESS: 'private' } })
    const { token } = await register(instance)
    const { body } = await instance.post(BASE, { url: receiver.url, events: ['*'] }, { token })
    const test = await instance.post(`${BASE}/${body.id}/test`, undefined, { token })
    expect(test.body).toMatchObject({ state: 'failed', tries: [{ status: null }] })
    expect(receiver.received).toEqual([])
    await instance.close()
    await receiver.close()
  })
})

describe('the secret of a webhook', () => {
  it('is sealed again after a key rotation and still signs', async () => {
    const receiver = await startReceiver()
    const before = await startInstance()
    const { place } = before
    const { token, email } = await register(before)
    const { body: hook } = await before.post(BASE, { url: receiver.url, events: ['*'] }, { token })
    await before.app.close()
    const [old, next] = [place.environment.SECRET_KEY as string, 'b'.repeat(64)]
    const keys = { SECRET_KEY: next, SECRET_KEY_PREVIOUS: old }
    const during = await startInstance({ place, environment: keys })
    await inTransaction(during.database.db, (tx) => during.app.features.webhooks.reseal(tx))
    await during.close()
    const after = await startInstance({ place, environment: { SECRET_KEY: next } })
    const again = await signIn(after, email)
    const test = await after.post(`${BASE}/${hook.id}/test`, undefined, { token: again.token })
    expect(test.body.state).toBe('delivered')
    const [sent] = receiver.received
    expect(new Verifier(hook.secret).verify(sent?.text as string, sent?.headers as never)).toBeTruthy()
    await after.close()
    await place.remove()
    await receiver.close()
  })
})

onPostgresOnly('webhooks of two instances', () => {
  it('are sent once per change', async () => {
    const receiver = await startReceiver()
    const one = await startInstance({ engine: 'postgres' })
    const other = await startInstance({ place: one.place })
    const { token } = await register(one)
    for (const instance of [one, other]) instance.app.sending.start()
    const { body: hook } = await one.post(BASE, { url: receiver.url, events: ['*'] }, { token })
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => (n % 2 ? one : other).post('/api/tasks', { title: `task ${n}` })),
    )
    await receiver.until(60)
    await eventually(async () => {
      const path = `${BASE}/${hook.id}/deliveries?state=delivered&limit=200`
      return (await one.get(path, { token })).body.deliveries.length === 60
    })
    expect(receiver.received.length).toBe(60)
    expect(new Set(receiver.received.map(({ body }) => body.data.title)).size).toBe(60)
    await other.close()
    await one.close()
    await receiver.close()
  })
})

/** Expires the leases of the killed process. */
const expireLeases = (place: DataPlace): Promise<unknown> =>
  withDatabase(place, (db) =>
    db
      .updateTable('webhooks')
      .set({ leaseUntil: '2000-01-01T00:00:00.000Z' })
      .modifyEnd(ALL_ACCOUNTS)
      .execute(),
  )

onOneDatabase('postgres', 'a process that is killed while it sends webhooks', (engine) => {
  it('loses no delivery, and uses no id for two changes', async () => {
    const receiver = await startReceiver()
    const place = (await startInstance({ engine }).then(async (instance) => {
      const { token } = await register(instance)
      await instance.post(BASE, { url: receiver.url, events: ['*'] }, { token })
      const { place: made } = instance
      await instance.app.close()
      return made
    })) as Instance['place']
    const acknowledged: string[] = []
    for (let round = 0; round < 2; round++) {
      const running = await startFactotum(place.environment)
      const send = async (n: number): Promise<void> => {
        const title = `round ${round} task ${n}`
        const answer = await fetch(`${running.url}/api/tasks`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ title }),
        }).catch(() => undefined)
        if (answer?.status === 201) acknowledged.push(title)
      }
      const sent = Promise.all(Array.from({ length: 40 }, (_, n) => send(n)))
      await receiver.until(receiver.received.length + 5)
      running.child.kill('SIGKILL')
      await running.ended
      await sent
      await expireLeases(place)
    }
    const last = await startFactotum(place.environment)
    const sentTitles = (): Set<string> => new Set(receiver.received.map(({ body }) => body.data.title))
    await eventually(() => acknowledged.every((title) => sentTitles().has(title)))
    const { body: tasks } = { body: await (await fetch(`${last.url}/api/tasks?limit=200`)).json() }
    const exist = new Set((tasks as { tasks: { title: string }[] }).tasks.map(({ title }) => title))
    expect(sentTitles().difference(exist)).toEqual(new Set())
    const byId = Map.groupBy(receiver.received, ({ headers }) => headers['webhook-id'])
    for (const same of byId.values()) expect(new Set(same.map(({ text }) => text)).size).toBe(1)
    expect(byId.size).toBe(sentTitles().size)
    last.child.kill('SIGTERM')
    await last.ended
    await receiver.close()
    await place.remove()
  }, 200_000)
})

describe('a webhook whose result cannot be stored, as on a full disk', () => {
  it('is retried by the timer, not in a tight loop', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const instance = await startInstance()
    const { token } = await register(instance)
    await instance.post(BASE, { url: 'http://127.0.0.1:1/', events: ['*'] }, { token })
    await instance.post('/api/tasks', { title: 'Pay the rent' })
    let turns = 0
    const takeTurn = async (): Promise<never> => {
      turns++
      throw new Error('database or disk is full')
    }
    const { clock, database } = instance
    const log = createLog('silent')
    const sending = createSending({ db: database.db, clock, random: systemRandom, log }, takeTurn)
    sending.start()
    for (let looks = 0; looks < 20; looks++) await instance.get('/api/tasks')
    expect(turns).toBe(1)
    await vi.advanceTimersByTimeAsync(1_000)
    await eventually(() => turns === 2)
    await sending.stop()
    vi.useRealTimers()
    await instance.close()
  })
})
