import type { Static, TSchema } from 'typebox'
import type { Db } from '../../database/db.ts'
import type { Logger } from '../log.ts'

export type JobState = 'waiting' | 'running' | 'parked' | 'done'

export interface JobContext {
  readonly id: string
  /** 1 for the first try. */
  readonly attempt: number
  /** Aborts when the process must end, or when another worker has taken the job over. */
  readonly signal: AbortSignal
  readonly log: Logger
  /** How far the job has come, for a person to read. Told inside a transaction, it shows with the commit. */
  progress(done: number, total?: number | null, note?: string): Promise<void>
  /**
   * Marks the job done as part of the caller's transaction: from its commit on the job never runs again, even when
   * the process is killed in the next instant. Refused when another worker holds the job by now, so that the work
   * is rolled back instead of being done twice. A job that does not call this is done when `run` returns.
   */
  complete(tx: Db): Promise<void>
}

export interface JobDefinition<S extends TSchema> {
  name: string
  /** Checked before each run as well, for rows outlive releases: a payload that no longer fits is parked. */
  payload: S
  run(payload: Static<S>, context: JobContext): Promise<void>
  /** How often it is tried again after a failure; 5 unless told. */
  retries?: number
  /** The wait before the first retry; it doubles each time, up to an hour. 10 unless told. */
  backoffSeconds?: number
  /** How long a dead worker's job stays untouched. 60 unless told, 10 at least. */
  leaseSeconds?: number
  /** Cron in UTC. The payload is then `{}`; a tick is left out while the job of an earlier one is unfinished. */
  schedule?: string
}

export interface EnqueueOptions {
  runAt?: Date
  /** At most one waiting or running job of this name with this key: a second enqueue returns null. */
  key?: string
}

export interface JobProgress {
  done: number
  total: number | null
  note: string
}

export interface JobView {
  id: string
  name: string
  state: JobState
  runAt: string
  /** How often it was started. */
  attempts: number
  /** Why the last attempt failed. */
  error: string | null
  progress: JobProgress | null
  createdAt: string
  /** When it was done, or parked. */
  finishedAt: string | null
}

export interface JobFilter {
  state?: JobState
  limit: number
  /** A cursor over `[createdAt, id]` of the last job seen. */
  after?: string
}

/** An unfinished job as a backup keeps it; `enqueue` brings it back. */
export interface JobDump {
  name: string
  payload: unknown
  runAt: string
  key: string | null
  state: Exclude<JobState, 'done'>
  error: string | null
}

export interface Jobs {
  /** Before `start`. */
  define<S extends TSchema>(job: JobDefinition<S>): void
  /** Part of the caller's transaction: the job exists exactly when the change does. */
  enqueue(tx: Db, name: string, payload: unknown, options?: EnqueueOptions): Promise<string | null>
  /** Begins to work. Whoever only enqueues never calls it. */
  start(): Promise<void>
  /**
   * Takes no more jobs and lets the running ones finish until the deadline; what then still runs is told to stop
   * and handed back at once, without counting as a failure, so that another instance can take it.
   */
  drain(deadlineMs: number): Promise<void>
  /** Newest first. */
  list(filter: JobFilter): Promise<JobView[]>
  find(id: string): Promise<JobView | undefined>
  /** A parked job waits again, now and with all its retries. False when there is no such parked job. */
  retry(id: string): Promise<boolean>
  /** Removes a waiting or parked job. False when there is none. What `check` throws, as the job is then, keeps it. */
  drop(id: string, check?: (job: JobView) => void): Promise<boolean>
  /** Removes jobs that were done before then, and says how many. */
  prune(before: Date): Promise<number>
  /** Removes every job but those that run, as when everything is deleted. Part of the caller's transaction. */
  forget(tx: Db): Promise<void>
  /** Every unfinished job, as `view` sees it: a snapshot, or the database as it is. */
  dump(view?: Db): AsyncIterable<JobDump>
}
