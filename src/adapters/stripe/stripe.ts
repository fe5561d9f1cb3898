import { createRequire } from 'node:module'
import type Stripe from 'stripe'
import {
  type BillingAddress,
  type BillingDetails,
  type Checkout,
  INTERVALS,
  type Invoice,
  type InvoiceLine,
  type Offer,
  type PaymentNotice,
  type Payments,
  type Price,
  STATUSES,
  type Subscription,
} from '../../features/billing/payments.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import { upstreamFailed } from '../../platform/outbound/failures.ts'
import { type Foreign, foreignOf, linkOf, listOf, textOf } from '../../platform/outbound/foreign.ts'
import type { Trust } from '../../platform/outbound/outbound.ts'
import type { Outbound } from '../../platform/outbound/port.ts'
import { isMissing, isRefusal, toFailure, unreadable } from './errors.ts'

const MAX_PDF_BYTES = 20 * 1024 * 1024
const PDF_TIMEOUT_MS = 30_000
const MARK = Buffer.from('%PDF-')

const noPdf = (): Error => upstreamFailed('Stripe did not return a PDF of the invoice.')

async function* joined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** Fetches a PDF. Checks the first bytes before it returns, and streams the rest. */
export const fetchPdf = async (
  outbound: Pick<Outbound, 'fetch'>,
  url: string,
  trust: Trust,
): Promise<AsyncIterable<Uint8Array>> => {
  const answer = await outbound.fetch(url, { trust, timeoutMs: PDF_TIMEOUT_MS, maxBytes: MAX_PDF_BYTES })
  if (answer.status !== 200) {
    answer.discard()
    throw noPdf()
  }
  const chunks = answer.stream()[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < MARK.length) {
    const next = await chunks.next()
    if (next.done) throw noPdf()
    first = Buffer.concat([first, next.value])
  }
  if (!first.subarray(0, MARK.length).equals(MARK)) {
    await chunks.return?.()
    throw noPdf()
  }
  return joined(first, chunks)
}

/*
 * Readers for Stripe's objects. The library has types for them, but the data may come from another API
 * version or server. Required fields are checked, and other fields are used only if they are valid.
 */

const ID = 255

const requireId = (value: unknown): string => {
  const id = textOf(value, ID)
  if (id === '' || id !== value) throw unreadable()
  return id
}

/** Returns the id of a reference, which is an id or an expanded object. */
const idOf = (value: unknown): string | null =>
  (typeof value === 'string' ? textOf(value, ID) : textOf(foreignOf(value).id, ID)) || null

const wholeOf = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

/** Converts Unix seconds to ISO 8601. Rejects years above 9999. */
const instantOf = (value: unknown): string | null => {
  const seconds = wholeOf(value)
  return seconds === null || seconds < 0 || seconds > 253_402_300_799
    ? null
    : new Date(seconds * 1000).toISOString()
}

const requireInstant = (value: unknown): string => {
  const instant = instantOf(value)
  if (instant === null) throw unreadable()
  return instant
}

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((known) => known === value)

const currencyOf = (value: unknown): string => textOf(value, 3).toLowerCase()

const readPrice = (price: Foreign): Price => {
  const recurring = foreignOf(price.recurring)
  return {
    priceId: requireId(price.id),
    amount: wholeOf(price.unit_amount),
    currency: currencyOf(price.currency),
    interval: oneOf(INTERVALS, recurring.interval) ?? null,
    intervalCount: wholeOf(recurring.interval_count) ?? 1,
  }
}

/** Adds up all items. Returns null if a price varies. */
const amountOf = (items: readonly Foreign[]): number | null =>
  items.reduce<number | null>((sum, item) => {
    const each = wholeOf(foreignOf(item.price).unit_amount)
    return sum === null || each === null ? null : sum + each * (wholeOf(item.quantity) ?? 1)
  }, 0)

const readSubscription = (value: unknown): Subscription => {
  const subscription = foreignOf(value)
  const status = oneOf(STATUSES, subscription.status)
  const items = listOf(foreignOf(subscription.items).data)
  const [first] = items
  if (!status || !first) throw unreadable()
  const price = foreignOf(first.price)
  // Since 2025 each item has its own period. Before that, the subscription had one.
  const ends = [subscription, ...items].map((one) => instantOf(one.current_period_end)).filter(Boolean)
  const starts = [subscription, ...items].map((one) => instantOf(one.current_period_start)).filter(Boolean)
  const periodEnd = ends.toSorted()[0] ?? null
  return {
    ...readPrice(price),
    amount: amountOf(items),
    id: requireId(subscription.id),
    status,
    productId: idOf(price.product),
    startedAt: requireInstant(subscription.created),
    periodStart: starts.toSorted()[0] ?? null,
    periodEnd,
    trialEndsAt: instantOf(subscription.trial_end),
    endsAt:
      instantOf(subscription.cancel_at) ?? (subscription.cancel_at_period_end === true ? periodEnd : null),
    endedAt: instantOf(subscription.ended_at),
  }
}

const readCheckout = (value: unknown): Checkout => {
  const checkout = foreignOf(value)
  const status = oneOf(['open', 'complete', 'expired'] as const, checkout.status)
  const url = linkOf(checkout.url)
  if (!status || (status === 'open' && url === null)) throw unreadable()
  return { id: requireId(checkout.id), status, url, expiresAt: instantOf(checkout.expires_at) }
}

const readLine = (line: Foreign): InvoiceLine => {
  const period = foreignOf(line.period)
  return {
    description: textOf(line.description, 1000),
    amount: wholeOf(line.amount) ?? 0,
    quantity: wholeOf(line.quantity),
    periodStart: instantOf(period.start),
    periodEnd: instantOf(period.end),
  }
}

const INVOICE_STATUSES = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const

const readInvoice = (value: unknown): Invoice => {
  const invoice = foreignOf(value)
  const status = oneOf(INVOICE_STATUSES, invoice.status)
  if (!status) throw unreadable()
  const total = wholeOf(invoice.total) ?? 0
  return {
    id: requireId(invoice.id),
    customerId: idOf(invoice.customer),
    number: textOf(invoice.number, 100) || null,
    status,
    currency: currencyOf(invoice.currency),
    subtotal: wholeOf(invoice.subtotal) ?? total,
    tax: listOf(invoice.total_taxes).reduce((sum, tax) => sum + (wholeOf(tax.amount) ?? 0), 0),
    total,
    amountDue: wholeOf(invoice.amount_due) ?? total,
    amountPaid: wholeOf(invoice.amount_paid) ?? 0,
    createdAt: requireInstant(invoice.created),
    dueAt: instantOf(invoice.due_date),
    paidAt: instantOf(foreignOf(invoice.status_transitions).paid_at),
    periodStart: instantOf(invoice.period_start),
    periodEnd: instantOf(invoice.period_end),
    hostedUrl: linkOf(invoice.hosted_invoice_url),
    pdfUrl: linkOf(invoice.invoice_pdf),
    lines: listOf(foreignOf(invoice.lines).data).map(readLine),
  }
}

const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const WITHOUT_BODY = [204, 205, 304]
/** Headers that describe the host and its environment. */
const PRIVATE_HEADERS = [
  'user-agent',
  'x-stripe-client-user-agent',
  'x-stripe-client-telemetry',
  'content-length',
]

/** `fetch` for Stripe's library, through the guarded client. */
const createGuardedFetch =
  (outbound: Pick<Outbound, 'fetch'>, timeoutMs: number): typeof fetch =>
  async (input, init = {}) => {
    const headers = new Headers(init.headers)
    for (const name of PRIVATE_HEADERS) headers.delete(name)
    const answer = await outbound.fetch(String(input), {
      method: init.method ?? 'GET',
      headers,
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
      trust: 'operator' as const,
      timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      maxRedirects: 0,
    })
    const received = new Headers(answer.headers)
    // The body is already decoded. The library would print `stripe-notice` to the console.
    for (const name of ['content-encoding', 'content-length', 'stripe-notice']) received.delete(name)
    const isEmpty = WITHOUT_BODY.includes(answer.status)
    if (isEmpty) answer.discard()
    const body = isEmpty ? null : ((await answer.bytes()) as Uint8Array<ArrayBuffer>)
    return new Response(body, { status: answer.status, headers: received })
  }

const require = createRequire(import.meta.url)

/** Loaded on first use, because loading takes about 200 ms at startup. */
const loadStripe = () => require('stripe') as typeof Stripe

const placeOf = (baseUrl: string | null) => {
  if (baseUrl === null) return {}
  const { protocol, hostname, port } = new URL(baseUrl)
  const isPlain = protocol === 'http:'
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port || (isPlain ? 80 : 443),
  }
}

const openStripe = (
  outbound: Pick<Outbound, 'fetch'>,
  settings: { secretKey: string; baseUrl: string | null; timeoutMs: number },
): Stripe => {
  const { secretKey, baseUrl, timeoutMs } = settings
  const Library = loadStripe()
  return new Library(secretKey, {
    ...placeOf(baseUrl),
    httpClient: Library.createFetchHttpClient(createGuardedFetch(outbound, timeoutMs)),
    timeout: timeoutMs,
    // Requests that create something carry an idempotency key, so a retry does not repeat them.
    maxNetworkRetries: 1,
    // Telemetry would store an id of this machine in a file and send it.
    telemetry: false,
  })
}

/** Maximum age of a webhook, and maximum clock difference into the future. */
const TOLERANCE_SECONDS = 300

const isAhead = (signature: string, now: Date): boolean => {
  const [, at] = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature) ?? []
  return Number(at) - now.getTime() / 1000 > TOLERANCE_SECONDS
}

const constructEvent = ({ body, signature, secret, now }: Parameters<Payments['readNotice']>[0]): unknown => {
  const { webhooks } = loadStripe()
  try {
    return webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime())
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('The body is not JSON.')
    throw new AppError(
      'unauthenticated',
      'unauthorized',
      'The signature of the webhook is invalid or too old.',
    )
  }
}

/** Returns the customer id of an object, which may be the customer itself. */
const customerOf = (value: unknown): string | null => {
  const thing = foreignOf(value)
  return thing.object === 'customer' ? idOf(thing) : idOf(thing.customer)
}

const readStripeNotice: Payments['readNotice'] = async (given): Promise<PaymentNotice> => {
  const event = foreignOf(constructEvent(given))
  if (isAhead(given.signature, given.now))
    throw new AppError('unauthenticated', 'unauthorized', 'The webhook is from the future. Check the clock.')
  const id = textOf(event.id, 255)
  const type = textOf(event.type, 255)
  if (id === '' || type === '') throw invalid('The webhook names no event.')
  return { id, type, customerId: customerOf(foreignOf(event.data).object) }
}

const EUROPEAN = /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)/
const KINDS = ['eu_vat', 'gb_vat'] as const

/** Returns Stripe's type of a VAT id. Other VAT ids are stored as metadata only. */
const kindOf = (vatId: string): (typeof KINDS)[number] | undefined =>
  EUROPEAN.test(vatId) ? 'eu_vat' : vatId.startsWith('GB') ? 'gb_vat' : undefined

/** Replaces the VAT id of a customer. A VAT id that Stripe rejects is not an error. */
const setTaxId = async (stripe: Stripe, customerId: string, vatId: string | null): Promise<void> => {
  const kind = vatId === null ? undefined : kindOf(vatId)
  const taxIds = listOf(foreignOf(await stripe.customers.listTaxIds(customerId, { limit: 100 })).data)
  const ours = taxIds.filter(({ type }) => KINDS.some((known) => known === type))
  const isWanted = ({ type, value }: (typeof ours)[number]): boolean => type === kind && value === vatId
  for (const other of ours.filter((one) => !isWanted(one)))
    await stripe.customers.deleteTaxId(customerId, textOf(other.id, 255)).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  if (kind === undefined || vatId === null || ours.some(isWanted)) return
  await stripe.customers.createTaxId(customerId, { type: kind, value: vatId }).catch((error: unknown) => {
    if (!isRefusal(error)) throw error
  })
}

const TIMEOUT_MS = 20_000
const MAX_OBJECTS = 100

const addressOf = (address: BillingAddress | null) =>
  address === null
    ? ('' as const)
    : {
        line1: address.line1,
        line2: address.line2 ?? '',
        city: address.city ?? '',
        state: address.state ?? '',
        postal_code: address.postalCode ?? '',
        country: address.country,
      }

/** Calls Stripe and converts every failure to an `AppError`. */
const call = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw toFailure(error)
  }
}

/** Returns undefined if the object does not exist. */
const findObject = (work: () => Promise<unknown>): Promise<Foreign | undefined> =>
  call(async () => {
    try {
      return foreignOf(await work())
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  })

interface StripeSettings {
  secretKey: string
  baseUrl: string | null
  timeoutMs?: number
}

class StripePayments implements Payments {
  private readonly outbound: Pick<Outbound, 'fetch'>
  private readonly settings: StripeSettings
  private opened: Stripe | undefined
  readonly readNotice = readStripeNotice

  constructor(outbound: Pick<Outbound, 'fetch'>, settings: StripeSettings) {
    this.outbound = outbound
    this.settings = settings
  }

  async offers(priceIds: readonly string[]): Promise<Offer[]> {
    const prices = (await this.pricesOf(priceIds)).filter((price) => price !== undefined)
    const offers = await Promise.all(prices.map((price) => this.offerOf(price)))
    return offers.filter((offer) => offer !== undefined)
  }

  async productName(productId: string): Promise<string> {
    const product = await findObject(() => this.stripe().products.retrieve(productId))
    return textOf(product?.name, 200) || productId
  }

  async createCustomer(account: string, idempotencyKey: string): Promise<string> {
    const made = await call(() =>
      this.stripe().customers.create({ metadata: { factotum: account } }, { idempotencyKey }),
    )
    return requireId(foreignOf(made).id)
  }

  describeCustomer(customerId: string, { name, email, address, vatId }: BillingDetails): Promise<void> {
    return call(async () => {
      await this.stripe().customers.update(customerId, {
        name: name ?? '',
        email: email ?? '',
        address: addressOf(address),
        metadata: { vatId: vatId ?? '' },
      })
      await setTaxId(this.stripe(), customerId, vatId)
    })
  }

  async deleteCustomer(customerId: string): Promise<void> {
    await findObject(() => this.stripe().customers.del(customerId))
  }

  async subscriptions(customerId: string): Promise<Subscription[] | undefined> {
    const query = { customer: customerId, status: 'all' as const, limit: MAX_OBJECTS }
    const list = await findObject(() => this.stripe().subscriptions.list(query))
    if (list === undefined) return undefined
    if (!Array.isArray(list.data)) throw unreadable()
    const all = listOf(list.data).map(readSubscription)
    if (all.some(({ endedAt }) => endedAt === null)) return all
    // Stripe also lists the subscriptions of a deleted customer.
    const customer = await findObject(() => this.stripe().customers.retrieve(customerId))
    return customer === undefined || customer.deleted === true ? undefined : all
  }

  async openCheckout(order: Parameters<Payments['openCheckout']>[0]): Promise<Checkout> {
    const { customerId, priceId, account, successUrl, cancelUrl, key } = order
    const made = await call(() =>
      this.stripe().checkout.sessions.create(
        {
          mode: 'subscription',
          customer: customerId,
          client_reference_id: account,
          line_items: [{ price: priceId, quantity: 1 }],
          subscription_data: { metadata: { factotum: account } },
          success_url: successUrl,
          cancel_url: cancelUrl,
        },
        { idempotencyKey: key },
      ),
    )
    return readCheckout(made)
  }

  async findCheckout(id: string): Promise<Checkout | undefined> {
    const checkout = await findObject(() => this.stripe().checkout.sessions.retrieve(id))
    return checkout && readCheckout(checkout)
  }

  async expireCheckout(id: string): Promise<Checkout | undefined> {
    const before = await findObject(() => this.stripe().checkout.sessions.retrieve(id))
    if (before?.status !== 'open') return before && readCheckout(before)
    // The checkout may complete at this moment. Then it cannot expire, so fetch it again.
    const after = await call(() => this.stripe().checkout.sessions.expire(id)).catch(() =>
      findObject(() => this.stripe().checkout.sessions.retrieve(id)),
    )
    return after && readCheckout(after)
  }

  async portalUrl(customerId: string, returnUrl: string): Promise<string> {
    const query = { customer: customerId, return_url: returnUrl }
    const url = linkOf(foreignOf(await call(() => this.stripe().billingPortal.sessions.create(query))).url)
    if (url === null) throw unreadable()
    return url
  }

  async cancel(subscriptionId: string, when: 'period_end' | 'now'): Promise<void> {
    const { subscriptions } = this.stripe()
    await findObject(() =>
      when === 'now'
        ? subscriptions.cancel(subscriptionId)
        : subscriptions.update(subscriptionId, { cancel_at_period_end: true }),
    )
  }

  async invoices(
    customerId: string,
    { limit, after }: { limit: number; after: string | undefined },
  ): Promise<{ invoices: Invoice[]; hasMore: boolean }> {
    const query = { customer: customerId, limit, ...(after !== undefined && { starting_after: after }) }
    const list = await findObject(() => this.stripe().invoices.list(query))
    if (list !== undefined && !Array.isArray(list.data)) throw unreadable()
    return { invoices: listOf(list?.data).map(readInvoice), hasMore: list?.has_more === true }
  }

  async findInvoice(id: string): Promise<Invoice | undefined> {
    // Reject ids such as `search`, which are other endpoints of the API.
    if (!/^in_\w+$/.test(id)) return undefined
    const invoice = await findObject(() => this.stripe().invoices.retrieve(id))
    return invoice && readInvoice(invoice)
  }

  pdf(url: string): Promise<AsyncIterable<Uint8Array>> {
    // The operator configured this origin. Other URLs from Stripe must be public.
    const isNamed =
      this.settings.baseUrl !== null && new URL(url).origin === new URL(this.settings.baseUrl).origin
    return fetchPdf(this.outbound, url, isNamed ? 'operator' : 'content')
  }

  private stripe(): Stripe {
    this.opened ??= openStripe(this.outbound, { timeoutMs: TIMEOUT_MS, ...this.settings })
    return this.opened
  }

  private async productOf(price: Foreign): Promise<Foreign> {
    if (typeof price.product !== 'string') return foreignOf(price.product)
    const { product } = price
    return (await findObject(() => this.stripe().products.retrieve(product))) ?? {}
  }

  /** Returns undefined if the price or product is no longer active. */
  private async offerOf(price: Foreign): Promise<Offer | undefined> {
    const read = readPrice(price)
    if (price.active !== true || read.interval === null) return undefined
    const product = await this.productOf(price)
    if (product.active !== true) return undefined
    return { ...read, name: textOf(product.name, 200), description: textOf(product.description, 1000) }
  }

  private async pricesOf(ids: readonly string[]): Promise<readonly (Foreign | undefined)[]> {
    if (ids.length > 0)
      return Promise.all(
        ids.map((id) => findObject(() => this.stripe().prices.retrieve(id, { expand: ['product'] }))),
      )
    const query = { active: true, type: 'recurring' as const, limit: MAX_OBJECTS, expand: ['data.product'] }
    const { data } = foreignOf(await call(() => this.stripe().prices.list(query)))
    if (!Array.isArray(data)) throw unreadable()
    return listOf(data)
  }
}

/** Creates the Stripe client. All requests go through the guarded client. */
export const createStripe = (outbound: Pick<Outbound, 'fetch'>, settings: StripeSettings): Payments =>
  new StripePayments(outbound, settings)
