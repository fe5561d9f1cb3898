import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Analyses } from '../../emails/analyses.ts'
import type { MailTasks } from '../../tasks/mail-tasks.ts'
import type { Asker } from '../consulting.ts'
import type { MailOpinions } from './opinions.ts'
import type { MailReading } from './reading.ts'
import type { MailGiven } from './schema.ts'

export type EmailIntelligence = ReturnType<typeof createEmailIntelligence>

/** What a mail is about, how urgent it is, and what it wants of its reader. */
export const createEmailIntelligence = (deps: {
  db: Db
  clock: Clock
  reading: MailReading
  opinions: MailOpinions
  analyses: Analyses
  mailTasks: MailTasks
}) => {
  const { db, clock, reading, opinions, analyses, mailTasks } = deps

  /** Asks a model where there is one, which takes its time: outside of any transaction. */
  const read = async (id: number, asker: Asker) => {
    const mail = await analyses.read(id)
    return { mail, found: await opinions.of(mail, asker) }
  }

  return {
    examine: async (given: MailGiven, asker: Asker) => opinions.of(await reading.find(given), asker),

    read,

    /** Keeps what was found with the e-mail; with `apply`, what it asks of the reader becomes tasks. */
    keep(
      { mail, found }: Awaited<ReturnType<typeof read>>,
      { apply = false }: { apply?: boolean | undefined },
    ) {
      const kept = { ...found, analyzedAt: clock.now().toISOString() }
      return inTransaction(db, async (tx) => {
        await analyses.keep(mail.id, kept)
        const wanted = apply ? found.actionItems.filter(({ owner }) => owner === 'me') : []
        const filed = await mailTasks.file(tx, mail, wanted)
        return { ...kept, ...filed }
      })
    },
  }
}
