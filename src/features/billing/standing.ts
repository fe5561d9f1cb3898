import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/log.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { Payments, Subscription, SubscriptionStatus } from './payments.ts'
import {
  type AccountRecord,
  findAccount,
  listUnsettled,
  lockAccount,
  takeTicket,
  updateAccount,
} from './store.ts'

/** A subscription as it is kept: with the name of what it is for. */
export interface Standing extends Subscription {
  name: string
}

/** While it is one of these the person is on the plan; with the others nothing was paid, or it is over. */
const HOLDING: readonly SubscriptionStatus[] = ['active', 'trialing', 'past_due']
const OVER: readonly SubscriptionStatus[] = ['canceled', 'incomplete_expired']

export const isHolding = ({ status }: Pick<Subscription, 'status'>): boolean => HOLDING.includes(status)
export const isOver = ({ status }: Pick<Subscription, 'status'>): boolean => OVER.includes(status)

const rankOf = (subscription: Subscription): number =>
  isHolding(subscription) ? 0 : isOver(subscription) ? 2 : 1

/** The one that counts: what the person is on, else what waits for something, else what was there last. */
export const chooseSubscription = (all: readonly Subscription[]): Subscription | undefined =>
  all.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.startedAt < b.startedAt ? 1 : -1))[0]

export const standingOf = (row: Pick<AccountRecord, 'subscription'> | undefined): Standing | null =>
  row?.subscription ? (JSON.parse(row.subscription) as Standing) : null

const told = (standing: Standing | null) =>
  standing && {
    plan: isHolding(standing) ? standing.priceId : null,
    name: standing.name,
    status: standing.status,
    endsAt: standing.endsAt,
  }

/** A checkout is open for a day at most. */
const CHECKOUT_MS = 86_400_000

export type Standings = ReturnType<typeof createStandings>

/**
 * Which subscription a person has: always by asking the provider, so that it does not matter which notice was the
 * reason, how late it came or how often. Of two answers that cross, that to the later question holds: the earlier
 * question was asked before it, so nothing that it could have known is lost.
 */
export const createStandings = (deps: {
  db: Db
  log: Logger
  clock: Clock
  random: Random
  changes: Changes
  payments: Payments
}) => {
  const { db, log, clock, random, changes, payments } = deps

  const nameOf = (chosen: Subscription, known: Standing | null): Promise<string> | string => {
    if (chosen.productId === null) return known?.name ?? chosen.priceId
    return known?.productId === chosen.productId ? known.name : payments.productName(chosen.productId)
  }

  const ask = async (row: AccountRecord, customerId: string) => {
    const all = await payments.subscriptions(customerId)
    if (all === undefined) return undefined
    const chosen = chooseSubscription(all)
    return chosen ? { ...chosen, name: await nameOf(chosen, standingOf(row)) } : null
  }

  /** The customer is gone: whoever subscribes again is a new one. */
  const without = (row: AccountRecord, now: string) => {
    const last = standingOf(row)
    const ended: Standing | null = last && {
      ...last,
      ...(isOver(last) ? {} : { status: 'canceled' as const, endedAt: now }),
    }
    const checkout = { checkoutId: null, checkoutPlan: null, checkoutAt: null }
    return {
      ...{ customerId: null, key: randomId(random), toldVersion: 0, ...checkout },
      subscription: ended && JSON.stringify(ended),
    }
  }

  /** Asks, and keeps the answer; `along` is written with it. Says whether anything changed. */
  const refresh = async (
    userId: number,
    along: (tx: Db) => Promise<void> = async () => {},
  ): Promise<boolean> => {
    const asked = await takeTicket(db, userId)
    const customerId = asked?.customerId ?? null
    if (!asked || customerId === null) {
      await along(db)
      return false
    }
    const answer = await ask(asked, customerId)
    return inTransaction(db, async (tx) => {
      const now = clock.now().toISOString()
      const row = await lockAccount(tx, userId)
      await along(tx)
      if (row?.customerId !== customerId || row.heldTicket >= asked.askedTicket) return false
      const change =
        answer === undefined ? without(row, now) : { subscription: answer && JSON.stringify(answer) }
      const saved = await updateAccount(tx, userId, { ...change, heldTicket: asked.askedTicket })
      const [before, after] = [told(standingOf(row)), told(standingOf(saved))]
      const isChanged = JSON.stringify(before) !== JSON.stringify(after)
      if (isChanged)
        await changes.record(tx, {
          type: 'billing.plan_changed',
          subject: String(userId),
          data: { userId, before, after },
        })
      return isChanged
    })
  }

  return {
    refresh,

    /** For notices that were lost, or that nobody set up: asks for everyone whose plan may be another by now. */
    async refreshAll(): Promise<void> {
      const since = new Date(clock.now().getTime() - CHECKOUT_MS).toISOString()
      for (const { userId } of await listUnsettled(db, since))
        await refresh(userId).catch((error: unknown) =>
          log.info({ err: error, userId }, 'the payment provider could not be asked about a subscription'),
        )
    },

    read: async (userId: number): Promise<Standing | null> => standingOf(await findAccount(db, userId)),
  }
}
