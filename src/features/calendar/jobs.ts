import Type from 'typebox'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Expansion } from './expansion.ts'
import type { Reminders } from './reminders/reminders.ts'
import { EXPAND, REMIND } from './work.ts'

const payload = Type.Object({})

export const defineCalendarJobs = (
  jobs: Jobs,
  { expansion, reminders }: { expansion: Expansion; reminders: Reminders },
): void => {
  jobs.define({
    name: EXPAND,
    payload,
    // What was worked out ahead wears away day by day.
    schedule: '41 3 * * *',
    async run(_payload, { signal, progress }) {
      for (let done = 1; !signal.aborted && (await expansion.expandNext()); done++)
        if (done % 100 === 0) await progress(done)
    },
  })
  jobs.define({
    name: REMIND,
    payload,
    // Beside the one that waits for the next reminder, for when that one was lost or parked.
    schedule: '*/10 * * * *',
    run: () => reminders.tellDue(),
  })
}
