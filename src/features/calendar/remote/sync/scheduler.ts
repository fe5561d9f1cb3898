import Type from 'typebox'
import type { Db } from '../../../../database/db.ts'
import { inTransaction } from '../../../../database/transaction.ts'
import type { Clock } from '../../../../platform/clock.ts'
import type { Jobs } from '../../../../platform/jobs/jobs.ts'
import type { Removal } from '../removal.ts'
import { listDue, lockSync, updateSync } from '../repository.ts'
import type { AccountSync } from './account-sync.ts'

export const SYNC = 'calendar.sync'

/**
 * Enqueues the sync of an account. There is no second job while one runs. The running job sees new requests
 * before it ends, because both lock the same row.
 */
export const createSyncRequests = ({ jobs, clock }: { jobs: Pick<Jobs, 'enqueue'>; clock: Clock }) => {
  const enqueue = async (tx: Db, accountId: string): Promise<void> => {
    await jobs.enqueue(tx, SYNC, { accountId }, { key: accountId })
  }
  return {
    /** Requests a sync with a fetch of the server's changes. */
    async ask(tx: Db, accountId: string): Promise<void> {
      await updateSync(tx, accountId, { requestedAt: clock.now().toISOString() })
      await enqueue(tx, accountId)
    },
    /** Requests a sync because there is something to push. */
    async wake(tx: Db, accountId: string): Promise<void> {
      await lockSync(tx, accountId)
      await enqueue(tx, accountId)
    },
  }
}

type Ask = (tx: Db, accountId: string) => Promise<void>

/** Files are fetched less often than servers: each change transfers the whole file. */
const FILE_EVERY_MS = 30 * 60_000

export const defineCalendarSync = (
  jobs: Jobs,
  {
    db,
    clock,
    sync,
    ask,
    removal,
  }: { db: Db; clock: Clock; sync: AccountSync; ask: Ask; removal: Pick<Removal, 'resume'> },
): void => {
  jobs.define({
    name: SYNC,
    payload: Type.Object({ accountId: Type.String() }),
    // Failures are recorded with the account and retried by schedule. These retries are for a process that
    // was killed.
    retries: 3,
    backoffSeconds: 2,
    leaseSeconds: 20,
    run: ({ accountId }, context) => sync(accountId, context),
  })
  jobs.define({
    name: 'calendar.sync-due',
    payload: Type.Object({}),
    schedule: '*/5 * * * *',
    async run() {
      const before = new Date(clock.now().getTime() - FILE_EVERY_MS).toISOString()
      for (const { id } of await listDue(db, before)) await inTransaction(db, (tx) => ask(tx, id))
      await removal.resume()
    },
  })
}
