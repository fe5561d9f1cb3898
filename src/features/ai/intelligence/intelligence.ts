import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Analyses } from '../../emails/analyses.ts'
import type { MailTasks } from '../../tasks/mail-tasks.ts'
import { type ActiveModel, builtIn } from '../made-by.ts'
import type { MailReading } from './reading.ts'
import type { MailGiven } from './schema.ts'

export type EmailIntelligence = ReturnType<typeof createEmailIntelligence>

/** What a mail is about, how urgent it is, and what it wants of its reader. */
export const createEmailIntelligence = (deps: {
  db: Db
  clock: Clock
  reading: MailReading
  analyses: Analyses
  mailTasks: MailTasks
  model: ActiveModel
}) => {
  const { db, clock, reading, analyses, mailTasks, model } = deps
  return {
    async examine(given: MailGiven) {
      const { view } = await reading.analyze(await reading.find(given))
      return { ...view, ...(await builtIn(model)) }
    },

    /** Keeps what was found with the e-mail; with `apply`, what it asks of the reader becomes tasks. */
    async analyze(id: number, { apply = false }: { apply?: boolean | undefined }) {
      const mail = await analyses.read(id)
      const { view } = await reading.analyze(mail)
      const kept = { ...view, ...(await builtIn(model)), analyzedAt: clock.now().toISOString() }
      return inTransaction(db, async (tx) => {
        await analyses.keep(id, kept)
        const wanted = apply ? view.actionItems.filter(({ owner }) => owner === 'me') : []
        const filed = await mailTasks.file(tx, { id, subject: mail.subject }, wanted)
        return { ...kept, ...filed }
      })
    },
  }
}
