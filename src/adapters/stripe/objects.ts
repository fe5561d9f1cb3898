import {
  type Checkout,
  INTERVALS,
  type Invoice,
  type InvoiceLine,
  type Price,
  STATUSES,
  type Subscription,
} from '../../features/billing/payments.ts'
import { type Foreign, foreignOf, linkOf, listOf, textOf } from '../../platform/outbound/foreign.ts'
import { unreadable } from './failures.ts'

/*
 * Stripe's objects in our words. Its library has types for them, but what comes over the wire may be of another version,
 * or of another server: what cannot be done without is required, the rest taken where it makes sense.
 */

const ID = 255

export const requireId = (value: unknown): string => {
  const id = textOf(value, ID)
  if (id === '' || id !== value) throw unreadable()
  return id
}

/** A reference is the id of a thing, or the thing itself where it was expanded. */
export const idOf = (value: unknown): string | null =>
  (typeof value === 'string' ? textOf(value, ID) : textOf(foreignOf(value).id, ID)) || null

const wholeOf = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

/** Seconds since 1970, as an instant that four digits can write the year of. */
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

export const readPrice = (price: Foreign): Price => {
  const recurring = foreignOf(price.recurring)
  return {
    priceId: requireId(price.id),
    amount: wholeOf(price.unit_amount),
    currency: currencyOf(price.currency),
    interval: oneOf(INTERVALS, recurring.interval) ?? null,
    intervalCount: wholeOf(recurring.interval_count) ?? 1,
  }
}

/** What all items cost together; null as soon as one of them varies. */
const amountOf = (items: readonly Foreign[]): number | null =>
  items.reduce<number | null>((sum, item) => {
    const each = wholeOf(foreignOf(item.price).unit_amount)
    return sum === null || each === null ? null : sum + each * (wholeOf(item.quantity) ?? 1)
  }, 0)

export const readSubscription = (value: unknown): Subscription => {
  const subscription = foreignOf(value)
  const status = oneOf(STATUSES, subscription.status)
  const items = listOf(foreignOf(subscription.items).data)
  const [first] = items
  if (!status || !first) throw unreadable()
  const price = foreignOf(first.price)
  // Each item has its own period since 2025; before that the subscription had one.
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

export const readCheckout = (value: unknown): Checkout => {
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

export const readInvoice = (value: unknown): Invoice => {
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
