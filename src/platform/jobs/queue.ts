import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { afterCommit, isInTransaction } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import { invalidField } from '../errors.ts'
import { readCursor } from '../http/etag.ts'
import { isStorable } from '../http/responses.ts'
import type { Logger } from '../log.ts'
import type { Random } from '../random.ts'
import { createDefinitions, type JobDump, type JobState, type Jobs, type JobView } from './jobs.ts'
import { SqliteQueue } from './sqlite-jobs.ts'
import { createSchedule, createWorker } from './worker.ts'

export interface NewJob {
  name: string
  /** JSON. */
  payload: string
  runAt: Date | null
  key: string | null
  leaseSeconds: number
}

/** A job that this process holds until the lease expires, unless the lease is renewed. */
export interface Lease {
  readonly id: string
  readonly name: string
  readonly payload: string
  readonly attempt: number
  /** Unique for each lease. Every write below is conditional on it. */
  readonly owner: string
  readonly leaseMs: number
}

/** The settings of a job name that the queue needs to take its jobs. */
export interface Takeable {
  readonly name: string
  readonly leaseSeconds: number
}

export interface ListPosition {
  createdAt: string
  id: string
}

/**
 * Storage of jobs. Each database engine implements it differently. The writes that settle a lease return
 * false, and change nothing, if the lease is no longer held.
 */
export interface Queue {
  /** Prepares storage for jobs of these names. Several instances may call it at the same time. */
  prepare(jobs: readonly Takeable[]): Promise<void>
  insert(tx: Db, job: NewJob): Promise<string | null>
  /**
   * Takes one job that is due or whose lease has expired. Otherwise returns the time until the next one
   * (null: none is scheduled). `held` are the jobs that run in this process: they are never taken again,
   * however late their renewal is.
   */
  take(jobs: readonly Takeable[], held: readonly string[]): Promise<Lease | { waitMs: number | null }>
  renew(lease: Lease): Promise<boolean>
  complete(tx: Db, lease: Lease): Promise<boolean>
  postpone(lease: Lease, delayMs: number, error: string): Promise<boolean>
  park(lease: Lease, error: string): Promise<boolean>
  /** Puts the job back into the queue as if it had not been taken. */
  release(lease: Lease): Promise<boolean>
  list(filter: { state?: JobState; limit: number; after?: ListPosition }): Promise<JobView[]>
  find(id: string): Promise<JobView | undefined>
  retry(id: string): Promise<boolean>
  drop(id: string, check?: (job: JobView) => void): Promise<boolean>
  prune(before: Date): Promise<number>
  forget(tx: Db): Promise<void>
  dump(view: Db): AsyncIterable<JobDump>
  close(): Promise<void>
}

const LONGEST_KEY = 500

interface JobsDeps {
  database: Database
  clock: Clock
  random: Random
  log: Logger
  /** Interval at which jobs of other processes are noticed. Jobs of this process are noticed at once. */
  pollMs?: number
  /** Maximum number of jobs that run at the same time. */
  concurrency?: number
}

const openQueue = async (deps: JobsDeps): Promise<Queue> => {
  if (deps.database.engine === 'sqlite') return new SqliteQueue(deps)
  // Loaded only when used: an instance with SQLite must not pay for pg-boss at startup.
  const { openPostgresQueue } = await import('./postgres-jobs.ts')
  return openPostgresQueue(deps)
}

const checkKey = (key: string): string => {
  if (key === '' || key.length > LONGEST_KEY || !isStorable(key))
    throw invalidField('key', `must be text of 1 to ${LONGEST_KEY} characters`)
  return key
}

export const openJobs = async (deps: JobsDeps): Promise<Jobs> => {
  const { database, clock } = deps
  const queue = await openQueue(deps)
  const definitions = createDefinitions()

  const enqueue: Jobs['enqueue'] = async (tx, name, payload, options = {}) => {
    const job = definitions.get(name)
    const id = await queue.insert(tx, {
      name,
      payload: job.encode(payload),
      runAt: options.runAt ?? null,
      key: options.key === undefined ? null : checkKey(options.key),
      leaseSeconds: job.leaseSeconds,
    })
    if (id !== null) {
      if (isInTransaction()) afterCommit(worker.wake)
      else worker.wake()
    }
    return id
  }

  const schedule = createSchedule({
    database,
    clock,
    enqueue: (tx, name) => enqueue(tx, name, {}, { key: 'schedule' }),
  })
  const worker = createWorker({ pollMs: 1000, concurrency: 4, ...deps, queue, schedule })

  return {
    define: definitions.add,
    enqueue,
    async start() {
      const jobs = definitions.close()
      await queue.prepare(jobs)
      await schedule.prepare(jobs)
      worker.start(jobs)
    },
    async drain(deadlineMs) {
      await worker.drain(deadlineMs)
      await queue.close()
    },
    async list({ after, ...filter }) {
      const place = readCursor(after, 'instant', 'text')
      return queue.list(place ? { ...filter, after: { createdAt: place[0], id: place[1] } } : filter)
    },
    find: (id) => queue.find(id),
    async retry(id) {
      const retried = await queue.retry(id)
      if (retried) worker.wake()
      return retried
    },
    drop: (id, check) => queue.drop(id, check),
    prune: (before) => queue.prune(before),
    forget: (tx) => queue.forget(tx),
    dump: (view = database.db) => queue.dump(view),
  }
}
