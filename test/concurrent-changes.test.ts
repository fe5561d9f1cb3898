import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getLocalUserId } from '../src/database/local-account.ts'
import { afterCommit, inTransaction } from '../src/database/transaction.ts'
import { onEveryDatabase, onPostgresOnly } from './support/databases.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'
import { startTestServer } from './support/test-server.ts'
import { startReceiver, type WebhookReceiver } from './support/webhook-receiver.ts'

const WRITERS = 8
const WEBHOOKS = 10

/** Lists all responses with a server error, as text for the failure message. */
const faultsIn = (answers: readonly Answer[]): string[] =>
  answers.filter(({ status }) => status >= 500).map(({ status, body }) => `${status} ${JSON.stringify(body)}`)

onEveryDatabase('concurrent requests', (engine) => {
  let instance: Instance
  let token: string
  let receiver: WebhookReceiver
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { ACCESS_TOKEN_TTL: '30d' } })
    token = (await register(instance)).token
    receiver = await startReceiver()
    instance.app.sending.start()
  })
  afterAll(async () => {
    await instance.close()
    await receiver.close()
  })

  /** Repeats `work` until `until` is settled. */
  const repeat = async (until: Promise<unknown>, work: (turn: number) => Promise<Answer>) => {
    let isOver = false
    const ending = until.finally(() => {
      isOver = true
    })
    const answers: Answer[] = []
    for (let turn = 0; !isOver; turn++) answers.push(await work(turn))
    await ending
    return answers
  }

  it('write without a server error while webhooks are created, tested and removed', async () => {
    const base = '/api/settings/webhooks'
    const changes: Answer[] = []
    const changeWebhooks = async (): Promise<void> => {
      for (let round = 0; round < 3; round++)
        await Promise.all(
          Array.from({ length: WEBHOOKS }, async () => {
            const made = await instance.post(base, { url: receiver.url, events: ['*'] }, { token })
            const path = `${base}/${made.body.id}`
            const testing = instance.post(`${path}/test`, undefined, { token })
            const removed = await instance.call('DELETE', path, { token })
            changes.push(made, removed, await testing)
          }),
        )
    }
    const changing = changeWebhooks()
    const written = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) =>
        repeat(changing, (turn) => instance.post('/api/tasks', { title: `${writer}.${turn}` })),
      ),
    )
    expect(faultsIn([...written.flat(), ...changes])).toEqual([])
    expect(written.flat().every(({ status }) => status === 201)).toBe(true)
    for (const { status } of changes) expect([200, 201, 204, 404]).toContain(status)
  })

  it('cause no server error while their account is deleted', async () => {
    const answers: Answer[] = []
    for (let round = 0; round < 5; round++) {
      const { token: leaving } = await register(instance)
      const deleting = instance.call('DELETE', '/api/settings/account', {
        body: { password: PASSWORD },
        token: leaving,
      })
      const calls: ((turn: number) => Promise<Answer>)[] = [
        () => instance.call('PATCH', '/api/settings/profile', { body: { name: 'N' }, token: leaving }),
        (turn) => {
          const body = { password: PASSWORD, name: `t${turn}`, scopes: ['tasks:read'] }
          return instance.post('/api/settings/tokens', body, { token: leaving })
        },
        () => {
          const body = { url: receiver.url, events: ['*'] }
          return instance.post('/api/settings/webhooks', body, { token: leaving })
        },
        () => {
          const body = { quietHours: null }
          return instance.call('PATCH', '/api/settings/notifications', { body, token: leaving })
        },
        () => instance.post('/api/auth/logout', undefined, { token: leaving }),
        () =>
          instance.call('PATCH', '/api/settings/preferences', { body: { theme: 'dark' }, token: leaving }),
      ]
      const others = await Promise.all(calls.map((work) => repeat(deleting, work)))
      const gone = await deleting
      expect([204, 401]).toContain(gone.status)
      answers.push(...others.flat(), gone)
    }
    expect(faultsIn(answers)).toEqual([])
  })

  it('cause no server error while their email is deleted', async () => {
    const answers: Answer[] = []
    for (let round = 0; round < 8; round++) {
      const email = {
        from: 'a@example.org',
        to: ['b@example.org'],
        subject: `s${round}`,
        text: 'Lunch on Friday at 1pm?',
      }
      const made = await instance.post('/api/emails', email)
      expect(made.status).toBe(201)
      const path = `/api/emails/${made.body.id}`
      const deleting = (async () => {
        await instance.get(path)
        return instance.call('DELETE', path)
      })()
      const calls: ((turn: number) => Promise<Answer>)[] = [
        (turn) => instance.call('PATCH', path, { body: { tags: [`t${turn}`] } }),
        (turn) => instance.call('PATCH', path, { body: { read: turn % 2 === 0 } }),
        () => instance.post(`${path}/analyze`),
        () => instance.post('/api/tasks', { title: 'about it', emailId: made.body.id }),
        () =>
          instance.post('/api/calendar/events', {
            title: 'about it',
            start: '2031-03-01T10:00:00Z',
            emailId: made.body.id,
          }),
        () => instance.get(path),
      ]
      answers.push(...(await Promise.all(calls.map((work) => repeat(deleting, work)))).flat(), await deleting)
    }
    expect(faultsIn(answers)).toEqual([])
  })
})

onPostgresOnly('a conflicting transaction', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine: 'postgres' })
  })
  afterAll(() => instance.close())

  it('is retried after a deadlock, and runs its callbacks once', async () => {
    const { db } = instance.database
    const userId = await getLocalUserId(db)
    for (const name of ['one', 'two'])
      await db.insertInto('samples').values({ userId, kind: 'lock', reference: name }).execute()
    const lock = (tx: typeof db, reference: string) =>
      tx
        .updateTable('samples')
        .set({ kind: 'lock' })
        .where('userId', '=', userId)
        .where('reference', '=', reference)
        .execute()
    let meet = () => {}
    let count = 0
    const met = new Promise<void>((resolve) => {
      meet = resolve
    })
    let attempts = 0
    let callbacks = 0
    const cross = (first: string, second: string) =>
      inTransaction(db, async (tx) => {
        attempts++
        afterCommit(() => callbacks++)
        await lock(tx, first)
        if (++count === 2) meet()
        await met
        await lock(tx, second)
      })
    await Promise.all([cross('one', 'two'), cross('two', 'one')])
    expect(attempts).toBeGreaterThan(2)
    expect(callbacks).toBe(2)
  })

  it('is retried as a whole by the outermost of nested transactions', async () => {
    const { db } = instance.database
    const fail = sql`do $$ begin raise exception using errcode = '40001'; end $$`
    const calls: string[] = []
    const userId = await getLocalUserId(db)
    await inTransaction(db, async (tx) => {
      calls.push('outer')
      await tx.insertInto('samples').values({ userId, kind: 'nested', reference: 'once' }).execute()
      await inTransaction(db, async (inner) => {
        calls.push('inner')
        if (calls.length < 6) await fail.execute(inner)
      })
    })
    expect(calls).toEqual(['outer', 'inner', 'outer', 'inner', 'outer', 'inner'])
    const stored = db.selectFrom('samples').selectAll().where('userId', '=', userId)
    expect(await stored.where('kind', '=', 'nested').execute()).toHaveLength(1)
  })

  it('is answered with 503 if it conflicts every time', async () => {
    const { db } = instance.database
    const testServer = await startTestServer(instance, async (app) => {
      app.get('/deadlock', { config: { access: 'public' } }, () =>
        inTransaction(db, (tx) =>
          sql`do $$ begin raise exception using errcode = '40P01'; end $$`.execute(tx),
        ),
      )
    })
    const answer = await testServer.send({ method: 'GET', path: '/deadlock' })
    await testServer.close()
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '1',
    ])
  })
})
