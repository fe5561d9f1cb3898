import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import { ahead } from '../../platform/ahead.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Logger } from '../../platform/log.ts'
import { isTemporary } from '../../platform/temporary-failure.ts'
import { toUnreadableReason } from '../../platform/unreadable-reason.ts'
import type { Applying, Told } from './applying.ts'
import type { BookedEvents } from './booked-events.ts'
import { findGone, findTouched } from './followup.ts'
import type { Lease, Leases } from './lease.ts'
import type { BookingProvider, Broken, Found, ProviderName } from './provider.ts'
import { createTallyOfRun, type RunTally, type SyncReport } from './report.ts'
import { listStanding } from './store.ts'
import {
  countUnreadable,
  deleteUnreadable,
  deleteUnreadableBefore,
  saveUnreadable,
  type UnreadableBooking,
} from './unreadable-store.ts'

/** Before the watermark everything is looked at again: a provider's transactions end later than they say. */
const OVERLAP_MS = 5 * 60_000
const READ_AT_ONCE = 4
const PAGE_TRIES = 3

export interface Run {
  provider: BookingProvider
  name: ProviderName
  lease: Lease
  signal: AbortSignal
  timezone: string
  watermark: string | null
  full: boolean
}

export interface RunResult {
  report: SyncReport
  watermark: string | null
}

/** What a run has met: counted, and kept where it could not be read. */
interface Progress {
  tally: RunTally
  unreadable: UnreadableBooking[]
  /** Whether some could not be read before. */
  hadUnreadable: boolean
}

type Known = Exclude<Found, Broken>
const isKnown = (found: Found): found is Known => 'digest' in found

export type Runner = ReturnType<typeof createRunner>

/** One sync from beginning to end, page by page, each in a transaction of its own that proves the lease. */
export const createRunner = (deps: {
  db: Db
  clock: Clock
  leases: Leases
  events: BookedEvents
  apply: Applying
  log: Logger
  /** Of the service. */
  version: string
}) => {
  const { db, clock, leases, events, apply, log, version: readerVersion } = deps

  const fail = (
    { tally, unreadable }: Progress,
    bookingId: string | null,
    reason: string,
    raw: unknown,
  ): void => {
    tally.fail(bookingId, reason)
    unreadable.push({ bookingId, reason, body: JSON.stringify(raw) ?? '' })
  }

  /** Stores what could not be read so far, and forgets what can be read by now. */
  const noteUnreadable = async (
    run: Run,
    { unreadable, hadUnreadable }: Progress,
    seen: readonly string[],
  ): Promise<void> => {
    const failed = unreadable.splice(0)
    const names = new Set(failed.map(({ bookingId }) => bookingId))
    const readable = seen.filter((uid) => !names.has(uid))
    if (failed.length === 0 && (!hadUnreadable || readable.length === 0)) return
    await inTransaction(db, async (tx) => {
      await leases.hold(tx, run.lease)
      await deleteUnreadable(tx, readable)
      await saveUnreadable(tx, failed, { readerVersion, failedAt: clock.now().toISOString() })
    })
  }

  /** Those that are not as they were left. */
  const findChanged = async (many: readonly Known[], tally: RunTally): Promise<Known[]> => {
    const rows = await listStanding(
      db,
      many.map(({ uid }) => uid),
    )
    const standing = new Map(rows.map((row) => [row.uid, row]))
    return many.filter(({ uid, digest }) => {
      tally.seen(uid)
      const row = standing.get(uid)
      const isAsLeft =
        row?.digest === digest &&
        (row.replacedBy !== null || (row.eventId !== null && row.version === row.eventVersion))
      if (isAsLeft) tally.note(uid, 'unchanged')
      return !isAsLeft
    })
  }

  /** A fault of the reader costs the one booking that shows it. */
  const readBooking = async (found: Known) => {
    try {
      return await found.read()
    } catch (error) {
      if (isTemporary(error)) throw error
      return { uid: found.uid, broken: toUnreadableReason(error) }
    }
  }

  const readOne = async (found: Known): Promise<Told | Broken> => {
    const booking = await readBooking(found)
    if ('broken' in booking) return { ...booking, raw: found.raw }
    const refusal = events.refuse(booking)
    return refusal === undefined
      ? { booking, digest: found.digest, changedAt: found.changedAt, raw: found.raw }
      : { uid: found.uid, broken: refusal, raw: found.raw }
  }

  const readAll = async (many: readonly Known[], progress: Progress): Promise<Told[]> => {
    const told: Told[] = []
    for (let at = 0; at < many.length; at += READ_AT_ONCE)
      for (const one of await Promise.all(many.slice(at, at + READ_AT_ONCE).map(readOne)))
        if ('broken' in one) fail(progress, one.uid, one.broken, one.raw)
        else told.push(one)
    return told
  }

  /** Somebody may make an event for the same booking at the same moment: then it is there when we try again. */
  const writeTogether = async (
    run: Run,
    told: readonly Told[],
    tally: RunTally,
    mayWait: boolean,
  ): Promise<Told[]> => {
    if (told.length === 0) return []
    for (let tries = 1; ; tries++)
      try {
        const { verdicts, waiting } = await inTransaction(db, async (tx) => {
          await leases.hold(tx, run.lease)
          return apply(tx, run.name, told, { timezone: run.timezone, mayWait })
        })
        for (const [uid, verdict] of verdicts) tally.note(uid, verdict)
        return waiting
      } catch (error) {
        if (!isUniqueViolation(error) || tries === PAGE_TRIES) throw error
      }
  }

  /** A booking that cannot be stored does not keep the others away: each is stored by itself then. */
  const write = async (
    run: Run,
    told: readonly Told[],
    progress: Progress,
    mayWait: boolean,
  ): Promise<Told[]> => {
    try {
      return await writeTogether(run, told, progress.tally, mayWait)
    } catch (error) {
      const [only] = told
      if (run.signal.aborted || isTemporary(error) || only === undefined) throw error
      if (told.length === 1) {
        log.warn({ err: error, booking: only.booking.uid }, 'a booking could not be stored')
        fail(progress, only.booking.uid, toUnreadableReason(error), only.raw ?? only.booking)
        return []
      }
      const waiting: Told[] = []
      for (const one of told) waiting.push(...(await write(run, [one], progress, mayWait)))
      return waiting
    }
  }

  /** Bookings whose successors did not come along are asked for; those without one are called off. */
  const settle = async (run: Run, waiting: readonly Told[], progress: Progress): Promise<void> => {
    const successors: Told[] = []
    for (const { booking } of waiting) {
      const found = progress.tally.hasSeen(booking.replacedBy as string)
        ? undefined
        : await run.provider.find(booking.replacedBy as string, run.signal)
      if (found && isKnown(found)) successors.push(...(await readAll([found], progress)))
    }
    await write(run, successors, progress, false)
    await write(run, waiting, progress, false)
  }

  return async (run: Run): Promise<RunResult> => {
    const begun = clock.now()
    const begunAt = performance.now()
    const tally = createTallyOfRun()
    const hadUnreadable = (await countUnreadable(db)) > 0
    const progress: Progress = { tally, unreadable: [], hadUnreadable }
    const waiting = new Map<string, Told>()
    let newest = run.watermark
    const since =
      run.full || run.watermark === null
        ? null
        : new Date(Date.parse(run.watermark) - OVERLAP_MS).toISOString()

    for await (const page of ahead(run.provider.list(since, run.signal))) {
      for (const found of page) if (!isKnown(found)) fail(progress, found.uid, found.broken, found.raw)
      // Should one come twice in a page, the last is the latest.
      const known = [...new Map(page.filter(isKnown).map((found) => [found.uid, found])).values()]
      for (const { changedAt } of known)
        if (changedAt !== null && (newest === null || changedAt > newest)) newest = changedAt
      const told = await readAll(await findChanged(known, tally), progress)
      for (const one of await write(run, told, progress, true)) waiting.set(one.booking.uid, one)
      const seen = known.map(({ uid }) => uid)
      await noteUnreadable(run, progress, seen)
    }
    await settle(run, [...waiting.values()], progress)

    const followUp = run.full ? findGone(db, run, tally) : findTouched(db, run.name)
    for await (const told of followUp) await write(run, told, progress, false)
    await noteUnreadable(run, progress, [])
    if (run.full) await inTransaction(db, (tx) => deleteUnreadableBefore(tx, begun.toISOString()))

    const took = performance.now() - begunAt
    // By the provider's clock and never past our own, less the time it took: what changed meanwhile is seen next time.
    const until = newest === null ? null : Math.min(Date.parse(newest) - took, begun.getTime())
    return {
      report: {
        provider: run.name,
        full: run.full,
        ...tally.count(),
        unreadable: await countUnreadable(db),
        startedAt: begun.toISOString(),
        finishedAt: clock.now().toISOString(),
      },
      watermark: until === null ? null : new Date(until).toISOString(),
    }
  }
}

/** What the person is told of a failure. */
export const reasonOf = (error: unknown): string =>
  error instanceof AppError ? error.message : 'Something went wrong here; the log says what.'
