import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/caller.ts'
import { type AppError, conflict, invalidField } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { digest } from '../../platform/secrets/seal.ts'
import type { Activity } from '../auth/activity.ts'
import type { Customers } from './invoices.ts'
import type { Checkout, Payments } from './payments.ts'
import { findAccount, updateAccount } from './repository.ts'
import { hasEnded, type Plans, SELF_HOSTED, type SubscriptionSync } from './subscription-status.ts'

/** Shorter than the day for which the provider keeps checkouts and idempotency keys. */
const CHECKOUT_MS = 23 * 3_600_000
/** Limits how many expired checkouts are replaced in one request. */
const MAX_ROUNDS = 3

const alreadySubscribed = (): AppError =>
  conflict('You already have a subscription. Change it in the billing portal, or cancel it first.')

export type Checkouts = ReturnType<typeof createCheckouts>

/**
 * Opens checkouts and cancels subscriptions. A person has at most one open checkout, so that nobody pays for
 * two plans.
 */
export const createCheckouts = (
  { db, clock, baseUrl }: Platform,
  needs: {
    activity: Activity
    payments: Payments
    plans: Plans
    customers: Customers
    subscriptionSync: SubscriptionSync
  },
) => {
  const { activity, payments, plans, customers, subscriptionSync } = needs
  /** The URL of the billing page in the console. */
  const page = (): string => `${baseUrl()}/settings/billing`

  const requireNoSubscription = async (userId: number): Promise<void> => {
    const stored = await subscriptionSync.read(userId)
    if (stored && !hasEnded(stored)) throw alreadySubscribed()
  }

  const requirePlan = async (planId: string): Promise<void> => {
    if (planId === SELF_HOSTED)
      throw conflict('The self-hosted plan needs no subscription. Cancel your subscription to return to it.')
    if (!(await plans.offers()).some(({ priceId }) => priceId === planId))
      throw invalidField('plan', 'is not the id of a plan')
  }

  /**
   * Returns the number of this attempt. Concurrent requests for the same plan share one number. `stale` is
   * the number of an attempt whose checkout has expired.
   */
  const claim = (userId: number, planId: string, stale: number) =>
    inTransaction(db, async (tx) => {
      const now = clock.now()
      const row = await customers.lockOrCreate(tx, userId)
      const { checkoutId, checkoutPlan, checkoutAttempt, checkoutAt } = row
      const isFresh = checkoutAt !== null && now.getTime() - Date.parse(checkoutAt) < CHECKOUT_MS
      if (isFresh && checkoutPlan === planId && checkoutAttempt > stale)
        return { attempt: checkoutAttempt, open: checkoutId, former: null }
      const attempt = checkoutAttempt + 1
      const begun = { checkoutPlan: planId, checkoutAttempt: attempt, checkoutAt: now.toISOString() }
      await updateAccount(tx, userId, { ...begun, checkoutId: null })
      return { attempt, open: null, former: checkoutPlan === planId ? null : checkoutId }
    })

  /** A completed checkout has become a subscription, even if no notice has arrived yet. */
  const requireNotCompleted = async (userId: number, checkout: Checkout | undefined): Promise<void> => {
    if (checkout?.status !== 'complete') return
    await subscriptionSync.refresh(userId)
    await requireNoSubscription(userId)
  }

  const startCheckout = async (
    userId: number,
    planId: string,
    attempt: number,
    visit: Visit,
  ): Promise<Checkout> => {
    const { customerId, key: account } = await customers.require(userId)
    const checkout = await payments.openCheckout({
      customerId,
      priceId: planId,
      account,
      // The URLs are part of the key, because the provider rejects a different request with the same key.
      key: `checkout-${account}-${attempt}-${digest(page()).slice(0, 8)}`,
      successUrl: `${page()}?checkout=done`,
      cancelUrl: `${page()}?checkout=left`,
    })
    const isOurs = await inTransaction(db, async (tx) => {
      const row = await customers.lockOrCreate(tx, userId)
      if (row.checkoutAttempt !== attempt) return false
      if (row.checkoutId === null) {
        await updateAccount(tx, userId, { checkoutId: checkout.id })
        await activity.record(tx, userId, visit, 'billing.checkout_started', { plan: planId })
      }
      return true
    })
    if (isOurs) return checkout
    await payments.expireCheckout(checkout.id)
    throw conflict('Another request chose a different plan at the same time. Try again.')
  }

  return {
    /** Returns the URL of the checkout. Further calls return the same checkout while it is open. */
    async subscribe(userId: number, planId: string, visit: Visit) {
      await requirePlan(planId)
      await requireNoSubscription(userId)
      let stale = 0
      for (let round = 1; round <= MAX_ROUNDS; round++) {
        const { attempt, open, former } = await claim(userId, planId, stale)
        if (former !== null) await requireNotCompleted(userId, await payments.expireCheckout(former))
        const checkout =
          open === null
            ? await startCheckout(userId, planId, attempt, visit)
            : await payments.findCheckout(open)
        await requireNotCompleted(userId, checkout)
        if (checkout?.status === 'open' && checkout.url !== null)
          return { url: checkout.url, expiresAt: checkout.expiresAt, plan: planId }
        stale = attempt
      }
      throw conflict('The checkout expired before it could be opened. Try again.')
    },

    /** Refreshes the plan from the provider, for a person who has just paid. */
    async refresh(userId: number) {
      await subscriptionSync.refresh(userId)
      return plans.current(userId)
    },

    /** Returns the URL of the billing portal of the provider. */
    async portal(userId: number) {
      const row = await findAccount(db, userId)
      if (!row?.customerId) throw conflict('You have no billing portal yet. Subscribe to a plan first.')
      return { url: await payments.portalUrl(row.customerId, page()) }
    },

    async cancel(userId: number, when: 'period_end' | 'now', visit: Visit) {
      const stored = await subscriptionSync.read(userId)
      if (!stored || hasEnded(stored)) throw conflict('You have no subscription to cancel.')
      await payments.cancel(stored.id, when)
      await subscriptionSync.refresh(userId, (tx) =>
        activity.record(tx, userId, visit, 'billing.cancelled', { when }),
      )
      return plans.current(userId)
    },
  }
}
