import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Notice, Signed } from '../../features/bookings/provider.ts'
import { foreignOf, instantOf } from '../../platform/outbound/foreign.ts'
import { lastPart, readEvent } from './booking.ts'

/** A notice that was signed longer ago is a recording. */
const FRESH_MS = 180_000

/** `t=…,v1=…`: what is signed is the time, a dot and the body. */
export const isSignedByCalendly = ({ header, body }: Signed, secret: string, now: Date): boolean => {
  const given = header('calendly-webhook-signature') ?? ''
  const parts = new Map(given.split(',').map((part) => part.trim().split('=', 2) as [string, string]))
  const [at, hex] = [parts.get('t') ?? '', parts.get('v1') ?? '']
  if (!/^\d{1,12}$/.test(at) || !/^[0-9a-f]{64}$/i.test(hex)) return false
  const expected = createHmac('sha256', secret).update(`${at}.`).update(body).digest()
  if (!timingSafeEqual(Buffer.from(hex, 'hex'), expected)) return false
  return Math.abs(now.getTime() - Number(at) * 1000) <= FRESH_MS
}

const KINDS = ['invitee.created', 'invitee.canceled']

export const readCalendlyNotice = (body: unknown): Notice | null => {
  const { event: kind, created_at: at, payload: told } = foreignOf(body)
  const invitee = foreignOf(told)
  const event = foreignOf(invitee.scheduled_event)
  const uid = lastPart(event.uri)
  if (!KINDS.includes(kind as string) || uid === null) return null
  return { uid, at: instantOf(at), read: () => readEvent(uid, event, [invitee]) }
}
