import type { Door, Platform } from '../../../platform/platform.ts'
import type { Analyses } from '../../emails/analyses.ts'
import type { MailTasks } from '../../tasks/mail-tasks.ts'
import type { Consulting } from '../consulting.ts'
import { readArrivals } from './arrivals.ts'
import { createEmailIntelligence } from './intelligence.ts'
import { createMailAnalyzer } from './mail-analyzer.ts'
import { createMailOpinions } from './opinions.ts'
import { createMailReading } from './reading.ts'
import { intelligenceRoutes } from './routes.ts'

/** Mails, read: by a model where there is one, by the engine that is built in where not. */
export const createIntelligenceRoom = (
  platform: Platform,
  needs: {
    analyses: Analyses
    mailTasks: MailTasks
    timezone: () => Promise<string>
    consulting: Consulting
  },
) => {
  const { db, clock, workers } = platform
  const { analyses, mailTasks, timezone, consulting } = needs
  const analyzeMail = createMailAnalyzer(workers)
  const reading = createMailReading({ analyses, analyzeMail, clock, timezone })
  const opinions = createMailOpinions({ reading, consulting })
  const intelligence = createEmailIntelligence({ db, clock, reading, opinions, analyses, mailTasks })
  readArrivals(platform, { analyses, reading, consulting })
  const doors: Door[] = [{ prefix: '/api', routes: intelligenceRoutes(intelligence) }]
  return {
    reading,
    analyzeMail,
    /** Whether a mail only pretends to come from where it says. */
    async isPhishing(emailId: number): Promise<boolean> {
      const { analysis } = await reading.analyze(await analyses.read(emailId))
      return analysis.insights.some(({ kind }) => kind === 'phishing')
    },
    doors,
  }
}
