import type { CheckedAnalysis, Unsupported } from '../../../engine/checking/mail-opinion.ts'
import type { Clock } from '../../../platform/clock.ts'
import { invalid, invalidField } from '../../../platform/errors.ts'
import { readInstant } from '../../../platform/time.ts'
import type { Analyses, MailToRead } from '../../emails/analyses.ts'
import type { MadeBy } from '../asking.ts'
import type { AnalyzeMail } from './mail-analyzer.ts'
import type { Intelligence, MailGiven } from './schema.ts'

/** A mail to be read: kept here, or sent along. */
export type GivenMail = Omit<MailToRead, 'id'> & { id: number | null }

const MOST_INSIGHTS = 60
const iso = (ms: number): string => new Date(ms).toISOString()
const somewhere = (offset: number): number | null => (offset < 0 ? null : offset)
/** Beyond these a number only looks like a year. */
const isPossible = (ms: number): boolean => ms > Date.UTC(1900, 0) && ms < Date.UTC(9990, 0)

const viewOf = (
  analysis: CheckedAnalysis,
  taskTitle: (text: string) => string,
  unsupported: Unsupported[] = [],
) => ({
  language: analysis.language,
  category: analysis.category,
  categoryConfidence: analysis.categoryConfidence,
  urgency: {
    ...analysis.urgency,
    reasons: analysis.urgency.reasons.map(({ offset, ...reason }) => ({
      ...reason,
      offset: somewhere(offset),
    })),
  },
  sentiment: analysis.sentiment,
  summary: analysis.summary.toWellFormed(),
  questions: analysis.questions,
  actionItems: analysis.actionItems.map(({ dueAt, dueDay, title, ...item }) => ({
    ...item,
    title: title ?? taskTitle(item.text),
    dueAt: dueAt !== null && isPossible(dueAt) ? iso(dueAt) : null,
    dueDay: dueAt !== null && isPossible(dueAt) ? dueDay : null,
  })),
  insights: analysis.insights
    .slice(0, MOST_INSIGHTS)
    .map(({ offset, ...insight }) => ({ ...insight, offset: somewhere(offset) })),
  meetings: analysis.meetings
    .filter(({ start, end }) => isPossible(start) && isPossible(end))
    .map(({ endStated: _, start, end, ...meeting }) => ({ ...meeting, start: iso(start), end: iso(end) })),
  unsupported,
})
export type AnalysisView = Omit<Intelligence, keyof MadeBy>

export type MailReading = ReturnType<typeof createMailReading>

/** Reads mails by the engine that is built in: nothing leaves the machine, so a private one is read like any other. */
export const createMailReading = (deps: {
  analyses: Pick<Analyses, 'read' | 'readAddress'>
  analyzeMail: AnalyzeMail
  clock: Clock
  timezone: () => Promise<string>
}) => {
  const { analyses, clock } = deps
  const analyze = async (mail: GivenMail) => {
    const [{ taskTitle }, timezone] = await Promise.all([
      import('../../../engine/mail/task-title.ts'),
      deps.timezone(),
    ])
    const { text, subject, html, headers, from, date } = mail
    const analysis = await deps.analyzeMail(
      { text, subject, from: from.address, headers, ...(html !== null && { html }) },
      { date: Date.parse(date), timezone },
    )
    return {
      ...{ analysis, timezone },
      /** As it is told; of what else was made of it, where something was. */
      view: (checked: CheckedAnalysis = analysis, unsupported: Unsupported[] = []): AnalysisView =>
        viewOf(checked, taskTitle, unsupported),
    }
  }

  return {
    analyze,

    /** The mail that a request means. */
    async find({ emailId, text, model: _, ...given }: MailGiven): Promise<GivenMail> {
      if (emailId !== undefined) {
        const [other] = Object.keys({ ...(text !== undefined && { text }), ...given })
        if (other) throw invalidField(other, 'is of a text, not of an e-mail that is kept here')
        return analyses.read(emailId)
      }
      if (text === undefined)
        throw invalid('Send an emailId or a text.', [{ path: 'text', message: 'is required' }])
      if (![text, given.subject, given.html].some((said) => /\S/.test(said ?? '')))
        throw invalidField('text', 'must say something')
      const timezone = await deps.timezone()
      return {
        ...{ id: null, accountId: null, messageId: null, replyTo: [], headers: {}, tags: [], text },
        subject: given.subject ?? '',
        html: given.html ?? null,
        from: analyses.readAddress('from', given.from),
        date:
          given.date === undefined ? clock.now().toISOString() : readInstant('date', given.date, timezone),
      }
    },
  }
}
