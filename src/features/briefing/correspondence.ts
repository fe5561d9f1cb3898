import type { Category } from '../../nlu/mail/category.ts'
import { AppError } from '../../platform/errors.ts'
import { createBreather } from '../../platform/yield.ts'
import type { AnalyzeMail } from '../mail-analysis/analysis-service.ts'
import type { BriefedMail, MailSource, Person, Span } from './sources.ts'

interface MailItem {
  text: string
  /** `me`: the reader has to do it; `them`: the sender promised it. */
  owner: 'me' | 'them'
  /** Milliseconds since the epoch. */
  dueAt: number | null
  confidence: number
}

/** The parts of a mail analysis that a briefing uses. */
interface ReadMail {
  isMachine: boolean
  questions: string[]
  items: MailItem[]
}

/** Size of the analysis cache. Emails do not change, so each is analysed once. */
const CACHE_SIZE = 1_000
const MAX_TEXT_LENGTH = 8_000

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const toInstant = (value: unknown): number | null => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** Reads the stored analysis of an email. Returns undefined if it is missing or invalid. */
const readKept = (analysis: unknown, isMachine: (category: Category) => boolean): ReadMail | undefined => {
  if (!isObject(analysis) || typeof analysis.category !== 'string') return undefined
  const { questions, actionItems } = analysis
  if (!Array.isArray(questions) || !Array.isArray(actionItems)) return undefined
  return {
    isMachine: isMachine(analysis.category as Category),
    questions: questions
      .map((question) => (isObject(question) ? question.text : question))
      .filter((text): text is string => typeof text === 'string'),
    items: actionItems.filter(isObject).flatMap(({ text, owner, dueAt, confidence }): MailItem[] =>
      typeof text === 'string' && (owner === 'me' || owner === 'them')
        ? [
            {
              text,
              owner,
              dueAt: toInstant(dueAt),
              confidence: typeof confidence === 'number' ? confidence : 0.5,
            },
          ]
        : [],
    ),
  }
}

/** Ignores an email that cannot be parsed within the limits. */
const unlessUnreadable = (error: unknown): ReadMail => {
  if (error instanceof AppError && error.code === 'unreadable_message')
    return { isMachine: true, questions: [], items: [] }
  throw error
}

/** Analyses emails with the built-in engine. Uses the stored analysis or the cache if possible. */
const createMailAnalysisCache = ({
  source,
  analyzeMail,
}: {
  source: Pick<MailSource, 'texts'>
  analyzeMail: AnalyzeMail
}) => {
  const readings = new Map<string, ReadMail>()
  const keep = (key: string, reading: ReadMail): void => {
    if (readings.size >= CACHE_SIZE) readings.delete(readings.keys().next().value as string)
    readings.set(key, reading)
  }

  return async (
    mails: readonly BriefedMail[],
    { timezone, own = false }: { timezone: string; own?: boolean },
  ): Promise<Map<number, ReadMail>> => {
    const { isMachine } = await import('../../nlu/mail/category.ts')
    const read = new Map<number, ReadMail>()
    // Ids can be reused after all data was deleted, so the key includes the creation time.
    const keyOf = ({ id, createdAt }: BriefedMail): string => `${id} ${createdAt} ${timezone}`
    const unread: BriefedMail[] = []
    for (const mail of mails) {
      const known = readKept(mail.analysis, isMachine) ?? readings.get(keyOf(mail))
      if (known) read.set(mail.id, known)
      else unread.push(mail)
    }
    if (unread.length === 0) return read
    const texts = await source.texts(unread.map(({ id }) => id))
    const breathe = createBreather()
    for (const mail of unread) {
      const input = {
        text: (texts.get(mail.id) ?? '').slice(0, MAX_TEXT_LENGTH),
        // Subject and sender would classify own mail as automated, for example with the subject "Invoice".
        ...(own ? {} : { subject: mail.subject, from: mail.from.address }),
      }
      const reading = await analyzeMail(input, { date: Date.parse(mail.date), timezone }).then(
        ({ category, questions, actionItems }): ReadMail => ({
          isMachine: isMachine(category),
          questions: questions.map(({ text }) => text),
          items: actionItems.map(({ text, owner, dueAt, confidence }) => ({
            text,
            owner,
            dueAt,
            confidence,
          })),
        }),
        unlessUnreadable,
      )
      keep(keyOf(mail), reading)
      read.set(mail.id, reading)
      await breathe()
    }
    return read
  }
}

export interface UnansweredMail {
  emailId: number
  threadId: number
  from: Person
  subject: string
  date: string
  /** Questions and requests of the sender, quoted. */
  asks: string[]
}

export interface Promised {
  /** `me`: promised in a sent mail; `them`: promised in a received mail. */
  by: 'me' | 'them'
  /** The person who promised, or the one who received the promise. */
  who: Person
  text: string
  dueAt: string | null
  emailId: number
  subject: string
  date: string
  confidence: number
}

const DAY_MS = 86_400_000
/** Limits: age of the mail in days, and number of mails. */
const DAYS = 14
const MAX_RECEIVED = 60
const MAX_SENT = 20
const MAX_ITEMS = 20
const MAX_ASKS = 3
/** Older promises are omitted. */
const MAX_OVERDUE_MS = 7 * DAY_MS
const MAX_QUOTE_LENGTH = 300

const truncate = (text: string): string =>
  text.length <= MAX_QUOTE_LENGTH ? text : `${text.slice(0, MAX_QUOTE_LENGTH - 1).trimEnd()}…`.toWellFormed()

/** Rejects dates outside the supported years: a mail can contain any date. */
const toIso = (ms: number | null): string | null =>
  ms === null || ms < 0 || ms > Date.UTC(9990, 0) ? null : new Date(ms).toISOString()

const listAsks = ({ questions, items }: ReadMail): string[] =>
  [...new Set([...questions, ...items.filter(({ owner }) => owner === 'me').map(({ text }) => text)])]
    .slice(0, MAX_ASKS)
    .map(truncate)

const UNKNOWN_PERSON: Person = { name: '', address: '' }

export interface CorrespondenceDeps {
  source: MailSource
  ownAddresses: () => Promise<ReadonlySet<string>>
  analyzeMail: AnalyzeMail
}

/** Finds mails that wait for a reply and promises in recent mail. */
export const createCorrespondence = ({ source, ownAddresses, analyzeMail }: CorrespondenceDeps) => {
  const readAll = createMailAnalysisCache({ source, analyzeMail })

  return async (day: { from: string; until: string }, now: string, timezone: string) => {
    const until = day.until < now ? day.until : now
    const span: Span = { from: new Date(Date.parse(until) - DAYS * DAY_MS).toISOString(), until }
    const own = await ownAddresses()
    const isOwn = ({ from }: BriefedMail): boolean => own.has(from.address.toLowerCase())
    const received = (await source.received(span, MAX_RECEIVED)).filter((mail) => !isOwn(mail))
    const sent = await source.sent(span, MAX_SENT)
    const read = new Map([
      ...(await readAll(received, { timezone })),
      ...(await readAll(sent, { timezone, own: true })),
    ])

    /** A mail that has the person only in Cc expects no reply. */
    const isCopy = ({ to, cc }: BriefedMail): boolean => {
      const names = (people: readonly Person[]) =>
        people.some(({ address }) => own.has(address.toLowerCase()))
      return names(cc) && !names(to)
    }
    const lastOfThread = [...Map.groupBy(received, ({ threadId }) => threadId).values()].map(
      ([newest]) => newest as BriefedMail,
    )
    const needingReply = lastOfThread.filter((mail) => {
      const reading = read.get(mail.id)
      return reading && !reading.isMachine && !isCopy(mail) && listAsks(reading).length > 0
    })
    const answers = await source.lastAnswers(needingReply.map(({ threadId }) => threadId))
    const waiting = needingReply
      .filter(({ threadId, position }) => (answers.get(threadId) ?? -1) < position)
      .slice(0, MAX_ITEMS)
      .map(
        ({ id, threadId, from, subject, date }): UnansweredMail => ({
          emailId: id,
          threadId,
          from,
          subject,
          date,
          asks: listAsks(read.get(id) as ReadMail),
        }),
      )

    const earliest = Date.parse(day.from) - MAX_OVERDUE_MS
    /** An item with the owner `them` is a promise of the sender. */
    const findPromises = (mail: BriefedMail): MailItem[] => {
      const reading = read.get(mail.id)
      if (!reading || reading.isMachine) return []
      return reading.items.filter(
        ({ owner, dueAt }) => owner === 'them' && (dueAt === null || dueAt >= earliest),
      )
    }
    const promised = (mails: readonly BriefedMail[], by: Promised['by']): Promised[] =>
      mails.flatMap((mail) =>
        findPromises(mail).map(({ text, dueAt, confidence }) => ({
          by,
          who: by === 'them' ? mail.from : (mail.to[0] ?? UNKNOWN_PERSON),
          text: truncate(text),
          dueAt: toIso(dueAt),
          emailId: mail.id,
          subject: mail.subject,
          date: mail.date,
          confidence,
        })),
      )
    const promises = [...promised(received, 'them'), ...promised(sent, 'me')]
      .toSorted((a, b) => (a.dueAt ?? '9').localeCompare(b.dueAt ?? '9') || b.date.localeCompare(a.date))
      .slice(0, MAX_ITEMS)
    return { waiting, promises }
  }
}
