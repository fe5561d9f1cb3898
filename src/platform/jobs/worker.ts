import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { afterCommit, inTransaction, isInTransaction } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import { AppError, type ErrorKind } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Random } from '../random.ts'
import { type JobContext, type KnownJob, type NextTick, saveProgress } from './jobs.ts'
import type { Lease, Queue } from './queue.ts'

/** A later position was written by a wrong clock, not by an instance whose clock is slightly fast. */
const MAX_CLOCK_LEAD_MS = 3_600_000

interface Scheduled {
  readonly name: string
  readonly nextTick: NextTick
  tickedAt: number
  nextAt: number
}

const mark = (schedule: Scheduled, tickedAt: number): void => {
  schedule.tickedAt = tickedAt
  schedule.nextAt = schedule.nextTick(tickedAt)
}

const needsLook = ({ tickedAt, nextAt }: Scheduled, now: number): boolean =>
  nextAt <= now || tickedAt > now + MAX_CLOCK_LEAD_MS

/**
 * Turns ticks into jobs. All instances share one row per schedule with its position. The instance that
 * advances the row enqueues the job in the same transaction, so each tick counts once. Ticks missed while
 * nothing ran count as one.
 */
export const createSchedule = ({
  database,
  clock,
  enqueue,
}: {
  database: Database
  clock: Clock
  enqueue(tx: Db, name: string): Promise<unknown>
}) => {
  let scheduled: Scheduled[] = []

  const readMark = async (db: Db, name: string): Promise<string> =>
    (
      await db
        .selectFrom('job_schedules')
        .select('tickedAt')
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
    ).tickedAt

  const look = (schedule: Scheduled): Promise<void> =>
    inTransaction(database.db, async (tx) => {
      const seen = await readMark(tx, schedule.name)
      const now = clock.now()
      mark(schedule, Date.parse(seen))
      if (!needsLook(schedule, now.getTime())) return
      const { numUpdatedRows } = await tx
        .updateTable('job_schedules')
        .set({ tickedAt: now.toISOString() })
        .where('name', '=', schedule.name)
        .where('tickedAt', '=', seen)
        .executeTakeFirst()
      if (numUpdatedRows === 1n && schedule.tickedAt <= now.getTime()) await enqueue(tx, schedule.name)
      mark(schedule, now.getTime())
    })

  return {
    /** A schedule that is new starts now and has no missed ticks. */
    async prepare(jobs: readonly KnownJob[]): Promise<void> {
      const tickedAt = clock.now().toISOString()
      const prepared = jobs.flatMap(({ name, schedule }): Scheduled[] =>
        schedule === null ? [] : [{ name, nextTick: schedule, tickedAt: 0, nextAt: 0 }],
      )
      if (prepared.length > 0)
        await database.db
          .insertInto('job_schedules')
          .values(prepared.map(({ name }) => ({ name, tickedAt })))
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute()
      const rows = await database.db.selectFrom('job_schedules').select(['name', 'tickedAt']).execute()
      const marks = new Map(rows.map((row) => [row.name, row.tickedAt]))
      for (const schedule of prepared) mark(schedule, Date.parse(marks.get(schedule.name) ?? tickedAt))
      scheduled = prepared
    },
    /** Enqueues the jobs of due ticks. Returns the time until the next tick. */
    async tick(): Promise<number> {
      for (const schedule of scheduled) if (needsLook(schedule, clock.now().getTime())) await look(schedule)
      const now = clock.now().getTime()
      return Math.min(...scheduled.map(({ nextAt }) => nextAt - now))
    },
  }
}
type Schedule = ReturnType<typeof createSchedule>

const MAX_WAIT_SECONDS = 3600
const MAX_ERROR_LENGTH = 1000

/** Kinds of failure that may pass without a change. A retry of the others fails in the same way. */
const TRANSIENT_KINDS: ReadonlySet<ErrorKind> = new Set(['upstream', 'unavailable', 'rate_limited'])

const UNEXPECTED = 'An unexpected error occurred. See the log.'
const ABANDONED = 'The process ended while this job ran, and no retry is left.'

type Outcome = { fate: 'retry'; delayMs: number; error: string } | { fate: 'park'; error: string }

/**
 * Waits between half and all of the doubled delay, so that jobs that failed together do not retry together.
 */
const backoffMs = (random: Random, backoffSeconds: number, attempt: number): number => {
  const seconds = Math.min(MAX_WAIT_SECONDS, backoffSeconds * 2 ** (attempt - 1))
  const fraction = random.bytes(4).readUInt32BE() / 2 ** 32
  return Math.round(seconds * 1000 * (0.5 + fraction / 2))
}

/** Removes characters that a database cannot store or a page cannot display. */
const toStorableText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, MAX_ERROR_LENGTH).toWellFormed()

/** Decides whether a job whose `attempt` failed with `error` is retried or parked. */
export const decideOutcome = (
  error: unknown,
  job: { retries: number; backoffSeconds: number },
  attempt: number,
  random: Random,
): Outcome => {
  const known = error instanceof AppError ? error : undefined
  const text = known ? toStorableText(known.message) : UNEXPECTED
  const isTransient = known === undefined || TRANSIENT_KINDS.has(known.kind)
  if (!isTransient || attempt > job.retries) return { fate: 'park', error: text }
  const retryAfterMs = (known?.details.retryAfterSeconds ?? 0) * 1000
  return {
    fate: 'retry',
    delayMs: Math.max(retryAfterMs, backoffMs(random, job.backoffSeconds, attempt)),
    error: text,
  }
}

const SETTLE_TRIES = 5
const SETTLE_PAUSE_MS = 1000

interface RunDeps {
  queue: Queue
  database: Database
  clock: Clock
  random: Random
  log: Logger
}

/** A job being worked on. */
interface Run {
  readonly id: string
  /** Resolves, and never rejects, when the job is settled or its lease is lost. */
  readonly settled: Promise<void>
  /** Aborts the job and releases its lease, so that another worker can take it. */
  abortAndRelease(): Promise<void>
}

/** Runs one leased job, renews the lease meanwhile, and records the result. */
const startRun = (deps: RunDeps, job: KnownJob, lease: Lease): Run => {
  const { queue, database, clock, random } = deps
  const log = deps.log.child({ job: lease.name, jobId: lease.id, attempt: lease.attempt })
  const stopping = new AbortController()
  let completedByItself = false

  const saveQuietly = async (done: number, total: number | null, note: string): Promise<void> => {
    if (stopping.signal.aborted) return
    try {
      await saveProgress(database.db, lease.id, { done, total, note: toStorableText(note) }, clock.now())
    } catch (error) {
      log.warn({ err: error }, 'could not record the progress of a job')
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
        throw new AppError('conflict', 'conflict', 'Another worker has taken over this job.')
      completedByItself = true
    },
  }

  let renewing = false
  const renew = async (): Promise<void> => {
    if (renewing || stopping.signal.aborted) return
    renewing = true
    try {
      // A job that called `complete` has no lease to renew. That is not a lost lease.
      if (!(await queue.renew(lease)) && !completedByItself) {
        log.warn('lost the lease of a job')
        stopping.abort(new Error('Another worker has taken over this job.'))
      }
    } catch (error) {
      log.warn({ err: error }, 'could not renew the lease of a job')
    } finally {
      renewing = false
    }
  }

  /** Returns whether the lease was still held when the result was written. */
  const settle = async (write: () => Promise<boolean>): Promise<boolean> => {
    for (let tries = 1; ; tries++) {
      try {
        return await write()
      } catch (error) {
        log.error({ err: error }, 'could not record the result of a job')
        // The lease expires, and the job runs again.
        if (tries === SETTLE_TRIES || stopping.signal.aborted) return false
        await delay(SETTLE_PAUSE_MS)
      }
    }
  }

  const fail = async (error: unknown): Promise<void> => {
    const outcome = decideOutcome(error, job, lease.attempt, random)
    const held = await settle(() =>
      outcome.fate === 'park'
        ? queue.park(lease, outcome.error)
        : queue.postpone(lease, outcome.delayMs, outcome.error),
    )
    if (!held) log.warn({ err: error }, 'a job failed after it was completed or taken over')
    else if (outcome.fate === 'park') log.error({ err: error }, 'a job was parked')
    else log.warn({ err: error, delayMs: outcome.delayMs }, 'a job failed and will be retried')
  }

  const work = async (): Promise<void> => {
    if (lease.attempt > job.retries + 1) {
      log.error('a job was parked: it was started too often without a result')
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
    async abortAndRelease() {
      clearInterval(beat)
      stopping.abort(new Error('The process is shutting down.'))
      try {
        await queue.release(lease)
      } catch (error) {
        log.error({ err: error }, 'could not release a job')
      }
    },
  }
}

/** Sleeps until a timeout or a wake-up call. A call shortly before the sleep is not lost. */
const createAlarm = () => {
  let isRinging = false
  let ring: (() => void) | undefined
  return {
    ring(): void {
      isRinging = true
      ring?.()
    },
    async sleep(ms: number): Promise<void> {
      if (!isRinging)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.max(0, ms))
          ring = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      isRinging = false
      ring = undefined
    },
  }
}

/** Takes due jobs, up to the allowed concurrency, and runs them. */
export const createWorker = (deps: RunDeps & { schedule: Schedule; pollMs: number; concurrency: number }) => {
  const { queue, schedule, log, pollMs, concurrency } = deps
  const alarm = createAlarm()
  const runs = new Map<string, Run>()
  let draining = false
  let ended: Promise<void> | undefined

  const launch = (job: KnownJob, run: Run): void => {
    runs.set(run.id, run)
    void run.settled.finally(() => {
      runs.delete(run.id)
      alarm.ring()
    })
    log.debug({ job: job.name, jobId: run.id }, 'starting a job')
  }

  /** Takes at most one job. Returns the number of milliseconds without work. */
  const step = async (jobs: ReadonlyMap<string, KnownJob>): Promise<number> => {
    const untilTick = await schedule.tick()
    if (runs.size >= concurrency) return pollMs
    const taken = await queue.take([...jobs.values()], [...runs.keys()])
    if ('waitMs' in taken) return Math.min(pollMs, untilTick, taken.waitMs ?? pollMs)
    const job = jobs.get(taken.name)
    if (draining || !job) await queue.release(taken)
    else launch(job, startRun(deps, job, taken))
    return 0
  }

  const work = async (jobs: ReadonlyMap<string, KnownJob>): Promise<void> => {
    while (!draining) {
      let idleMs = pollMs
      try {
        idleMs = await step(jobs)
      } catch (error) {
        log.error({ err: error }, 'could not read the jobs')
      }
      // Work on SQLite never waits for I/O, so the loop yields to let requests run.
      await (idleMs > 0 ? alarm.sleep(idleMs) : nextTurn())
    }
  }

  return {
    wake: alarm.ring,
    start(jobs: readonly KnownJob[]): void {
      ended ??= work(new Map(jobs.map((job) => [job.name, job])))
    },
    async drain(deadlineMs: number): Promise<void> {
      draining = true
      alarm.ring()
      await ended
      let timer: NodeJS.Timeout | undefined
      const deadline = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, deadlineMs)
      })
      await Promise.race([Promise.all([...runs.values()].map((run) => run.settled)), deadline])
      clearTimeout(timer)
      await Promise.all([...runs.values()].map((run) => run.abortAndRelease()))
    },
  }
}
