import type { Db } from '../../../database/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Random, randomId } from '../../../platform/random.ts'
import { digest } from '../../../platform/secrets/seal.ts'
import type { MailSignature } from '../../../platform/secrets/signatures.ts'
import type { AuthMail } from '../../auth/auth-mail.ts'
import type { AnswerPost } from '../../calendar/invitations/mail.ts'
import type { PersonalPost } from '../../notifications/mail-delivery.ts'
import { serverOf } from '../accounts/accounts.ts'
import type { SubmissionTarget, Transport } from '../accounts/ports.ts'
import { findOwnerAccount, findSenderOf, listAddresses } from '../accounts/repository.ts'
import type { Logins } from '../accounts/sign-in/sign-in.ts'
import { explainFailure } from '../accounts/words.ts'
import { type Correspondent, compose } from './compose.ts'
import type { Outbox } from './outbox.ts'

/** Server and sender for system mail, set by the operator (`SMTP_URL`, `MAIL_FROM`). */
export interface SystemSender extends SubmissionTarget {
  from: Correspondent
}

/** Sends system mail through `SMTP_URL`, or through the owner's oldest mail account. */
export const createSystemMailer = (deps: {
  db: Db
  clock: Clock
  random: Random
  logins: Logins
  transport: Transport
  signature: MailSignature
  systemSender: SystemSender | null
}): AuthMail => {
  const { db, clock, random, signature } = deps

  const findSender = async (): Promise<SystemSender | undefined> => {
    if (deps.systemSender) return deps.systemSender
    const account = await findOwnerAccount(db)
    if (!account) return undefined
    const { server, login } = await deps.logins.smtp(account)
    return { server, login, from: { name: account.senderName || 'Factotum', address: account.address } }
  }

  const composeMessage = (
    { from }: SystemSender,
    { id, to, subject, text }: Parameters<AuthMail['send']>[0],
  ): Promise<Buffer> =>
    compose({
      messageId: `${randomId(random)}@${from.address.split('@').at(-1)}`,
      date: clock.now(),
      from,
      to: [to],
      cc: [],
      replyTo: [],
      subject,
      text,
      html: null,
      inReplyTo: null,
      references: [],
      attachments: [],
      isAutomatic: true,
      signature: signature.sign({ kind: 'reset', id }),
    })

  return {
    isReady: async () => deps.systemSender !== null || (await findOwnerAccount(db)) !== undefined,

    async send(message, signal) {
      const sender = await findSender()
      if (!sender) throw new Error('There is no mail account to send with. Add one in the settings.')
      const submission = {
        from: sender.from.address,
        to: [message.to.address],
        raw: await composeMessage(sender, message),
        beforeData: async () => {},
      }
      const outcome = await deps.transport.submit(sender, submission, signal)
      // The first mail may have arrived. A second one would only confuse the recipient.
      if (outcome.result === 'sent' || outcome.result === 'uncertain') return
      throw new AppError(
        'upstream',
        'upstream_failed',
        `The mail server rejected the message: ${outcome.said}`,
      )
    },
  }
}

/**
 * Sends notifications through `SMTP_URL`, or through the user's own account. Marks them as automatic mail.
 */
export const createNotificationMailer = (deps: {
  db: Db
  clock: Clock
  logins: Logins
  transport: Transport
  signature: MailSignature
  systemSender: SystemSender | null
}): PersonalPost => {
  const { systemSender, signature } = deps

  const findSender = async (userId: number) => {
    if (systemSender) return { ...systemSender, openTarget: async () => systemSender }
    const account = await findSenderOf(deps.db, userId)
    return (
      account && {
        from: { name: 'Factotum', address: account.address },
        server: serverOf(account.smtp),
        openTarget: () => deps.logins.smtp(account),
      }
    )
  }

  return {
    senderOf: async (db, userId) => systemSender?.from.address ?? (await findSenderOf(db, userId))?.address,

    async send(userId, { messageId, to, subject, text }, beforeData, signal) {
      const sender = await findSender(userId)
      if (!sender) return { result: 'no_account' }
      const raw = await compose({
        messageId,
        date: deps.clock.now(),
        from: sender.from,
        to: [to],
        cc: [],
        replyTo: [],
        subject,
        text,
        html: null,
        inReplyTo: null,
        references: [],
        attachments: [],
        isAutomatic: true,
        signature: signature.sign({ kind: 'notice', id: digest(messageId) }),
      })
      const submission = { from: sender.from.address, to: [to.address], raw, beforeData }
      try {
        const outcome = await deps.transport.submit(await sender.openTarget(), submission, signal)
        if (outcome.result !== 'sent') return { result: outcome.result, said: outcome.said }
        const [refused] = outcome.refused
        return refused
          ? { result: 'refused', said: refused.said ?? 'The server refused the recipient.' }
          : { result: 'sent' }
      } catch (error) {
        const failure = error instanceof AppError ? error.details.failure : undefined
        if (!failure) throw error
        const { problem, remedy } = explainFailure(failure, sender.server)
        return { result: 'postponed', said: `${problem} ${remedy}` }
      }
    },
  }
}

/** Sends the calendar's replies to invitations through the outbox. */
export const createInvitationReplyMailer = ({ outbox }: { outbox: Pick<Outbox, 'send'> }): AnswerPost => ({
  accounts: listAddresses,

  async send({ to, calendar, ...input }) {
    const { id } = await outbox.send({ ...input, to: [to] }, calendar)
    return { emailId: id }
  },
})
