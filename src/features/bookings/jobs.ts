import Type from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { BookingSync } from './sync.ts'

/** Syncs bookings on a schedule, if the operator has configured an interval. */
export const defineBookingJobs = (
  jobs: Jobs,
  { sync, clock, everyMs }: { sync: BookingSync; clock: Clock; everyMs: number | null },
): void => {
  jobs.define({
    name: 'bookings.sync',
    payload: Type.Object({}),
    retries: 0,
    ...(everyMs !== null && { schedule: '* * * * *' }),
    async run(_payload, { log }) {
      const last = await sync.lastBegun()
      if (everyMs === null || (last !== null && Date.parse(last) + everyMs > clock.now().getTime())) return
      try {
        await sync.sync({ full: false })
      } catch (error) {
        // The sync stores the error for the settings page. The next sync follows on schedule.
        if (!(error instanceof AppError)) throw error
        log.info({ code: error.code }, 'booking sync failed')
      }
    },
  })
}
