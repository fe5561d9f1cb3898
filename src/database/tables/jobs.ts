import type { TableKeys } from './keys.ts'

export interface JobRow {
  id: string
  name: string
  /** JSON. */
  payload: string
  state: 'waiting' | 'running' | 'parked' | 'done'
  /** When it was asked to run, or is to be tried again. */
  runAt: string
  /** From when a worker may take it: `runAt` while it waits, the end of its lease while it runs, else null. */
  dueAt: string | null
  /** How often it was started; being handed back does not count. */
  attempts: number
  /** One value for each lease: whoever does not know it can no longer settle the job. */
  leaseOwner: string | null
  /** Why the last attempt failed. */
  error: string | null
  createdAt: string
  finishedAt: string | null
  /** At most one waiting or running job of a name may carry a given key. */
  singletonKey: string | null
}

export interface JobProgressRow {
  jobId: string
  done: number
  total: number | null
  note: string
  updatedAt: string
}

export interface JobScheduleRow {
  name: string
  /** Every tick up to here has been taken care of. */
  tickedAt: string
}

export interface JobsTables {
  jobs: JobRow
  job_progress: JobProgressRow
  job_schedules: JobScheduleRow
}

export const jobsKeys: TableKeys<JobsTables> = {
  jobs: null,
  job_progress: null,
  job_schedules: ['name'],
}
