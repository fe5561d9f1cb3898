import type { AnalyzeMail } from '../ai/intelligence/mail-analyzer.ts'
import { createMailReading, type MailItem, type ReadMail } from './mail-reading.ts'
import type { BriefedMail, MailSource, Person, Span } from './sources.ts'

export interface Waiting {
  emailId: number
  threadId: number
  from: Person
  subject: string
  date: string
  /** What they want to know or have done, in their own words. */
  asks: string[]
}

export interface Promised {
  /** `me`: in a mail from here; `them`: in one that came. */
  by: 'me' | 'them'
  /** Who promised it, or to whom it was promised. */
  who: Person
  text: string
  dueAt: string | null
  emailId: number
  subject: string
  date: string
  confidence: number
}

const DAY_MS = 86_400_000
/** How far back mail is looked at, and how much of it at most. */
const DAYS = 14
const MOST_RECEIVED = 60
const MOST_SENT = 20
const MOST_SHOWN = 20
const MOST_ASKS = 3
/** What was due longer ago is no news any more. */
const FORGOTTEN_MS = 7 * DAY_MS
const LONGEST_WORDS = 300

const short = (text: string): string =>
  text.length <= LONGEST_WORDS ? text : `${text.slice(0, LONGEST_WORDS - 1).trimEnd()}…`.toWellFormed()

/** Years that a clock can show: what a mail calls a date may be anything. */
const isoOf = (ms: number | null): string | null =>
  ms === null || ms < 0 || ms > Date.UTC(9990, 0) ? null : new Date(ms).toISOString()

const asksOf = ({ questions, items }: ReadMail): string[] =>
  [...new Set([...questions, ...items.filter(({ owner }) => owner === 'me').map(({ text }) => text)])]
    .slice(0, MOST_ASKS)
    .map(short)

const NOBODY: Person = { name: '', address: '' }

export interface CorrespondenceDeps {
  source: MailSource
  /** In lower case. */
  ownAddresses: () => Promise<ReadonlySet<string>>
  analyzeMail: AnalyzeMail
}

/** Who waits for an answer, and what was promised by whom, as recent mail tells it. */
export const createCorrespondence = ({ source, ownAddresses, analyzeMail }: CorrespondenceDeps) => {
  const readAll = createMailReading({ source, analyzeMail })

  return async (day: { from: string; until: string }, now: string, timezone: string) => {
    const until = day.until < now ? day.until : now
    const span: Span = { from: new Date(Date.parse(until) - DAYS * DAY_MS).toISOString(), until }
    const own = await ownAddresses()
    const isOwn = ({ from }: BriefedMail): boolean => own.has(from.address.toLowerCase())
    const received = (await source.received(span, MOST_RECEIVED)).filter((mail) => !isOwn(mail))
    const sent = await source.sent(span, MOST_SENT)
    const read = new Map([
      ...(await readAll(received, { timezone })),
      ...(await readAll(sent, { timezone, own: true })),
    ])

    /** A copy for information asks nobody for an answer. */
    const isCopy = ({ to, cc }: BriefedMail): boolean => {
      const names = (people: readonly Person[]) =>
        people.some(({ address }) => own.has(address.toLowerCase()))
      return names(cc) && !names(to)
    }
    const lastOfThread = [...Map.groupBy(received, ({ threadId }) => threadId).values()].map(
      ([newest]) => newest as BriefedMail,
    )
    const asking = lastOfThread.filter((mail) => {
      const reading = read.get(mail.id)
      return reading && !reading.isMachine && !isCopy(mail) && asksOf(reading).length > 0
    })
    const answers = await source.lastAnswers(asking.map(({ threadId }) => threadId))
    const waiting = asking
      .filter(({ threadId, position }) => (answers.get(threadId) ?? -1) < position)
      .slice(0, MOST_SHOWN)
      .map(
        ({ id, threadId, from, subject, date }): Waiting => ({
          ...{ emailId: id, threadId, from, subject, date },
          asks: asksOf(read.get(id) as ReadMail),
        }),
      )

    const earliest = Date.parse(day.from) - FORGOTTEN_MS
    /** Whoever writes a mail promises in it. */
    const promisesIn = (mail: BriefedMail): MailItem[] => {
      const reading = read.get(mail.id)
      if (!reading || reading.isMachine) return []
      return reading.items.filter(
        ({ owner, dueAt }) => owner === 'them' && (dueAt === null || dueAt >= earliest),
      )
    }
    const promised = (mails: readonly BriefedMail[], by: Promised['by']): Promised[] =>
      mails.flatMap((mail) =>
        promisesIn(mail).map(({ text, dueAt, confidence }) => ({
          ...{ by, who: by === 'them' ? mail.from : (mail.to[0] ?? NOBODY), text: short(text) },
          ...{ dueAt: isoOf(dueAt), emailId: mail.id, subject: mail.subject, date: mail.date, confidence },
        })),
      )
    const promises = [...promised(received, 'them'), ...promised(sent, 'me')]
      .toSorted((a, b) => (a.dueAt ?? '9').localeCompare(b.dueAt ?? '9') || b.date.localeCompare(a.date))
      .slice(0, MOST_SHOWN)
    return { waiting, promises }
  }
}
