import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { toChange } from './support/changes.ts'
import { onOneDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { startReceiver } from './support/webhook-receiver.ts'

const created = (title: string) => ({ type: 'task.created' as const, subject: '1', data: { title } })

onOneDatabase('sqlite', 'changes of two accounts', (engine) => {
  let instance: Instance
  let ana: Person
  let ben: Person
  beforeAll(async () => {
    instance = await startInstance({ engine })
    ana = await register(instance)
    ben = await register(instance)
  })
  afterAll(() => instance.close())

  const record = (...changes: Parameters<typeof toChange>[0][]): Promise<void> =>
    inTransaction(instance.database.db, (tx) => instance.app.changes.recordAll(tx, changes.map(toChange)))
  const makeToken = async ({ token }: Person): Promise<string> => {
    const input = { name: 'x', scopes: ['tasks:read', 'stream:read'], password: PASSWORD }
    return (await instance.post('/api/settings/tokens', input, { token })).body.token
  }

  it('are stored with their account', async () => {
    await record({ ...created('of Ana'), userId: ana.id }, { ...created('of Ben'), userId: ben.id })
    await inTransaction(instance.database.db, (tx) =>
      instance.app.changes.record(tx, toChange({ ...created('single'), userId: ana.id })),
    )
    const rows = await instance.database.db
      .selectFrom('changes')
      .select('userId')
      .where('type', '=', 'task.created')
      .orderBy('id')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(rows.map(({ userId }) => userId)).toEqual([ana.id, ben.id, ana.id])
  })

  it('are streamed only to callers of their account, also after a reconnect', async () => {
    const path = '/api/events?types=task.*'
    const callers = { ana: ana.token, anaToken: await makeToken(ana), local: undefined }
    const others = { ben: ben.token, benToken: await makeToken(ben) }
    const open = async (tokens: Record<string, string | undefined>, lastEventId?: string) =>
      Promise.all(
        Object.values(tokens).map((token) =>
          openEventStream(instance.url, path, {
            ...(token !== undefined && { token }),
            ...(lastEventId !== undefined && { lastEventId }),
          }),
        ),
      )
    const [ofAna, ofBen] = [await open(callers), await open(others)]
    await record(
      { ...created('for Ana'), userId: ana.id },
      { ...created('for Ben'), userId: ben.id },
      { ...created('for Ana again'), userId: ana.id },
      { ...created('for Ben again'), userId: ben.id },
    )
    for (const stream of [...ofAna, ...ofBen]) await stream.until(2)
    const titles = (streams: typeof ofAna) =>
      streams.map(({ events }) => events.map(({ data }) => data.data.title))
    expect(titles(ofAna)).toEqual(ofAna.map(() => ['for Ana', 'for Ana again']))
    expect(titles(ofBen)).toEqual(ofBen.map(() => ['for Ben', 'for Ben again']))
    const resumed = await open(others, ofAna[0]?.events[0]?.id)
    for (const stream of resumed) await stream.until(2)
    expect(titles(resumed)).toEqual(resumed.map(() => ['for Ben', 'for Ben again']))
    expect(JSON.stringify(resumed[0]?.events)).not.toContain('userId')
    for (const stream of [...ofAna, ...ofBen, ...resumed]) await stream.leave()
  })

  it('are read from the log in order after a long absence, without those of others', async () => {
    const path = '/api/events?types=task.*'
    const first = await openEventStream(instance.url, path, { token: ben.token })
    await record({ ...created('last seen'), userId: ben.id })
    await first.until(1)
    const lastEventId = first.events[0]?.id as string
    await first.leave()
    const titles = Array.from({ length: 250 }, (_, n) => `missed ${n}`)
    for (const title of titles)
      await record({ ...created(`other ${title}`), userId: ana.id }, { ...created(title), userId: ben.id })
    const resumed = await openEventStream(instance.url, path, { token: ben.token, lastEventId })
    await resumed.until(titles.length)
    await record({ ...created('next'), userId: ben.id })
    await resumed.until(titles.length + 1)
    expect(resumed.events.map(({ data }) => data.data.title)).toEqual([...titles, 'next'])
    await resumed.leave()
  })

  it('reach the stream overlay of their account only', async () => {
    const streams = await Promise.all(
      [ana, ben].map(({ token }) => openEventStream(instance.url, '/api/stream/events', { token })),
    )
    const started = { type: 'stream.started' as const, subject: '1', data: {} }
    await record({ ...started, userId: ana.id }, { ...started, type: 'stream.stopped', userId: ben.id })
    for (const stream of streams) await stream.until(2)
    expect(streams.map(({ events }) => events.map(({ event }) => event))).toEqual([
      ['overlay', 'stream.started'],
      ['overlay', 'stream.stopped'],
    ])
    for (const stream of streams) await stream.leave()
  })

  it('are delivered only to webhooks of their account', async () => {
    const receivers = await Promise.all([startReceiver(), startReceiver()])
    for (const [index, { token }] of [ana, ben].entries())
      await instance.post('/api/settings/webhooks', { url: receivers[index]?.url, events: ['*'] }, { token })
    instance.app.sending.start()
    await record(
      { ...created('for Ana'), userId: ana.id },
      { ...created('for Ben'), userId: ben.id },
      { ...created('for Ana again'), userId: ana.id },
    )
    await receivers[0].until(2)
    await receivers[1].until(1)
    const titles = receivers.map(({ received }) => received.map(({ body }) => body.data.title))
    expect(titles).toEqual([['for Ana', 'for Ana again'], ['for Ben']])
    for (const receiver of receivers) await receiver.close()
  })

  it('notify only their account', async () => {
    const list = async ({ token }: Person): Promise<string[]> =>
      (await instance.get('/api/notifications?kind=task_due', { token })).body.notifications.map(
        ({ title }: { title: string }) => title,
      )
    const due = (title: string) => ({ type: 'task.due' as const, subject: '1', data: { title } })
    await record({ ...due('for Ben'), userId: ben.id }, { ...due('for Ana'), userId: ana.id })
    expect([await list(ana), await list(ben)]).toEqual([['To do: for Ana'], ['To do: for Ben']])
  })

  it('lose their data with their account and keep their position', async () => {
    const cleo = await register(instance)
    await record({ ...created('secret'), userId: cleo.id })
    const left = await instance.call('DELETE', '/api/settings/account', {
      body: { password: PASSWORD },
      token: cleo.token,
    })
    expect(left.status).toBe(204)
    const rows = await instance.database.db
      .selectFrom('changes')
      .select('data')
      .where('userId', '=', cleo.id)
      .execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map(({ data }) => data))).toEqual(new Set(['{}']))
  })
})
