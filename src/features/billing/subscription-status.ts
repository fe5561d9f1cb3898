import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { conflict } from '../../platform/errors.ts'
import { isSameJson } from '../../platform/fingerprint.ts'
import type { Platform } from '../../platform/platform.ts'
import { randomId } from '../../platform/random.ts'
import type { Offer, Payments, Subscription, SubscriptionStatus } from './payments.ts'
import {
  type AccountRecord,
  deleteEventsBefore,
  findAccount,
  findAccountByCustomer,
  hasEvent,
  listUnsettled,
  lockAccount,
  recordEvent,
  takeTicket,
  updateAccount,
} from './repository.ts'

/** A subscription as stored, with the name of its product. */
export interface StoredSubscription extends Subscription {
  name: string
}

/**
 * With these statuses the person is on the plan. With the others nothing was paid, or the subscription has
 * ended.
 */
const ON_PLAN_STATUSES: readonly SubscriptionStatus[] = ['active', 'trialing', 'past_due']
const ENDED_STATUSES: readonly SubscriptionStatus[] = ['canceled', 'incomplete_expired']

export const isOnPlan = ({ status }: Pick<Subscription, 'status'>): boolean =>
  ON_PLAN_STATUSES.includes(status)
export const hasEnded = ({ status }: Pick<Subscription, 'status'>): boolean => ENDED_STATUSES.includes(status)

const rankOf = (subscription: Subscription): number =>
  isOnPlan(subscription) ? 0 : hasEnded(subscription) ? 2 : 1

/** Chooses the subscription that counts: a current one, else a pending one, else the last one that ended. */
export const chooseSubscription = (all: readonly Subscription[]): Subscription | undefined =>
  all.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.startedAt < b.startedAt ? 1 : -1))[0]

export const readStoredSubscription = (
  row: Pick<AccountRecord, 'subscription'> | undefined,
): StoredSubscription | null =>
  row?.subscription ? (JSON.parse(row.subscription) as StoredSubscription) : null

const toChangeData = (stored: StoredSubscription | null) =>
  stored && {
    plan: isOnPlan(stored) ? stored.priceId : null,
    name: stored.name,
    status: stored.status,
    endsAt: stored.endsAt,
  }

/** A checkout stays open for a day at most. */
const CHECKOUT_MS = 86_400_000

export type SubscriptionSync = ReturnType<typeof createSubscriptionSync>

/**
 * Determines the subscription of a person, always by asking the provider. It therefore does not matter which
 * notice triggered the request, or how late or how often it arrived. Requests have numbers, and a response is
 * stored only if no later request has been stored. A later request knows everything that an earlier one
 * could.
 */
export const createSubscriptionSync = ({ db, log, clock, random, changes }: Platform, payments: Payments) => {
  const nameOf = (chosen: Subscription, known: StoredSubscription | null): Promise<string> | string => {
    if (chosen.productId === null) return known?.name ?? chosen.priceId
    return known?.productId === chosen.productId ? known.name : payments.productName(chosen.productId)
  }

  const fetchSubscription = async (row: AccountRecord, customerId: string) => {
    const all = await payments.subscriptions(customerId)
    if (all === undefined) return undefined
    const chosen = chooseSubscription(all)
    return chosen ? { ...chosen, name: await nameOf(chosen, readStoredSubscription(row)) } : null
  }

  /** Clears the customer that no longer exists. Another subscription creates a new customer. */
  const withoutCustomer = (row: AccountRecord, now: string) => {
    const last = readStoredSubscription(row)
    const ended: StoredSubscription | null = last && {
      ...last,
      ...(hasEnded(last) ? {} : { status: 'canceled' as const, endedAt: now }),
    }
    const checkout = { checkoutId: null, checkoutPlan: null, checkoutAt: null }
    return {
      customerId: null,
      key: randomId(random),
      sentVersion: 0,
      ...checkout,
      subscription: ended && JSON.stringify(ended),
    }
  }

  /**
   * Asks the provider and stores the subscription. Runs `inSameTransaction` with it. Returns true if the
   * plan changed.
   */
  const refresh = async (
    userId: number,
    inSameTransaction: (tx: Db) => Promise<void> = async () => {},
  ): Promise<boolean> => {
    const asked = await takeTicket(db, userId)
    const customerId = asked?.customerId ?? null
    if (!asked || customerId === null) {
      await inSameTransaction(db)
      return false
    }
    const answer = await fetchSubscription(asked, customerId)
    return inTransaction(db, async (tx) => {
      const now = clock.now().toISOString()
      const row = await lockAccount(tx, userId)
      await inSameTransaction(tx)
      if (row?.customerId !== customerId || row.heldTicket >= asked.askedTicket) return false
      const change =
        answer === undefined ? withoutCustomer(row, now) : { subscription: answer && JSON.stringify(answer) }
      const saved = await updateAccount(tx, userId, { ...change, heldTicket: asked.askedTicket })
      const [before, after] = [
        toChangeData(readStoredSubscription(row)),
        toChangeData(readStoredSubscription(saved)),
      ]
      const isChanged = !isSameJson(before, after)
      if (isChanged)
        await changes.record(tx, {
          userId,
          type: 'billing.plan_changed',
          subject: String(userId),
          data: { userId, before, after },
        })
      return isChanged
    })
  }

  return {
    refresh,

    /** Refreshes all plans that may have changed, in case notices were lost or are not configured. */
    async refreshAll(): Promise<void> {
      const since = new Date(clock.now().getTime() - CHECKOUT_MS).toISOString()
      for (const { userId } of await listUnsettled(db, since))
        await refresh(userId).catch((error: unknown) =>
          log.info({ err: error, userId }, 'could not fetch a subscription from the payment provider'),
        )
    },

    read: async (userId: number): Promise<StoredSubscription | null> =>
      readStoredSubscription(await findAccount(db, userId)),
  }
}

/** The free plan of instances without payments. It includes everything. */
export const SELF_HOSTED = 'self-hosted'

const SELF_HOSTED_PLAN = {
  id: SELF_HOSTED,
  name: 'Self-hosted',
  description: 'All features, on your own server. Usage is measured, and nothing is charged.',
  amount: 0,
  currency: null,
  interval: null,
  intervalCount: 1,
} as const

const planOf = ({ priceId: id, name, description, amount, currency, interval, intervalCount }: Offer) => ({
  id,
  name,
  description,
  amount,
  currency,
  interval,
  intervalCount,
})

const toSubscriptionView = (stored: StoredSubscription) => {
  const {
    id,
    priceId: plan,
    status,
    startedAt,
    periodStart,
    periodEnd,
    trialEndsAt,
    endsAt,
    endedAt,
  } = stored
  return { id, plan, status, startedAt, periodStart, periodEnd, trialEndsAt, endsAt, endedAt }
}

export type Plans = ReturnType<typeof createPlans>

/** The current plan of a person, and the list of plans. */
export const createPlans = ({ db }: Platform, payments: Payments | null, prices: readonly string[]) => {
  const paymentsEnabled = payments !== null
  const offers = (): Promise<Offer[]> => payments?.offers(prices) ?? Promise.resolve([])
  return {
    offers,

    /** Reads the stored subscription, so that it works while the provider is unreachable. */
    async current(userId: number) {
      const stored = readStoredSubscription(await findAccount(db, userId))
      // Without a provider nobody pays, even if a subscription is stored.
      const isSubscribed = paymentsEnabled && stored !== null && isOnPlan(stored)
      return {
        ...(isSubscribed ? planOf({ ...stored, description: '' }) : SELF_HOSTED_PLAN),
        status: isSubscribed ? stored.status : ('active' as const),
        managedBy: isSubscribed ? ('stripe' as const) : ('instance' as const),
        paymentsEnabled,
        canSubscribe: paymentsEnabled && (stored === null || hasEnded(stored)),
        canCancel: paymentsEnabled && stored !== null && !hasEnded(stored),
        subscription: stored && toSubscriptionView(stored),
      }
    },

    list: async () => ({ plans: [SELF_HOSTED_PLAN, ...(await offers()).map(planOf)], nextCursor: null }),
  }
}

/** Types of notices that may change a subscription. */
const RELEVANT_TYPES = ['customer.subscription.', 'checkout.session.', 'invoice.', 'customer.deleted']
/** Longer than the provider repeats a notice. */
const RETENTION_MS = 30 * 86_400_000

export type PaymentNotices = ReturnType<typeof createPaymentNotices>

/**
 * Handles events of the provider. An event only triggers a refresh from the provider. The event id is stored
 * in the transaction that stores the result. A failed event gets an error response, so that the provider
 * repeats it. A processed event has no second effect.
 */
export const createPaymentNotices = (
  { db, clock }: Platform,
  {
    payments,
    secret,
    subscriptionSync,
  }: { payments: Payments | null; secret: string | null; subscriptionSync: SubscriptionSync | null },
) => ({
  async receive({ body, signature }: { body: Buffer; signature: string }) {
    if (!payments || !subscriptionSync || secret === null)
      throw conflict(
        'Webhooks of the payment provider are not configured. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.',
        'not_configured',
      )
    const now = clock.now()
    const { id, type, customerId } = await payments.readNotice({ body, signature, secret, now })
    const answer = (result: 'applied' | 'unchanged' | 'duplicate' | 'ignored') => ({
      received: true as const,
      result,
    })
    if (customerId === null || !RELEVANT_TYPES.some((start) => type.startsWith(start)))
      return answer('ignored')
    if (await hasEvent(db, id)) return answer('duplicate')
    const account = await findAccountByCustomer(db, customerId)
    if (!account) return answer('ignored')
    const isChanged = await subscriptionSync.refresh(account.userId, (tx) =>
      recordEvent(tx, { id, type, at: now.toISOString() }),
    )
    return answer(isChanged ? 'applied' : 'unchanged')
  },

  prune: (): Promise<void> =>
    deleteEventsBefore(db, new Date(clock.now().getTime() - RETENTION_MS).toISOString()),
})
