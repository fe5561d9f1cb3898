import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/log.ts'
import { type Random, randomId } from '../../platform/random.ts'
import {
  type BookingLease,
  bookingLeases,
  ensureSyncRow,
  hasStaleUnreadable,
  readSync,
  type SyncRecord,
} from './repository.ts'
import { type Runner, toFailureMessage } from './run.ts'
import type { SyncReport } from './schema.ts'
import type { BookingSettings } from './settings.ts'

const DAY_MS = 86_400_000
const POLL_MS = 200
const RENEW_MS = 3_000

/** Outcome of a run, stored for callers that wait for it. */
type RunOutcome =
  | { report: SyncReport }
  | { failure: { kind: AppError['kind']; code: string; message: string; retryAfterSeconds?: number } }

const failureOf = (error: AppError): RunOutcome => {
  const { kind, code, message, details } = error
  const { retryAfterSeconds } = details
  return { failure: { kind, code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) } }
}

const reportOf = (ending: RunOutcome): SyncReport => {
  if ('report' in ending) return ending.report
  const { kind, code, message, retryAfterSeconds } = ending.failure
  throw new AppError(kind, code, message, {
    details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  })
}

const hasChanges = ({ created, updated, cancelled }: SyncReport): boolean => created + updated + cancelled > 0

export type BookingSync = ReturnType<typeof createBookingSync>

/** Syncs bookings into the calendar. Only one sync of an account runs at a time across all instances. */
export const createBookingSync = (deps: {
  db: Db
  clock: Clock
  random: Random
  log: Logger
  changes: Changes
  settings: BookingSettings
  runner: Runner
  /** Version of Factotum. After an upgrade, unreadable bookings are parsed again. */
  version: string
  zoneOf: (userId: number) => Promise<string>
}) => {
  const { db, clock, random, log, changes, settings } = deps
  const owner = randomId(random)
  const stopping = new AbortController()
  const running = new Map<number, { full: boolean; ending: Promise<SyncReport> }>()

  /** Renews the lease while `work` waits for the provider. Aborts `work` if the lease is lost. */
  const whileRenewing = async <T>(
    lease: BookingLease,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const lost = new AbortController()
    const renew = () => bookingLeases.hold(db, lease, clock.now()).catch((error) => lost.abort(error))
    const timer = setInterval(() => void renew(), RENEW_MS)
    try {
      return await work(AbortSignal.any([stopping.signal, lost.signal]))
    } finally {
      clearInterval(timer)
    }
  }

  const end = async (lease: BookingLease, ending: RunOutcome, change: Partial<SyncRecord>): Promise<void> => {
    await inTransaction(db, async (tx) => {
      const over = { owner: null, leaseUntil: null, endedEpoch: lease.epoch, outcome: JSON.stringify(ending) }
      await bookingLeases.hold(tx, lease, clock.now(), { ...over, ...change })
      if ('report' in ending && hasChanges(ending.report)) {
        const { errors: _, unreadable: __, ...counts } = ending.report
        await changes.record(tx, {
          userId: lease.userId,
          type: 'booking.synced',
          subject: counts.provider,
          data: counts,
        })
      }
    })
  }

  const runWith = async (lease: BookingLease, forced: boolean): Promise<SyncReport> => {
    const { userId } = lease
    const { watermark, lastFullAt } = await readSync(db, userId)
    const now = clock.now()
    const isDue = lastFullAt === null || Date.parse(lastFullAt) <= now.getTime() - DAY_MS
    const isUpgraded = await hasStaleUnreadable(db, userId, deps.version)
    const full = forced || watermark === null || isDue || isUpgraded
    const present = await settings.read(userId)
    const provider = settings.connect(present)
    const timezone = await deps.zoneOf(userId)
    const { report, watermark: reached } = await whileRenewing(lease, (signal) =>
      deps.runner.run({ provider, name: present.provider, lease, signal, timezone, watermark, full }),
    )
    await end(
      lease,
      { report },
      {
        lastSyncAt: report.finishedAt,
        lastSyncStatus: report.failed > 0 ? 'partial' : 'ok',
        lastError: report.errors[0]?.message ?? null,
        watermark: reached,
        ...(full && { lastFullAt: report.startedAt }),
      },
    )
    return report
  }

  /** Stores the failure for the settings page. An interrupted run releases its lease. */
  const handleFailure = async (lease: BookingLease, error: unknown): Promise<never> => {
    const isInterrupted = stopping.signal.aborted || (error instanceof AppError && error.kind === 'conflict')
    if (!isInterrupted) log.warn({ err: error }, 'booking sync failed')
    const ending: RunOutcome =
      error instanceof AppError
        ? failureOf(error)
        : { failure: { kind: 'unavailable', code: 'unavailable', message: toFailureMessage(error) } }
    const failedStatus = { lastSyncStatus: 'failed' as const, lastError: toFailureMessage(error) }
    await (isInterrupted ? bookingLeases.release(db, lease) : end(lease, ending, failedStatus)).catch(
      (failure) => log.warn({ err: failure }, 'could not store the failure of a sync'),
    )
    if (stopping.signal.aborted)
      throw new AppError('unavailable', 'unavailable', 'This instance is shutting down.', { cause: error })
    throw error
  }

  /** Returns undefined if the run ended without an outcome, so that the caller runs the sync itself. */
  const waitFor = async (userId: number, full: boolean): Promise<RunOutcome | undefined> => {
    const { epoch, isFull } = await readSync(db, userId)
    for (;;) {
      const { endedEpoch, outcome, owner: holder, leaseUntil, epoch: at } = await readSync(db, userId)
      if (endedEpoch >= epoch && outcome !== null && (!full || isFull === 1))
        return JSON.parse(outcome) as RunOutcome
      if (at !== epoch || holder === null || (leaseUntil ?? '') <= clock.now().toISOString()) return undefined
      await sleep(POLL_MS, undefined, { signal: stopping.signal })
    }
  }

  const runOrWait = async (userId: number, full: boolean): Promise<SyncReport> => {
    settings.connect(await settings.read(userId))
    await ensureSyncRow(db, userId)
    for (;;) {
      const now = clock.now()
      const change = { startedAt: now.toISOString(), isFull: full ? 1 : 0 }
      const lease = await bookingLeases.take(db, userId, { owner, now, change })
      if (lease) return await runWith(lease, full).catch((error: unknown) => handleFailure(lease, error))
      const ending = await waitFor(userId, full)
      if (ending) return reportOf(ending)
    }
  }

  return {
    /**
     * A call during a running sync returns its report. A full sync waits, unless the running sync is full.
     */
    async sync(userId: number, { full }: { full: boolean }): Promise<SyncReport> {
      for (let current = running.get(userId); current; current = running.get(userId)) {
        if (current.full || !full) return current.ending
        await current.ending.catch(() => undefined)
      }
      const ending = runOrWait(userId, full).finally(() => running.delete(userId))
      running.set(userId, { full, ending })
      return ending
    },

    /** Returns the start time of the last run. */
    lastBegun: async (userId: number): Promise<string | null> => (await readSync(db, userId)).startedAt,

    /** Aborts the running syncs. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.allSettled([...running.values()].map(({ ending }) => ending))
    },
  }
}

const SYNC_ACCOUNT = 'bookings.sync-account'

/** Syncs the bookings of each account on a schedule, if the operator has configured an interval. */
export const defineBookingJobs = (
  jobs: Jobs,
  deps: {
    db: Db
    sync: BookingSync
    settings: Pick<BookingSettings, 'listConfigured'>
    clock: Clock
    everyMs: number | null
  },
): void => {
  const { db, sync, settings, clock, everyMs } = deps
  const isDue = async (userId: number): Promise<boolean> => {
    const last = await sync.lastBegun(userId)
    return everyMs !== null && (last === null || Date.parse(last) + everyMs <= clock.now().getTime())
  }

  jobs.define({
    name: 'bookings.sync',
    payload: Type.Object({}),
    retries: 0,
    ...(everyMs !== null && { schedule: '* * * * *' }),
    async run() {
      for (const userId of await settings.listConfigured())
        if (await isDue(userId))
          await inTransaction(db, (tx) => jobs.enqueue(tx, SYNC_ACCOUNT, { userId }, { key: String(userId) }))
    },
  })
  jobs.define({
    name: SYNC_ACCOUNT,
    payload: Type.Object({ userId: Type.Integer() }),
    retries: 0,
    async run({ userId }, { log }) {
      if (!(await isDue(userId))) return
      try {
        await sync.sync(userId, { full: false })
      } catch (error) {
        // The sync stores the error for the settings page. The next sync follows on schedule.
        if (!(error instanceof AppError)) throw error
        log.info({ code: error.code }, 'booking sync failed')
      }
    },
  })
}
