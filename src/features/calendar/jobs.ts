import Type from 'typebox'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Expansion } from './event-writer.ts'
import { EXPAND, REMIND } from './job-names.ts'
import type { Reminders } from './reminders.ts'

const payload = Type.Object({})

export const defineCalendarJobs = (
  jobs: Jobs,
  { expansion, reminders }: { expansion: Expansion; reminders: Reminders },
): void => {
  jobs.define({
    name: EXPAND,
    payload,
    // The range of stored occurrences shrinks every day.
    schedule: '41 3 * * *',
    async run(_payload, { signal, progress }) {
      for (let done = 1; !signal.aborted && (await expansion.expandNext()); done++)
        if (done % 100 === 0) await progress(done)
    },
  })
  jobs.define({
    name: REMIND,
    payload,
    // A fallback in case the job for the next reminder was lost or parked.
    schedule: '*/10 * * * *',
    run: () => reminders.sendDue(),
  })
}
