import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Notice, Signed } from '../../features/bookings/provider.ts'
import { foreignOf, instantOf, textOf } from '../../platform/outbound/foreign.ts'
import { readNoticed } from './booking.ts'

/** What a trigger says of the booking; where it says nothing, the payload's own status counts. */
const STATED: ReadonlyMap<string, string | null> = new Map([
  ['BOOKING_CREATED', null],
  ['BOOKING_RESCHEDULED', null],
  ['BOOKING_PAID', null],
  ['BOOKING_REQUESTED', 'pending'],
  ['BOOKING_REJECTED', 'rejected'],
  ['BOOKING_CANCELLED', 'cancelled'],
])

/** Hex HMAC-SHA256 of the body, as it came, with or without the name of the hash before it. */
export const isSignedByCalcom = ({ header, body }: Signed, secret: string): boolean => {
  const [, hex] = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(header('x-cal-signature-256')?.trim() ?? '') ?? []
  if (hex === undefined) return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest())
}

export const readCalcomNotice = (body: unknown): Notice | null => {
  const { triggerEvent, createdAt, payload: told } = foreignOf(body)
  const trigger = textOf(triggerEvent, 100)
  const payload = foreignOf(told)
  const uid = textOf(payload.uid, 200)
  const stated = STATED.get(trigger)
  if (stated === undefined || uid === '') return null
  return {
    uid,
    at: instantOf(createdAt),
    read: () => readNoticed(uid, payload, stated),
  }
}
