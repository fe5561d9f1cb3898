import { ownText } from '../../../nlu/history.ts'
import type { Category } from '../../../nlu/mail/category.ts'
import { isPrivate, WITHOUT_PRIVATE } from '../../../nlu/mail/facts.ts'
import type { UrgencyLevel } from '../../../nlu/mail/urgency.ts'
import { userIdOf } from '../../../platform/access/caller.ts'
import { pick } from '../../../platform/collections.ts'
import { AppError } from '../../../platform/errors.ts'
import { createYielder } from '../../../platform/yield.ts'
import type { Finding } from '../../mail/messages/email-queries.ts'
import type { Emails } from '../../mail/messages/emails.ts'
import type { AnalyzeMail } from '../../mail-analysis/engine-analysis.ts'
import type { ReservationFiling } from '../../mail-analysis/reservations.ts'
import { SUMMARY_FIELDS } from './contracts/mail.ts'
import type { ToolContracts } from './contracts.ts'
import { defineTool, type Tool, withoutSnoozed } from './tool.ts'

/** Emails that are counted, and emails that are read. */
const MAX_COUNTED = 200
const MAX_READ = 40
const MAX_TEXT_LENGTH = 20_000
const MAX_QUOTES = 3
const MAX_QUOTE_LENGTH = 240
const MAX_SENDERS = 5
/** The parts of an analysis that a summary quotes. */
interface Reading {
  category: Category
  urgency: UrgencyLevel
  summary: string
  quotes: string[]
}

const LEVELS: readonly UrgencyLevel[] = ['critical', 'high', 'normal', 'low']

const truncate = (text: string): string =>
  text.length <= MAX_QUOTE_LENGTH ? text : `${text.slice(0, MAX_QUOTE_LENGTH - 1).trimEnd()}…`.toWellFormed()

/** Treats an email that cannot be parsed within the limits as one without content. */
const unlessUnreadable = (error: unknown): Reading => {
  if (error instanceof AppError && error.code === 'unreadable_message')
    return { category: 'other' as Category, urgency: 'normal', summary: '', quotes: [] }
  throw error
}

const isBulk = (category: Category, mailingList: unknown): boolean =>
  category === 'newsletter' ||
  category === 'notification' ||
  (mailingList !== null && mailingList !== undefined)

interface SummaryToolDeps {
  contracts: ToolContracts
  emails: Pick<Emails, 'get'>
  finding: Finding
  analyzeMail: AnalyzeMail
  reservations: Pick<ReservationFiling, 'list'>
  zoneOf: (userId: number) => Promise<string>
}

/** Reads emails with the built-in engine. All quotes are word for word. */
const createReader = ({ emails, analyzeMail, zoneOf }: SummaryToolDeps) => {
  return async (userId: number, id: number): Promise<Reading> => {
    const { text, subject, from, date } = await emails.get(userId, id)
    const own = ownText(text).slice(0, MAX_TEXT_LENGTH)
    const input = { text: own, subject, from: from?.address ?? '' }
    const options = { date: Date.parse(date), timezone: await zoneOf(userId) }
    return analyzeMail(input, options).then(
      ({ category, urgency, summary, questions, actionItems }): Reading => {
        const asked = [...questions, ...actionItems.filter(({ owner }) => owner === 'me')].map(
          (one) => one.text,
        )
        const quotes = [...new Set(asked.length > 0 ? asked : summary === '' ? [] : [summary])]
        return {
          category,
          urgency: urgency.level,
          summary: truncate(summary),
          quotes: quotes.slice(0, MAX_QUOTES).map(truncate),
        }
      },
      unlessUnreadable,
    )
  }
}

/** The sentence summary of several emails: the most important ones with quotes, and counts of the others. */
export const createSummaryTools = (deps: SummaryToolDeps): Tool[] => {
  const read = createReader(deps)

  const summarizeOne = async (userId: number, id: number, sendsToModel: boolean) => {
    const email = await deps.emails.get(userId, id)
    if (sendsToModel && isPrivate(email.tags))
      throw new AppError(
        'forbidden',
        'forbidden',
        'This email is private and must not be sent to a language model.',
      )
    const { urgency, summary, quotes } = await read(userId, id)
    const { reservations } = await deps.reservations.list(userId, id)
    return {
      result: {
        total: 1,
        more: false,
        emails: [{ ...pick(email, SUMMARY_FIELDS), urgency, summary, quotes, reservations }],
        others: 0,
        newsletters: { count: 0, senders: [] },
      },
      emails: [id],
    }
  }

  return [
    defineTool(deps.contracts.summarize_emails, {
      async run({ id, query = '', folder, unread, limit = 5 }, { caller, sendsToModel }) {
        const userId = userIdOf(caller)
        if (id !== undefined) return summarizeOne(userId, id, sendsToModel)
        const q = `${query}${sendsToModel ? ` ${WITHOUT_PRIVATE}` : ''}`.trim()
        const found = await deps.finding.list(userId, {
          limit: MAX_COUNTED,
          ...withoutSnoozed(query),
          ...(q !== '' && { q }),
          ...(unread !== undefined && { unread }),
          ...(folder === undefined ? (query === '' ? { folder: 'inbox' as const } : {}) : { folder }),
        })
        const visible = found.emails.filter(({ tags }) => !sendsToModel || !isPrivate(tags))
        const breathe = createYielder()
        const readings: { email: (typeof visible)[number]; reading: Reading }[] = []
        for (const email of visible.slice(0, MAX_READ)) {
          readings.push({ email, reading: await read(userId, email.id) })
          await breathe()
        }
        const isNewsletter = ({ email, reading }: (typeof readings)[number]): boolean =>
          isBulk(reading.category, (email as { mailingList?: unknown }).mailingList)
        const newsletters = readings.filter(isNewsletter)
        const personal = readings.filter((one) => !isNewsletter(one))
        const ranked = personal.toSorted(
          (a, b) =>
            LEVELS.indexOf(a.reading.urgency) - LEVELS.indexOf(b.reading.urgency) ||
            b.email.date.localeCompare(a.email.date),
        )
        const quoted = ranked.slice(0, limit)
        const senders = newsletters.map(({ email: { from } }) => from?.name || from?.address || '')
        return {
          result: {
            total: visible.length,
            more: found.nextCursor !== null,
            emails: quoted.map(({ email, reading }) => ({
              ...pick(email, SUMMARY_FIELDS),
              urgency: reading.urgency,
              summary: reading.summary,
              quotes: reading.quotes,
            })),
            others: visible.length - quoted.length - newsletters.length,
            newsletters: {
              count: newsletters.length,
              senders: [...new Set(senders)].slice(0, MAX_SENDERS),
            },
          },
          emails: visible.map(({ id }) => id),
        }
      },
    }),
  ]
}
