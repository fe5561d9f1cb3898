import Type from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Analyses } from '../mail/messages/analyses.ts'
import type { StructuredAnswers } from '../models/consultation.ts'
import type { EngineAnalysis } from './engine-analysis.ts'
import { takeQueued } from './repository.ts'
import { isPermanent } from './reservation-mails.ts'
import type { ReservationStore } from './reservation-store.ts'

const READ = 'emails.read'
const DAY_MS = 86_400_000

/**
 * Analyses new mail, so that urgent mail is known without a request.
 * Uses only the built-in engine: it costs nothing and sends nothing to other servers.
 * Old mail of a new account is analysed only on request.
 */
export const defineArrivalAnalysis = (
  { db, clock, changes, jobs }: Pick<Platform, 'db' | 'clock' | 'changes' | 'jobs'>,
  needs: {
    analyses: Analyses
    engineAnalysis: EngineAnalysis
    reservationStore: Pick<ReservationStore, 'keep'>
    structuredAnswers: Pick<StructuredAnswers, 'describeBuiltin'>
  },
): void => {
  const { analyses, engineAnalysis, reservationStore, structuredAnswers } = needs

  changes.accompany(async (tx, recorded) => {
    const since = clock.now().getTime() - DAY_MS
    for (const { type, subject, data } of recorded)
      if (type === 'email.received' && data.accountId !== null && Date.parse(data.date) > since)
        await jobs.enqueue(tx, READ, { emailId: Number(subject) }, { key: subject })
  })

  jobs.define({
    name: READ,
    payload: Type.Object({ emailId: Type.Integer() }),
    async run({ emailId }, { complete }) {
      try {
        const userId = await analyses.ownerOf(emailId)
        if (userId === undefined) return
        const mail = await analyses.read(userId, emailId)
        const { view } = await engineAnalysis.analyze(mail)
        const analysis = {
          ...view(),
          ...(await structuredAnswers.describeBuiltin(userId)),
          analyzedAt: clock.now().toISOString(),
        }
        await inTransaction(db, async (tx) => {
          await analyses.keepFirst(userId, emailId, analysis)
          await takeQueued(tx, { userId, emailId })
          await reservationStore.keep(userId, mail, analysis.reservations)
          await complete(tx)
        })
      } catch (error) {
        if (!isPermanent(error)) throw error
      }
    },
  })
}
