import type { Db } from '../../database/db.ts'
import { transactionOr } from '../../database/transaction.ts'
import type { LanguageOf } from '../../platform/language.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { Calendar } from '../calendar/calendar.ts'
import type { ReservationEvents } from '../calendar/reservation-events.ts'
import type { Analyses } from '../mail/messages/analyses.ts'
import type { StructuredAnswers } from '../models/consultation.ts'
import type { MailTasks } from '../tasks/mail-tasks.ts'
import type { ReservationTasks } from '../tasks/reservation-tasks.ts'
import { createEmailIntelligence, createModelAnalysis } from './analysis-service.ts'
import { defineArrivalAnalysis } from './arrivals.ts'
import { reservationsPart } from './data-part.ts'
import { type AnalyzeMail, createEngineAnalysis, type EngineAnalysis } from './engine-analysis.ts'
import { createReplyDrafter } from './reply-drafts.ts'
import { type ReservationMails, ReservationReader } from './reservation-mails.ts'
import { createReservationReader } from './reservation-reader.ts'
import { createReservationStore, type ReservationSearch } from './reservation-store.ts'
import { createReservationFiling } from './reservations.ts'
import { intelligenceRoutes, replyRoutes, reservationRoutes, responseRoutes } from './routes.ts'

/** Creates mail analysis, with a model if one is configured, otherwise with the built-in engine. */
export const createMailAnalysisFeature = (
  platform: Platform,
  needs: {
    analyses: Analyses
    mailTasks: MailTasks
    zoneOf: (userId: number) => Promise<string>
    languageOf: LanguageOf
    structuredAnswers: StructuredAnswers
    analyzeMail: AnalyzeMail
    reservationEvents: ReservationEvents
    reservationTasks: ReservationTasks
    reservationMails: ReservationMails
  },
) => {
  const { analyses } = needs
  const base = { ...platform, ...needs }
  const engineAnalysis = createEngineAnalysis({
    ...base,
    readReservations: createReservationReader(platform.workers),
  })
  const reservations = createReservationFiling({
    ...base,
    engineAnalysis,
    events: needs.reservationEvents,
    tasks: needs.reservationTasks,
  })
  const reservationStore = createReservationStore(base)
  const reservationReader = new ReservationReader({
    ...base,
    mails: needs.reservationMails,
    engineAnalysis,
    store: reservationStore,
  })
  const modelAnalysis = createModelAnalysis({ ...base, engineAnalysis })
  const intelligence = createEmailIntelligence({
    ...base,
    engineAnalysis,
    modelAnalysis,
    reservations,
    reservationStore,
  })
  defineArrivalAnalysis(platform, { ...needs, engineAnalysis, reservationStore })
  const routes: FeatureRoutes[] = [
    { prefix: '/api', plugin: intelligenceRoutes(intelligence) },
    { prefix: '/api', plugin: reservationRoutes(reservations) },
  ]
  return {
    engineAnalysis,
    reservations,
    /** Lists stored reservations, after reading mail that arrived since. */
    async listKnown(userId: number, search: ReservationSearch) {
      await reservationReader.settle(userId)
      return reservationStore.list(userId, search)
    },
    part: reservationsPart,
    /** Tells whether the mail imitates another sender. */
    async isPhishing(userId: number, emailId: number): Promise<boolean> {
      const { analysis } = await engineAnalysis.analyze(await analyses.read(userId, emailId))
      return analysis.insights.some(({ kind }) => kind === 'phishing')
    },
    routes,
  }
}

/** Creates reply drafts, with a model if one is configured, otherwise with the built-in engine. */
export const createRepliesFeature = (
  platform: Platform,
  needs: {
    engineAnalysis: EngineAnalysis
    calendar: Calendar
    structuredAnswers: StructuredAnswers
    /** The mail accounts of a user. */
    senders: (view: Db, userId: number) => Promise<{ id: string; senderName: string }[]>
    ownerName: () => Promise<string>
  },
) => {
  const signer = async (userId: number, accountId: string | null): Promise<string> => {
    const senders = await needs.senders(transactionOr(platform.db), userId)
    return senders.find(({ id }) => id === accountId)?.senderName || needs.ownerName()
  }
  const replyDrafter = createReplyDrafter({ ...platform, ...needs, signer })
  const routes: FeatureRoutes[] = [
    { prefix: '/api', plugin: replyRoutes(replyDrafter) },
    { prefix: '/api/workflow', plugin: responseRoutes(replyDrafter) },
  ]
  return { replyDrafter, routes }
}
