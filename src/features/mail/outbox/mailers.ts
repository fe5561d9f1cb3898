import type { Db } from '../../../database/db.ts'
import { AppError } from '../../../platform/errors.ts'
import type { LanguageOf } from '../../../platform/language.ts'
import type { Platform } from '../../../platform/platform.ts'
import { randomId } from '../../../platform/random.ts'
import { digest } from '../../../platform/secrets/seal.ts'
import type { MailSignature } from '../../../platform/secrets/signatures.ts'
import type { InstanceMail } from '../../accounts/administration/administration.ts'
import type { AuthMail } from '../../auth/auth-mail.ts'
import type { SchedulingMail } from '../../calendar/invitations/mail.ts'
import type { PersonalPost } from '../../notifications/ports.ts'
import { serverOf } from '../accounts/accounts.ts'
import type { SubmissionTarget, Transport } from '../accounts/ports.ts'
import { findAccountOf, findSenderOf, findSystemAccount, listAddresses } from '../accounts/repository.ts'
import type { Logins } from '../accounts/sign-in/sign-in.ts'
import { explainError, mailServerTexts } from '../accounts/words.ts'
import type { Address } from '../mime/addresses.ts'
import { type Composition, compose } from './compose.ts'
import type { Outbox } from './outbox.ts'

/** Server and sender for system mail, set by the operator (`SMTP_URL`, `MAIL_FROM`). */
export interface SystemSender extends SubmissionTarget {
  from: Address
}

type AutomaticMessage = Pick<
  Composition,
  'messageId' | 'date' | 'from' | 'subject' | 'text' | 'signature'
> & {
  to: Address
}

/** Composes a plain text of the service itself. */
const composeAutomatic = ({ to, ...message }: AutomaticMessage): Promise<Buffer> =>
  compose({
    ...message,
    to: [to],
    cc: [],
    replyTo: [],
    html: null,
    inReplyTo: null,
    references: [],
    attachments: [],
    isAutomatic: true,
  })

interface MailerDeps extends Pick<Platform, 'db' | 'clock'> {
  logins: Logins
  transport: Transport
  signature: MailSignature
  systemSender: SystemSender | null
}

/** Sends system mail through `SMTP_URL`, or through a mail account of the owner. */
export const createSystemMailer = (deps: MailerDeps & Pick<Platform, 'random'>) => {
  const { db, clock, random, signature } = deps

  const findSender = async (): Promise<SystemSender | undefined> => {
    if (deps.systemSender) return deps.systemSender
    const account = await findSystemAccount(db)
    if (!account) return undefined
    const { server, login } = await deps.logins.smtp(account)
    return { server, login, from: { name: account.senderName || 'Factotum', address: account.address } }
  }

  const readAddress = async (view: Db = db): Promise<string | null> =>
    deps.systemSender?.from.address ?? (await findSystemAccount(view))?.address ?? null

  const systemMailer: AuthMail = {
    isReady: async () => (await readAddress()) !== null,

    async send({ kind, id, ...message }, signal) {
      const sender = await findSender()
      if (!sender) throw new Error('There is no mail account to send with. Add one in the settings.')
      const { from } = sender
      const raw = await composeAutomatic({
        ...message,
        messageId: `${randomId(random)}@${from.address.split('@').at(-1)}`,
        date: clock.now(),
        from,
        signature: signature.sign({ kind, id }),
      })
      const submission = { from: from.address, to: [message.to.address], raw, beforeData: async () => {} }
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
export const createNotificationMailer = (deps: MailerDeps & { languageOf: LanguageOf }): PersonalPost => {
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
      const raw = await composeAutomatic({
        messageId,
        date: deps.clock.now(),
        from: sender.from,
        to,
        subject,
        text,
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
        const language = await deps.languageOf(userId)
        const { problem, remedy } = explainError(error, sender.server, language)
        return { result: 'postponed', response: `${problem} ${remedy}` }
      }
    },
  }
}

/** Sends the calendar's invitations and replies through the outbox. */
export const createInvitationReplyMailer = ({ outbox }: { outbox: Pick<Outbox, 'send'> }) => ({
  accounts: listAddresses,

  async send({ userId, to, calendar, ...input }: SchedulingMail): Promise<{ emailId: number }> {
    const { id } = await outbox.send(userId, { ...input, to: [...to] }, calendar)
    return { emailId: id }
  },
})
