import { readingIn } from '../../../database/transaction.ts'
import type { Door, Platform } from '../../../platform/platform.ts'
import type { AnswerPost } from '../../calendar/by-mail/mail.ts'
import type { Calendar } from '../../calendar/calendar.ts'
import type { Consulting } from '../consulting.ts'
import type { MailReading } from '../intelligence/reading.ts'
import { createDrafting } from './drafting.ts'
import { replyRoutes, responseRoutes } from './routes.ts'

/** Mails, answered: by a model where there is one, by the engine that is built in where not. */
export const createRepliesRoom = (
  { db, clock }: Platform,
  needs: {
    reading: MailReading
    calendar: Calendar
    consulting: Consulting
    /** The accounts that mail goes out from. */
    senders: AnswerPost['accounts']
    ownerName: () => Promise<string>
  },
) => {
  const { reading, calendar, consulting, senders, ownerName } = needs
  const signer = async (accountId: string | null): Promise<string> => {
    const account = (await senders(readingIn(db))).find(({ id }) => id === accountId)
    return account?.senderName || ownerName()
  }
  const drafting = createDrafting({ clock, reading, calendar, signer, consulting })
  const doors: Door[] = [
    { prefix: '/api', routes: replyRoutes(drafting) },
    { prefix: '/api/workflow', routes: responseRoutes(drafting) },
  ]
  return { drafting, doors }
}
