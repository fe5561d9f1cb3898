import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Occurrence } from './occurrence.ts'
import type { Telling } from './telling.ts'

const MOST = 100
/** Well within the time that what was told of stays known. */
const DAYS_MS = 7 * 86_400_000
const OWN = 'notifications.'

/**
 * Tells of jobs that were given up. How each engine parks one is its own matter, so they are looked for; what was
 * told of is known by its key, and a job that is parked anew is told of anew.
 */
export const createParkedJobs =
  (deps: { db: Db; clock: Clock; jobs: Pick<Jobs, 'list'>; telling: Telling }) => async (): Promise<void> => {
    const { db, clock, jobs, telling } = deps
    const since = new Date(clock.now().getTime() - DAYS_MS).toISOString()
    const parked = (await jobs.list({ state: 'parked', limit: MOST })).filter(
      ({ name, finishedAt }) => !name.startsWith(OWN) && finishedAt !== null && finishedAt > since,
    )
    const occurrences = parked.map(
      ({ id, name, finishedAt, error }): Occurrence => ({
        ...{ kind: 'job_parked', key: `job_parked:${id}:${finishedAt}`, whom: 'owner' },
        link: '/settings/jobs',
        write: () => ({ title: `A background job was given up: ${name}`, body: error ?? '' }),
      }),
    )
    if (occurrences.length > 0) await inTransaction(db, (tx) => telling.tell(tx, occurrences))
  }
