import type { UrgencyLevel } from '../../../engine/mail/urgency.ts'
import { createBreather } from '../../../platform/breather.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Emails } from '../../emails/emails.ts'
import type { EmailView } from '../../emails/view.ts'
import type { AnalyzeMail } from '../intelligence/mail-analyzer.ts'

/** So many readings are kept: a mail does not change, so that reading it twice is of no use. */
const KEPT = 1_000

/** Of a mail that cannot be read within the limits nothing is known. */
const unlessUnreadable = (error: unknown): UrgencyLevel => {
  if (error instanceof AppError && error.code === 'unreadable_message') return 'normal'
  throw error
}

/** How urgent mails are that nobody had analysed, by the engine that is built in. */
export const createUrgencyReading = (deps: {
  emails: Pick<Emails, 'get'>
  analyzeMail: AnalyzeMail
  timezone: () => Promise<string>
}) => {
  const readings = new Map<string, UrgencyLevel>()
  return async (mails: readonly Pick<EmailView, 'id' | 'date' | 'createdAt'>[]) => {
    const timezone = await deps.timezone()
    const breathe = createBreather()
    const levels = new Map<number, UrgencyLevel>()
    for (const { id, date, createdAt } of mails) {
      // An id may be given again after everything was deleted; the time at which it was stored is not.
      const key = `${id} ${createdAt} ${timezone}`
      let level = readings.get(key)
      if (level === undefined) {
        const { text, subject, from } = await deps.emails.get(id)
        const input = { text, subject, from: from?.address ?? '' }
        level = await deps
          .analyzeMail(input, { date: Date.parse(date), timezone })
          .then(({ urgency }) => urgency.level, unlessUnreadable)
        if (readings.size >= KEPT) readings.delete(readings.keys().next().value as string)
        readings.set(key, level)
        await breathe()
      }
      levels.set(id, level)
    }
    return levels
  }
}
