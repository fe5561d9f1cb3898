import type { Db } from '../../../database/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { LanguageOf } from '../../../platform/language.ts'
import { type Random, randomId } from '../../../platform/random.ts'
import { digest } from '../../../platform/secrets/seal.ts'
import type { MailSignature } from '../../../platform/secrets/signatures.ts'
import type { InstanceMail } from '../../accounts/administration/administration.ts'
import type { AuthMail } from '../../auth/auth-mail.ts'
import type { MailedAnswer } from '../../calendar/invitations/mail.ts'
import type { PersonalPost } from '../../notifications/ports.ts'
import { serverOf } from '../accounts/accounts.ts'
import type { SubmissionTarget, Transport } from '../accounts/ports.ts'
import { findAccountOf, findSenderOf, findSystemAccount, listAddresses } from '../accounts/repository.ts'
import type { Logins } from '../accounts/sign-in/sign-in.ts'
import { explainFailure, mailServerTexts } from '../accounts/words.ts'
import { type Correspondent, compose } from './compose.ts'
import type { Outbox } from './outbox.ts'

/** Server and sender for system mail, set by the operator (`SMTP_URL`, `MAIL_FROM`). */
export interface SystemSender extends SubmissionTarget {
  from: Correspondent
}

/** Sends system mail through `SMTP_URL`, or through a mail account of the owner. */
export const createSystemMailer = (deps: {
  db: Db
  clock: Clock
  random: Random
  logins: Logins
  transport: Transport
  signature: MailSignature
  systemSender: SystemSender | null
}) => {
  const { db, clock, random, signature } = deps

  const findSender = async (): Promise<SystemSender | undefined> => {
    if (deps.systemSender) return deps.systemSender
    const account = await findSystemAccount(db)
    if (!account) return undefined
    const { server, login } = await deps.logins.smtp(account)
    return { server, login, from: { name: account.senderName || 'Factotum', address: account.address } }
  }

  const composeMessage = (
    { from }: SystemSender,
    { kind, id, to, subject, text }: Parameters<AuthMail['send']>[0],
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
      signature: signature.sign({ kind, id }),
    })

  const readAddress = async (view: Db = db): Promise<string | null> =>
    deps.systemSender?.from.address ?? (await findSystemAccount(view))?.address ?? null

  const systemMailer: AuthMail = {
    isReady: async () => (await readAddress()) !== null,

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
        `The mail server rejected the message: ${outcome.response}`,
      )
    },
  }

  const instanceMail: InstanceMail = {
    isConfigured: deps.systemSender !== null,
    readAddress,
    hasAccount: async (view, userId, id) => (await findAccountOf(view, userId, id)) !== undefined,
  }

  return { systemMailer, instanceMail }
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
  languageOf: LanguageOf
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
        if (outcome.result !== 'sent') return { result: outcome.result, response: outcome.response }
        const [refused] = outcome.refused
        return refused
          ? {
              result: 'refused',
              response: refused.response ?? mailServerTexts(await deps.languageOf(userId)).recipientRefused,
            }
          : { result: 'sent' }
      } catch (error) {
        const failure = error instanceof AppError ? error.details.failure : undefined
        if (!failure) throw error
        const { problem, remedy } = explainFailure(failure, sender.server, await deps.languageOf(userId))
        return { result: 'postponed', response: `${problem} ${remedy}` }
      }
    },
  }
}

/** Sends the calendar's invitations and replies through the outbox. */
export const createInvitationReplyMailer = ({ outbox }: { outbox: Pick<Outbox, 'send'> }) => ({
  accounts: listAddresses,

  async send({ userId, to, calendar, ...input }: MailedAnswer): Promise<{ emailId: number }> {
    const { id } = await outbox.send(userId, { ...input, to: [...to] }, calendar)
    return { emailId: id }
  },
})
