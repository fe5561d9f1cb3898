import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { MailFiling } from '../../emails/mail-filing.ts'
import type { EmailView } from '../../emails/view.ts'
import { findAccount } from '../store.ts'
import type { AskForCopy } from './copies.ts'
import { SEND_JOB, UNDO_MS } from './outbox.ts'
import { advanceOutbox, findOutbox, type OutboxRecord } from './outbox-store.ts'

export interface UnsentDeps {
  db: Db
  clock: Clock
  jobs: Pick<Jobs, 'enqueue'>
  emails: Pick<MailFiling, 'setDelivery' | 'move'> & { get(id: number, view?: Db): Promise<EmailView> }
  askForCopy: AskForCopy
}

export type Unsent = ReturnType<typeof createUnsent>

const TWICE =
  'Nobody knows whether this e-mail was sent, so sending it again may bring it twice to those who have it. Ask one of them first, or say `mayArriveTwice: true`.'

/** What did not go, or nobody knows whether it went: a person decides what becomes of it, never the service. */
export const createUnsent = ({ db, clock, jobs, emails, askForCopy }: UnsentDeps) => {
  const now = (): string => clock.now().toISOString()

  const get = async (tx: Db, emailId: number): Promise<OutboxRecord> => {
    const row = await findOutbox(tx, emailId)
    if (!row) throw notFound('e-mail that was to be sent')
    return row
  }

  /** Of any number who decide at once, one does. */
  const decide = async (
    tx: Db,
    { emailId, state }: OutboxRecord,
    change: Parameters<typeof advanceOutbox>[3],
  ): Promise<void> => {
    const isOpen = state === 'failed' || state === 'uncertain'
    if (isOpen && (await advanceOutbox(tx, emailId, { state }, { ...change, updatedAt: now() }))) return
    throw conflict(
      state === 'queued' || state === 'sending'
        ? 'It is still on its way: take it back first, or wait until it is known how it went.'
        : `There is nothing to decide about it: it is ${state === 'sent' ? 'sent' : 'a draft again'}.`,
    )
  }

  return {
    /** Once more, as it is. It keeps its Message-ID, by which many mailboxes know a double. */
    resend: (emailId: number, { mayArriveTwice = false }: { mayArriveTwice?: boolean }): Promise<EmailView> =>
      inTransaction(db, async (tx) => {
        const row = await get(tx, emailId)
        if (!(await findAccount(tx, row.accountId)))
          throw conflict('The mail account that it was to go by is gone.')
        if (row.state === 'uncertain' && !mayArriveTwice) throw conflict(TWICE)
        const due = new Date(clock.now().getTime() + UNDO_MS)
        const sendAt = due.toISOString()
        await decide(tx, row, { state: 'queued', attempt: null, attempts: 0, error: null, sendAt })
        await emails.setDelivery(tx, emailId, { status: 'queued', error: null, sendAt })
        await emails.move(tx, emailId, 'drafts')
        await jobs.enqueue(tx, SEND_JOB, { emailId }, { runAt: due })
        return emails.get(emailId, tx)
      }),

    /** The person knows that it arrived. */
    markSent: (emailId: number): Promise<EmailView> =>
      inTransaction(db, async (tx) => {
        await decide(tx, await get(tx, emailId), { state: 'sent', error: null })
        await emails.setDelivery(tx, emailId, { status: 'sent', error: null })
        await emails.move(tx, emailId, 'sent')
        await askForCopy(tx, emailId)
        return emails.get(emailId, tx)
      }),

    /** It is not to go after all: it lies in the trash, from where it can be fetched. */
    discard: (emailId: number): Promise<EmailView> =>
      inTransaction(db, async (tx) => {
        await decide(tx, await get(tx, emailId), { state: 'cancelled', error: null })
        await emails.setDelivery(tx, emailId, { status: 'cancelled', error: null })
        await emails.move(tx, emailId, 'trash')
        return emails.get(emailId, tx)
      }),
  }
}
