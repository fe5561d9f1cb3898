import type { PaymentNotice, Payments } from '../../features/billing/payments.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import { foreignOf, textOf } from '../../platform/outbound/foreign.ts'
import { loadStripe } from './client.ts'
import { idOf } from './objects.ts'

/** How old a notice may be, and how far its clock may be ahead of ours. */
const TOLERANCE_SECONDS = 300

const isAhead = (signature: string, now: Date): boolean => {
  const [, at] = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature) ?? []
  return Number(at) - now.getTime() / 1000 > TOLERANCE_SECONDS
}

const constructEvent = ({ body, signature, secret, now }: Parameters<Payments['readNotice']>[0]): unknown => {
  const { webhooks } = loadStripe()
  try {
    return webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime())
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('The body is not JSON.')
    throw new AppError(
      'unauthenticated',
      'unauthorized',
      'The signature of the notice is not right, or too old.',
    )
  }
}

/** The customer is the thing itself, or what it names. */
const customerOf = (value: unknown): string | null => {
  const thing = foreignOf(value)
  return thing.object === 'customer' ? idOf(thing) : idOf(thing.customer)
}

export const readStripeNotice: Payments['readNotice'] = async (given): Promise<PaymentNotice> => {
  const event = foreignOf(constructEvent(given))
  if (isAhead(given.signature, given.now))
    throw new AppError('unauthenticated', 'unauthorized', 'The notice is from the future: check the clock.')
  const id = textOf(event.id, 255)
  const type = textOf(event.type, 255)
  if (id === '' || type === '') throw invalid('The notice names no event.')
  return { id, type, customerId: customerOf(foreignOf(event.data).object) }
}
