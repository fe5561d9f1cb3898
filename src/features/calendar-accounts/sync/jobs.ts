import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { listDue } from '../store.ts'
import type { AccountSync } from './account-sync.ts'

const SYNC = 'calendar.sync'

/** Files are fetched less often than servers are asked: they are sent whole when anything has changed. */
const FILE_EVERY_MS = 30 * 60_000

/** Has an account be looked at as soon as can be. */
export const createWaking =
  (jobs: Pick<Jobs, 'enqueue'>) =>
  async (tx: Db, accountId: string): Promise<void> => {
    await jobs.enqueue(tx, SYNC, { accountId }, { key: accountId })
  }

export const defineCalendarSync = (
  jobs: Jobs,
  { db, clock, sync }: { db: Db; clock: Clock; sync: AccountSync },
): void => {
  const wake = createWaking(jobs)
  jobs.define({
    name: SYNC,
    payload: Type.Object({ accountId: Type.String() }),
    // What fails is noted with the account, and tried again in its time.
    retries: 0,
    run: ({ accountId }, context) => sync(accountId, context),
  })
  jobs.define({
    name: 'calendar.sync-due',
    payload: Type.Object({}),
    schedule: '*/5 * * * *',
    async run() {
      const before = new Date(clock.now().getTime() - FILE_EVERY_MS).toISOString()
      for (const { id } of await listDue(db, before)) await inTransaction(db, (tx) => wake(tx, id))
    },
  })
}
