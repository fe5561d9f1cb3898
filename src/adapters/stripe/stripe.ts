import type Stripe from 'stripe'
import type { BillingAddress, Offer, OpenPayments } from '../../features/billing/payments.ts'
import { type Foreign, foreignOf, linkOf, listOf, textOf } from '../../platform/outbound/foreign.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { openStripe } from './client.ts'
import { isMissing, toFailure, unreadable } from './failures.ts'
import { readStripeNotice } from './notices.ts'
import { readCheckout, readInvoice, readPrice, readSubscription, requireId } from './objects.ts'
import { fetchPdf } from './pdf.ts'
import { setTaxId } from './tax-ids.ts'

const TIMEOUT_MS = 20_000
const MOST = 100

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

/** The one way to Stripe: whatever fails becomes an error in our words. */
const asked = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw toFailure(error)
  }
}

/** Undefined for what is not there. */
const found = (work: () => Promise<unknown>): Promise<Foreign | undefined> =>
  asked(async () => {
    try {
      return foreignOf(await work())
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  })

/** Stripe, by its own library, through the guarded client. */
export const createStripe = (
  outbound: Pick<Outbound, 'fetch'>,
  settings: { secretKey: string; baseUrl: string | null; timeoutMs?: number },
): ReturnType<OpenPayments> => {
  let opened: Stripe | undefined
  const stripe = (): Stripe => {
    opened ??= openStripe(outbound, { timeoutMs: TIMEOUT_MS, ...settings })
    return opened
  }

  const productOf = async (price: Foreign): Promise<Foreign> => {
    if (typeof price.product !== 'string') return foreignOf(price.product)
    const { product } = price
    return (await found(() => stripe().products.retrieve(product))) ?? {}
  }

  /** Undefined for what nobody can subscribe to any more. */
  const offerOf = async (price: Foreign): Promise<Offer | undefined> => {
    const read = readPrice(price)
    if (price.active !== true || read.interval === null) return undefined
    const product = await productOf(price)
    if (product.active !== true) return undefined
    return { ...read, name: textOf(product.name, 200), description: textOf(product.description, 1000) }
  }

  const pricesOf = async (ids: readonly string[]): Promise<readonly (Foreign | undefined)[]> => {
    if (ids.length > 0)
      return Promise.all(ids.map((id) => found(() => stripe().prices.retrieve(id, { expand: ['product'] }))))
    const wish = { active: true, type: 'recurring' as const, limit: MOST, expand: ['data.product'] }
    const { data } = foreignOf(await asked(() => stripe().prices.list(wish)))
    if (!Array.isArray(data)) throw unreadable()
    return listOf(data)
  }

  return {
    async offers(priceIds) {
      const prices = (await pricesOf(priceIds)).filter((price) => price !== undefined)
      const offers = await Promise.all(prices.map(offerOf))
      return offers.filter((offer) => offer !== undefined)
    },

    async productName(productId) {
      const product = await found(() => stripe().products.retrieve(productId))
      return textOf(product?.name, 200) || productId
    },

    async createCustomer(account, idempotencyKey) {
      const made = await asked(() =>
        stripe().customers.create({ metadata: { factotum: account } }, { idempotencyKey }),
      )
      return requireId(foreignOf(made).id)
    },

    describeCustomer: (customerId, { name, email, address, vatId }) =>
      asked(async () => {
        await stripe().customers.update(customerId, {
          ...{ name: name ?? '', email: email ?? '', address: addressOf(address) },
          metadata: { vatId: vatId ?? '' },
        })
        await setTaxId(stripe(), customerId, vatId)
      }),

    async deleteCustomer(customerId) {
      await found(() => stripe().customers.del(customerId))
    },

    async subscriptions(customerId) {
      const wish = { customer: customerId, status: 'all' as const, limit: MOST }
      const list = await found(() => stripe().subscriptions.list(wish))
      if (list === undefined) return undefined
      if (!Array.isArray(list.data)) throw unreadable()
      const all = listOf(list.data).map(readSubscription)
      if (all.some(({ endedAt }) => endedAt === null)) return all
      // Of a customer that was deleted the list is still given out.
      const customer = await found(() => stripe().customers.retrieve(customerId))
      return customer === undefined || customer.deleted === true ? undefined : all
    },

    async openCheckout({ customerId, priceId, account, successUrl, cancelUrl, key }) {
      const made = await asked(() =>
        stripe().checkout.sessions.create(
          {
            ...{ mode: 'subscription', customer: customerId, client_reference_id: account },
            line_items: [{ price: priceId, quantity: 1 }],
            subscription_data: { metadata: { factotum: account } },
            ...{ success_url: successUrl, cancel_url: cancelUrl },
          },
          { idempotencyKey: key },
        ),
      )
      return readCheckout(made)
    },

    async findCheckout(id) {
      const checkout = await found(() => stripe().checkout.sessions.retrieve(id))
      return checkout && readCheckout(checkout)
    },

    async expireCheckout(id) {
      const before = await found(() => stripe().checkout.sessions.retrieve(id))
      if (before?.status !== 'open') return before && readCheckout(before)
      // It may be completed in this very moment: then it cannot be expired, and is asked for again.
      const after = await asked(() => stripe().checkout.sessions.expire(id)).catch(() =>
        found(() => stripe().checkout.sessions.retrieve(id)),
      )
      return after && readCheckout(after)
    },

    async portalUrl(customerId, returnUrl) {
      const wish = { customer: customerId, return_url: returnUrl }
      const url = linkOf(foreignOf(await asked(() => stripe().billingPortal.sessions.create(wish))).url)
      if (url === null) throw unreadable()
      return url
    },

    async cancel(subscriptionId, when) {
      const { subscriptions } = stripe()
      await found(() =>
        when === 'now'
          ? subscriptions.cancel(subscriptionId)
          : subscriptions.update(subscriptionId, { cancel_at_period_end: true }),
      )
    },

    async invoices(customerId, { limit, after }) {
      const wish = { customer: customerId, limit, ...(after !== undefined && { starting_after: after }) }
      const list = await found(() => stripe().invoices.list(wish))
      if (list !== undefined && !Array.isArray(list.data)) throw unreadable()
      return { invoices: listOf(list?.data).map(readInvoice), hasMore: list?.has_more === true }
    },

    async findInvoice(id) {
      // Words such as `search` stand for something else in that place.
      if (!/^in_\w+$/.test(id)) return undefined
      const invoice = await found(() => stripe().invoices.retrieve(id))
      return invoice && readInvoice(invoice)
    },

    pdf: (url) => {
      // The operator named this address; any other that Stripe names must be public.
      const isNamed = settings.baseUrl !== null && new URL(url).origin === new URL(settings.baseUrl).origin
      return fetchPdf(outbound, url, isNamed ? 'operator' : 'content')
    },

    readNotice: readStripeNotice,
  }
}
