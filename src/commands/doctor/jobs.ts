import { openJobs } from '../../platform/jobs/open.ts'
import { createLog } from '../../platform/log.ts'
import { type Check, ok, warn } from './finding.ts'

const MOST = 1000

export const jobsCheck: Check = {
  what: 'jobs',
  async run({ context: { clock, random }, database, migration }) {
    if (
      !database ||
      !migration ||
      migration.at === null ||
      migration.pending.length + migration.unknown.length > 0
    )
      return []
    const jobs = await openJobs({ database, clock, random, log: createLog('silent') })
    try {
      const parked = await jobs.list({ state: 'parked', limit: MOST })
      if (parked.length === 0) return [ok('none has failed for good')]
      const count = parked.length < MOST ? parked.length : `${MOST} or more`
      const names = [...new Set(parked.map((job) => job.name))].sort().join(', ')
      return [
        warn(
          `${count} failed for good: ${names}. The last said: ${parked[0]?.error}`,
          'mend the cause, then retry or drop them',
        ),
      ]
    } finally {
      await jobs.drain(0)
    }
  },
}
