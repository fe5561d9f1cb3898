import type { Db } from '../../../database/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Random, randomId } from '../../../platform/random.ts'
import type { Letters } from '../../auth/letters.ts'
import type { Logins } from '../sign-in/login.ts'
import { type AccountRecord, findFirstAccount } from '../store.ts'
import type { Transport } from '../transport.ts'
import { compose } from './compose.ts'

/** The service's own letters go out by the first account there is, straight to its server. */
export const createLetters = (deps: {
  db: Db
  clock: Clock
  random: Random
  logins: Logins
  transport: Transport
}): Letters => {
  const { db, clock, random } = deps

  const composed = (account: AccountRecord, { to, subject, text }: Parameters<Letters['send']>[0]) =>
    compose({
      messageId: `${randomId(random)}@${account.address.split('@').at(-1)}`,
      date: clock.now(),
      from: { name: account.senderName || 'Factotum', address: account.address },
      to: [to],
      cc: [],
      replyTo: [],
      subject,
      text,
      html: null,
      inReplyTo: null,
      references: [],
      attachments: [],
    })

  return {
    isReady: async () => (await findFirstAccount(db)) !== undefined,

    async send(letter, signal) {
      const account = await findFirstAccount(db)
      if (!account) throw new Error('There is no mail account to send with.')
      const raw = await composed(account, letter)
      const envelope = { from: account.address, to: [letter.to.address], raw, beforeData: async () => {} }
      const outcome = await deps.transport.submit(await deps.logins.smtp(account), envelope, signal)
      // Of what may have arrived no second one is sent: it would only confuse.
      if (outcome.result === 'sent' || outcome.result === 'uncertain') return
      throw new AppError('upstream', 'upstream_failed', `The mail server did not take it: ${outcome.said}`)
    },
  }
}
