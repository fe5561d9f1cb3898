import type { Db } from '../../database/db.ts'
import type { Offer, Payments } from './payments.ts'
import { isHolding, isOver, type Standing, standingOf } from './standing.ts'
import { findAccount } from './store.ts'

/** The plan of whoever pays nobody: everything, for nothing. */
export const SELF_HOSTED = 'self-hosted'

const SELF_HOSTED_PLAN = {
  id: SELF_HOSTED,
  name: 'Self-hosted',
  description: 'Everything there is, on your own machine. What it uses is measured, and nothing is charged.',
  amount: 0,
  currency: null,
  interval: null,
  intervalCount: 1,
} as const

const planOf = ({ priceId: id, name, description, amount, currency, interval, intervalCount }: Offer) => ({
  ...{ id, name, description, amount, currency, interval, intervalCount },
})

const shownOf = (standing: Standing) => {
  const { id, status, startedAt, periodStart, periodEnd, trialEndsAt, endsAt, endedAt } = standing
  return {
    id,
    plan: standing.priceId,
    status,
    startedAt,
    periodStart,
    periodEnd,
    trialEndsAt,
    endsAt,
    endedAt,
  }
}

export type Plans = ReturnType<typeof createPlans>

/** Which plan a person is on, and which there are. */
export const createPlans = (deps: { db: Db; payments: Payments | null; prices: readonly string[] }) => {
  const { db, payments, prices } = deps
  const paymentsEnabled = payments !== null
  const offers = (): Promise<Offer[]> => payments?.offers(prices) ?? Promise.resolve([])
  return {
    offers,

    /** From what is kept: no provider need be asked, or be well, for it. */
    async current(userId: number) {
      const standing = standingOf(await findAccount(db, userId))
      // Without a provider nobody pays, whatever was once paid for.
      const isOn = paymentsEnabled && standing !== null && isHolding(standing)
      return {
        ...(isOn ? planOf({ ...standing, description: '' }) : SELF_HOSTED_PLAN),
        status: isOn ? standing.status : ('active' as const),
        managedBy: isOn ? ('stripe' as const) : ('instance' as const),
        paymentsEnabled,
        canSubscribe: paymentsEnabled && (standing === null || isOver(standing)),
        canCancel: paymentsEnabled && standing !== null && !isOver(standing),
        subscription: standing && shownOf(standing),
      }
    },

    list: async () => ({ plans: [SELF_HOSTED_PLAN, ...(await offers()).map(planOf)], nextCursor: null }),
  }
}
