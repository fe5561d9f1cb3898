import type { Category } from '../../engine/mail/category.ts'
import { createBreather } from '../../platform/breather.ts'
import { AppError } from '../../platform/errors.ts'
import type { AnalyzeMail } from '../ai/intelligence/mail-analyzer.ts'
import type { BriefedMail, MailSource } from './sources.ts'

export interface MailItem {
  text: string
  /** Who has to do it: the reader, or the writer who promised it. */
  owner: 'me' | 'them'
  /** In ms. */
  dueAt: number | null
  confidence: number
}

/** What a mail wants, as far as a briefing tells of it. */
export interface ReadMail {
  isMachine: boolean
  questions: string[]
  items: MailItem[]
}

/** So many readings are kept: a mail does not change, so that reading it twice is of no use. */
const KEPT = 1_000
const LONGEST_TEXT = 8_000

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const instantOf = (value: unknown): number | null => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** What was kept with the e-mail when it was analysed; undefined when it cannot be used. */
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
              dueAt: instantOf(dueAt),
              confidence: typeof confidence === 'number' ? confidence : 0.5,
            },
          ]
        : [],
    ),
  }
}

/** Of a mail that cannot be read within the limits nothing is told. */
const unlessUnreadable = (error: unknown): ReadMail => {
  if (error instanceof AppError && error.code === 'unreadable_message')
    return { isMachine: true, questions: [], items: [] }
  throw error
}

/** Reads mails by the built-in engine, each once: what was kept with a mail, or read before, is not read again. */
export const createMailReading = ({
  source,
  analyzeMail,
}: {
  source: Pick<MailSource, 'texts'>
  analyzeMail: AnalyzeMail
}) => {
  const readings = new Map<string, ReadMail>()
  const keep = (key: string, reading: ReadMail): void => {
    if (readings.size >= KEPT) readings.delete(readings.keys().next().value as string)
    readings.set(key, reading)
  }

  return async (
    mails: readonly BriefedMail[],
    { timezone, own = false }: { timezone: string; own?: boolean },
  ): Promise<Map<number, ReadMail>> => {
    const { isMachine } = await import('../../engine/mail/category.ts')
    const read = new Map<number, ReadMail>()
    // An id may be given again after everything was deleted; the time at which it was stored is not.
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
        text: (texts.get(mail.id) ?? '').slice(0, LONGEST_TEXT),
        // What the person wrote is no machine's, though its subject may read "Invoice".
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
