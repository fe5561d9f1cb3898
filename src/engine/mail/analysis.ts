import type { Order } from '../dates/formats.ts'
import { atHome } from '../dates/home-clock.ts'
import { proseOf } from '../dates/prose.ts'
import { isGerman, type TimeExpression, timesIn } from '../dates/read.ts'
import { ownText } from '../history.ts'
import { type DetectedMeeting, meetingsIn, timesWithin } from '../meetings/detect.ts'
import type { Piece } from '../meetings/piece.ts'
import { onOneLine, type Sentence, sentencesOf } from '../sentences.ts'
import { toInstant, toWall } from '../time-zones.ts'
import { agreedItems, type Owner } from './agreed-items.ts'
import { type Category, categoryOf, isMachine } from './category.ts'
import { findInsights, findTricks, type Insight } from './insights.ts'
import { findPhishing } from './phishing.ts'
import { isFarewell, isOwnDeed, isPromise } from './promises.ts'
import { isQuestion } from './questions.ts'
import { asksForPayment, requestScore } from './requests.ts'
import { type Sentiment, sentimentOf } from './sentiment.ts'
import { summarize } from './summary.ts'
import { type Urgency, urgencyOf } from './urgency.ts'

export interface MailInput {
  text: string
  subject?: string
  /** Address of the sender. */
  from?: string
  html?: string
  headers?: Readonly<Record<string, string>>
}

export interface AnalysisOptions {
  /** When the mail was written, an instant in ms: "tomorrow" is the day after. */
  date: number
  /** The reader's zone. */
  timezone: string
  writerTimezone?: string
  order?: Order
}

export interface ActionItem extends Piece {
  /** Who has to do it: the reader, or the writer who promised it. */
  owner: Owner
  /** An instant in ms, or null. */
  dueAt: number | null
  /** The day, where no hour was named: `dueAt` is then its last minute. */
  dueDay: string | null
  confidence: number
}

export interface MailAnalysis {
  language: 'en' | 'de'
  category: Category
  categoryConfidence: number
  urgency: Urgency
  sentiment: Sentiment
  summary: string
  questions: Piece[]
  actionItems: ActionItem[]
  insights: Insight[]
  meetings: DetectedMeeting[]
}

const DAY = 86_400_000
const MOST_ITEMS = 20
const LONGEST_TEXT = 30_000
/** By when something is to be done. */
export type Deadline = Pick<ActionItem, 'dueAt' | 'dueDay'>

/** At a time of a wall clock, given as if it were UTC; of a day, which ends at midnight, without `seconds`. */
export const deadlineOn = (day: number, seconds: number | undefined, timezone: string): Deadline => ({
  dueAt: toInstant(seconds === undefined ? (day + 1) * DAY - 60_000 : day * DAY + seconds * 1000, timezone),
  dueDay: seconds === undefined ? dayText(day) : null,
})

/** Beyond four digits a number only looks like a year. */
const dayText = (day: number): string | null => {
  const at = new Date(day * DAY)
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() < 0 || at.getUTCFullYear() > 9999
    ? null
    : at.toISOString().slice(0, 10)
}

/** What is said with "by", else the first day that is named. */
export const dueOf = (times: readonly TimeExpression[], timezone: string): Deadline => {
  const dated = times.filter(({ start, kind }) => start && kind !== 'duration' && kind !== 'recurrence')
  const time =
    dated.find(({ bound }) => bound === 'by' || bound === 'before' || bound === 'until') ??
    dated.find(({ dated: said }) => said) ??
    dated[0]
  if (!time?.start) return { dueAt: null, dueDay: null }
  const { start, end } = time
  if (start.seconds !== undefined) {
    const { day, seconds } = atHome(start, time.zone, timezone)
    return deadlineOn(day, seconds, timezone)
  }
  const last =
    end && time.kind === 'daterange' && time.bound !== 'before'
      ? end.day - (time.inclusive ? 0 : 1)
      : start.day - (time.bound === 'before' ? 1 : 0)
  return deadlineOn(last, undefined, timezone)
}

/** What stands before a sentence and is no part of it: a mark or a number of a list, and whom it greets. */
const MARK = /^[\s>*•–-]*(?:(?:\d{1,2}[.)]|[a-h]\))\s+)?/
const GREETING =
  /^(?:hi|hello|hey|dear|hallo|liebe[rs]?|moin|guten (?:tag|morgen|abend)|sehr geehrte[rs]?)\b(?:\s[\p{L}.'’-]{1,30}){0,4}\s?[,!]\s+(?=\p{L})/iu
const LONGEST_GREETING = 120

const openingOf = (text: string): number => {
  const mark = MARK.exec(text)?.[0].length ?? 0
  const start = text.slice(mark, mark + LONGEST_GREETING)
  const length = mark + (/[,!]/.test(start) ? (GREETING.exec(start)?.[0].length ?? 0) : 0)
  return length < text.trimEnd().length ? length : 0
}

const clean = (text: string): string => onOneLine(text).trim()

/** Everything that can be said about a mail without a model, with evidence from its own words. */
export const analyzeMail = (input: MailInput, options: AnalysisOptions): MailAnalysis => {
  const text = input.text.slice(0, LONGEST_TEXT)
  const subject = input.subject?.slice(0, 500) ?? ''
  const own = ownText(text)
  const { category, confidence: categoryConfidence } = categoryOf({
    subject,
    from: input.from ?? '',
    text,
    ...(input.headers ? { headers: input.headers } : {}),
  })
  const machine = isMachine(category)
  const wall = toWall(options.date, options.timezone)
  const sentences = sentencesOf(own).slice(0, 400)
  const german = isGerman(own)
  const prose = proseOf(own)
  const all = timesIn(own, prose, {
    now: wall,
    timezone: options.timezone,
    order: options.order ?? (german ? 'dmy' : 'mdy'),
  })
  const times = sentences.map((sentence) => timesWithin(all, sentence))
  const scores = sentences.map(({ from, to }, index) =>
    to - from < 4 || (machine && !(category === 'receipt' && asksForPayment(own.slice(from, to))))
      ? -1
      : requestScore(own.slice(from, to).trim(), times[index] as TimeExpression[]),
  )
  const actionItems: ActionItem[] = []
  // Kept apart: what its writer will do by tomorrow does not make a mail urgent.
  const promises: ActionItem[] = []
  const questions: Piece[] = []
  const agreed = machine ? new Map<number, Owner>() : agreedItems(own, sentences)
  for (const [index, { from, to }] of sentences.entries()) {
    const raw = own.slice(from, to)
    const opening = openingOf(raw)
    const words = clean(raw.slice(opening))
    const offset = from + opening
    if (!machine && questions.length < MOST_ITEMS && isQuestion(words))
      questions.push({ text: words, offset })
    const owner = agreed.get(index)
    if (owner !== undefined && actionItems.length < MOST_ITEMS) {
      const due = dueOf(times[index] as TimeExpression[], options.timezone)
      actionItems.push({ text: words, offset, owner, ...due, confidence: 0.75 })
      continue
    }
    if (!machine && promises.length < MOST_ITEMS && isPromise(words)) {
      const due = dueOf(times[index] as TimeExpression[], options.timezone)
      promises.push({
        ...{ text: words, offset, owner: 'them', ...due },
        confidence: due.dueAt === null ? 0.6 : 0.8,
      })
      continue
    }
    const score = isFarewell(words) ? -1 : (scores[index] as number)
    if (score <= 0 || actionItems.length >= MOST_ITEMS) continue
    actionItems.push({
      text: words,
      offset,
      owner: isOwnDeed(words) ? 'them' : 'me',
      ...dueOf(times[index] as TimeExpression[], options.timezone),
      confidence: Math.round((1 / (1 + Math.exp(-1.6 * score))) * 100) / 100,
    })
  }
  const { meetings } = machine
    ? { meetings: [] }
    : meetingsIn(own, all, {
        now: options.date,
        timezone: options.timezone,
        ...(subject ? { subject } : {}),
        ...(options.writerTimezone ? { writerTimezone: options.writerTimezone } : {}),
        ...(options.order ? { order: options.order } : {}),
      })
  // When people meet is no deadline.
  const due = actionItems.filter(
    ({ offset, text: words }) =>
      !meetings.some(
        ({ evidence: [time] }) => time && time.offset >= offset && time.offset < offset + words.length,
      ),
  )
  const dues = due.flatMap(({ dueAt }) => (dueAt !== null && dueAt >= options.date ? [dueAt] : []))
  const next = dues.length > 0 ? (Math.min(...dues) - options.date) / 3_600_000 : undefined
  const { sentiment } = sentimentOf(prose.tokens)
  const flagged = /^(?:high|1|2)\b/i.test(input.headers?.importance ?? input.headers?.['x-priority'] ?? '')
  return {
    language: german ? 'de' : 'en',
    category,
    categoryConfidence,
    urgency: urgencyOf({
      subject,
      own,
      machine,
      silent: category === 'auto-reply' || category === 'newsletter',
      ...(next !== undefined ? { hoursToDue: next } : {}),
      asks: actionItems.some(({ owner }) => owner === 'me'),
      flagged,
    }),
    sentiment,
    summary: summarize(own, sentences, prose.tokens, (index) =>
      Math.max(0, Math.min(1, (scores[index] as number) + 0.2)),
    ),
    questions,
    actionItems: [...actionItems, ...promises].sort((a, b) => a.offset - b.offset),
    insights: [
      ...findTricks(text, input.html),
      ...findPhishing(text, input.from ?? ''),
      ...findInsights(machine ? text : own),
      ...deadlines(due),
      ...termsIn(own, sentences, times, due, wall),
    ],
    meetings,
  }
}

const deadlines = (items: readonly ActionItem[]): Insight[] =>
  items.filter(({ dueAt }) => dueAt !== null).map(({ text, offset }) => ({ kind: 'deadline', text, offset }))

const TERM =
  /(?<![\p{L}\d])(?:due|payable|pay by|expires?|deadline|renews? (?:on|by)|valid until|fällig|zahlbar|frist|spätestens|überweisen|läuft (?:am|bis)|gültig bis)(?!\p{L})/iu
const MOST_TERMS = 5

/** By when something is due that nobody is asked for in so many words: an invoice, a book. */
const termsIn = (
  own: string,
  sentences: readonly Sentence[],
  times: readonly (readonly TimeExpression[])[],
  items: readonly ActionItem[],
  wall: number,
): Insight[] =>
  sentences
    .flatMap(({ from, to }, index): Insight[] => {
      const raw = own.slice(from, to)
      const ahead = (times[index] ?? []).some(
        ({ dated, start, kind }) =>
          dated && start && kind !== 'recurrence' && start.day >= Math.floor(wall / DAY),
      )
      if (!ahead || !TERM.test(raw.slice(0, 600))) return []
      const opening = openingOf(raw)
      if (items.some(({ offset, dueAt }) => offset === from + opening && dueAt !== null)) return []
      return [{ kind: 'deadline', text: clean(raw.slice(opening)).slice(0, 300), offset: from + opening }]
    })
    .slice(0, MOST_TERMS)
