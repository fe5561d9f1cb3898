import Type from 'typebox'
import type { JobContext, Jobs } from '../../../platform/jobs/jobs.ts'
import { SEND_JOB } from './outbox.ts'

const FIRST_WAIT_SECONDS = 30
/** More than three days of hourly tries: what is given up is given up by the rule, with a reason. */
const RETRIES = 200
/** A message that a killed process was about is soon known to be uncertain. */
const LEASE_SECONDS = 15

export const defineSending = (
  jobs: Jobs,
  deliver: (emailId: number, context: JobContext) => Promise<void>,
): void => {
  jobs.define({
    name: SEND_JOB,
    payload: Type.Object({ emailId: Type.Integer() }),
    retries: RETRIES,
    backoffSeconds: FIRST_WAIT_SECONDS,
    leaseSeconds: LEASE_SECONDS,
    run: ({ emailId }, context) => deliver(emailId, context),
  })
}
