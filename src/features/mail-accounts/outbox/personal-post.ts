import type { Db } from '../../../database/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { PersonalPost } from '../../notifications/post.ts'
import { serverOf } from '../credentials.ts'
import type { Logins } from '../sign-in/login.ts'
import { findSenderOf } from '../store.ts'
import type { Transport } from '../transport.ts'
import { explainFailure } from '../words.ts'
import { compose } from './compose.ts'

/** Notices go out by the person's own account, straight to its server: they are no mail that the person wrote. */
export const createPersonalPost = (deps: {
  db: Db
  clock: Clock
  logins: Logins
  transport: Transport
}): PersonalPost => ({
  senderOf: async (db, userId) => (await findSenderOf(db, userId))?.address,

  async send(userId, { messageId, to, subject, text }, beforeData, signal) {
    const account = await findSenderOf(deps.db, userId)
    if (!account) return { result: 'no_account' }
    const raw = await compose({
      ...{ messageId, date: deps.clock.now(), from: { name: 'Factotum', address: account.address } },
      ...{ to: [to], cc: [], replyTo: [], subject, text, html: null, inReplyTo: null, references: [] },
      ...{ attachments: [], isAutomatic: true },
    })
    const submission = { from: account.address, to: [to.address], raw, beforeData }
    try {
      const outcome = await deps.transport.submit(await deps.logins.smtp(account), submission, signal)
      if (outcome.result !== 'sent') return { result: outcome.result, said: outcome.said }
      const [refused] = outcome.refused
      return refused
        ? { result: 'refused', said: refused.said ?? 'The recipient was refused.' }
        : { result: 'sent' }
    } catch (error) {
      const failure = error instanceof AppError ? error.details.failure : undefined
      if (!failure) throw error
      const { problem, remedy } = explainFailure(failure, serverOf(account.smtp))
      return { result: 'postponed', said: `${problem} ${remedy}` }
    }
  },
})
