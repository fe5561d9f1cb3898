import { readTimes, type TimeExpression } from '../dates/read.ts'
import { ownText } from '../history.ts'
import {
  type ActionItem,
  type Deadline,
  deadlineOn,
  dueOf,
  type MailAnalysis,
  type MailInput,
} from '../mail/analysis.ts'
import type { Category } from '../mail/category.ts'
import { type Insight, type InsightKind, isWarning } from '../mail/insights.ts'
import type { Sentiment } from '../mail/sentiment.ts'
import { scoreWithin, URGENCY_LEVELS, type Urgency, type UrgencyLevel } from '../mail/urgency.ts'
import { type DetectedMeeting, timesWithin } from '../meetings/detect.ts'
import type { Piece } from '../meetings/piece.ts'
import { toWall } from '../time-zones.ts'
import { checkMeetings, type MeetingSaid } from './meeting-opinion.ts'
import { provenSentences } from './prose.ts'
import { createFinder } from './standing.ts'
import { createKnowledge } from './unproven.ts'

/** What a model says of a mail. Nothing of it is believed as it is. */
export interface MailOpinion {
  summary: string
  category: Category
  sentiment: Sentiment
  urgency: { level: UrgencyLevel; reasons: readonly { reason: string; quote: string }[] }
  questions: readonly { quote: string }[]
  /** `due`: a day or a moment on the reader's wall clock. */
  actionItems: readonly { quote: string; title: string; owner: 'me' | 'them'; due: string | null }[]
  insights: readonly { kind: InsightKind; quote: string }[]
  meetings: readonly MeetingSaid[]
}

/** Something that was said of a mail and that the mail does not bear out. */
export interface Unsupported {
  what: 'summary' | 'urgency' | 'question' | 'actionItem' | 'date' | 'insight' | 'meeting'
  text: string
}

/** An analysis whose tasks may have names of their own. */
export type CheckedAnalysis = Omit<MailAnalysis, 'actionItems'> & {
  actionItems: (ActionItem & { title?: string })[]
}

const MOST = 20
const MOST_INSIGHTS = 60
const LONGEST_NOTE = 200
/** What the engine is so sure of stays, whatever a model says. */
const CERTAIN = 0.8
/** How sure one may be of what a model found and the engine did not. */
const FOUND = 0.7
const LONGEST_TEXT = 30_000
const LONGEST_SUBJECT = 500
const MOST_PEOPLE = 50
const DAY = 86_400_000

const overlaps = (a: Piece, b: Piece): boolean =>
  a.offset < b.offset + b.text.length && b.offset < a.offset + a.text.length

/** A day or a moment on a wall clock, as if it were UTC. */
const wallOf = (said: string): { ms: number; hasClock: boolean } | undefined => {
  const [, day, clock] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?/.exec(said.trim()) ?? []
  const ms = Date.parse(`${day}T${clock ?? '00:00'}Z`)
  return day === undefined || Number.isNaN(ms) ? undefined : { ms, hasClock: clock !== undefined }
}

const namesDay = ({ start, end, inclusive }: TimeExpression, day: number): boolean =>
  start !== undefined &&
  (start.day === day ||
    (end !== undefined && day >= start.day && day <= end.day - (inclusive || end.seconds ? 0 : 1)))

/** The instant that is meant, when one of the times in the mail is that day, and that hour where one is said. */
const dueSaid = (said: string, times: readonly TimeExpression[], timezone: string): Deadline | undefined => {
  const wall = wallOf(said)
  if (!wall) return undefined
  const day = Math.floor(wall.ms / DAY)
  if (!times.some((time) => namesDay(time, day))) return undefined
  const seconds = (wall.ms - day * DAY) / 1000
  const isClock =
    wall.hasClock && times.some(({ start, end }) => start?.seconds === seconds || end?.seconds === seconds)
  return deadlineOn(day, isClock ? seconds : undefined, timezone)
}

const urgencyOf = (
  engine: Urgency,
  said: MailOpinion['urgency'],
  isSteered: boolean,
  prove: (reason: string, quote: string) => Piece | undefined,
): Urgency => {
  const [own, theirs] = [URGENCY_LEVELS.indexOf(engine.level), URGENCY_LEVELS.indexOf(said.level)]
  const step = isSteered ? 0 : Math.max(-1, Math.min(1, theirs - own))
  const level = URGENCY_LEVELS[own + step] as UrgencyLevel
  const reasons = said.reasons.slice(0, MOST).flatMap(({ reason, quote }) => {
    const piece = prove(reason, quote)
    const known = piece && engine.reasons.some((one) => one.offset >= 0 && overlaps(one, piece))
    return piece && !known ? [{ reason: reason.slice(0, LONGEST_NOTE), ...piece }] : []
  })
  return { level, score: scoreWithin(level, engine.score), reasons: [...engine.reasons, ...reasons] }
}

/**
 * What a model and the engine make of a mail together. What a model says must stand in the mail: quotations word for
 * word, dates as one of the times in it, numbers and addresses as they are there. The rest is left out, and told.
 * A mail that tries to steer its reader's machine moves nothing: neither what is urgent nor what was found.
 */
export const checkOpinion = (
  input: Pick<MailInput, 'text' | 'subject'> & { people?: readonly string[] },
  analysis: MailAnalysis,
  opinion: MailOpinion,
  { date, timezone }: { date: number; timezone: string },
): { analysis: CheckedAnalysis; unsupported: Unsupported[] } => {
  const own = ownText(input.text.slice(0, LONGEST_TEXT))
  const subject = (input.subject ?? '').slice(0, LONGEST_SUBJECT)
  const people = (input.people ?? []).slice(0, MOST_PEOPLE).map((name) => name.slice(0, LONGEST_SUBJECT))
  const now = toWall(date, timezone)
  const times = readTimes(own, { now, timezone })
  const find = createFinder(own)
  const findInSubject = createFinder(subject)
  const known = createKnowledge({
    texts: [
      { text: own, now },
      { text: [subject, ...people].join('\n'), now },
    ],
    moments: [
      now,
      ...analysis.meetings.flatMap(({ start, end }) => [toWall(start, timezone), toWall(end, timezone)]),
    ],
  })
  const isSteered = analysis.insights.some(({ kind }) => isWarning(kind))
  const unsupported: Unsupported[] = []
  const reject = (what: Unsupported['what'], text: string): undefined => {
    unsupported.push({
      what,
      text: text
        .slice(0, 2 * LONGEST_NOTE)
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, LONGEST_NOTE)
        .toWellFormed(),
    })
  }
  /** Our own words about a mail may draw on it alone. */
  const isSound = (words: string): boolean => provenSentences(words, known, now).dropped.length === 0

  const summary = provenSentences(opinion.summary, known, now)
  for (const sentence of summary.dropped) reject('summary', sentence)

  const urgency = urgencyOf(analysis.urgency, opinion.urgency, isSteered, (reason, quote) => {
    const inText = find(quote)
    const piece = inText ?? (findInSubject(quote) && { text: quote, offset: -1 })
    return piece && isSound(reason) ? piece : reject('urgency', reason)
  })

  const questions = [...analysis.questions]
  for (const { quote } of opinion.questions.slice(0, MOST)) {
    const piece = find(quote)
    if (!piece) reject('question', quote)
    else if (!questions.some((one) => overlaps(one, piece))) questions.push(piece)
  }

  const items: CheckedAnalysis['actionItems'] = []
  for (const { quote, title, owner, due } of opinion.actionItems.slice(0, MOST)) {
    const piece = find(quote)
    // A word or two stand in every mail, and are no evidence.
    if (!piece || piece.text.trim().split(/\s+/).length < 3) {
      reject('actionItem', quote)
      continue
    }
    if (items.some((one) => overlaps(one, piece))) continue
    const same = analysis.actionItems.find((one) => overlaps(one, piece))
    const said = due === null ? undefined : dueSaid(due, times, timezone)
    if (due !== null && said === undefined) reject('date', due)
    const sentence = { from: piece.offset, to: piece.offset + piece.text.length }
    const read = same ?? dueOf(timesWithin(times, sentence), timezone)
    const { dueAt, dueDay } = said ?? read
    items.push({
      ...piece,
      ...(title.trim() !== '' && isSound(title) && { title: title.trim().slice(0, LONGEST_NOTE) }),
      owner,
      ...{ dueAt, dueDay },
      confidence: same ? Math.max(same.confidence, FOUND) : FOUND,
    })
  }
  const isKept = (confidence: number): boolean => isSteered || confidence >= CERTAIN
  for (const item of analysis.actionItems)
    if (isKept(item.confidence) && !items.some((one) => overlaps(one, item))) items.push(item)

  const insights: Insight[] = [...analysis.insights]
  for (const { kind, quote } of opinion.insights.slice(0, MOST_INSIGHTS)) {
    const piece = find(quote)
    if (!piece) reject('insight', quote)
    else if (!insights.some((one) => one.kind === kind && overlaps(one, piece)))
      insights.push({ kind, ...piece })
  }

  const { meetings, rejected } = checkMeetings(opinion.meetings.slice(0, MOST), {
    ...{ own, times, find, timezone, subject, isSound, found: analysis.meetings },
    people,
  })
  for (const title of rejected) reject('meeting', title)
  const others = analysis.meetings.filter(
    (meeting: DetectedMeeting) =>
      isKept(meeting.confidence) && !meetings.some(({ start }) => start === meeting.start),
  )
  const byPlace = (a: Piece, b: Piece): number => a.offset - b.offset
  return {
    analysis: {
      ...analysis,
      category: isSteered || analysis.categoryConfidence >= 0.9 ? analysis.category : opinion.category,
      categoryConfidence:
        opinion.category === analysis.category || isSteered || analysis.categoryConfidence >= 0.9
          ? analysis.categoryConfidence
          : FOUND,
      sentiment: isSteered ? analysis.sentiment : opinion.sentiment,
      summary: isSteered || summary.kept === '' ? analysis.summary : summary.kept,
      urgency,
      questions: questions.sort(byPlace),
      actionItems: items.sort(byPlace),
      insights,
      meetings: [...meetings, ...others].sort((a, b) => a.start - b.start),
    },
    unsupported: unsupported.slice(0, MOST),
  }
}
