import type { Db } from '../../../database/db.ts'
import { afterCommit } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import { insertPush } from '../sync/push-store.ts'
import { findOutbox } from './outbox-store.ts'

/** The server's folder of sent mail wants a copy of what went. */
export type AskForCopy = (tx: Db, emailId: number) => Promise<void>

export const createCopies =
  ({ clock, wake }: { clock: Clock; wake: (accountId: string) => void }): AskForCopy =>
  async (tx, emailId) => {
    const row = await findOutbox(tx, emailId)
    if (!row) return
    const { accountId } = row
    const createdAt = clock.now().toISOString()
    await insertPush(tx, { accountId, kind: 'append', emailId, wish: {}, createdAt })
    afterCommit(() => wake(accountId))
  }
