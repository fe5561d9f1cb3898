import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createStripe } from '../src/adapters/stripe/stripe.ts'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { createOutbound } from '../src/platform/outbound/outbound.ts'
import { MINUTE } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { type FakeStripe, hasStripeFixtures, PDF, type StripeFault, startStripe } from './support/stripe.ts'

const BASE = '/api/settings/billing'
/** The fault, and the expected status, code and detail. */
const FAULTS: [string, StripeFault, number, string, RegExp][] = [
  ['rejects the key', { status: 401, body: { error: {} } }, 502, 'upstream_failed', /STRIPE_SECRET_KEY/],
  [
    'declines the card',
    {
      status: 402,
      body: { error: { type: 'card_error', code: 'card_declined', decline_code: 'lost_card' } },
    },
    ...([409, 'payment_refused', /lost_card/] as const),
  ],
  [
    'limits the request rate',
    { status: 429, body: { error: {} }, headers: { 'retry-after': '7' } },
    ...([502, 'upstream_failed', /limits the request rate/] as const),
  ],
  ['fails', { status: 500, body: { error: {} } }, 502, 'upstream_failed', /failed \(500\)/],
  ['fails without a word', { status: 503 }, 502, 'upstream_failed', /could not be parsed/],
  ['answers garbage', 'garbage', 502, 'upstream_failed', /could not be parsed/],
  [
    'answers something else',
    { status: 200, body: { data: 7 } },
    502,
    'upstream_failed',
    /could not be parsed/,
  ],
]

// biome-ignore lint/suspicious/noExplicitAny: a Stripe event
type Event = any

const whySkipped = hasStripeFixtures ? '' : ' (skipped: the fixtures are missing)'

describe.skipIf(!hasStripeFixtures)(`billing with Stripe${whySkipped}`, () => {
  onOneDatabase('sqlite', 'billing with Stripe', (engine) => {
    let stripe: FakeStripe
    let instance: Instance
    let household: string
    let studio: string
    beforeAll(async () => {
      stripe = await startStripe()
      household = stripe.addPlan('Household', 900)
      studio = stripe.addPlan('Studio', 2900, { recurring: { interval: 'year', interval_count: 1 } })
      stripe.addPlan('Bought once', 500, { type: 'one_time', recurring: null })
      stripe.addPlan('No longer sold', 500, { active: false })
      instance = await startInstance({
        engine,
        environment: {
          STRIPE_SECRET_KEY: stripe.secretKey,
          STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
          STRIPE_BASE_URL: stripe.url,
        },
      })
    })
    afterEach(() => {
      stripe.fault = undefined
    })
    afterAll(async () => {
      await instance.close()
      await stripe.close()
    })

    const as = (person: Person) => ({
      get: (path: string) => instance.get(`${BASE}${path}`, person),
      post: (path: string, body: unknown = {}) => instance.post(`${BASE}${path}`, body ?? undefined, person),
      call: (method: string, path: string, body: unknown) =>
        instance.call(method, `${BASE}${path}`, { body, token: person.token }),
      plan: async () => (await instance.get(`${BASE}/plan`, person)).body,
    })
    const sendNotice = (event: Event, headers?: Record<string, string>): Promise<Answer> => {
      const body = JSON.stringify(event)
      return instance.post('/api/billing/webhook', body, {
        headers: headers ?? stripe.sign(body, instance.clock.now()),
      })
    }
    const sessionOf = (url: string): string => url.split('/').at(-1) as string
    const accountOf = (userId: number) =>
      instance.database.db
        .selectFrom('billing_accounts')
        .selectAll()
        .where('userId', '=', userId)
        .executeTakeFirstOrThrow()
    const planChanges = async (userId: number) =>
      (
        await instance.database.db
          .selectFrom('changes')
          .select('data')
          .where('type', '=', 'billing.plan_changed')
          .where('subject', '=', String(userId))
          .orderBy('id')
          .modifyEnd(ALL_ACCOUNTS)
          .execute()
      ).map(({ data }) => JSON.parse(data).after)
    /** Registers a person who pays for the household plan. */
    const subscribe = async (plan = household) => {
      const person = await register(instance)
      const { body } = await as(person).post('/subscribe', { plan })
      const events = stripe.pay(sessionOf(body.url))
      for (const event of events) await sendNotice(event)
      return { person, events, ...as(person) }
    }

    it('lists the available plans and the self-hosted plan', async () => {
      const { get } = as(await register(instance))
      const { status, body } = await get('/plans')
      expect(status).toBe(200)
      expect(body.plans.map(({ id }: { id: string }) => id)).toEqual(['self-hosted', household, studio])
      expect(body.plans[1]).toEqual({
        id: household,
        name: 'Household',
        description: 'About Household',
        amount: 900,
        currency: 'eur',
        interval: 'month',
        intervalCount: 1,
      })
    })

    it('handles checkout, repeated and reordered notices, cancellation and invoices', async () => {
      const person = await register(instance)
      const { get, post, plan } = as(person)
      expect(await plan()).toMatchObject({ id: 'self-hosted', canSubscribe: true, paymentsEnabled: true })
      const checkout = await post('/subscribe', { plan: household })
      expect(checkout.status).toBe(200)
      expect(checkout.body.url).toMatch(/^https:\/\/checkout\.example\.test\//)
      const session = stripe.sessions.get(sessionOf(checkout.body.url)) as Event
      expect(session.success_url).toBe(`${instance.url}/settings/billing?checkout=done`)
      expect((await plan()).id).toBe('self-hosted')

      const events = stripe.pay(session.id)
      const results: string[] = []
      for (const event of [...events.toReversed(), ...events]) {
        const { status, body } = await sendNotice(event)
        expect([event.type, status]).toEqual([event.type, 200])
        results.push(body.result)
        expect(await plan()).toMatchObject({ id: household, name: 'Household', status: 'active' })
      }
      expect(results).toEqual(['applied', ...Array(3).fill('unchanged'), ...Array(4).fill('duplicate')])
      expect(await plan()).toMatchObject({
        amount: 900,
        currency: 'eur',
        interval: 'month',
        managedBy: 'stripe',
        canSubscribe: false,
        canCancel: true,
        subscription: { status: 'active', endsAt: null, endedAt: null },
      })
      expect(await planChanges(person.id)).toMatchObject([{ plan: household, status: 'active' }])

      const again = await post('/subscribe', { plan: studio })
      expect([again.status, again.body.code]).toEqual([409, 'conflict'])
      const cancelled = await post('/cancel')
      expect(cancelled.status).toBe(200)
      expect(cancelled.body).toMatchObject({ id: household, status: 'active' })
      expect(cancelled.body.subscription.endsAt).toBe(cancelled.body.subscription.periodEnd)
      expect((await post('/cancel')).status).toBe(200)

      const subscription = stripe.subscriptions.get(cancelled.body.subscription.id) as Event
      const updated = stripe.eventOf('customer.subscription.updated', subscription)
      Object.assign(subscription, { status: 'canceled', ended_at: subscription.created + 100 })
      const deleted = stripe.eventOf('customer.subscription.deleted', subscription)
      for (const event of [deleted, updated, deleted, updated]) await sendNotice(event)
      expect(await plan()).toMatchObject({
        id: 'self-hosted',
        status: 'active',
        canSubscribe: true,
        canCancel: false,
        subscription: { status: 'canceled', plan: household },
      })
      expect((await planChanges(person.id)).map(({ status }) => status)).toEqual([
        'active',
        'active',
        'canceled',
      ])
      expect((await post('/cancel')).status).toBe(409)

      const { body } = await get('/invoices')
      expect(body.invoices).toHaveLength(1)
      expect(body.invoices[0]).toMatchObject({ status: 'paid', total: 900, currency: 'eur', hasPdf: true })
    })

    it('allows a new subscription after one has ended', async () => {
      const { post, plan } = await subscribe()
      expect((await post('/cancel', { when: 'now' })).body).toMatchObject({
        id: 'self-hosted',
        subscription: { status: 'canceled' },
      })
      const { status, body } = await post('/subscribe', { plan: household })
      expect(status).toBe(200)
      for (const event of stripe.pay(sessionOf(body.url))) await sendNotice(event)
      expect(await plan()).toMatchObject({ id: household, status: 'active' })
    })

    it('keeps the plan with the status past_due after a failed payment', async () => {
      const { plan, person } = await subscribe()
      const { id } = (await plan()).subscription
      const subscription = stripe.subscriptions.get(id) as Event
      subscription.status = 'past_due'
      await sendNotice(
        stripe.eventOf('invoice.payment_failed', { ...stripe.addInvoice(subscription.customer) }),
      )
      expect(await plan()).toMatchObject({ id: household, status: 'past_due' })
      subscription.status = 'unpaid'
      await sendNotice(stripe.eventOf('customer.subscription.updated', subscription))
      expect(await plan()).toMatchObject({ id: 'self-hosted', canCancel: true, canSubscribe: false })
      expect((await planChanges(person.id)).map(({ status }) => status)).toEqual([
        'active',
        'past_due',
        'unpaid',
      ])
    })

    it('keeps the response to the later of two concurrent requests', async () => {
      const { plan } = await subscribe()
      const subscription = stripe.subscriptions.get((await plan()).subscription.id) as Event
      const before = structuredClone(subscription)
      let release: () => void = () => undefined
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      let requests = 0
      stripe.fault = async ({ path }): Promise<StripeFault | undefined> => {
        if (path !== '/v1/subscriptions' || ++requests > 1) return undefined
        await held
        return { status: 200, body: { object: 'list', data: [before], has_more: false } }
      }
      const late = sendNotice(stripe.eventOf('customer.subscription.updated', before))
      await eventually(() => requests === 1)
      subscription.status = 'past_due'
      expect(
        (await sendNotice(stripe.eventOf('customer.subscription.updated', subscription))).body.result,
      ).toBe('applied')
      release()
      expect((await late).body.result).toBe('unchanged')
      expect((await plan()).status).toBe('past_due')
    })

    it('rejects a notice that fails, and applies it when it is repeated', async () => {
      const { plan } = await subscribe()
      const subscription = stripe.subscriptions.get((await plan()).subscription.id) as Event
      subscription.status = 'past_due'
      const event = stripe.eventOf('customer.subscription.updated', subscription)
      stripe.fault = () => ({ status: 500, headers: { 'stripe-should-retry': 'false' } })
      expect((await sendNotice(event)).status).toBe(502)
      stripe.fault = undefined
      expect((await sendNotice(event)).body.result).toBe('applied')
      expect((await plan()).status).toBe('past_due')
    })

    it('creates one customer and one checkout for repeated requests, also after a lost response', async () => {
      const person = await register(instance)
      const { post } = as(person)
      const before = stripe.customers.size
      const lost = new Set<string | undefined>()
      stripe.fault = ({ key }) => {
        if (key === undefined || lost.has(key)) return undefined
        lost.add(key)
        return 'cut'
      }
      const [first, second] = await Promise.all([
        post('/subscribe', { plan: household }),
        post('/subscribe', { plan: household }),
      ])
      const third = await post('/subscribe', { plan: household })
      expect([first.status, second.status, third.status]).toEqual([200, 200, 200])
      expect(new Set([first.body.url, second.body.url, third.body.url]).size).toBe(1)
      expect(stripe.customers.size).toBe(before + 1)
    })

    it('holds no transaction open while Stripe responds slowly', async () => {
      const [slow, other] = [await register(instance), await register(instance)]
      let release: () => void = () => undefined
      const held = new Promise<undefined>((resolve) => {
        release = () => resolve(undefined)
      })
      let isRequested = false
      stripe.fault = ({ method, path }) => {
        if (method !== 'POST' || !path.endsWith('/sessions')) return undefined
        isRequested = true
        return held
      }
      const headers = { 'idempotency-key': `subscribe-${slow.id}` }
      const call = { body: { plan: household }, token: slow.token, headers }
      const answer = instance.call('POST', `${BASE}/subscribe`, call)
      await eventually(() => isRequested)
      expect((await as(other).call('PATCH', '/details', { name: 'Meanwhile' })).status).toBe(200)
      expect((await as(slow).call('PATCH', '/details', { name: 'Meanwhile' })).status).toBe(200)
      release()
      expect((await answer).status).toBe(200)
    })

    it('leaves one checkout open if two plans are chosen at the same time', async () => {
      const person = await register(instance)
      const { post } = as(person)
      const answers = await Promise.all([household, studio].map((plan) => post('/subscribe', { plan })))
      expect(answers.map(({ status }) => status)).toContain(200)
      const { customerId } = await accountOf(person.id)
      const own = [...stripe.sessions.values()].filter(({ customer }) => customer === customerId)
      expect(own.filter(({ status }) => status === 'open')).toHaveLength(1)
    })

    it('expires the first checkout when another plan is chosen', async () => {
      const { post } = as(await register(instance))
      const first = sessionOf((await post('/subscribe', { plan: household })).body.url)
      const second = sessionOf((await post('/subscribe', { plan: studio })).body.url)
      expect(stripe.sessions.get(first)?.status).toBe('expired')
      expect(stripe.sessions.get(second)?.status).toBe('open')
    })

    it('detects a paid checkout without a notice when another plan is requested', async () => {
      const { post, plan } = as(await register(instance))
      const { body } = await post('/subscribe', { plan: household })
      stripe.pay(sessionOf(body.url))
      const other = await post('/subscribe', { plan: studio })
      expect([other.status, other.body.code]).toEqual([409, 'conflict'])
      expect((await plan()).id).toBe(household)
    })

    it('finds a payment without a notice on refresh and by the hourly job', async () => {
      const pay = async () => {
        const person = await register(instance)
        const { body } = await as(person).post('/subscribe', { plan: household })
        stripe.pay(sessionOf(body.url))
        return as(person)
      }
      const [impatient, patient] = [await pay(), await pay()]
      expect((await impatient.post('/refresh')).body).toMatchObject({ id: household, status: 'active' })
      expect((await patient.plan()).id).toBe('self-hosted')
      await instance.app.jobs.start()
      await instance.app.jobs.enqueue(instance.database.db, 'billing.reconcile', {})
      await eventually(async () => (await patient.plan()).id === household)
    })

    it('sends changed details to the customer', async () => {
      const { call, person } = await subscribe()
      const { customerId } = await accountOf(person.id)
      await instance.app.jobs.start()
      const address = { line1: 'Hauptstraße 1', city: 'Berlin', country: 'DE' }
      await call('PATCH', '/details', { name: 'Ruiz', email: 'b@example.org', vatId: 'DE123456789', address })
      const customer = stripe.customers.get(customerId as string) as Event
      const taxIds = () => [...stripe.taxIds.values()].filter((taxId) => taxId.customer === customerId)
      await eventually(() => taxIds().length === 1)
      expect(customer).toMatchObject({ name: 'Ruiz', email: 'b@example.org', address: { country: 'DE' } })
      expect(taxIds()).toMatchObject([{ type: 'eu_vat', value: 'DE123456789' }])
      await call('PATCH', '/details', { vatId: null, name: null })
      await eventually(() => taxIds().length === 0)
      expect(customer.name).toBe('')
    })

    it('lists invoices in pages, and returns one with its lines and its PDF', async () => {
      const { get, person } = await subscribe()
      const { customerId } = await accountOf(person.id)
      const drafted = stripe.addInvoice(customerId as string, {
        status: 'draft',
        number: null,
        invoice_pdf: null,
      })
      const first = await get('/invoices?limit=1')
      expect(first.body.invoices[0]).toMatchObject({ id: drafted.id, status: 'draft', hasPdf: false })
      const second = await get(`/invoices?limit=1&cursor=${first.body.nextCursor}`)
      expect(second.body.nextCursor).toBeNull()
      const [{ id, number }] = second.body.invoices
      const one = await get(`/invoices/${id}`)
      expect(one.body.lines[0]).toMatchObject({ amount: 1000, quantity: 1 })
      const pdf = await fetch(`${instance.url}${BASE}/invoices/${id}/pdf`, {
        headers: { authorization: `Bearer ${person.token}` },
      })
      expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
      expect(pdf.headers.get('content-disposition')).toBe(`attachment; filename="invoice-${number}.pdf"`)
      expect(Buffer.from(await pdf.arrayBuffer()).equals(PDF)).toBe(true)
      expect((await get(`/invoices/${drafted.id}/pdf`)).status).toBe(409)
      stripe.pdf = Buffer.from('<html>Sign in</html>')
      expect((await get(`/invoices/${id}/pdf`)).status).toBe(502)
      stripe.pdf = PDF

      const stranger = await subscribe()
      for (const path of [`/invoices/${id}`, `/invoices/${id}/pdf`, '/invoices/search', '/invoices/in_none'])
        expect([path, (await stranger.get(path)).status]).toEqual([path, 404])
      const { body } = await stranger.get('/invoices')
      expect(body.invoices.map((invoice: { id: string }) => invoice.id)).not.toContain(id)
    })

    it('opens the portal for customers only', async () => {
      const { post, person } = await subscribe()
      const { customerId } = await accountOf(person.id)
      expect((await post('/portal', null)).body).toEqual({
        url: `https://billing.example.test/p/${customerId}`,
      })
      expect((await as(await register(instance)).post('/portal', null)).status).toBe(409)
    })

    // Failures are handled alike on every database.
    it.each(engine === 'sqlite' ? FAULTS : FAULTS.slice(0, 1))(
      'returns a clear error without secrets if Stripe %s',
      async (_what, fault, status, code, words) => {
        const { post, plan } = as(await register(instance))
        stripe.fault = ({ method, path }) => {
          if (!path.endsWith('/sessions') || method !== 'POST') return undefined
          const { error } = (typeof fault === 'object' ? fault.body : undefined) ?? ({} as Event)
          const message = `${stripe.secretKey} and what was sent`
          return error ? { ...(fault as { status: number }), body: { error: { message, ...error } } } : fault
        }
        const answer = await post('/subscribe', { plan: household })
        expect([answer.status, answer.body.code]).toEqual([status, code])
        expect(answer.body.detail).toMatch(words)
        expect(JSON.stringify(answer.body)).not.toContain(stripe.secretKey)
        stripe.fault = undefined
        expect((await plan()).id).toBe('self-hosted')
        expect((await post('/subscribe', { plan: household })).status).toBe(200)
      },
    )

    it('rejects unknown plans', async () => {
      const { post } = as(await register(instance))
      for (const plan of ['price_none', 'no longer sold'])
        expect((await post('/subscribe', { plan })).body).toMatchObject({ errors: [{ path: 'plan' }] })
      expect((await post('/subscribe', { plan: 'self-hosted' })).status).toBe(409)
    })

    it('rejects notices that are unsigned, changed, old or early, and ignores those of other customers', async () => {
      const { plan } = await subscribe()
      const subscription = stripe.subscriptions.get((await plan()).subscription.id) as Event
      const event = stripe.eventOf('customer.subscription.updated', { ...subscription, status: 'canceled' })
      const body = JSON.stringify(event)
      const now = instance.clock.now().getTime()
      const at = (ms: number) => new Date(now + ms)
      const asked = stripe.asked.length
      for (const headers of [
        {},
        { 'stripe-signature': '' },
        { 'stripe-signature': 't=1,v1=00' },
        stripe.sign(`${body} `, at(0)),
        stripe.sign(body, at(0), 'whsec_another'),
        stripe.sign(body, at(-6 * MINUTE)),
        stripe.sign(body, at(6 * MINUTE)),
      ])
        expect((await sendNotice(event, headers as Record<string, string>)).status).toBe(401)
      const broken = await instance.post('/api/billing/webhook', '{', { headers: stripe.sign('{', at(0)) })
      expect(broken.status).toBe(400)
      const foreign = stripe.eventOf('customer.subscription.updated', {
        ...subscription,
        customer: 'cus_other',
      })
      expect((await sendNotice(foreign)).body.result).toBe('ignored')
      expect((await sendNotice(stripe.eventOf('charge.succeeded', subscription))).body.result).toBe('ignored')
      expect(stripe.asked.length).toBe(asked)
      expect((await plan()).id).toBe(household)
    })

    it('clears a customer that was deleted at Stripe, and creates a new one for the next subscription', async () => {
      const { post, plan, person } = await subscribe()
      const { customerId } = await accountOf(person.id)
      const customer = stripe.customers.get(customerId as string) as Event
      const subscription = stripe.subscriptions.get((await plan()).subscription.id) as Event
      customer.deleted = true
      Object.assign(subscription, { status: 'canceled', ended_at: subscription.created + 1 })
      await sendNotice(stripe.eventOf('customer.deleted', customer))
      expect(await plan()).toMatchObject({ id: 'self-hosted', subscription: { status: 'canceled' } })
      expect((await post('/subscribe', { plan: household })).status).toBe(200)
      expect((await accountOf(person.id)).customerId).not.toBe(customerId)
    })

    it('deletes the customer and cancels the subscription when the account is deleted', async () => {
      await register(instance)
      const { person } = await subscribe()
      const { customerId } = await accountOf(person.id)
      stripe.fault = ({ method }) => (method === 'DELETE' ? { status: 500 } : undefined)
      const { status } = await instance.call('DELETE', '/api/settings/account', {
        body: { password: PASSWORD },
        token: person.token,
      })
      expect(status).toBe(204)
      stripe.fault = undefined
      await eventually(() => stripe.customers.get(customerId as string)?.deleted === true)
      const own = [...stripe.subscriptions.values()].filter(({ customer }) => customer === customerId)
      expect(own.map((subscription) => subscription.status)).toEqual(['canceled'])
    })

    it('times out if Stripe does not respond', async () => {
      const outbound = createOutbound({ allow: ['127.0.0.1'], typedMayBePrivate: false, userAgent: 'test' })
      const payments = createStripe(outbound, { secretKey: 'sk', baseUrl: stripe.url, timeoutMs: 100 })
      stripe.fault = () => 'hang'
      await expect(payments.offers([])).rejects.toMatchObject({ kind: 'upstream', code: 'upstream_timeout' })
      await outbound.close()
    })

    it('sends no information about this machine', () => {
      const sent = stripe.asked.flatMap(({ headers }) => Object.keys(headers))
      expect(sent).toContain('stripe-version')
      expect(sent.filter((name) => name.startsWith('x-stripe-client'))).toEqual([])
      expect(stripe.asked[0]?.headers['user-agent']).toBe('Factotum/0.0.0-test')
    })
  })
})
