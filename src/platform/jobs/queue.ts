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

/** A job that this process holds until the lease ends, unless it is renewed. */
export interface Lease {
  readonly id: string
  readonly name: string
  readonly payload: string
  readonly attempt: number
  /** Differs for each lease: every write below is conditional on it. */
  readonly owner: string
  readonly leaseMs: number
}

/** What a job's name stands for when it is taken. */
export interface Takeable {
  readonly name: string
  readonly leaseSeconds: number
}

export interface PlaceInList {
  createdAt: string
  id: string
}

/**
 * Where jobs are kept: what the two engines do differently. The writes that settle a lease say false, and change
 * nothing, when the lease is no longer held.
 */
export interface Queue {
  /** Makes room for jobs of these names; safe when several instances do so at once. */
  prepare(jobs: readonly Takeable[]): Promise<void>
  insert(tx: Db, job: NewJob): Promise<string | null>
  /**
   * Takes one job that is due, or whose lease has ended; otherwise says for how long none will be (null: none in
   * sight). `held` are the jobs that run in this process: they are not lost, however late their renewal is.
   */
  take(jobs: readonly Takeable[], held: readonly string[]): Promise<Lease | { waitMs: number | null }>
  renew(lease: Lease): Promise<boolean>
  complete(tx: Db, lease: Lease): Promise<boolean>
  postpone(lease: Lease, delayMs: number, error: string): Promise<boolean>
  park(lease: Lease, error: string): Promise<boolean>
  /** Back to waiting as if it had not been taken. */
  release(lease: Lease): Promise<boolean>
  list(filter: { state?: JobState; limit: number; after?: PlaceInList }): Promise<JobView[]>
  find(id: string): Promise<JobView | undefined>
  retry(id: string): Promise<boolean>
  drop(id: string, check?: (job: JobView) => void): Promise<boolean>
  prune(before: Date): Promise<number>
  forget(tx: Db): Promise<void>
  dump(view: Db): AsyncIterable<JobDump>
  close(): Promise<void>
}
