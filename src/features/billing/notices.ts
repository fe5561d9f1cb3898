import type { Db } from '../../database/db.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict } from '../../platform/errors.ts'
import type { Payments } from './payments.ts'
import { deleteEventsBefore, findAccountByCustomer, hasEvent, recordEvent } from './repository.ts'
import type { SubscriptionSync } from './subscription-status.ts'

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
export const createPaymentNotices = (deps: {
  db: Db
  clock: Clock
  payments: Payments | null
  secret: string | null
  subscriptionSync: SubscriptionSync | null
}) => {
  const { db, clock, payments, secret, subscriptionSync } = deps
  return {
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
  }
}
