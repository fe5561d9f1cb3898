import Type from 'typebox'
import type { JobContext, Jobs } from '../../../platform/jobs/jobs.ts'
import { SEND_JOB } from './outbox.ts'

const FIRST_WAIT_SECONDS = 30
/**
 * Covers more than three days of hourly retries, so that GIVE_UP_AFTER_MS ends the attempts and records a
 * reason.
 */
const RETRIES = 200
/** Short, so that a message of a killed process is soon marked as uncertain. */
const LEASE_SECONDS = 15

export const defineSendJob = (
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
