import type { Db } from '../../../database/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Random, randomId } from '../../../platform/random.ts'
import type { MailSignature } from '../../../platform/secrets/mail-signature.ts'
import type { Letters } from '../../auth/letters.ts'
import type { Logins } from '../sign-in/login.ts'
import { findOwnerAccount } from '../store.ts'
import type { Transport } from '../transport.ts'
import { compose } from './compose.ts'
import type { SystemSender } from './system-sender.ts'

/** Sends mail of the service itself through `SMTP_URL`, or else through the owner's first mail account. */
export const createLetters = (deps: {
  db: Db
  clock: Clock
  random: Random
  logins: Logins
  transport: Transport
  signature: MailSignature
  systemSender: SystemSender | null
}): Letters => {
  const { db, clock, random, signature } = deps

  const findSender = async (): Promise<SystemSender | undefined> => {
    if (deps.systemSender) return deps.systemSender
    const account = await findOwnerAccount(db)
    if (!account) return undefined
    const { server, login } = await deps.logins.smtp(account)
    return { server, login, from: { name: account.senderName || 'Factotum', address: account.address } }
  }

  const composed = (
    { from }: SystemSender,
    { id, to, subject, text }: Parameters<Letters['send']>[0],
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

    async send(letter, signal) {
      const sender = await findSender()
      if (!sender) throw new Error('There is no mail account to send with.')
      const submission = {
        from: sender.from.address,
        to: [letter.to.address],
        raw: await composed(sender, letter),
        beforeData: async () => {},
      }
      const outcome = await deps.transport.submit(sender, submission, signal)
      // A second mail after one that may have arrived would only confuse.
      if (outcome.result === 'sent' || outcome.result === 'uncertain') return
      throw new AppError('upstream', 'upstream_failed', `The mail server did not take it: ${outcome.said}`)
    },
  }
}
