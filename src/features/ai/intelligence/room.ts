import { readingIn } from '../../../database/transaction.ts'
import type { Door, Platform } from '../../../platform/platform.ts'
import type { AnswerPost } from '../../calendar/by-mail/mail.ts'
import type { Calendar } from '../../calendar/calendar.ts'
import type { Analyses } from '../../emails/analyses.ts'
import type { MailTasks } from '../../tasks/mail-tasks.ts'
import type { ActiveModel } from '../made-by.ts'
import { createDrafting } from '../replies/drafting.ts'
import { replyRoutes } from '../replies/routes.ts'
import { createEmailIntelligence } from './intelligence.ts'
import { createMailReading } from './reading.ts'
import { intelligenceRoutes } from './routes.ts'

/** Mails, read and answered by the engine that is built in. */
export const createIntelligenceRoom = (
  { db, clock }: Platform,
  needs: {
    analyses: Analyses
    mailTasks: MailTasks
    calendar: Calendar
    timezone: () => Promise<string>
    /** The accounts that mail goes out from. */
    senders: AnswerPost['accounts']
    ownerName: () => Promise<string>
    model: ActiveModel
  },
) => {
  const { analyses, mailTasks, calendar, timezone, senders, ownerName, model } = needs
  const signer = async (accountId: string | null): Promise<string> => {
    const account = (await senders(readingIn(db))).find(({ id }) => id === accountId)
    return account?.senderName || ownerName()
  }
  const reading = createMailReading({ analyses, clock, timezone })
  const intelligence = createEmailIntelligence({ db, clock, reading, analyses, mailTasks, model })
  const drafting = createDrafting({ clock, reading, calendar, signer, model })
  const doors: Door[] = [
    { prefix: '/api', routes: intelligenceRoutes(intelligence) },
    { prefix: '/api', routes: replyRoutes(drafting) },
  ]
  return { drafting, doors }
}
