import { readingIn } from '../../../database/transaction.ts'
import type { Door, Platform } from '../../../platform/platform.ts'
import type { AnswerPost } from '../../calendar/by-mail/mail.ts'
import type { Calendar } from '../../calendar/calendar.ts'
import type { Analyses } from '../../emails/analyses.ts'
import type { MailTasks } from '../../tasks/mail-tasks.ts'
import type { Consulting } from '../consulting.ts'
import { createDrafting } from '../replies/drafting.ts'
import { replyRoutes, responseRoutes } from '../replies/routes.ts'
import { readArrivals } from './arrivals.ts'
import { createEmailIntelligence } from './intelligence.ts'
import { createMailOpinions } from './opinions.ts'
import { createMailReading } from './reading.ts'
import { intelligenceRoutes } from './routes.ts'

/** Mails, read and answered: by a model where there is one, by the engine that is built in where not. */
export const createIntelligenceRoom = (
  platform: Platform,
  needs: {
    analyses: Analyses
    mailTasks: MailTasks
    calendar: Calendar
    timezone: () => Promise<string>
    /** The accounts that mail goes out from. */
    senders: AnswerPost['accounts']
    ownerName: () => Promise<string>
    consulting: Consulting
  },
) => {
  const { db, clock } = platform
  const { analyses, mailTasks, calendar, timezone, senders, ownerName, consulting } = needs
  const signer = async (accountId: string | null): Promise<string> => {
    const account = (await senders(readingIn(db))).find(({ id }) => id === accountId)
    return account?.senderName || ownerName()
  }
  const reading = createMailReading({ analyses, clock, timezone })
  const opinions = createMailOpinions({ reading, consulting })
  const intelligence = createEmailIntelligence({ db, clock, reading, opinions, analyses, mailTasks })
  readArrivals(platform, { analyses, reading, consulting })
  const drafting = createDrafting({ clock, reading, calendar, signer, consulting })
  const doors: Door[] = [
    { prefix: '/api', routes: intelligenceRoutes(intelligence) },
    { prefix: '/api', routes: replyRoutes(drafting) },
    { prefix: '/api/workflow', routes: responseRoutes(drafting) },
  ]
  return {
    drafting,
    /** Whether a mail only pretends to come from where it says. */
    async isPhishing(emailId: number): Promise<boolean> {
      const { analysis } = await reading.analyze(await analyses.read(emailId))
      return analysis.insights.some(({ kind }) => kind === 'phishing')
    },
    doors,
  }
}
