import Type from 'typebox'
import type { Platform } from '../../platform/platform.ts'

const DAY_MS = 86_400_000
/** Deleted data must be gone after 30 days. One day less allows for a day of downtime. */
const JOURNALS_KEPT_DAYS = 29
const JOBS_KEPT_DAYS = 7

/** Deletes expired data of a feature. `before` is the age at which journals are deleted. */
type Prune = (before: string) => Promise<void>

/** Deletes expired data once an hour. */
export const defineHousekeeping = (
  { jobs, changes, database, db, clock }: Platform,
  prunes: readonly Prune[],
): void => {
  const daysAgo = (days: number): Date => new Date(clock.now().getTime() - days * DAY_MS)
  jobs.define({
    name: 'housekeeping',
    payload: Type.Object({}),
    schedule: '17 * * * *',
    async run() {
      const before = daysAgo(JOURNALS_KEPT_DAYS).toISOString()
      for (const prune of prunes) await prune(before)
      await changes.prune(before)
      await db.deleteFrom('idempotency_keys').where('expiresAt', '<=', daysAgo(0).toISOString()).execute()
      await jobs.prune(daysAgo(JOBS_KEPT_DAYS))
      await database.tidy()
    },
  })
}
