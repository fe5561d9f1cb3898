import type { Db } from '../../../database/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { lockSync, updateSync } from '../store.ts'

export const SYNC = 'calendar.sync'

/**
 * Has an account be looked at as soon as can be. While it is being looked at there is no second job; whoever looks sees
 * what was asked for or noted before it ends, for both hold the same row.
 */
export const createWaking = ({ jobs, clock }: { jobs: Pick<Jobs, 'enqueue'>; clock: Clock }) => {
  const enqueue = async (tx: Db, accountId: string): Promise<void> => {
    await jobs.enqueue(tx, SYNC, { accountId }, { key: accountId })
  }
  return {
    /** Someone wants to see what is there now. */
    async ask(tx: Db, accountId: string): Promise<void> {
      await updateSync(tx, accountId, { requestedAt: clock.now().toISOString() })
      await enqueue(tx, accountId)
    },
    /** There is something to tell the server. */
    async wake(tx: Db, accountId: string): Promise<void> {
      await lockSync(tx, accountId)
      await enqueue(tx, accountId)
    },
  }
}
