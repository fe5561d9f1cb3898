import Type from 'typebox'
import { inTransaction } from '../../../database/transaction.ts'
import { AppError, isTemporary } from '../../../platform/errors.ts'
import type { JobContext, Jobs } from '../../../platform/jobs/jobs.ts'
import type { Language, LanguageOf } from '../../../platform/language.ts'
import type { Platform } from '../../../platform/platform.ts'
import { randomId } from '../../../platform/random.ts'
import { serverOf } from '../accounts/accounts.ts'
import type { SubmissionResult, Transport } from '../accounts/ports.ts'
import { type AccountRecord, findAccountOf, saveServerLimits } from '../accounts/repository.ts'
import type { Logins } from '../accounts/sign-in/sign-in.ts'
import { explainError, explainRefusal, mailServerTexts } from '../accounts/words.ts'
import type { Emails } from '../messages/emails.ts'
import { type Outbox, SEND_JOB } from './outbox.ts'
import { advanceOutbox, findOutbox, listOverdue } from './repository.ts'
import type { RequestSentCopy } from './send-requests.ts'
import { SEND_WAITING_JOB } from './send-requests.ts'

/** RFC 5321, section 4.5.4.1: give up after days, not hours. */
const GIVE_UP_AFTER_MS = 3 * 86_400_000

const UNCERTAIN =
  'The connection ended before the server confirmed that it accepted the message. It may have been sent. Check the sent folder or ask the recipient before you send it again.'

interface Message {
  userId: number
  emailId: number
}

/** The state that an attempt expects in the outbox. */
interface Sending {
  state: 'queued' | 'sending'
  attempt?: string
}

export interface DeliveryDeps extends Pick<Platform, 'db' | 'clock' | 'random'> {
  emails: Pick<Emails, 'setDelivery' | 'move' | 'ownerOf'>
  outbox: Pick<Outbox, 'prepare'>
  logins: Logins
  transport: Transport
  requestSentCopy: RequestSentCopy
  languageOf: LanguageOf
}

/**
 * Sends one message. The row says `sending` before the first byte leaves, until the outcome is known. After a
 * crash, a row in this state has an unknown outcome and is never sent again automatically.
 */
export const createDelivery = (deps: DeliveryDeps) => {
  const { db, clock, random, emails } = deps
  const now = (): string => clock.now().toISOString()

  const saveOutcome = (
    { userId, emailId }: Message,
    from: Sending,
    to: 'sent' | 'failed' | 'uncertain',
    error: string | null,
    context: JobContext,
  ): Promise<void> =>
    inTransaction(db, async (tx) => {
      const change = { state: to, error, updatedAt: now() }
      if (!(await advanceOutbox(tx, emailId, from, change))) {
        // Another process marked this attempt as uncertain. This process knows that it succeeded.
        const isConfirmed = to === 'sent' && from.attempt !== undefined
        const late = { ...from, state: 'uncertain' } as const
        if (!isConfirmed || !(await advanceOutbox(tx, emailId, late, change))) return
      }
      await emails.setDelivery(tx, userId, emailId, { status: to, error })
      if (to !== 'failed') await emails.move(tx, userId, emailId, 'sent')
      if (to === 'sent') await deps.requestSentCopy(tx, emailId)
      await context.complete(tx).catch(() => undefined)
    })

  /** Schedules a retry, or fails the message after GIVE_UP_AFTER_MS. */
  const postpone = async (
    message: Message,
    from: Sending,
    response: string,
    context: JobContext,
  ): Promise<void> => {
    const { userId, emailId } = message
    const row = await findOutbox(db, emailId)
    if (!row || (row.state !== 'queued' && row.state !== 'sending')) return
    if (clock.now().getTime() - Date.parse(row.sendAt) > GIVE_UP_AFTER_MS)
      return saveOutcome(message, from, 'failed', response, context)
    await inTransaction(db, async (tx) => {
      const change = {
        state: 'queued',
        attempt: null,
        error: response,
        attempts: row.attempts + 1,
        updatedAt: now(),
      } as const
      if (await advanceOutbox(tx, emailId, from, change))
        await emails.setDelivery(tx, userId, emailId, { status: 'queued', error: response })
    })
    throw new AppError('upstream', 'upstream_failed', response)
  }

  const submit = async (
    account: AccountRecord,
    emailId: number,
    attempt: string,
    context: JobContext,
  ): Promise<SubmissionResult | undefined> => {
    const prepared = await deps.outbox.prepare(account.userId, emailId)
    if (!prepared) return undefined
    const { raw, envelope } = prepared
    try {
      const beforeData = async (): Promise<void> => {
        const change = { state: 'sending', attempt, updatedAt: now() } as const
        const isClaimed = await inTransaction(db, (tx) =>
          advanceOutbox(tx, emailId, { state: 'queued' }, change),
        )
        if (!isClaimed) throw new Error('Sending was cancelled.')
      }
      const target = await deps.logins.smtp(account)
      const result = await deps.transport.submit(target, { ...envelope, raw, beforeData }, context.signal)
      await saveServerLimits(db, account, result)
      return result
    } catch (error) {
      const language = await deps.languageOf(account.userId)
      const { problem, remedy } = explainError(error, serverOf(account.smtp), language)
      return { result: 'postponed', response: `${problem} ${remedy}` }
    }
  }

  const attemptDelivery = async (message: Message, accountId: string, context: JobContext): Promise<void> => {
    const { userId, emailId } = message
    const account = await findAccountOf(db, userId, accountId)
    if (!account) return
    const attempt = randomId(random)
    const outcome = await submit(account, emailId, attempt, context)
    if (!outcome) return
    const language = await deps.languageOf(userId)
    const hasStarted = (await findOutbox(db, emailId))?.state === 'sending'
    const sending = { state: 'sending', attempt } as const
    const from = hasStarted ? sending : ({ state: 'queued' } as const)
    switch (outcome.result) {
      case 'sent':
        return saveOutcome(message, sending, 'sent', formatRefusals(outcome.refused, language), context)
      case 'refused':
        return saveOutcome(message, from, 'failed', explainRefusal(outcome.response, language), context)
      case 'uncertain':
        return saveOutcome(message, sending, 'uncertain', UNCERTAIN, context)
      case 'postponed':
        return postpone(message, from, outcome.response, context)
    }
  }

  const deliver = async (emailId: number, context: JobContext): Promise<void> => {
    const userId = await emails.ownerOf(db, emailId)
    if (userId === undefined) return
    const message = { userId, emailId }
    const row = await findOutbox(db, emailId)
    if (!row) {
      // The account was removed, and its outbox rows with it.
      await inTransaction(db, (tx) =>
        emails.setDelivery(tx, userId, emailId, {
          status: 'failed',
          error: 'The mail account was removed before the email was sent.',
        }),
      )
      return
    }
    if (row.state === 'sending')
      return saveOutcome(message, { state: 'sending' }, 'uncertain', UNCERTAIN, context)
    if (row.state === 'queued') await attemptDelivery(message, row.accountId, context)
  }

  return {
    deliver,

    /** Sends the waiting messages of an account now, because its settings changed. A failure waits as before. */
    async deliverWaiting(accountId: string, context: JobContext): Promise<void> {
      for (const { emailId } of await listOverdue(db, accountId, now())) {
        context.signal.throwIfAborted()
        const userId = await emails.ownerOf(db, emailId)
        if (userId === undefined) continue
        // The job of the message itself remains, and finds that it was sent.
        const ownContext = { ...context, complete: async () => {} }
        await attemptDelivery({ userId, emailId }, accountId, ownContext).catch((error: unknown) => {
          if (!isTemporary(error)) throw error
        })
      }
    },
  }
}

const formatRefusals = (
  refused: readonly { address: string; response: string | null }[],
  language: Language,
): string | null => {
  if (refused.length === 0) return null
  const recipients = refused.map(({ address, response }) => (response ? `${address} (${response})` : address))
  return mailServerTexts(language).notDelivered(recipients.join(', '))
}

const FIRST_WAIT_SECONDS = 30
/**
 * Covers more than three days of hourly retries, so that GIVE_UP_AFTER_MS ends the attempts and records a
 * reason.
 */
const RETRIES = 200
/** Short, so that a message of a killed process is soon marked as uncertain. */
const LEASE_SECONDS = 15

export const defineSendJobs = (
  jobs: Jobs,
  { deliver, deliverWaiting }: ReturnType<typeof createDelivery>,
): void => {
  jobs.define({
    name: SEND_WAITING_JOB,
    payload: Type.Object({ accountId: Type.String() }),
    run: ({ accountId }, context) => deliverWaiting(accountId, context),
  })
  jobs.define({
    name: SEND_JOB,
    payload: Type.Object({ emailId: Type.Integer() }),
    retries: RETRIES,
    backoffSeconds: FIRST_WAIT_SECONDS,
    leaseSeconds: LEASE_SECONDS,
    run: ({ emailId }, context) => deliver(emailId, context),
  })
}
