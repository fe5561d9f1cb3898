import type { Db } from '../../../database/db.ts'
import { afterCommit } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { insertPush } from '../sync/repository.ts'
import { findOutbox } from './repository.ts'

export const SEND_WAITING_JOB = 'mail.send-waiting'

/** Queues a copy of the sent message for the server's Sent folder. */
export type RequestSentCopy = (tx: Db, emailId: number) => Promise<void>

export const createSentCopies =
  ({ clock, wake }: { clock: Clock; wake: (accountId: string) => void }): RequestSentCopy =>
  async (tx, emailId) => {
    const row = await findOutbox(tx, emailId)
    if (!row) return
    const { accountId } = row
    const createdAt = clock.now().toISOString()
    await insertPush(tx, { accountId, kind: 'append', emailId, input: {}, createdAt })
    afterCommit(() => wake(accountId))
  }

/** Queues the waiting messages of an account for an attempt now. */
export type RequestSending = (tx: Db, accountId: string) => Promise<void>

export const createSendRequests =
  (jobs: Pick<Jobs, 'enqueue'>): RequestSending =>
  async (tx, accountId) => {
    await jobs.enqueue(tx, SEND_WAITING_JOB, { accountId }, { key: accountId })
  }
