import { Cron } from 'croner'
import type { Static, TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import type { Db } from '../../database/db.ts'
import { compileChecker } from '../checker.ts'
import { type AppError, invalid } from '../errors.ts'
import type { Logger } from '../log.ts'

export type JobState = 'waiting' | 'running' | 'parked' | 'done'

export interface JobContext {
  readonly id: string
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Aborts when the process shuts down, or when another worker has taken over the job. */
  readonly signal: AbortSignal
  readonly log: Logger
  /** Reports progress for display. Inside a transaction, the report becomes visible with the commit. */
  progress(done: number, total?: number | null, note?: string): Promise<void>
  /**
   * Completes the job as part of the caller's transaction. After the commit the job never runs again, even if
   * the process is killed at once. Throws if another worker holds the job by now, so that the work is rolled
   * back and not done twice. A job that does not call this completes when `run` returns.
   */
  complete(tx: Db): Promise<void>
}

export interface JobDefinition<S extends TSchema> {
  name: string
  /**
   * Also checked before each run, because rows outlive releases. A payload that no longer matches is parked.
   */
  payload: S
  run(payload: Static<S>, context: JobContext): Promise<void>
  /** Number of retries after a failure. Default: 5. */
  retries?: number
  /** Delay before the first retry. It doubles each time, up to an hour. Default: 10. */
  backoffSeconds?: number
  /** Time until the job of a dead worker is taken over. Default: 60, minimum: 10. */
  leaseSeconds?: number
  /**
   * Cron expression in UTC. The payload is then `{}`. A tick is skipped while the job of an earlier tick is
   * unfinished.
   */
  schedule?: string
}

export interface EnqueueOptions {
  runAt?: Date
  /** At most one waiting or running job of this name may have this key. A second enqueue returns null. */
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
  /** Number of times the job was started. */
  attempts: number
  /** Error of the last attempt. */
  error: string | null
  progress: JobProgress | null
  createdAt: string
  /** Time at which the job completed or was parked. */
  finishedAt: string | null
}

export interface JobFilter {
  state?: JobState
  limit: number
  /** Cursor over `[createdAt, id]` of the last job of the previous page. */
  after?: string
}

/** An unfinished job in a backup. `enqueue` restores it. */
export interface JobDump {
  name: string
  payload: unknown
  runAt: string
  key: string | null
  state: Exclude<JobState, 'done'>
  error: string | null
}

export interface Jobs {
  /** Must be called before `start`. */
  define<S extends TSchema>(job: JobDefinition<S>): void
  /** Runs in the caller's transaction: the job exists if and only if the change is committed. */
  enqueue(tx: Db, name: string, payload: unknown, options?: EnqueueOptions): Promise<string | null>
  /** Starts to run jobs. A process that only enqueues never calls it. */
  start(): Promise<void>
  /**
   * Takes no more jobs and waits for the running ones until the deadline. Then it aborts and releases the
   * others, without counting a failure, so that another instance can take them.
   */
  drain(deadlineMs: number): Promise<void>
  /** Newest first. */
  list(filter: JobFilter): Promise<JobView[]>
  find(id: string): Promise<JobView | undefined>
  /** Makes a parked job due now, with all its retries. Returns false if there is no such parked job. */
  retry(id: string): Promise<boolean>
  /**
   * Removes a waiting or parked job. Returns false if there is none. If `check` throws for the current state,
   * the job stays.
   */
  drop(id: string, check?: (job: JobView) => void): Promise<boolean>
  /** Removes jobs that completed before that time. Returns their number. */
  prune(before: Date): Promise<number>
  /** Removes all jobs except running ones, for the deletion of all data. Runs in the caller's transaction. */
  forget(tx: Db): Promise<void>
  /** Lists every unfinished job in `view`: a snapshot, or the live database. */
  dump(view?: Db): AsyncIterable<JobDump>
}

export const saveProgress = async (db: Db, jobId: string, progress: JobProgress, at: Date): Promise<void> => {
  const row = { ...progress, updatedAt: at.toISOString() }
  await db
    .insertInto('job_progress')
    .values({ jobId, ...row })
    .onConflict((conflict) => conflict.column('jobId').doUpdateSet(row))
    .execute()
}

export const removeProgress = async (db: Db, jobIds: readonly string[]): Promise<void> => {
  for (let start = 0; start < jobIds.length; start += 500)
    await db
      .deleteFrom('job_progress')
      .where('jobId', 'in', jobIds.slice(start, start + 500))
      .execute()
}

/** Converts the nullable columns of a left join to one object. */
export const toProgress = (row: {
  done: number | null
  total: number | null
  note: string | null
}): JobProgress | null =>
  row.done === null ? null : { done: row.done, total: row.total, note: row.note ?? '' }

/** The queue names that pg-boss accepts, without characters that look alike. */
const NAME = /^[a-z0-9]+([.-][a-z0-9]+)*$/
const MIN_LEASE_SECONDS = 10

/** Returns the next tick of a schedule after an instant, both in milliseconds. */
export type NextTick = (after: number) => number

/** A definition with its defaults. Payloads are validated on both ways and stored as JSON. */
export interface KnownJob {
  readonly name: string
  readonly retries: number
  readonly backoffSeconds: number
  readonly leaseSeconds: number
  readonly schedule: NextTick | null
  encode(payload: unknown): string
  run(payload: string, context: JobContext): Promise<void>
}

const toPayloadError = (name: string, validator: Validator, payload: unknown): AppError => {
  const errors = validator
    .Errors(payload)
    .map(({ instancePath, message }) => ({ path: instancePath, message }))
  const first = errors[0]
  const reason = first ? `${first.path || 'it'} ${first.message}` : 'it has the wrong type'
  return invalid(`The payload is not valid for the job ${name}: ${reason}.`, errors)
}

const readSchedule = (name: string, pattern: string): NextTick => {
  // croner computes with an offset. For a zone name, even UTC, it would load the calendars of Intl.
  const read = (): Cron => new Cron(pattern, { utcOffset: 0 })
  try {
    read()
  } catch (error) {
    throw new Error(`The schedule of the job ${name} is not valid: ${pattern}`, { cause: error })
  }
  // Parsed again for each tick, because croner keeps a table of ten thousand years for a pattern.
  return (after) => read().nextRun(new Date(after))?.getTime() ?? Infinity
}

const toKnownJob = <S extends TSchema>(job: JobDefinition<S>): KnownJob => {
  let validator: Validator | undefined
  const check = (payload: unknown, text: string | undefined): void => {
    // Scheduled jobs always have the payload `{}`. Skipping the check means that an idle instance never loads
    // the schema compiler.
    if (job.schedule !== undefined && text === '{}') return
    validator ??= compileChecker(job.payload) as Validator
    if (!validator.Check(payload)) throw toPayloadError(job.name, validator, payload)
  }
  const { name, retries = 5, backoffSeconds = 10, leaseSeconds = 60 } = job
  if (!NAME.test(name)) throw new Error(`${name} is not a valid job name.`)
  if (!Number.isInteger(leaseSeconds) || leaseSeconds < MIN_LEASE_SECONDS)
    throw new Error(
      `The lease of the job ${name} must be a whole number of seconds, at least ${MIN_LEASE_SECONDS}.`,
    )
  if (job.schedule !== undefined && (job.payload as { required?: string[] }).required?.length)
    throw new Error(`The job ${name} has a schedule, so its payload is {} and cannot have required fields.`)
  return {
    name,
    retries,
    backoffSeconds,
    leaseSeconds,
    schedule: job.schedule === undefined ? null : readSchedule(name, job.schedule),
    encode(payload) {
      const text: string | undefined = JSON.stringify(payload)
      // Validates the value after the JSON round trip, because JSON drops and changes some values.
      check(text === undefined ? undefined : JSON.parse(text), text)
      return text as string
    },
    async run(text, context) {
      const payload: unknown = JSON.parse(text)
      check(payload, text)
      await job.run(payload as Parameters<typeof job.run>[0], context)
    },
  }
}

export const createDefinitions = () => {
  const known = new Map<string, KnownJob>()
  let closed = false
  return {
    add<S extends TSchema>(job: JobDefinition<S>): void {
      if (closed) throw new Error(`The job ${job.name} was defined after jobs were started.`)
      if (known.has(job.name)) throw new Error(`The job ${job.name} is defined twice.`)
      known.set(job.name, toKnownJob(job))
    },
    get(name: string): KnownJob {
      const job = known.get(name)
      if (!job) throw invalid(`There is no job named ${name}.`)
      return job
    },
    /** Returns all definitions. No more can be added after this. */
    close(): readonly KnownJob[] {
      closed = true
      return [...known.values()]
    },
  }
}
