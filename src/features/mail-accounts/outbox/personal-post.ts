import type { Db } from '../../../database/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { digest } from '../../../platform/secrets/digest.ts'
import type { MailSignature } from '../../../platform/secrets/mail-signature.ts'
import type { PersonalPost } from '../../notifications/post.ts'
import { serverOf } from '../credentials.ts'
import type { Logins } from '../sign-in/login.ts'
import { findSenderOf } from '../store.ts'
import type { Transport } from '../transport.ts'
import { explainFailure } from '../words.ts'
import { compose } from './compose.ts'
import type { SystemSender } from './system-sender.ts'

/** Sends notifications through `SMTP_URL`, or else through the person's own account. The person did not write them. */
export const createPersonalPost = (deps: {
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
        ...{ messageId, date: deps.clock.now(), from: sender.from },
        ...{ to: [to], cc: [], replyTo: [], subject, text, html: null, inReplyTo: null, references: [] },
        ...{ attachments: [], isAutomatic: true },
        signature: signature.sign({ kind: 'notice', id: digest(messageId) }),
      })
      const submission = { from: sender.from.address, to: [to.address], raw, beforeData }
      try {
        const outcome = await deps.transport.submit(await sender.openTarget(), submission, signal)
        if (outcome.result !== 'sent') return { result: outcome.result, said: outcome.said }
        const [refused] = outcome.refused
        return refused
          ? { result: 'refused', said: refused.said ?? 'The recipient was refused.' }
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
