import type { AnalysisOptions, MailAnalysis, MailInput } from '../../nlu/mail/analysis.ts'
import type { AnalysisRequest } from '../../nlu/mail/analysis-task.ts'
import type { CheckedAnalysis, Unsupported } from '../../nlu/verification/mail-opinion.ts'
import { invalid, invalidField } from '../../platform/errors.ts'
import type { LanguageOf } from '../../platform/language.ts'
import type { Platform } from '../../platform/platform.ts'
import { readInstant } from '../../platform/time.ts'
import { runTask } from '../../platform/workers/run-task.ts'
import { defineTask } from '../../platform/workers/task.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import { startOfDay } from '../../recurrence/time-zones.ts'
import type { Analyses, MailToRead } from '../mail/messages/analyses.ts'
import type { AnswerMetaWithReason } from '../models/model-router.ts'
import { type ReadReservations, toReservation } from './reservation-reader.ts'
import type { Reservation } from './reservation-schema.ts'
import type { Intelligence, MailGiven } from './schema.ts'

/**
 * Larger mails go to a worker thread. Text full of dates takes 7 ms per 1,000 characters on a slow machine.
 * HTML is only scanned.
 */
const SMALL_TEXT = 4_000
const SMALL_HTML = 32_000
/** The engine ignores everything beyond these limits. */
const MAX_TEXT_LENGTH = 30_000
const MAX_HTML_LENGTH = 512 * 1024

const TASK = defineTask<AnalysisRequest, MailAnalysis>(
  new URL('../../nlu/mail/analysis-task.ts', import.meta.url),
  'analyze',
)

export type AnalyzeMail = (mail: MailInput, options: AnalysisOptions) => Promise<MailAnalysis>

/**
 * Analyses emails with the built-in engine, long ones in a worker thread. Loads the engine with the first
 * email.
 */
export const createMailAnalyzer =
  (workers: WorkerPool): AnalyzeMail =>
  ({ text, html, ...rest }, options) => {
    const mail = {
      ...rest,
      text: text.slice(0, MAX_TEXT_LENGTH),
      ...(html !== undefined && { html: html.slice(0, MAX_HTML_LENGTH) }),
    }
    const isCheap = text.length <= SMALL_TEXT && (html?.length ?? 0) <= SMALL_HTML
    const run = { isCheap, subject: 'the text', code: 'unreadable_message' } as const
    return runTask(workers, TASK, { mail, options }, run)
  }

/** An email from the database (with an id) or from the request. */
export type GivenMail = Omit<MailToRead, 'id'> & { id: number | null }

const MAX_INSIGHTS = 60
const iso = (ms: number): string => new Date(ms).toISOString()
const toOffset = (offset: number): number | null => (offset < 0 ? null : offset)
/** Outside this range, a number only looks like a year. */
const isPossible = (ms: number): boolean => ms > Date.UTC(1900, 0) && ms < Date.UTC(9990, 0)

/** Returns the start of a due day, as tasks do. */
const toDueAt = (dueAt: number | null, dueDay: string | null, timezone: string): string | null => {
  if (dueAt === null || !isPossible(dueAt)) return null
  return iso(dueDay === null ? dueAt : startOfDay(dueDay, timezone))
}

interface ViewTools {
  timezone: string
  writeTaskTitle: (text: string) => string
  /** Returns the notices about the language of a mail. */
  noticesOf: (language: string | null) => string[]
}

const viewOf = (
  analysis: CheckedAnalysis,
  reservations: Reservation[],
  { timezone, writeTaskTitle, noticesOf }: ViewTools,
  unsupported: Unsupported[] = [],
) => ({
  language: analysis.language,
  category: analysis.category,
  categoryConfidence: analysis.categoryConfidence,
  urgency: {
    ...analysis.urgency,
    reasons: analysis.urgency.reasons.map(({ offset, ...reason }) => ({
      ...reason,
      offset: toOffset(offset),
    })),
  },
  sentiment: analysis.sentiment,
  summary: analysis.summary.toWellFormed(),
  questions: analysis.questions,
  actionItems: analysis.actionItems.map(({ dueAt, dueDay, title, ...item }) => ({
    ...item,
    title: title ?? writeTaskTitle(item.text),
    dueAt: toDueAt(dueAt, dueDay, timezone),
    dueDay: dueAt !== null && isPossible(dueAt) ? dueDay : null,
  })),
  insights: analysis.insights
    .slice(0, MAX_INSIGHTS)
    .map(({ offset, ...insight }) => ({ ...insight, offset: toOffset(offset) })),
  meetings: analysis.meetings
    .filter(({ start, end }) => isPossible(start) && isPossible(end))
    .map(({ endStated: _, isCertain: __, isWindow: ___, start, end, ...meeting }) => ({
      ...meeting,
      start: iso(start),
      end: iso(end),
    })),
  reservations,
  notices: noticesOf(analysis.language),
  unsupported,
})
export type AnalysisView = Omit<Intelligence, keyof AnswerMetaWithReason>

export type EngineAnalysis = ReturnType<typeof createEngineAnalysis>

/**
 * Analyses emails with the built-in engine. Sends nothing to other servers, so private emails are included.
 */
export const createEngineAnalysis = (
  deps: Pick<Platform, 'clock'> & {
    analyses: Pick<Analyses, 'read' | 'readAddress'>
    analyzeMail: AnalyzeMail
    zoneOf: (userId: number) => Promise<string>
    languageOf: LanguageOf
    readReservations: ReadReservations
  },
) => {
  const { analyses, clock } = deps
  /** A forged sender could otherwise place events and payments. */
  const findReservations = async (
    mail: GivenMail,
    analysis: MailAnalysis,
    timezone: string,
  ): Promise<Reservation[]> => {
    if (analysis.insights.some(({ kind }) => kind === 'phishing')) return []
    const [found, language] = await Promise.all([
      deps.readReservations(mail, timezone),
      deps.languageOf(mail.userId),
    ])
    return found.map((one) => toReservation(one, language))
  }

  const analyze = async (mail: GivenMail) => {
    const [{ writeTaskTitle }, { isReadable, unreadableNotice }, timezone] = await Promise.all([
      import('../../nlu/mail/task-title.ts'),
      import('../../nlu/language.ts'),
      deps.zoneOf(mail.userId),
    ])
    const noticesOf = (language: string | null): string[] =>
      language === null || isReadable(language) ? [] : [unreadableNotice(language)]
    const { text, subject, html, headers, from, date } = mail
    const analysis = await deps.analyzeMail(
      { text, subject, from: from.address, sender: from.name, headers, ...(html !== null && { html }) },
      { date: Date.parse(date), timezone },
    )
    const reservations = await findReservations(mail, analysis, timezone)
    return {
      analysis,
      timezone,
      /** Converts an analysis to its API representation. Defaults to the analysis of the engine. */
      view: (checked: CheckedAnalysis = analysis, unsupported: Unsupported[] = []): AnalysisView =>
        viewOf(checked, reservations, { timezone, writeTaskTitle, noticesOf }, unsupported),
    }
  }

  return {
    analyze,

    /** Loads the email that a request refers to. */
    async find(userId: number, { emailId, text, model: _, ...given }: MailGiven): Promise<GivenMail> {
      if (emailId !== undefined) {
        const [other] = Object.keys({ ...(text !== undefined && { text }), ...given })
        if (other) throw invalidField(other, 'is only allowed with text, not with emailId')
        return analyses.read(userId, emailId)
      }
      if (text === undefined)
        throw invalid('Send an emailId or a text.', [{ path: 'text', message: 'is required' }])
      if (![text, given.subject, given.html].some((part) => /\S/.test(part ?? '')))
        throw invalidField('text', 'must not be empty')
      const timezone = await deps.zoneOf(userId)
      return {
        id: null,
        userId,
        accountId: null,
        messageId: null,
        replyTo: [],
        headers: {},
        calendars: [],
        jsonLd: [],
        tags: [],
        text,
        subject: given.subject ?? '',
        html: given.html ?? null,
        from: analyses.readAddress('from', given.from),
        date:
          given.date === undefined ? clock.now().toISOString() : readInstant('date', given.date, timezone),
      }
    },
  }
}
