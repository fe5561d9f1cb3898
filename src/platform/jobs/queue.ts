import type { Db } from '../../database/db.ts'
import type { JobDump, JobState, JobView } from './jobs.ts'

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
  /** Fails with a unique violation if a job with the same key is unfinished. */
  retry(id: string): Promise<boolean>
  /** Locks a job until the transaction ends. */
  lock(tx: Db, id: string): Promise<JobView | undefined>
  /** Removes a waiting or parked job. */
  remove(tx: Db, id: string): Promise<boolean>
  /** Removes jobs that completed before that time, and returns their ids. */
  prune(tx: Db, before: Date): Promise<string[]>
  /** Removes all jobs except running ones. */
  forget(tx: Db): Promise<void>
  dump(view: Db): AsyncIterable<JobDump>
  close(): Promise<void>
}
