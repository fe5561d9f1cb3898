import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Logger } from '../../platform/log.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { Lease, Leases } from './lease.ts'
import type { SyncReport } from './report.ts'
import { type Runner, reasonOf } from './run.ts'
import type { BookingSettings } from './settings.ts'
import { readSync } from './store.ts'
import { hasStaleUnreadable } from './unreadable-store.ts'

const DAY_MS = 86_400_000
const LOOK_AGAIN_MS = 200

/** How a run ended, kept for those who waited for it. */
type Ending =
  | { report: SyncReport }
  | { failure: { kind: AppError['kind']; code: string; message: string; retryAfterSeconds?: number } }

const failureOf = (error: AppError): Ending => {
  const { kind, code, message, details } = error
  const { retryAfterSeconds } = details
  return { failure: { kind, code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) } }
}

const reportOf = (ending: Ending): SyncReport => {
  if ('report' in ending) return ending.report
  const { kind, code, message, retryAfterSeconds } = ending.failure
  throw new AppError(kind, code, message, {
    details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  })
}

const isNews = ({ created, updated, cancelled }: SyncReport): boolean => created + updated + cancelled > 0

export type BookingSync = ReturnType<typeof createBookingSync>

/** Keeps the calendar in step with the provider; one run at a time, however many instances there are. */
export const createBookingSync = (deps: {
  db: Db
  clock: Clock
  random: Random
  log: Logger
  changes: Changes
  settings: BookingSettings
  leases: Leases
  run: Runner
  /** Of the service: what an earlier one could not read is read again. */
  version: string
  timezone: () => Promise<string>
}) => {
  const { db, clock, random, log, changes, settings, leases } = deps
  const owner = randomId(random)
  const stopping = new AbortController()
  let running: { full: boolean; ending: Promise<SyncReport> } | undefined

  const end = async (lease: Lease, ending: Ending, change: Parameters<Leases['hold']>[2]): Promise<void> => {
    await inTransaction(db, async (tx) => {
      const over = { owner: null, leaseUntil: null, endedEpoch: lease.epoch, outcome: JSON.stringify(ending) }
      await leases.hold(tx, lease, { ...over, ...change })
      if ('report' in ending && isNews(ending.report)) {
        const { errors: _, unreadable: __, ...counts } = ending.report
        await changes.record(tx, { type: 'booking.synced', subject: counts.provider, data: counts })
      }
    })
  }

  const runWith = async (lease: Lease, forced: boolean): Promise<SyncReport> => {
    const { watermark, lastFullAt } = await readSync(db)
    const now = clock.now()
    const isDue = lastFullAt === null || Date.parse(lastFullAt) <= now.getTime() - DAY_MS
    const isUpgraded = await hasStaleUnreadable(db, deps.version)
    const full = forced || watermark === null || isDue || isUpgraded
    const present = await settings.read()
    const provider = settings.connect(present)
    const timezone = await deps.timezone()
    const { report, watermark: reached } = await leases.keeping(lease, stopping.signal, (signal) =>
      deps.run({ provider, name: present.provider, lease, signal, timezone, watermark, full }),
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

  /** What went wrong is told where the settings are shown; an interrupted run leaves its place to the next. */
  const failing = async (lease: Lease, error: unknown): Promise<never> => {
    const isInterrupted = stopping.signal.aborted || (error instanceof AppError && error.kind === 'conflict')
    if (!isInterrupted) log.warn({ err: error }, 'bookings could not be synced')
    const ending: Ending =
      error instanceof AppError
        ? failureOf(error)
        : { failure: { kind: 'unavailable', code: 'unavailable', message: reasonOf(error) } }
    const told = { lastSyncStatus: 'failed' as const, lastError: reasonOf(error) }
    await (isInterrupted ? leases.release(lease) : end(lease, ending, told)).catch((failure) =>
      log.warn({ err: failure }, 'a failed sync could not be noted'),
    )
    if (stopping.signal.aborted)
      throw new AppError('unavailable', 'unavailable', 'This instance is stopping.', { cause: error })
    throw error
  }

  /** Undefined when it ended without a word: then it is ours to run. */
  const waitFor = async (full: boolean): Promise<Ending | undefined> => {
    const { epoch, isFull } = await readSync(db)
    for (;;) {
      const { endedEpoch, outcome, owner: holder, leaseUntil, epoch: at } = await readSync(db)
      if (endedEpoch >= epoch && outcome !== null && (!full || isFull === 1))
        return JSON.parse(outcome) as Ending
      if (at !== epoch || holder === null || (leaseUntil ?? '') <= clock.now().toISOString()) return undefined
      await sleep(LOOK_AGAIN_MS, undefined, { signal: stopping.signal })
    }
  }

  const runOrWait = async (full: boolean): Promise<SyncReport> => {
    settings.connect(await settings.read())
    for (;;) {
      const lease = await leases.take(owner, full)
      if (lease) return await runWith(lease, full).catch((error: unknown) => failing(lease, error))
      const ending = await waitFor(full)
      if (ending) return reportOf(ending)
    }
  }

  return {
    /** Whoever comes while one runs gets its report; one who wants everything looked at waits, unless it does that. */
    async sync({ full }: { full: boolean }): Promise<SyncReport> {
      while (running) {
        if (running.full || !full) return running.ending
        await running.ending.catch(() => undefined)
      }
      const ending = runOrWait(full).finally(() => {
        running = undefined
      })
      running = { full, ending }
      return ending
    },

    /** When a run was last begun. */
    lastBegun: async (): Promise<string | null> => (await readSync(db)).startedAt,

    /** Lets go of what runs. */
    async stop(): Promise<void> {
      stopping.abort()
      await running?.ending.catch(() => undefined)
    },
  }
}
