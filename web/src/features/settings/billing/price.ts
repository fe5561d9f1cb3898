import type { Shape } from '../../../api/client.ts'
import { money } from './amounts.ts'

/** Formats price and billing interval. */
export const priceOf = ({
  amount,
  currency,
  interval,
  intervalCount,
}: Pick<Shape<'Plan'>, 'amount' | 'currency' | 'interval' | 'intervalCount'>): string => {
  if (currency === null || interval === null) return 'Free'
  const each = intervalCount === 1 ? `a ${interval}` : `every ${intervalCount} ${interval}s`
  return amount === null ? `By use, ${each}` : `${money(amount, currency)} ${each}`
}
