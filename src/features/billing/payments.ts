import type { Outbound } from '../../platform/outbound/port.ts'

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

/** A price. Amounts are in the smallest unit of the currency, and null if they vary. */
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

/** All times are ISO 8601 text in UTC. */
export interface Subscription extends Price {
  id: string
  status: SubscriptionStatus
  productId: string | null
  startedAt: string
  periodStart: string | null
  periodEnd: string | null
  trialEndsAt: string | null
  /** The time at which it will end, if it has been canceled. */
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
  /** The page of the provider with the invoice and its payment. */
  hostedUrl: string | null
  /** The URL of the PDF; null for a draft. */
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

/** An event that the provider sends by webhook. */
export interface PaymentNotice {
  id: string
  type: string
  /** Null if the event is not about a customer. */
  customerId: string | null
}

/**
 * A payment provider. Failures are `upstream` errors, or `conflict` errors if the person's own payment was
 * declined. Never call it inside a transaction. Calls that create something are idempotent by `key`.
 */
export interface Payments {
  /** Returns the offers with these ids, or all offers if the list is empty. */
  offers(priceIds: readonly string[]): Promise<Offer[]>
  productName(productId: string): Promise<string>
  createCustomer(account: string, key: string): Promise<string>
  describeCustomer(customerId: string, details: BillingDetails): Promise<void>
  /**
   * Ends the subscriptions of the customer at once. A missing customer is not an error. Invoices stay at the
   * provider.
   */
  deleteCustomer(customerId: string): Promise<void>
  /** Undefined if the customer does not exist or was deleted. */
  subscriptions(customerId: string): Promise<Subscription[] | undefined>
  openCheckout(input: {
    customerId: string
    priceId: string
    account: string
    successUrl: string
    cancelUrl: string
    key: string
  }): Promise<Checkout>
  findCheckout(id: string): Promise<Checkout | undefined>
  /** Returns the checkout afterwards, because it may have been completed just before. */
  expireCheckout(id: string): Promise<Checkout | undefined>
  portalUrl(customerId: string, returnUrl: string): Promise<string>
  /** A subscription that has already ended is not an error. */
  cancel(subscriptionId: string, when: 'period_end' | 'now'): Promise<void>
  /** Newest first. */
  invoices(
    customerId: string,
    page: { limit: number; after: string | undefined },
  ): Promise<{ invoices: Invoice[]; hasMore: boolean }>
  findInvoice(id: string): Promise<Invoice | undefined>
  /** Returns the content of the PDF, after checking that it is one. */
  pdf(url: string): Promise<AsyncIterable<Uint8Array>>
  /** Throws `unauthenticated` unless the signature is valid and recent. */
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
