import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { type AppError, conflict, invalidField } from '../../platform/errors.ts'
import { digest } from '../../platform/secrets/digest.ts'
import type { Activity } from '../auth/activity.ts'
import type { Customers } from './customers.ts'
import type { Checkout, Payments } from './payments.ts'
import { type Plans, SELF_HOSTED } from './plans.ts'
import { isOver, type Standings } from './standing.ts'
import { findAccount, updateAccount } from './store.ts'

/** The provider keeps a checkout, and what was made with a key, for a day. */
const CHECKOUT_MS = 23 * 3_600_000
/** A checkout that turns out to be over is followed by one more, and no more than that. */
const ROUNDS = 3

const subscribed = (): AppError =>
  conflict('There is a subscription already: change it at the provider (portal), or cancel it first.')

export type Subscribing = ReturnType<typeof createSubscribing>

/** Subscribing and cancelling. At most one checkout is open for a person, so that nobody pays for two plans. */
export const createSubscribing = (deps: {
  db: Db
  clock: Clock
  activity: Activity
  payments: Payments
  plans: Plans
  customers: Customers
  standings: Standings
  /** Where the console shows billing. */
  page: () => string
}) => {
  const { db, clock, activity, payments, plans, customers, standings, page } = deps

  const requireFree = async (userId: number): Promise<void> => {
    const standing = await standings.read(userId)
    if (standing && !isOver(standing)) throw subscribed()
  }

  const requirePlan = async (planId: string): Promise<void> => {
    if (planId === SELF_HOSTED)
      throw conflict('The self-hosted plan needs no subscription: cancel the one there is to return to it.')
    if (!(await plans.offers()).some(({ priceId }) => priceId === planId))
      throw invalidField('plan', 'is not one of the plans')
  }

  /**
   * The number of this try, the same for everyone who tries the same at about the same time. `stale` is one that has
   * led nowhere.
   */
  const claim = (userId: number, planId: string, stale: number) =>
    inTransaction(db, async (tx) => {
      const now = clock.now()
      const row = await customers.hold(tx, userId)
      const { checkoutId, checkoutPlan, checkoutAttempt, checkoutAt } = row
      const isFresh = checkoutAt !== null && now.getTime() - Date.parse(checkoutAt) < CHECKOUT_MS
      if (isFresh && checkoutPlan === planId && checkoutAttempt > stale)
        return { attempt: checkoutAttempt, open: checkoutId, former: null }
      const attempt = checkoutAttempt + 1
      const begun = { checkoutPlan: planId, checkoutAttempt: attempt, checkoutAt: now.toISOString() }
      await updateAccount(tx, userId, { ...begun, checkoutId: null })
      return { attempt, open: null, former: checkoutPlan === planId ? null : checkoutId }
    })

  /** A checkout that was completed is a subscription by now, whether or not we were told. */
  const requireNotCompleted = async (userId: number, checkout: Checkout | undefined): Promise<void> => {
    if (checkout?.status !== 'complete') return
    await standings.refresh(userId)
    await requireFree(userId)
  }

  const make = async (userId: number, planId: string, attempt: number, visit: Visit): Promise<Checkout> => {
    const { customerId, key: account } = await customers.require(userId)
    const checkout = await payments.openCheckout({
      ...{ customerId, priceId: planId, account },
      // With other addresses it would be another request, which the provider refuses under the same key.
      key: `checkout-${account}-${attempt}-${digest(page()).slice(0, 8)}`,
      ...{ successUrl: `${page()}?checkout=done`, cancelUrl: `${page()}?checkout=left` },
    })
    const isOurs = await inTransaction(db, async (tx) => {
      const row = await customers.hold(tx, userId)
      if (row.checkoutAttempt !== attempt) return false
      if (row.checkoutId === null) {
        await updateAccount(tx, userId, { checkoutId: checkout.id })
        await activity.record(tx, userId, visit, 'billing.checkout_started', { plan: planId })
      }
      return true
    })
    if (isOurs) return checkout
    await payments.expireCheckout(checkout.id)
    throw conflict('Another plan was chosen in the same moment. Try again.')
  }

  return {
    /** Where to pay. Asked again, it is the same place as long as that is open. */
    async subscribe(userId: number, planId: string, visit: Visit) {
      await requirePlan(planId)
      await requireFree(userId)
      let stale = 0
      for (let round = 1; round <= ROUNDS; round++) {
        const { attempt, open, former } = await claim(userId, planId, stale)
        if (former !== null) await requireNotCompleted(userId, await payments.expireCheckout(former))
        const checkout =
          open === null ? await make(userId, planId, attempt, visit) : await payments.findCheckout(open)
        await requireNotCompleted(userId, checkout)
        if (checkout?.status === 'open' && checkout.url !== null)
          return { url: checkout.url, expiresAt: checkout.expiresAt, plan: planId }
        stale = attempt
      }
      throw conflict('The checkout was over before it began. Try again.')
    },

    /** Asks the provider how things stand, for who comes back from paying and will not wait for a notice. */
    async refresh(userId: number) {
      await standings.refresh(userId)
      return plans.current(userId)
    },

    /** Where the provider lets a person see and change how they pay. */
    async portal(userId: number) {
      const row = await findAccount(db, userId)
      if (!row?.customerId) throw conflict('There is nothing to manage yet: subscribe to a plan first.')
      return { url: await payments.portalUrl(row.customerId, page()) }
    },

    async cancel(userId: number, when: 'period_end' | 'now', visit: Visit) {
      const standing = await standings.read(userId)
      if (!standing || isOver(standing)) throw conflict('There is no subscription to cancel.')
      await payments.cancel(standing.id, when)
      await standings.refresh(userId, (tx) =>
        activity.record(tx, userId, visit, 'billing.cancelled', { when }),
      )
      return plans.current(userId)
    },
  }
}
