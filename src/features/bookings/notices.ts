import { hash } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import type { Logger } from '../../platform/log.ts'
import type { BookedEvents } from './booked-events.ts'
import { type BookingUpdate, type BookingUpdater, writeWithOthers } from './booking-updater.ts'
import type { BookingProvider, Broken, Notice, ProviderName, Signed } from './provider.ts'
import { ensureSyncRow, lockSync } from './repository.ts'
import type { BookingWebhookResult } from './schema.ts'
import { type BookingSettings, type EffectiveSettings, notConfigured } from './settings.ts'

/** Timeout for requests to the provider. The provider waits for our response to the webhook meanwhile. */
const REQUEST_TIMEOUT_MS = 5_000

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw invalid('The body is not valid JSON.')
  }
}

export type Notices = ReturnType<typeof createNotices>

/**
 * Receives webhooks of the booking provider. A webhook only triggers a fetch of the booking.
 * Late and duplicate webhooks are therefore harmless. If the provider does not respond, the data of the
 * webhook is used, unless we have newer data.
 */
export const createNotices = (deps: {
  db: Db
  clock: Clock
  log: Logger
  changes: Changes
  settings: BookingSettings
  events: BookedEvents
  apply: BookingUpdater
  zoneOf: (userId: number) => Promise<string>
}) => {
  const { db, clock, log, changes, settings, events, apply } = deps

  const isFit = (booking: BookingUpdate['booking'] | Broken): booking is BookingUpdate['booking'] =>
    !('broken' in booking) && events.refuse(booking) === undefined

  const fetchBooking = async (
    provider: BookingProvider,
    uid: string,
    signal: AbortSignal,
  ): Promise<BookingUpdate | undefined> => {
    const found = await provider.find(uid, signal)
    if (found === undefined || 'broken' in found) return undefined
    const booking = await found.read()
    return isFit(booking) ? { booking, digest: found.digest, changedAt: found.changedAt } : undefined
  }

  /** Fetches the booking and the one that replaced it. */
  const fetchBookings = async (present: EffectiveSettings, uid: string): Promise<BookingUpdate[]> => {
    if (present.apiKey === null) return []
    const provider = settings.connect(present)
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    try {
      const updates = await fetchBooking(provider, uid, signal)
      if (updates === undefined) return []
      const { replacedBy } = updates.booking
      const later = replacedBy === null ? undefined : await fetchBooking(provider, replacedBy, signal)
      return later === undefined ? [updates] : [later, updates]
    } catch (error) {
      log.info({ err: error }, 'using webhook data: provider not reachable')
      return []
    }
  }

  const readFromWebhook = (notice: Notice, raw: Buffer): BookingUpdate[] => {
    const booking = notice.read()
    if ('broken' in booking) throw invalid(`The webhook could not be parsed: ${booking.broken}`)
    const refusal = events.refuse(booking)
    if (refusal !== undefined) throw invalid(refusal)
    return [
      {
        booking,
        digest: `notice:${hash('sha256', raw, 'base64url')}`,
        changedAt: null,
        noticedAt: notice.at,
      },
    ]
  }

  const write = async (
    userId: number,
    name: ProviderName,
    updates: readonly BookingUpdate[],
    timezone: string,
  ) => {
    await ensureSyncRow(db, userId)
    return writeWithOthers(db, async (tx) => {
      // Locks the same row as the pages of a sync.
      await lockSync(tx, userId)
      const { verdicts } = await apply(tx, userId, name, updates, { timezone, mayWait: false })
      const counts = { created: 0, updated: 0, cancelled: 0, unchanged: 0 }
      for (const verdict of verdicts.values()) counts[verdict]++
      if (counts.unchanged < verdicts.size)
        await changes.record(tx, {
          userId,
          type: 'booking.synced',
          subject: name,
          data: { provider: name, full: false, fetched: verdicts.size, ...counts, failed: 0 },
        })
      return [...verdicts.values()].find((verdict) => verdict !== 'unchanged') ?? 'unchanged'
    })
  }

  return {
    async receive(signed: Signed): Promise<BookingWebhookResult> {
      const candidates = await settings.listSigned()
      if (candidates.length === 0)
        throw notConfigured(
          'Unsigned webhooks are not accepted. Save the webhook secret in the booking settings first.',
        )
      // The URL is the same for all accounts. The secret that verifies the signature identifies the account.
      const found = candidates.find(({ present, webhookSecret }) =>
        settings.kindOf(present.provider).isGenuine(signed, webhookSecret, clock.now()),
      )
      if (!found)
        throw new AppError(
          'unauthenticated',
          'unauthorized',
          'The signature of the webhook is invalid. Check the webhook secret.',
        )
      const { userId, present } = found
      const { provider: name } = present
      const notice = settings.kindOf(name).readNotice(parse(signed.body))
      if (notice === null) return { received: true, result: 'ignored' }
      const fresh = await fetchBookings(present, notice.uid)
      const updates = fresh.length > 0 ? fresh : readFromWebhook(notice, signed.body)
      return { received: true, result: await write(userId, name, updates, await deps.zoneOf(userId)) }
    },
  }
}
