import Type from 'typebox'
import { inTransaction } from '../../../database/transaction.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Analyses } from '../../emails/analyses.ts'
import type { Consulting } from '../consulting.ts'
import type { MailReading } from './reading.ts'

const READ = 'emails.read'
const DAY_MS = 86_400_000

/** Deleted before its turn came, or beyond what can be read: another attempt would end in the same way. */
const isInVain = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === 'not_found' || error.code === 'unreadable_message')

/**
 * Reads mail as it arrives in a mailbox, so that what is urgent is known without anybody asking. By the engine that is
 * built in alone: it costs nothing, and nothing leaves the machine. Mail of long ago that a new account brings along
 * is left until someone asks.
 */
export const readArrivals = (
  { db, clock, changes, jobs }: Pick<Platform, 'db' | 'clock' | 'changes' | 'jobs'>,
  needs: { analyses: Analyses; reading: MailReading; consulting: Pick<Consulting, 'unasked'> },
): void => {
  const { analyses, reading, consulting } = needs

  changes.accompany(async (tx, recorded) => {
    const since = clock.now().getTime() - DAY_MS
    for (const { type, subject, data } of recorded)
      if (type === 'email.received' && data.accountId !== null && Date.parse(String(data.date)) > since)
        await jobs.enqueue(tx, READ, { emailId: Number(subject) }, { key: subject })
  })

  jobs.define({
    name: READ,
    payload: Type.Object({ emailId: Type.Integer() }),
    async run({ emailId }, { complete }) {
      try {
        const mail = await analyses.read(emailId)
        const { view } = await reading.analyze(mail)
        const analysis = {
          ...view(),
          ...(await consulting.unasked()),
          analyzedAt: clock.now().toISOString(),
        }
        await inTransaction(db, async (tx) => {
          await analyses.keepFirst(emailId, analysis)
          await complete(tx)
        })
      } catch (error) {
        if (!isInVain(error)) throw error
      }
    },
  })
}
