import { hash } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import type { Logger } from '../../platform/log.ts'
import type { Applying, Told, Verdict } from './applying.ts'
import type { BookedEvents } from './booked-events.ts'
import type { BookingProvider, Broken, Notice, ProviderName, Signed } from './provider.ts'
import { type BookingSettings, notConfigured, type Present } from './settings.ts'
import { makeSync, readSync, updateSync } from './store.ts'

/** A provider waits for our answer as long as we wait for its. */
const ASKING_MS = 5_000
const TRIES = 3

export interface NoticeResult {
  received: true
  result: Verdict | 'ignored'
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw invalid('The body is not JSON.')
  }
}

export type Notices = ReturnType<typeof createNotices>

/**
 * What the provider tells without being asked. A notice says that there is something to know; what it is, the
 * provider is asked, so that neither a notice that comes late nor one that comes twice does harm. Only where it
 * cannot be asked, the notice itself is believed, unless we know something later.
 */
export const createNotices = (deps: {
  db: Db
  clock: Clock
  log: Logger
  changes: Changes
  settings: BookingSettings
  events: BookedEvents
  apply: Applying
  timezone: () => Promise<string>
}) => {
  const { db, clock, log, changes, settings, events, apply } = deps

  const isFit = (booking: Told['booking'] | Broken): booking is Told['booking'] =>
    !('broken' in booking) && events.refuse(booking) === undefined

  const ask = async (
    provider: BookingProvider,
    uid: string,
    signal: AbortSignal,
  ): Promise<Told | undefined> => {
    const found = await provider.find(uid, signal)
    if (found === undefined || 'broken' in found) return undefined
    const booking = await found.read()
    return isFit(booking) ? { booking, digest: found.digest, changedAt: found.changedAt } : undefined
  }

  /** The booking, and the one that took its place. */
  const askFor = async (present: Present, uid: string): Promise<Told[]> => {
    if (present.apiKey === null) return []
    const provider = settings.connect(present)
    const signal = AbortSignal.timeout(ASKING_MS)
    try {
      const told = await ask(provider, uid, signal)
      if (told === undefined) return []
      const { replacedBy } = told.booking
      const later = replacedBy === null ? undefined : await ask(provider, replacedBy, signal)
      return later === undefined ? [told] : [later, told]
    } catch (error) {
      log.info({ err: error }, 'a notice is believed, for its provider could not be asked')
      return []
    }
  }

  const believe = (notice: Notice, raw: Buffer): Told[] => {
    const booking = notice.read()
    if ('broken' in booking) throw invalid(`The notice cannot be understood: ${booking.broken}`)
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

  const write = async (name: ProviderName, told: readonly Told[], timezone: string) => {
    await makeSync(db)
    for (let tries = 1; ; tries++)
      try {
        return await inTransaction(db, async (tx) => {
          // Holds the row that a page of a sync holds as well.
          await updateSync(tx, { id: (await readSync(tx)).id })
          const { verdicts } = await apply(tx, name, told, { timezone, mayWait: false })
          const counts = { created: 0, updated: 0, cancelled: 0, unchanged: 0 }
          for (const verdict of verdicts.values()) counts[verdict]++
          if (counts.unchanged < verdicts.size)
            await changes.record(tx, {
              type: 'booking.synced',
              subject: name,
              data: { provider: name, full: false, fetched: verdicts.size, ...counts, failed: 0 },
            })
          return [...verdicts.values()].find((verdict) => verdict !== 'unchanged') ?? 'unchanged'
        })
      } catch (error) {
        if (!isUniqueViolation(error) || tries === TRIES) throw error
      }
  }

  return {
    async receive(signed: Signed): Promise<NoticeResult> {
      const present = await settings.read()
      const { provider: name, webhookSecret } = present
      if (webhookSecret === null)
        throw notConfigured('Notices are taken only when they are signed: save the webhook’s secret first.')
      const kind = settings.kindOf(name)
      if (!kind.isGenuine(signed, webhookSecret, clock.now()))
        throw new AppError('unauthenticated', 'unauthorized', 'The signature of the notice is not right.')
      const notice = kind.readNotice(parse(signed.body))
      if (notice === null) return { received: true, result: 'ignored' }
      const asked = await askFor(present, notice.uid)
      const told = asked.length > 0 ? asked : believe(notice, signed.body)
      return { received: true, result: await write(name, told, await deps.timezone()) }
    },
  }
}
