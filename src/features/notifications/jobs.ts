import Type from 'typebox'
import type { JobContext, Jobs } from '../../platform/jobs/jobs.ts'
import { type Delivering, MAIL_JOB } from './delivering.ts'
import { DELIVER_JOB } from './telling.ts'

const FIRST_WAIT_SECONDS = 30
/** More than a day of hourly tries: what is given up is given up by the rule, with a reason. */
const RETRIES = 100
/** What a killed process was about is soon taken up by another, a mail as uncertain. */
const LEASE_SECONDS = 10

export const defineNotificationJobs = (
  jobs: Jobs,
  deps: {
    delivering: Delivering
    send: (mailId: number, context: JobContext) => Promise<void>
    tellOfParkedJobs: () => Promise<void>
  },
): void => {
  jobs.define({
    name: DELIVER_JOB,
    payload: Type.Object({}),
    // Whatever becomes of a job, nothing is told later than this.
    schedule: '*/5 * * * *',
    leaseSeconds: LEASE_SECONDS,
    async run() {
      await deps.tellOfParkedJobs()
      await deps.delivering.tellDue()
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
