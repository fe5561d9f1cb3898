import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { JobContext } from '../../../platform/jobs/jobs.ts'
import { type Random, randomId } from '../../../platform/random.ts'
import type { MailFiling } from '../../emails/mail-filing.ts'
import { serverOf } from '../credentials.ts'
import type { Logins } from '../sign-in/login.ts'
import { type AccountRecord, findAccount } from '../store.ts'
import type { SubmissionResult, Transport } from '../transport.ts'
import { explainFailure } from '../words.ts'
import type { AskForCopy } from './copies.ts'
import type { Outbox } from './outbox.ts'
import { advanceOutbox, findOutbox } from './outbox-store.ts'

/** RFC 5321, 4.5.4.1: giving up takes days, not hours. */
const GIVES_UP_MS = 3 * 86_400_000

const UNCERTAIN =
  'The connection ended after the message was handed over, before the server said whether it took it. It may have been sent: look into the sent folder, or ask who should have got it, before you send it again.'

export interface DeliveryDeps {
  db: Db
  clock: Clock
  random: Random
  emails: Pick<MailFiling, 'setDelivery' | 'move'>
  outbox: Pick<Outbox, 'prepare'>
  logins: Logins
  transport: Transport
  askForCopy: AskForCopy
}

/**
 * Sends one message. Its row says `sending` from before the server gets the first byte until its answer is known, so
 * whoever finds it so after a crash knows that nobody knows, and sends nothing.
 */
export const createDelivery = (deps: DeliveryDeps) => {
  const { db, clock, random, emails } = deps
  const now = (): string => clock.now().toISOString()

  const settle = (
    emailId: number,
    from: { state: 'queued' | 'sending'; attempt?: string },
    to: 'sent' | 'failed' | 'uncertain',
    error: string | null,
    context: JobContext,
  ): Promise<void> =>
    inTransaction(db, async (tx) => {
      const change = { state: to, error, updatedAt: now() }
      if (!(await advanceOutbox(tx, emailId, from, change))) {
        // Taken for lost by another, who could not know; this one does.
        const isKnown = to === 'sent' && from.attempt !== undefined
        const late = {
          state: 'uncertain',
          ...(from.attempt !== undefined && { attempt: from.attempt }),
        } as const
        if (!isKnown || !(await advanceOutbox(tx, emailId, late, change))) return
      }
      await emails.setDelivery(tx, emailId, { status: to, error })
      if (to !== 'failed') await emails.move(tx, emailId, 'sent')
      if (to === 'sent') await deps.askForCopy(tx, emailId)
      await context.complete(tx).catch(() => undefined)
    })

  /** Later, or never: what is still not sent after days is given up. */
  const postpone = async (
    emailId: number,
    from: { state: 'queued' | 'sending'; attempt?: string },
    said: string,
    context: JobContext,
  ): Promise<void> => {
    const row = await findOutbox(db, emailId)
    if (!row || (row.state !== 'queued' && row.state !== 'sending')) return
    if (clock.now().getTime() - Date.parse(row.sendAt) > GIVES_UP_MS)
      return settle(emailId, from, 'failed', said, context)
    await inTransaction(db, async (tx) => {
      const change = {
        state: 'queued',
        attempt: null,
        error: said,
        attempts: row.attempts + 1,
        updatedAt: now(),
      } as const
      if (await advanceOutbox(tx, emailId, from, change))
        await emails.setDelivery(tx, emailId, { status: 'queued', error: said })
    })
    throw new AppError('upstream', 'upstream_failed', said)
  }

  const submit = async (
    account: AccountRecord,
    emailId: number,
    attempt: string,
    context: JobContext,
  ): Promise<SubmissionResult | undefined> => {
    const prepared = await deps.outbox.prepare(emailId)
    if (!prepared) return undefined
    const { raw, envelope } = prepared
    try {
      const beforeData = async (): Promise<void> => {
        const change = { state: 'sending', attempt, updatedAt: now() } as const
        const isOurs = await inTransaction(db, (tx) =>
          advanceOutbox(tx, emailId, { state: 'queued' }, change),
        )
        if (!isOurs) throw new Error('It was taken back.')
      }
      const target = await deps.logins.smtp(account)
      return await deps.transport.submit(target, { ...envelope, raw, beforeData }, context.signal)
    } catch (error) {
      const failure = error instanceof AppError ? error.details.failure : undefined
      if (!failure) throw error
      const { problem, remedy } = explainFailure(failure, serverOf(account.smtp))
      return { result: 'postponed', said: `${problem} ${remedy}` }
    }
  }

  return async (emailId: number, context: JobContext): Promise<void> => {
    const row = await findOutbox(db, emailId)
    if (!row) {
      // The account is gone, and its outbox with it.
      await inTransaction(db, (tx) =>
        emails.setDelivery(tx, emailId, {
          status: 'failed',
          error: 'The mail account was removed before it was sent.',
        }),
      )
      return
    }
    if (row.state === 'sending') return settle(emailId, { state: 'sending' }, 'uncertain', UNCERTAIN, context)
    const account = await findAccount(db, row.accountId)
    if (row.state !== 'queued' || !account) return
    const attempt = randomId(random)
    const outcome = await submit(account, emailId, attempt, context)
    if (!outcome) return
    const isBegun = (await findOutbox(db, emailId))?.state === 'sending'
    const from = isBegun ? ({ state: 'sending', attempt } as const) : ({ state: 'queued' } as const)
    switch (outcome.result) {
      case 'sent':
        return settle(emailId, { state: 'sending', attempt }, 'sent', refusalsIn(outcome.refused), context)
      case 'refused':
        return settle(emailId, from, 'failed', outcome.said, context)
      case 'uncertain':
        return settle(emailId, { state: 'sending', attempt }, 'uncertain', UNCERTAIN, context)
      case 'postponed':
        return postpone(emailId, from, outcome.said, context)
    }
  }
}

const refusalsIn = (refused: readonly { address: string; said: string | null }[]): string | null =>
  refused.length === 0
    ? null
    : `Not to ${refused.map(({ address, said }) => (said ? `${address} (${said})` : address)).join(', ')}.`
