import Type from 'typebox'
import type { JobContext, Jobs } from '../../platform/jobs/jobs.ts'
import { type DeliveryRunner, MAIL_JOB } from './delivery.ts'
import { DELIVER_JOB } from './dispatcher.ts'

const FIRST_WAIT_SECONDS = 30
/** Allows hourly attempts for more than a day, so that the mail rules give up first, with a reason. */
const RETRIES = 100
/** Short, so that another process soon takes over the job of a killed process. */
const LEASE_SECONDS = 10

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
