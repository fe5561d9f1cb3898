import { readingIn } from '../../../database/transaction.ts'
import type { FeatureRoutes, Platform } from '../../../platform/platform.ts'
import type { Calendar } from '../../calendar/calendar.ts'
import type { AnswerPost } from '../../calendar/invitations/mail.ts'
import type { StructuredAnswers } from '../../models/consultation.ts'
import type { EngineAnalysis } from '../analysis-service.ts'
import { createReplyDrafter } from './reply-drafts.ts'
import { replyRoutes, responseRoutes } from './routes.ts'

/** Creates reply drafts, with a model if one is configured, otherwise with the built-in engine. */
export const createRepliesFeature = (
  { db, clock }: Platform,
  needs: {
    engineAnalysis: EngineAnalysis
    calendar: Calendar
    structuredAnswers: StructuredAnswers
    senders: AnswerPost['accounts']
    ownerName: () => Promise<string>
  },
) => {
  const { engineAnalysis, calendar, structuredAnswers, senders, ownerName } = needs
  const signer = async (accountId: string | null): Promise<string> => {
    const account = (await senders(readingIn(db))).find(({ id }) => id === accountId)
    return account?.senderName || ownerName()
  }
  const replyDrafter = createReplyDrafter({ clock, engineAnalysis, calendar, signer, structuredAnswers })
  const routes: FeatureRoutes[] = [
    { prefix: '/api', plugin: replyRoutes(replyDrafter) },
    { prefix: '/api/workflow', plugin: responseRoutes(replyDrafter) },
  ]
  return { replyDrafter, routes }
}
