import type { Db } from '../../database/db.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict } from '../../platform/errors.ts'
import type { Payments } from './payments.ts'
import type { Standings } from './standing.ts'
import { deleteEventsBefore, findAccountOf, hasEvent, noteEvent } from './store.ts'

/** Notices after which a subscription may be another one. */
const TELLING = ['customer.subscription.', 'checkout.session.', 'invoice.', 'customer.deleted']
/** Longer than the provider repeats a notice. */
const KEPT_MS = 30 * 86_400_000

export type PaymentNotices = ReturnType<typeof createPaymentNotices>

/**
 * A notice is a reason to ask the provider how things stand. It is noted in the transaction that keeps the answer: one
 * that fails is refused, so that the provider sends it again, and one that was heard has no second effect.
 */
export const createPaymentNotices = (deps: {
  db: Db
  clock: Clock
  payments: Payments | null
  secret: string | null
  standings: Standings | null
}) => {
  const { db, clock, payments, secret, standings } = deps
  return {
    async receive({ body, signature }: { body: Buffer; signature: string }) {
      if (!payments || !standings || secret === null)
        throw conflict(
          'Notices are taken only when they are signed: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET first.',
          'not_configured',
        )
      const now = clock.now()
      const { id, type, customerId } = await payments.readNotice({ body, signature, secret, now })
      const answer = (result: 'applied' | 'unchanged' | 'duplicate' | 'ignored') => ({
        received: true as const,
        result,
      })
      if (customerId === null || !TELLING.some((start) => type.startsWith(start))) return answer('ignored')
      if (await hasEvent(db, id)) return answer('duplicate')
      const account = await findAccountOf(db, customerId)
      if (!account) return answer('ignored')
      const isChanged = await standings.refresh(account.userId, (tx) =>
        noteEvent(tx, { id, type, at: now.toISOString() }),
      )
      return answer(isChanged ? 'applied' : 'unchanged')
    },

    prune: (): Promise<void> =>
      deleteEventsBefore(db, new Date(clock.now().getTime() - KEPT_MS).toISOString()),
  }
}
