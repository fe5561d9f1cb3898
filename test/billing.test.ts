import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { getLocalUserId } from '../src/database/local-account.ts'
import { DAY } from './support/clock.ts'
import { onEveryDatabase, onSqliteUnlessFull } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register, signIn } from './support/people.ts'
import { unzip } from './support/unzip.ts'

const BASE = '/api/settings/billing'

/** The calendar day in Chatham, which differs from UTC for most of the day. */
const chathamDay = (at: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Chatham', dateStyle: 'short' }).format(at)

onEveryDatabase('billing without a payment provider', (engine) => {
  let instance: Instance
  let owner: Person
  beforeAll(async () => {
    instance = await startInstance({
      engine,
      environment: { TZ_DEFAULT: 'Pacific/Chatham', ACCESS_TOKEN_TTL: '1d' },
    })
    owner = await register(instance)
  })
  afterAll(() => instance.close())

  const get = (path: string, token = owner.token) => instance.get(`${BASE}${path}`, { token })
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    instance.call(method, `${BASE}${path}`, { body, token: owner.token, headers })
  const today = (): string => chathamDay(instance.clock.now())
  const daysAgo = (days: number): string =>
    new Date(Date.parse(today()) - days * DAY).toISOString().slice(0, 10)
  const spend = (day: string, requests: number, costUsd: number) =>
    instance.database.db
      .insertInto('ai_days')
      .values({
        userId: owner.id,
        day,
        model: 'model_a',
        tokenId: `t${requests}`,
        requests,
        inputTokens: 100,
        outputTokens: 20,
        costNano: costUsd * 1e9,
        unpriced: 0,
      })
      .execute()
  const listChanges = async (type: string) =>
    (
      await instance.database.db
        .selectFrom('changes')
        .select('data')
        .where('type', '=', type)
        .orderBy('id')
        .modifyEnd(ALL_ACCOUNTS)
        .execute()
    ).map(({ data }) => JSON.parse(data))

  it('offers only the self-hosted plan', async () => {
    const plan = await get('/plan')
    expect(plan.status).toBe(200)
    expect(plan.body).toMatchObject({
      id: 'self-hosted',
      amount: 0,
      currency: null,
      status: 'active',
      managedBy: 'instance',
      paymentsEnabled: false,
      canSubscribe: false,
      canCancel: false,
      subscription: null,
    })
    const plans = await get('/plans')
    expect(plans.body.plans.map(({ id }: { id: string }) => id)).toEqual(['self-hosted'])
  })

  it('has no invoices', async () => {
    expect((await get('/invoices')).body).toEqual({ invoices: [], nextCursor: null })
    expect((await get('/invoices/in_1')).status).toBe(404)
    expect((await get('/invoices/in_1/pdf')).status).toBe(404)
  })

  it.each([
    ['/subscribe', { plan: 'price_1' }],
    ['/cancel', {}],
    ['/portal', undefined],
  ])('rejects POST %s with not_configured', async (path, body) => {
    const answer = await send('POST', path, body)
    expect([answer.status, answer.body.code]).toEqual([409, 'not_configured'])
  })

  it('rejects webhooks of a provider', async () => {
    const answer = await instance.post('/api/billing/webhook', { id: 'evt_1' })
    expect([answer.status, answer.body.code]).toEqual([409, 'not_configured'])
  })

  it('reports usage per day in the time zone of the instance, as totals and series', async () => {
    await spend(today(), 3, 0.25)
    await spend(daysAgo(2), 4, 0.1)
    await spend(daysAgo(40), 9, 9)
    const { status, body } = await get('/usage?days=7')
    expect(status).toBe(200)
    expect(body).toMatchObject({ timezone: 'Pacific/Chatham', from: daysAgo(6), to: today() })
    expect(body.days.map(({ day }: { day: string }) => day)).toEqual(
      [6, 5, 4, 3, 2, 1, 0].map((days) => daysAgo(days)),
    )
    expect(body.totals).toMatchObject({ aiRequests: 7, aiTokens: 240, aiCostUsd: 0.35, messagesSynced: 0 })
    expect(body.days[4]).toMatchObject({
      aiRequests: 4,
      aiInputTokens: 100,
      aiOutputTokens: 20,
      aiCostUsd: 0.1,
    })
    const series = Object.fromEntries(
      body.series.map(({ measure, unit, values }: { measure: string; unit: string; values: number[] }) => [
        measure,
        { unit, values },
      ]),
    )
    expect(series.aiRequests).toEqual({ unit: 'requests', values: [0, 0, 0, 0, 4, 0, 3] })
    expect(series.aiCostUsd).toEqual({ unit: 'usd', values: [0, 0, 0, 0, 0.1, 0, 0.25] })
    expect(Object.keys(series)).toHaveLength(5)
  })

  it('reports the storage of the account, and repeats the previous value for days without a measurement', async () => {
    await instance.database.db
      .insertInto('storage_days')
      .values({ userId: owner.id, day: daysAgo(4), bytes: 1000, measuredAt: '2026-01-01T00:00:00.000Z' })
      .execute()
    const { body } = await get('/usage?days=6')
    const stored = body.days.map((day: { storageBytes: number }) => day.storageBytes)
    expect(stored.slice(0, 5)).toEqual([0, 1000, 1000, 1000, 1000])
    expect(stored[5]).toBe(0)
    expect(body.totals.storageBytes).toBe(stored[5])
    await instance.call('POST', '/api/attachments?filename=big.bin', {
      body: Buffer.alloc(3_000_000, 7),
      headers: { 'content-type': 'application/octet-stream' },
    })
    instance.clock.advance(3_700_000)
    const later = await get('/usage?days=1')
    expect(later.body.totals.storageBytes).toBe(3_000_000)
    expect(later.body.storageMeasuredAt > body.storageMeasuredAt).toBe(true)
  })

  it('notifies of a reached budget once a month, and again after it was raised', async () => {
    const { body: usage } = await get('/usage')
    const used: number = usage.month.aiCostUsd
    const made = await send('PUT', '/budgets/aiCostUsd', { limit: used + 1 })
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`${BASE}/budgets/aiCostUsd`)
    expect(made.body).toMatchObject({ measure: 'aiCostUsd', unit: 'usd', used, reachedAt: null })
    expect(await listChanges('billing.budget_reached')).toEqual([])

    await spend(today(), 5, 1.5)
    await send('PUT', '/budgets/aiRequests', { limit: 1_000_000 })
    const expected = {
      userId: owner.id,
      measure: 'aiCostUsd',
      unit: 'usd',
      limit: used + 1,
      used: used + 1.5,
      period: today().slice(0, 7),
    }
    expect(await listChanges('billing.budget_reached')).toEqual([expected])
    const { body } = await get('/budgets')
    expect(body.period).toBe(today().slice(0, 7))
    expect(body.budgets.map(({ measure }: { measure: string }) => measure)).toEqual([
      'aiCostUsd',
      'aiRequests',
    ])
    expect(body.budgets[0].reachedAt).not.toBeNull()
    expect(body.budgets[1].reachedAt).toBeNull()

    await spend(today(), 6, 1)
    await send('PUT', '/budgets/aiCostUsd', { limit: used + 0.5 })
    expect(await listChanges('billing.budget_reached')).toHaveLength(1)
    const raised = await send('PUT', '/budgets/aiCostUsd', { limit: used + 3 })
    expect([raised.status, raised.body.reachedAt]).toEqual([200, null])
    await spend(today(), 7, 1)
    await send('PUT', '/budgets/aiTokens', { limit: 1_000_000 })
    expect(await listChanges('billing.budget_reached')).toHaveLength(2)
  })

  it('notifies of a budget once if several checks run concurrently', async () => {
    await send('PUT', '/budgets/messagesSynced', { limit: 40 })
    const userId = await getLocalUserId(instance.database.db)
    await instance.database.db
      .insertInto('tallies')
      .values([30, 15].map((amount) => ({ name: `messages-synced/${userId}/${today()}`, amount })))
      .execute()
    const reached = async () =>
      (await listChanges('billing.budget_reached')).filter(({ measure }) => measure === 'messagesSynced')
    await instance.app.jobs.start()
    const { db } = instance.database
    const jobs = ['a', 'b'].map((key) => instance.app.jobs.enqueue(db, 'billing.watch', {}, { key }))
    await Promise.all(jobs)
    await Promise.all([1, 2].map((limit) => send('PUT', '/budgets/storageBytes', { limit: limit * 1e12 })))
    for (const id of await Promise.all(jobs))
      await eventually(async () => (await instance.app.jobs.find(id as string))?.state === 'done')
    expect(await reached()).toMatchObject([{ used: 45, limit: 40 }])
    expect((await get('/usage?days=1')).body.totals.messagesSynced).toBe(45)
  })

  it('deletes a budget', async () => {
    expect((await send('DELETE', '/budgets/aiRequests')).status).toBe(204)
    expect((await send('DELETE', '/budgets/aiRequests')).status).toBe(404)
    const { body } = await get('/budgets')
    expect(body.budgets.map(({ measure }: { measure: string }) => measure)).not.toContain('aiRequests')
  })

  it('changes details field by field and checks If-Match', async () => {
    const first = await get('/details')
    expect(first.body).toEqual({ name: null, email: null, address: null, vatId: null, updatedAt: null })
    const address = { line1: 'Hauptstraße 1', city: 'Berlin', postalCode: '10115', country: 'DE' }
    const etag = first.headers.get('etag') ?? ''
    const changed = await send('PATCH', '/details', { name: 'Ruiz & Söhne', address }, { 'if-match': etag })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      name: 'Ruiz & Söhne',
      vatId: null,
      address: { ...address, line2: null, state: null },
    })
    const late = await send('PATCH', '/details', { name: 'Another' }, { 'if-match': etag })
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed'])
    const more = await send('PATCH', '/details', { vatId: 'de 123 456-789', email: 'books@example.org' })
    expect(more.body).toMatchObject({
      vatId: 'DE123456789',
      name: 'Ruiz & Söhne',
      email: 'books@example.org',
    })
    expect((await send('PATCH', '/details', { address: null, vatId: null })).body).toMatchObject({
      address: null,
      vatId: null,
      name: 'Ruiz & Söhne',
    })
    const { body } = await instance.get('/api/settings/security/activity?limit=1', { token: owner.token })
    expect(body.activity[0]).toMatchObject({
      action: 'billing.details_changed',
      details: { fields: ['address', 'vatId'] },
    })
  })

  onSqliteUnlessFull(engine, () => {
    it.each([
      ['PATCH', '/details', { name: '' }, 'name'],
      ['PATCH', '/details', { name: 7 }, 'name'],
      ['PATCH', '/details', { email: 'no address' }, 'email'],
      ['PATCH', '/details', { address: {} }, 'address.line1'],
      ['PATCH', '/details', { address: { line1: 'x', country: 'de' } }, 'address.country'],
      ['PATCH', '/details', { address: { line1: 'x', country: 'XQ' } }, 'address.country'],
      ['PATCH', '/details', { address: { line1: 'x', country: 'DE', street: 'y' } }, 'address.street'],
      ['PATCH', '/details', { address: { line1: 'x', country: 'DE', city: '' } }, 'address.city'],
      ['PATCH', '/details', { vatId: 'DE12' }, 'vatId'],
      ['PATCH', '/details', { vatId: '123456789' }, 'vatId'],
      ['PATCH', '/details', { vat: 'DE123456789' }, 'vat'],
      ['PUT', '/budgets/aiCostUsd', {}, 'limit'],
      ['PUT', '/budgets/aiCostUsd', { limit: '5' }, 'limit'],
      ['PUT', '/budgets/aiCostUsd', { limit: -1 }, 'limit'],
      ['PUT', '/budgets/aiCostUsd', { limit: 2_000_000 }, 'limit'],
      ['PUT', '/budgets/aiTokens', { limit: 1.5 }, 'limit'],
      ['PUT', '/budgets/aiTokens', { limit: 5, per: 'day' }, 'per'],
      ['PUT', '/budgets/coffee', { limit: 5 }, 'measure'],
      ['DELETE', '/budgets/coffee', undefined, 'measure'],
      ['GET', '/usage?days=0', undefined, 'days'],
      ['GET', '/usage?days=367', undefined, 'days'],
      ['GET', '/usage?day=3', undefined, 'day'],
      ['GET', '/invoices?limit=0', undefined, 'limit'],
      ['GET', '/invoices?cursor=x', undefined, 'cursor'],
      ['POST', '/subscribe', {}, 'plan'],
      ['POST', '/subscribe', { plan: '' }, 'plan'],
      ['POST', '/subscribe', { plan: 'price_1', coupon: 'x' }, 'coupon'],
      ['POST', '/cancel', { when: 'never' }, 'when'],
    ])('rejects %s %s with %j and reports the path %s', async (method, path, body, field) => {
      const answer = await send(method, path, body)
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
      expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(field)
    })

    it('requires a session on every route and rejects personal access tokens', async () => {
      const { body } = await instance.post(
        '/api/settings/tokens',
        { password: PASSWORD, name: 'n', scopes: ['ai:write', 'workflow:write'] },
        { token: owner.token },
      )
      const routes = instance.app.routes
        .entries()
        .filter(({ method, url }) => method !== 'HEAD' && url.startsWith(BASE))
      expect(routes.length).toBeGreaterThanOrEqual(14)
      for (const { method, url } of routes) {
        const path = url.replace(':measure', 'aiCostUsd').replace(':id', 'in_1')
        const [nobody, program] = [
          await instance.call(method, path, { body: /GET|HEAD|DELETE/.test(method) ? undefined : {} }),
          await instance.call(method, path, { token: body.token }),
        ]
        expect([method, path, nobody.status, nobody.body.code]).toEqual([method, path, 401, 'unauthorized'])
        expect([method, path, program.status, program.body.code]).toEqual([
          method,
          path,
          403,
          'insufficient_scope',
        ])
      }
    })
  })

  it('keeps the details and budgets of people separate', async () => {
    await send('PATCH', '/details', { name: 'Of the owner' })
    const other = await register(instance)
    expect((await get('/details', other.token)).body.name).toBeNull()
    expect((await get('/budgets', other.token)).body.budgets).toEqual([])
    expect((await get('/plan', other.token)).body.id).toBe('self-hosted')
  })

  it('notifies of a budget once in the next month', async () => {
    await send('PUT', '/budgets/storageBytes', { limit: 1000 })
    const watch = async (): Promise<void> => {
      const id = await instance.app.jobs.enqueue(instance.database.db, 'billing.watch', {})
      // Housekeeping is due a month later too. It deletes finished jobs and old changes.
      const isOver = async () =>
        ['done', undefined].includes((await instance.app.jobs.find(id as string))?.state)
      await eventually(isOver)
    }
    const periods = async () =>
      (await listChanges('billing.budget_reached'))
        .filter(({ measure }) => measure === 'storageBytes')
        .map(({ period }) => period)
    const before = today().slice(0, 7)
    expect(await periods()).toEqual([before])
    instance.clock.advance(32 * DAY)
    for (let look = 0; look < 2; look++) await watch()
    expect((await periods()).filter((period) => period !== before)).toEqual([today().slice(0, 7)])
    owner.token = (await signIn(instance, owner.email)).token
  })

  it('is exported, and deleted with the person', async () => {
    await send('PATCH', '/details', { name: 'To be exported', vatId: 'FR12345678901' })
    const response = await fetch(`${instance.url}/api/settings/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    })
    const files = await unzip(Buffer.from(await response.arrayBuffer()))
    const lines = (name: string): Record<string, unknown>[] =>
      (files[name] ?? '')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    const details = { name: 'To be exported', vatId: 'FR12345678901' }
    expect(lines('billing/accounts.jsonl')).toMatchObject([{ details, subscription: null }])
    expect(lines('billing/budgets.jsonl')).toContainEqual(
      expect.objectContaining({ measure: 'messagesSynced', amount: 40 }),
    )
    expect(lines('billing/storage-days.jsonl')).toContainEqual(expect.objectContaining({ bytes: 1000 }))
    const synced = lines('mail/synced-days.jsonl').reduce((sum, { amount }) => sum + Number(amount), 0)
    expect(synced).toBe(45)

    const { accounts } = (await instance.get('/api/accounts', { token: owner.token })).body
    for (const { id } of accounts.slice(1))
      await instance.call('DELETE', `/api/accounts/${id}`, {
        body: { password: PASSWORD },
        token: owner.token,
      })
    const { status } = await instance.call('DELETE', '/api/settings/account', {
      body: { password: PASSWORD, wipe: true },
      token: owner.token,
    })
    expect(status).toBe(204)
    for (const table of ['billing_accounts', 'billing_budgets', 'billing_warnings', 'storage_days'] as const)
      expect([
        table,
        await instance.database.db.selectFrom(table).selectAll().modifyEnd(ALL_ACCOUNTS).execute(),
      ]).toEqual([table, []])
  })
})
