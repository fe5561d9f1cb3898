import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import type { JobContext, Jobs } from '../../platform/jobs/jobs.ts'
import { type DeliveryRunner, MAIL_JOB } from './delivery.ts'
import { DELIVER_JOB, type Dispatcher } from './dispatcher.ts'
import { toLine } from './plain-line.ts'
import { occurrence } from './schedule.ts'

const FIRST_WAIT_SECONDS = 30
/** Allows hourly attempts for more than a day, so that the mail rules give up first, with a reason. */
const RETRIES = 100
/** Short, so that another process soon takes over the job of a killed process. */
const LEASE_SECONDS = 10

const MAX_JOBS = 100
/** Well below the time for which notification keys are kept. */
const LOOKBACK_MS = 7 * 86_400_000
const OWN_JOBS_PREFIX = 'notifications.'

/**
 * Notifies the owner of jobs that failed permanently. The engines park jobs differently, so this polls for
 * them. The key prevents duplicates, and a job that is parked again has a new key.
 */
export const createParkedJobs =
  (deps: { db: Db; clock: Clock; jobs: Pick<Jobs, 'list'>; dispatcher: Dispatcher }) =>
  async (): Promise<void> => {
    const { db, clock, jobs, dispatcher } = deps
    const since = new Date(clock.now().getTime() - LOOKBACK_MS).toISOString()
    const parked = (await jobs.list({ state: 'parked', limit: MAX_JOBS })).filter(
      ({ name, finishedAt }) =>
        !name.startsWith(OWN_JOBS_PREFIX) && finishedAt !== null && finishedAt > since,
    )
    const occurrences = parked.map(({ id, name, finishedAt, error }) =>
      occurrence('job_parked', {
        key: `job_parked:${id}:${finishedAt}`,
        whom: 'owner',
        data: { job: name, error: toLine(error) },
      }),
    )
    if (occurrences.length > 0) await inTransaction(db, (tx) => dispatcher.dispatch(tx, occurrences))
  }

export const defineNotificationJobs = (
  jobs: Jobs,
  deps: {
    deliveryRunner: DeliveryRunner
    send: (mailId: number, context: JobContext) => Promise<void>
    notifyOfParkedJobs: () => Promise<void>
  },
): void => {
  jobs.define({
    name: DELIVER_JOB,
    payload: Type.Object({}),
    // The schedule is a fallback: even if a job is lost, deliveries are at most five minutes late.
    schedule: '*/5 * * * *',
    leaseSeconds: LEASE_SECONDS,
    async run() {
      await deps.notifyOfParkedJobs()
      await deps.deliveryRunner.deliverDue()
    },
  })
  jobs.define({
    name: MAIL_JOB,
    payload: Type.Object({ mailId: Type.Integer() }),
    retries: RETRIES,
    backoffSeconds: FIRST_WAIT_SECONDS,
    leaseSeconds: LEASE_SECONDS,
    run: ({ mailId }, context) => deps.send(mailId, context),
  })
}
