import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { afterCommit, inTransaction, isInTransaction } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Random } from '../random.ts'
import type { KnownJob } from './definitions.ts'
import type { JobContext } from './jobs.ts'
import { ABANDONED, judge, readable } from './outcome.ts'
import { saveProgress } from './progress.ts'
import type { Lease, Queue } from './queue.ts'

const SETTLE_TRIES = 5
const SETTLE_PAUSE_MS = 1000

export interface RunDeps {
  queue: Queue
  database: Database
  clock: Clock
  random: Random
  log: Logger
}

/** A job being worked on. */
export interface Run {
  readonly id: string
  /** Resolves, never rejects, once the job is settled or its lease is gone. */
  readonly settled: Promise<void>
  /** Tells the job to stop and gives it to whoever comes next. */
  handBack(): Promise<void>
}

/** Runs one leased job, keeping the lease while it runs, and records how it ended. */
export const startRun = (deps: RunDeps, job: KnownJob, lease: Lease): Run => {
  const { queue, database, clock, random } = deps
  const log = deps.log.child({ job: lease.name, jobId: lease.id, attempt: lease.attempt })
  const stopping = new AbortController()
  let completedByItself = false

  const saveQuietly = async (done: number, total: number | null, note: string): Promise<void> => {
    if (stopping.signal.aborted) return
    try {
      await saveProgress(database.db, lease.id, { done, total, note: readable(note) }, clock.now())
    } catch (error) {
      log.warn({ err: error }, 'the progress of a job was not recorded')
    }
  }

  const context: JobContext = {
    id: lease.id,
    attempt: lease.attempt,
    signal: stopping.signal,
    log,
    async progress(done, total = null, note = '') {
      if (isInTransaction()) afterCommit(() => void saveQuietly(done, total, note))
      else await saveQuietly(done, total, note)
    },
    async complete(tx: Db) {
      if (!(await queue.complete(tx, lease)))
        throw new AppError('conflict', 'conflict', 'Another worker has taken this job over.')
      completedByItself = true
    },
  }

  let renewing = false
  const renew = async (): Promise<void> => {
    if (renewing || stopping.signal.aborted) return
    renewing = true
    try {
      // A job that completed itself has no lease left to renew, and has lost nothing.
      if (!(await queue.renew(lease)) && !completedByItself) {
        log.warn('the lease of a job was lost')
        stopping.abort(new Error('Another worker has taken this job over.'))
      }
    } catch (error) {
      log.warn({ err: error }, 'the lease of a job was not renewed')
    } finally {
      renewing = false
    }
  }

  /** Says whether the lease was still held when the end was written. */
  const settle = async (write: () => Promise<boolean>): Promise<boolean> => {
    for (let tries = 1; ; tries++) {
      try {
        return await write()
      } catch (error) {
        log.error({ err: error }, 'the end of a job was not recorded')
        // The lease will end and the job will run again.
        if (tries === SETTLE_TRIES || stopping.signal.aborted) return false
        await delay(SETTLE_PAUSE_MS)
      }
    }
  }

  const fail = async (error: unknown): Promise<void> => {
    const outcome = judge(error, job, lease.attempt, random)
    const held = await settle(() =>
      outcome.fate === 'park'
        ? queue.park(lease, outcome.error)
        : queue.postpone(lease, outcome.delayMs, outcome.error),
    )
    if (!held) log.warn({ err: error }, 'a job failed after it was done or taken over')
    else if (outcome.fate === 'park') log.error({ err: error }, 'a job was parked')
    else log.warn({ err: error, delayMs: outcome.delayMs }, 'a job failed and will be tried again')
  }

  const work = async (): Promise<void> => {
    if (lease.attempt > job.retries + 1) {
      log.error('a job was parked: it was started too often without an end')
      await settle(() => queue.park(lease, ABANDONED))
      return
    }
    try {
      await job.run(lease.payload, context)
    } catch (error) {
      if (!stopping.signal.aborted) await fail(error)
      return
    }
    if (stopping.signal.aborted) return
    const held = await settle(() => inTransaction(database.db, (tx) => queue.complete(tx, lease)))
    if (!held && !completedByItself) log.warn('a job ended after it was taken over')
  }

  const beat = setInterval(() => void renew(), lease.leaseMs / 3)
  return {
    id: lease.id,
    settled: work().finally(() => clearInterval(beat)),
    async handBack() {
      clearInterval(beat)
      stopping.abort(new Error('The process is ending.'))
      try {
        await queue.release(lease)
      } catch (error) {
        log.error({ err: error }, 'a job was not handed back')
      }
    },
  }
}
