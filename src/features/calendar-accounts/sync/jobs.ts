import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Removal } from '../removal.ts'
import { listDue } from '../store.ts'
import type { AccountSync } from './account-sync.ts'
import { SYNC } from './waking.ts'

type Ask = (tx: Db, accountId: string) => Promise<void>

/** Files are fetched less often than servers are asked: they are sent whole when anything has changed. */
const FILE_EVERY_MS = 30 * 60_000

export const defineCalendarSync = (
  jobs: Jobs,
  {
    db,
    clock,
    sync,
    ask,
    removal,
  }: { db: Db; clock: Clock; sync: AccountSync; ask: Ask; removal: Pick<Removal, 'goOn'> },
): void => {
  jobs.define({
    name: SYNC,
    payload: Type.Object({ accountId: Type.String() }),
    // What fails is noted with the account, and tried again in its time. These are for a process that was killed.
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
      await removal.goOn()
    },
  })
}
