import Type from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { BookingSync } from './sync.ts'

/** A sync of our own at times, where the operator wants one and no workflow sees to it. */
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
        // It is noted where the settings are shown, and the next one is due in its time.
        if (!(error instanceof AppError)) throw error
        log.info({ code: error.code }, 'a sync of bookings failed')
      }
    },
  })
}
