import type { ColumnType, Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

export interface IdempotencyKeyRow {
  /** Hash of caller, method, path and key. */
  scope: string
  bodyHash: string
  /** The request in progress. Another may take over after the process of the request has ended. */
  claim: string
  /** See process-lock.ts. Always set: the column is nullable because it was added later. */
  processId: number | null
  /** Null while the first request is in progress. */
  answer: string | null
  expiresAt: string
}

export interface ChangeRow {
  id: Generated<number>
  /** Not a foreign key: the rows of a deleted account stay, without data, because positions continue from them. */
  userId: number
  type: string
  subject: string
  data: string
  at: string
  /** Position in commit order, on PostgreSQL; null until it is assigned (change-order.ts). */
  position: Generated<number | null>
}

/** Marks a row of the sample data of an account. */
export interface SampleRow {
  userId: number
  kind: string
  reference: string
}

/** At most one row, which is not part of a backup. */
export interface RestoreRow {
  /** See change-order.ts. */
  epoch: number
}

export interface FrameTables {
  idempotency_keys: IdempotencyKeyRow
  changes: ChangeRow
  samples: SampleRow
  restores: RestoreRow
}

export const frameKeys: TableKeys<FrameTables> = {
  idempotency_keys: ['scope'],
  changes: ['id'],
  samples: ['userId', 'kind', 'reference'],
  restores: null,
}

export interface JobRow {
  id: string
  name: string
  /** JSON. */
  payload: string
  state: 'waiting' | 'running' | 'parked' | 'done'
  /** The requested time of the run or of the next retry. */
  runAt: string
  /**
   * Time from which a worker may take it: `runAt` while waiting, the end of the lease while running, else
   * null.
   */
  dueAt: string | null
  /** Number of starts. A released job does not count. */
  attempts: number
  /** Unique for each lease. A worker without the value cannot settle the job. */
  leaseOwner: string | null
  /** Error of the last attempt. */
  error: string | null
  createdAt: string
  finishedAt: string | null
  /** At most one waiting or running job of a name may have a given key. */
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
  /** All ticks up to this time are processed. */
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

export interface ActionRow {
  id: Generated<number>
  userId: number
  kind: string
  /** Readable description of the action. */
  summary: string
  /** JSON: the data for undo. */
  payload: string
  at: string
  undoneAt: string | null
  /** 1 if its subjects are in `action_subjects`. Null in rows of earlier versions and of imports. */
  hasSubjects: ColumnType<number | null, number | null | undefined>
}

/** An item that an action is about. */
export interface ActionSubjectRow {
  userId: number
  kind: 'task' | 'event' | 'email' | 'revision'
  /** Id of the item as text. */
  subjectId: string
  actionId: number
}

/** One part of an action that runs in parts. */
export interface ActionPartRow {
  id: Generated<number>
  actionId: number
  /** JSON: the data to undo this part. */
  payload: string
}

export interface ActionsTables {
  actions: ActionRow
  action_parts: ActionPartRow
  action_subjects: ActionSubjectRow
}

export const actionsKeys: TableKeys<ActionsTables> = {
  actions: ['id'],
  action_parts: ['id'],
  action_subjects: ['userId', 'kind', 'subjectId', 'actionId'],
}
