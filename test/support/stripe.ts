import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const WEBHOOK_SECRET = 'whsec_whatNoticesAreSignedWith'
const FIXTURES = '../shared/data/openapi-peers/stripe-fixtures.json'
export const hasStripeFixtures = existsSync(FIXTURES)

// biome-ignore lint/suspicious/noExplicitAny: Stripe's objects, of which a test knows what it needs
type Thing = Record<string, any>

export type StripeFault =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'hang'
  | 'garbage'
  | 'cut'

interface Asked {
  method: string
  path: string
  params: Thing
  key: string | undefined
  headers: IncomingMessage['headers']
}

/** Parses `a[b][0][c]=d`, the format of Stripe's library. */
const readForm = (text: string): Thing => {
  const form: Thing = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const parts = name.split(/[[\]]+/).filter(Boolean)
    let place = form
    for (const [index, part] of parts.entries()) {
      if (index === parts.length - 1) place[part] = value
      else {
        place[part] ??= {}
        place = place[part]
      }
    }
  }
  return form
}

/** The allowed parameters of each request: Stripe rejects unknown ones. */
const KNOWN: readonly [RegExp, readonly string[]][] = [
  [/^POST \/v1\/customers$/, ['metadata']],
  [/^POST \/v1\/customers\/\w+$/, ['name', 'email', 'address', 'metadata']],
  [/^POST \/v1\/customers\/\w+\/tax_ids$/, ['type', 'value']],
  [
    /^POST \/v1\/checkout\/sessions$/,
    [
      'mode',
      'customer',
      'client_reference_id',
      'line_items',
      'subscription_data',
      'success_url',
      'cancel_url',
    ],
  ],
  [/^POST \/v1\/billing_portal\/sessions$/, ['customer', 'return_url']],
  [/^POST \/v1\/subscriptions\/\w+$/, ['cancel_at_period_end']],
  [/^GET \/v1\/prices$/, ['active', 'type', 'limit', 'expand']],
  [/^GET \/v1\/prices\/\w+$/, ['expand']],
  [/^GET \/v1\/subscriptions$/, ['customer', 'status', 'limit']],
  [/^GET \/v1\/invoices$/, ['customer', 'limit', 'starting_after']],
  [/^GET \/v1\/customers\/\w+\/tax_ids$/, ['limit']],
]

class Refusal extends Error {
  readonly status: number
  readonly error: Thing
  constructor(status: number, error: Thing) {
    super(error.message)
    this.status = status
    this.error = error
  }
}
const missing = (what: string, id: string): never => {
  throw new Refusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
  })
}

/** Creates a valid PDF with one empty page. */
const makePdf = (): Buffer => {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = text.length
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 4\n0000000000 65535 f \n${rows}trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
export const PDF = makePdf()

export type FakeStripe = Awaited<ReturnType<typeof startStripe>>

/** Starts a stateful fake of Stripe that answers with Stripe's sample objects. */
export const startStripe = async () => {
  const fixtures = JSON.parse(readFileSync(FIXTURES, 'utf8')) as Record<string, Thing>
  const clone = (name: string): Thing => structuredClone(fixtures[name]) as Thing
  let made = 0
  const idOf = (prefix: string): string => `${prefix}_${String(++made).padStart(6, '0')}Test`
  let seconds = Math.floor(Date.now() / 1000)
  const tick = (): number => ++seconds
  const store = {
    customers: new Map<string, Thing>(),
    prices: new Map<string, Thing>(),
    products: new Map<string, Thing>(),
    sessions: new Map<string, Thing>(),
    subscriptions: new Map<string, Thing>(),
    invoices: new Map<string, Thing>(),
    taxIds: new Map<string, Thing & { customer: string }>(),
  }
  const answers = new Map<string, { request: string; status: number; body: unknown }>()

  const get = (what: string, from: Map<string, Thing>, id: string | undefined): Thing =>
    from.get(id ?? '') ?? missing(what, id ?? '')
  const liveCustomer = (id: string): Thing => {
    const customer = get('customer', store.customers, id)
    return customer.deleted ? missing('customer', id) : customer
  }
  const listOf = (data: Thing[], has_more = false) => ({ object: 'list', data, has_more, url: '/v1' })
  const expanded = (price: Thing, expand: Thing | undefined, path: string): Thing =>
    Object.values(expand ?? {}).includes(path)
      ? { ...price, product: store.products.get(price.product) }
      : price

  const end = (subscription: Thing): void => {
    Object.assign(subscription, { status: 'canceled', ended_at: tick(), canceled_at: seconds })
  }

  const handle = ({ method, path, params }: Asked): unknown => {
    const [, , kind, id, rest] = path.split('/')
    const at = `${method} ${kind}${id === undefined ? '' : '/:id'}${rest === undefined ? '' : `/${rest}`}`
    switch (at) {
      case 'POST customers': {
        const customer = { ...clone('customer'), id: idOf('cus'), created: tick(), metadata: params.metadata }
        store.customers.set(customer.id, customer)
        return customer
      }
      case 'GET customers/:id': {
        const customer = get('customer', store.customers, id)
        return customer.deleted ? { id, object: 'customer', deleted: true } : customer
      }
      case 'POST customers/:id':
        return Object.assign(liveCustomer(id as string), params)
      case 'DELETE customers/:id': {
        const customer = liveCustomer(id as string)
        customer.deleted = true
        for (const one of store.subscriptions.values())
          if (one.customer === id && one.status !== 'canceled') end(one)
        return { id, object: 'customer', deleted: true }
      }
      case 'GET customers/:id/tax_ids':
        return listOf([...store.taxIds.values()].filter(({ customer }) => customer === id))
      case 'POST customers/:id/tax_ids': {
        const taxId = { ...params, id: idOf('txi'), object: 'tax_id', customer: id as string }
        store.taxIds.set(taxId.id, taxId)
        return taxId
      }
      case 'DELETE customers/:id/tax_ids':
        store.taxIds.delete(path.split('/')[5] as string)
        return { id: path.split('/')[5], object: 'tax_id', deleted: true }
      case 'GET prices':
        return listOf(
          [...store.prices.values()]
            .filter(({ active, type }) => active && type === 'recurring')
            .map((price) => expanded(price, params.expand, 'data.product')),
        )
      case 'GET prices/:id':
        return expanded(get('price', store.prices, id), params.expand, 'product')
      case 'GET products/:id':
        return get('product', store.products, id)
      case 'POST checkout/:id':
        return openSession(params)
      case 'POST billing_portal/:id':
        liveCustomer(params.customer)
        return {
          ...clone('billing_portal.session'),
          id: idOf('bps'),
          customer: params.customer,
          return_url: params.return_url,
          url: `https://billing.example.test/p/${params.customer}`,
        }
      case 'GET subscriptions':
        get('customer', store.customers, params.customer)
        return listOf(
          [...store.subscriptions.values()].filter(({ customer }) => customer === params.customer),
        )
      case 'POST subscriptions/:id': {
        const subscription = get('subscription', store.subscriptions, id)
        if (subscription.status === 'canceled') return missing('subscription', id as string)
        const isEnding = params.cancel_at_period_end === 'true'
        const [item] = subscription.items.data
        return Object.assign(subscription, {
          cancel_at_period_end: isEnding,
          cancel_at: isEnding ? item.current_period_end : null,
        })
      }
      case 'DELETE subscriptions/:id': {
        const subscription = get('subscription', store.subscriptions, id)
        if (subscription.status === 'canceled') return missing('subscription', id as string)
        end(subscription)
        return subscription
      }
      case 'GET invoices': {
        const all = [...store.invoices.values()]
          .filter(({ customer }) => customer === params.customer)
          .reverse()
        const after = all.findIndex((one) => one.id === params.starting_after) + 1
        const limit = Number(params.limit ?? 10)
        return listOf(all.slice(after, after + limit), all.length > after + limit)
      }
      case 'GET invoices/:id':
        return get('invoice', store.invoices, id)
      default:
        if (path.startsWith('/v1/checkout/sessions/')) return session(method, path)
        throw new Refusal(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${at})` })
    }
  }

  const openSession = (params: Thing): Thing => {
    liveCustomer(params.customer)
    const price = get('price', store.prices, params.line_items?.[0]?.price)
    const id = idOf('cs_test')
    const opened = {
      ...clone('checkout.session'),
      id,
      mode: 'subscription',
      customer: params.customer,
      status: 'open',
      payment_status: 'unpaid',
      success_url: params.success_url,
      cancel_url: params.cancel_url,
      created: tick(),
      expires_at: seconds + 86_400,
      subscription: null,
      wanted: price.id,
      client_reference_id: params.client_reference_id,
      url: `https://checkout.example.test/c/pay/${id}`,
    }
    store.sessions.set(id, opened)
    return opened
  }

  const session = (method: string, path: string): Thing => {
    const [, , , , id, verb] = path.split('/')
    const found = get('checkout.session', store.sessions, id)
    if (method === 'GET') return found
    if (verb !== 'expire' || found.status !== 'open')
      throw new Refusal(400, { type: 'invalid_request_error', message: 'Only open sessions can be expired' })
    return Object.assign(found, { status: 'expired', url: null })
  }

  const judge = (asked: Asked): { status: number; body: unknown } => {
    try {
      if (asked.headers.authorization !== `Bearer ${fake.secretKey}`)
        throw new Refusal(401, {
          type: 'invalid_request_error',
          message: `Invalid API Key provided: ${asked.headers.authorization}`,
        })
      const line = `${asked.method} ${asked.path}`
      const known = KNOWN.find(([pattern]) => pattern.test(line))?.[1] ?? []
      const unknown = Object.keys(asked.params).find((name) => !known.includes(name))
      if (unknown !== undefined)
        throw new Refusal(400, {
          type: 'invalid_request_error',
          code: 'parameter_unknown',
          param: unknown,
          message: `Received unknown parameter: ${unknown}`,
        })
      return { status: 200, body: structuredClone(handle(asked)) }
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, body: { error: error.error } }
      throw error
    }
  }

  /** The same idempotency key returns the same response; with another request it is rejected. */
  const answerTo = (asked: Asked): { status: number; body: unknown } => {
    if (asked.method !== 'POST' || asked.key === undefined) return judge(asked)
    const request = JSON.stringify([asked.path, asked.params])
    const known = answers.get(asked.key)
    if (known && known.request !== request)
      return {
        status: 400,
        body: {
          error: { type: 'idempotency_error', message: 'Keys can only be used with the same parameters' },
        },
      }
    const answer = known ?? { request, ...judge(asked) }
    if (answer.status === 200) answers.set(asked.key, answer)
    return answer
  }

  const readAsked = async (request: IncomingMessage): Promise<Asked> => {
    const { pathname: path, search } = new URL(request.url ?? '/', 'http://stripe')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const params = readForm(request.method === 'GET' ? search.slice(1) : Buffer.concat(chunks).toString())
    const key = request.headers['idempotency-key'] as string | undefined
    return { method: request.method ?? '', path, params, key, headers: request.headers }
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await readAsked(request)
    fake.asked.push(asked)
    const fault = await fake.fault?.(asked)
    if (fault === 'hang') return
    if (fault === 'garbage')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Just a moment…</html>')
    if (typeof fault === 'object') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
      return void response.end(JSON.stringify(fault.body ?? {}))
    }
    if (asked.path.startsWith('/files/'))
      return void response.writeHead(200, { 'content-type': 'application/pdf' }).end(fake.pdf)
    const { status, body } = answerTo(asked)
    // The request succeeded, but the response is lost.
    if (fault === 'cut') return void response.destroy()
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': idOf('req') })
    response.end(JSON.stringify(body))
  }

  const fake = {
    url: '',
    secretKey: 'sk_test_51H0wToKeepASecret',
    webhookSecret: WEBHOOK_SECRET,
    asked: [] as Asked[],
    fault: undefined as
      | ((asked: Asked) => StripeFault | undefined | Promise<StripeFault | undefined>)
      | undefined,
    pdf: PDF as Buffer,
    ...store,

    addPlan(name: string, amount: number, given: Thing = {}): string {
      const product = { ...clone('product'), id: idOf('prod'), name, description: `About ${name}` }
      const price = {
        ...clone('price'),
        id: idOf('price'),
        product: product.id,
        unit_amount: amount,
        currency: 'eur',
        ...given,
      }
      store.products.set(product.id, product)
      store.prices.set(price.id, price)
      return price.id
    },

    addInvoice(customer: string, given: Thing = {}): Thing {
      const id = idOf('in')
      const invoice = {
        ...clone('invoice'),
        id,
        customer,
        created: tick(),
        number: `F-${made}`,
        status: 'paid',
        total: 900,
        currency: 'eur',
        amount_paid: 900,
        amount_due: 900,
        invoice_pdf: `${fake.url}/files/${id}`,
        ...given,
      }
      store.invoices.set(id, invoice)
      return invoice
    },

    /** Completes a checkout. Returns the resulting Stripe events in order. */
    pay(sessionId: string): Thing[] {
      const opened = store.sessions.get(sessionId) as Thing
      const subscription = clone('subscription')
      const [item] = subscription.items.data
      const started = tick()
      Object.assign(item, {
        price: store.prices.get(opened.wanted),
        current_period_start: started,
        current_period_end: started + 30 * 86_400,
      })
      Object.assign(subscription, {
        id: idOf('sub'),
        customer: opened.customer,
        status: 'incomplete',
        created: started,
        cancel_at: null,
        cancel_at_period_end: false,
        canceled_at: null,
        ended_at: null,
        trial_start: null,
        trial_end: null,
      })
      store.subscriptions.set(subscription.id, subscription)
      const created = fake.eventOf('customer.subscription.created', subscription)
      const invoice = fake.addInvoice(opened.customer)
      subscription.status = 'active'
      const paid = fake.eventOf('invoice.paid', invoice)
      const updated = fake.eventOf('customer.subscription.updated', subscription)
      Object.assign(opened, { status: 'complete', subscription: subscription.id, url: null })
      return [created, paid, updated, fake.eventOf('checkout.session.completed', opened)]
    },

    /** Creates an event with the current state of the object. */
    eventOf: (type: string, object: Thing): Thing => ({
      ...clone('event'),
      id: idOf('evt'),
      type,
      created: tick(),
      data: { object: structuredClone(object) },
    }),

    sign(body: string, at: Date, secret = WEBHOOK_SECRET): Record<string, string> {
      const time = Math.floor(at.getTime() / 1000)
      const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
      return { 'stripe-signature': `t=${time},v1=${signature}` }
    },

    count: (line: RegExp): number =>
      fake.asked.filter(({ method, path }) => line.test(`${method} ${path}`)).length,

    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return fake
}
