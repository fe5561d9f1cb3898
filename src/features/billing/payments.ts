import type { Outbound } from '../../platform/outbound/outbound.ts'

export const INTERVALS = ['day', 'week', 'month', 'year'] as const
type Interval = (typeof INTERVALS)[number]

export const STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const
export type SubscriptionStatus = (typeof STATUSES)[number]

/** What something costs, and how often. Amounts are in the smallest unit of the currency; null where it varies. */
export interface Price {
  priceId: string
  amount: number | null
  /** ISO 4217, in lower case. */
  currency: string
  interval: Interval | null
  intervalCount: number
}

export interface Offer extends Price {
  name: string
  description: string
}

/** Instants are canonical text. */
export interface Subscription extends Price {
  id: string
  status: SubscriptionStatus
  productId: string | null
  startedAt: string
  periodStart: string | null
  periodEnd: string | null
  trialEndsAt: string | null
  /** When it will end, if that is settled. */
  endsAt: string | null
  endedAt: string | null
}

export interface Checkout {
  id: string
  status: 'open' | 'complete' | 'expired'
  /** Null unless it is open. */
  url: string | null
  expiresAt: string | null
}

export interface InvoiceLine {
  description: string
  amount: number
  quantity: number | null
  periodStart: string | null
  periodEnd: string | null
}

export interface Invoice {
  id: string
  customerId: string | null
  number: string | null
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
  currency: string
  subtotal: number
  tax: number
  total: number
  amountDue: number
  amountPaid: number
  createdAt: string
  dueAt: string | null
  paidAt: string | null
  periodStart: string | null
  periodEnd: string | null
  /** Where it can be seen and paid. */
  hostedUrl: string | null
  /** Where its PDF lies; null while it is a draft. */
  pdfUrl: string | null
  lines: InvoiceLine[]
}

export interface BillingAddress {
  line1: string
  line2: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  country: string
}

export interface BillingDetails {
  name: string | null
  email: string | null
  address: BillingAddress | null
  vatId: string | null
}

/** What the provider tells without being asked. */
export interface PaymentNotice {
  id: string
  type: string
  /** Whom it is about, if it is about a customer at all. */
  customerId: string | null
}

/**
 * A payment provider. Failures are `upstream` errors, or `conflict` where the person's own payment was refused; no
 * call is made inside a transaction. With the same `key`, a call that makes something makes it once.
 */
export interface Payments {
  /** Those named, or all that can be subscribed to. */
  offers(priceIds: readonly string[]): Promise<Offer[]>
  productName(productId: string): Promise<string>
  createCustomer(account: string, key: string): Promise<string>
  describeCustomer(customerId: string, details: BillingDetails): Promise<void>
  /** Ends its subscriptions at once; one that is gone already is no failure. Invoices stay at the provider. */
  deleteCustomer(customerId: string): Promise<void>
  /** Undefined when there is no such customer, or no longer. */
  subscriptions(customerId: string): Promise<Subscription[] | undefined>
  openCheckout(wish: {
    customerId: string
    priceId: string
    account: string
    successUrl: string
    cancelUrl: string
    key: string
  }): Promise<Checkout>
  findCheckout(id: string): Promise<Checkout | undefined>
  /** What it is after that: it may have been completed a moment ago. */
  expireCheckout(id: string): Promise<Checkout | undefined>
  portalUrl(customerId: string, returnUrl: string): Promise<string>
  /** One that has ended already is no failure. */
  cancel(subscriptionId: string, when: 'period_end' | 'now'): Promise<void>
  /** The newest first. */
  invoices(
    customerId: string,
    page: { limit: number; after: string | undefined },
  ): Promise<{ invoices: Invoice[]; hasMore: boolean }>
  findInvoice(id: string): Promise<Invoice | undefined>
  /** The bytes of a PDF, which it was checked to be. */
  pdf(url: string): Promise<AsyncIterable<Uint8Array>>
  /** Throws `unauthenticated` unless it is signed, whole and of the last minutes. */
  readNotice(notice: { body: Buffer; signature: string; secret: string; now: Date }): Promise<PaymentNotice>
}

export interface PaymentSettings {
  secretKey: string | null
  webhookSecret: string | null
  prices: readonly string[]
  baseUrl: string | null
}

export type OpenPayments = (
  outbound: Pick<Outbound, 'fetch'>,
  settings: { secretKey: string; baseUrl: string | null },
) => Payments
