import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import type { Told } from './applying.ts'
import type { Booking, BookingProvider, ProviderName } from './provider.ts'
import type { RunTally } from './report.ts'
import { listBookings, pageOfBookings, pageOfNames } from './store.ts'

/** So many that are missing are asked for one by one in a run; the rest wait for the next. */
const ASKED_IN_A_RUN = 100
const AT_ONCE = 200

/**
 * Events that somebody changed since we left them, with what the provider last said of them: time, status and guests
 * are the provider's.
 */
export async function* findTouched(db: Db, provider: ProviderName): AsyncGenerator<Told[]> {
  let touched: Told[] = []
  const rows = everyRow<Awaited<ReturnType<typeof pageOfBookings>>[number]>((after, limit) =>
    pageOfBookings(db, after?.uid ?? '', limit),
  )
  for await (const row of rows) {
    const isTouched = row.eventId !== null && row.version !== row.eventVersion
    if (!isTouched || row.replacedBy !== null || row.provider !== provider) continue
    const booking = JSON.parse(row.told) as Booking
    touched.push({ booking, digest: row.digest, changedAt: row.changedAt })
    if (touched.length < AT_ONCE) continue
    yield touched
    touched = []
  }
  if (touched.length > 0) yield touched
}

/**
 * After everything was listed: what is known and was not among it. A list may be wrong, and a key may be another
 * account's, so each is asked for by its name; only what the provider then says it does not have is called off.
 */
export async function* findGone(
  db: Db,
  { provider, name, signal }: { provider: BookingProvider; name: ProviderName; signal: AbortSignal },
  tally: RunTally,
): AsyncGenerator<Told[]> {
  if (tally.hasNameless()) return
  const missing: string[] = []
  let isSameAccount = false
  const rows = everyRow<Awaited<ReturnType<typeof pageOfNames>>[number]>((after, limit) =>
    pageOfNames(db, after?.uid ?? '', limit),
  )
  for await (const { uid, provider: of, replacedBy, eventId } of rows) {
    if (of !== name || replacedBy !== null || eventId === null) continue
    if (tally.hasMet(uid)) isSameAccount = true
    if (!tally.hasSeen(uid)) missing.push(uid)
  }
  if (!isSameAccount) return
  let asked = 0
  for (let at = 0; at < missing.length; at += AT_ONCE)
    for (const row of await listBookings(db, missing.slice(at, at + AT_ONCE))) {
      const booking = JSON.parse(row.told) as Booking
      if (booking.status === 'cancelled') continue
      if (asked++ === ASKED_IN_A_RUN) return
      if ((await provider.find(row.uid, signal)) !== undefined) continue
      yield [{ booking: { ...booking, status: 'cancelled' }, digest: '-gone-', changedAt: row.changedAt }]
    }
}
