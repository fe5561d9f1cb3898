import type { UrgencyLevel } from '../../../nlu/mail/urgency.ts'
import { AppError } from '../../../platform/errors.ts'
import { createYielder } from '../../../platform/yield.ts'
import type { EmailView } from '../../mail/messages/email.ts'
import type { Emails } from '../../mail/messages/emails.ts'
import type { AnalyzeMail } from '../../mail-analysis/engine-analysis.ts'

/** Size of the urgency cache. Emails do not change, so each is analysed once. */
const CACHE_SIZE = 1_000

/** Treats an email that cannot be parsed within the limits as normal. */
const unlessUnreadable = (error: unknown): UrgencyLevel => {
  if (error instanceof AppError && error.code === 'unreadable_message') return 'normal'
  throw error
}

/** Rates emails without a stored analysis with the built-in engine. */
export const createUrgencyRating = (deps: {
  emails: Pick<Emails, 'get'>
  analyzeMail: AnalyzeMail
  zoneOf: (userId: number) => Promise<string>
}) => {
  const readings = new Map<string, UrgencyLevel>()
  return async (userId: number, mails: readonly Pick<EmailView, 'id' | 'date' | 'createdAt'>[]) => {
    const timezone = await deps.zoneOf(userId)
    const yieldIfNeeded = createYielder()
    const levels = new Map<number, UrgencyLevel>()
    for (const { id, date, createdAt } of mails) {
      // Ids can be reused after all data was deleted, so the key includes the creation time.
      const key = `${id} ${createdAt} ${timezone}`
      let level = readings.get(key)
      if (level === undefined) {
        const { text, subject, from } = await deps.emails.get(userId, id)
        const input = { text, subject, from: from?.address ?? '' }
        level = await deps
          .analyzeMail(input, { date: Date.parse(date), timezone })
          .then(({ urgency }) => urgency.level, unlessUnreadable)
        if (readings.size >= CACHE_SIZE) readings.delete(readings.keys().next().value as string)
        readings.set(key, level)
        await yieldIfNeeded()
      }
      levels.set(id, level)
    }
    return levels
  }
}
