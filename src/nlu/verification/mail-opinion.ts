import { toInstant, toWall } from '../../recurrence/time-zones.ts'
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
import { type Insight, type InsightKind, isWarning } from '../mail/facts.ts'
import type { Sentiment } from '../mail/summary.ts'
import { scoreWithin, URGENCY_LEVELS, type Urgency, type UrgencyLevel } from '../mail/urgency.ts'
import { type DetectedMeeting, timesWithin, toJoinLink } from '../meetings/detect.ts'
import { findLinks, type Piece } from '../meetings/title.ts'
import { createFinder, createKnowledge, provenSentences } from './claims.ts'

/** A meeting that a model found in a mail. Times are local to the reader. */
export interface MeetingSaid {
  title: string
  start: string
  end: string | null
  place: string | null
  people: readonly string[]
  quote: string
}

const DAY = 86_400_000
const USUAL_MS = 60 * 60_000
const MAX_DURATION_MS = 24 * 60 * 60_000
const FOUND_MEETING = 0.6
const MAX_TITLE_LENGTH = 200
const MAX_PEOPLE = 50

/** Parses a date or a local time, encoded as UTC. */
const wallOf = (said: string): { ms: number; hasClock: boolean } | undefined => {
  const [, day, clock] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?/.exec(said.trim()) ?? []
  const ms = Date.parse(`${day}T${clock ?? '00:00'}Z`)
  return day === undefined || Number.isNaN(ms) ? undefined : { ms, hasClock: clock !== undefined }
}

const meetingWallOf = (said: string | null): number | undefined => {
  const wall = wallOf(said ?? '')
  return wall?.hasClock ? wall.ms : undefined
}

/** True if the mail names both the day and the hour, possibly in separate places. */
const isNamedInMail = (wall: number, times: readonly TimeExpression[]): boolean => {
  const day = Math.floor(wall / DAY)
  const seconds = (wall - day * DAY) / 1000
  const hasClock = times.some(({ start, end }) => start?.seconds === seconds || end?.seconds === seconds)
  return (
    hasClock && times.some(({ start, dated }) => start?.day === day && (dated || start.seconds === seconds))
  )
}

/**
 * Keeps the meetings that the mail supports. If the engine found the same meeting, the model only adds to it.
 */
export const checkMeetings = (
  said: readonly MeetingSaid[],
  mail: {
    own: string
    times: readonly TimeExpression[]
    find: (quote: string) => Piece | undefined
    timezone: string
    subject: string
    isSound: (words: string) => boolean
    found: readonly DetectedMeeting[]
    people: readonly string[]
  },
): { meetings: DetectedMeeting[]; rejected: string[] } => {
  const { times, find, timezone, found } = mail
  const meetings: DetectedMeeting[] = []
  const rejected: string[] = []
  const named = mail.people.join('\n').toLowerCase()
  const stands = (name: string): boolean => {
    const words = name.slice(0, MAX_TITLE_LENGTH).trim().toLowerCase()
    return words !== '' && (find(words) !== undefined || named.includes(words))
  }
  for (const { title, start, end, place, people, quote } of said) {
    const wall = meetingWallOf(start)
    const piece = find(quote)
    if (wall === undefined || !piece) {
      rejected.push(title)
      continue
    }
    const instant = toInstant(wall, timezone)
    const same = found.find(
      (one) =>
        one.start === instant ||
        (one.allDay && Math.floor(toWall(one.start, timezone) / DAY) === Math.floor(wall / DAY)),
    )
    if (meetings.some((one) => one.start === (same?.start ?? instant))) continue
    if (!same && !isNamedInMail(wall, times)) {
      rejected.push(title)
      continue
    }
    const location = place !== null && stands(place) ? (find(place)?.text ?? place) : null
    const attendees = people.filter(stands).slice(0, MAX_PEOPLE)
    const name =
      title.trim() !== '' && mail.isSound(title) ? title.trim().slice(0, MAX_TITLE_LENGTH) : undefined
    const until = meetingWallOf(end)
    const isEnd =
      until !== undefined && until > wall && until - wall <= MAX_DURATION_MS && isNamedInMail(until, times)
    meetings.push(
      same
        ? {
            ...same,
            title: name ?? same.title,
            location: same.location ?? location,
            attendees: [...new Set([...same.attendees, ...attendees])],
          }
        : {
            title: name ?? (mail.subject.trim() || 'Meeting'),
            start: instant,
            end: isEnd ? toInstant(until, timezone) : instant + USUAL_MS,
            endStated: isEnd,
            isCertain: false,
            isWindow: false,
            allDay: false,
            timezone,
            location,
            attendees,
            recurrence: null,
            confidence: FOUND_MEETING,
            ...toJoinLink(findLinks(mail.own)),
            evidence: [piece],
          },
    )
  }
  return { meetings, rejected }
}

/** A model's analysis of a mail. It is untrusted until verified. */
export interface MailOpinion {
  summary: string
  category: Category
  sentiment: Sentiment
  urgency: { level: UrgencyLevel; reasons: readonly { reason: string; quote: string }[] }
  questions: readonly { quote: string }[]
  /** `due` is a date or a local time of the reader. */
  actionItems: readonly { quote: string; title: string; owner: 'me' | 'them'; due: string | null }[]
  insights: readonly { kind: InsightKind; quote: string }[]
  meetings: readonly MeetingSaid[]
}

/** A claim of the model that the mail does not support. */
export interface Unsupported {
  what: 'summary' | 'urgency' | 'question' | 'actionItem' | 'date' | 'insight' | 'meeting'
  text: string
}

/** An analysis whose action items may have a title. */
export type CheckedAnalysis = Omit<MailAnalysis, 'actionItems'> & {
  actionItems: (ActionItem & { title?: string })[]
}

const MAX_CLAIMS = 20
const MAX_INSIGHTS = 60
const MAX_NOTE_LENGTH = 200
/** Findings of the engine with at least this confidence stay, whatever the model says. */
const CERTAIN = 0.8
/** Confidence of findings that only the model made. */
const FOUND = 0.7
const MAX_TEXT_LENGTH = 30_000
const MAX_SUBJECT_LENGTH = 500

const overlaps = (a: Piece, b: Piece): boolean =>
  a.offset < b.offset + b.text.length && b.offset < a.offset + a.text.length

const namesDay = ({ start, end, inclusive }: TimeExpression, day: number): boolean =>
  start !== undefined &&
  (start.day === day ||
    (end !== undefined && day >= start.day && day <= end.day - (inclusive || end.seconds ? 0 : 1)))

/** Returns the deadline if a time in the mail names that day, and the hour if one was given. */
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
  const reasons = said.reasons.slice(0, MAX_CLAIMS).flatMap(({ reason, quote }) => {
    const piece = prove(reason, quote)
    const known = piece && engine.reasons.some((one) => one.offset >= 0 && overlaps(one, piece))
    return piece && !known ? [{ reason: reason.slice(0, MAX_NOTE_LENGTH), ...piece }] : []
  })
  return { level, score: scoreWithin(level, engine.score), reasons: [...engine.reasons, ...reasons] }
}

/**
 * Merges a model's analysis with that of the engine. The mail must support every claim: quotations literally,
 * dates by a time in it, numbers and addresses as written. Unsupported claims are dropped and reported. If
 * the mail contains a prompt injection, the model cannot change the urgency or remove findings.
 */
export const checkOpinion = (
  input: Pick<MailInput, 'text' | 'subject'> & { people?: readonly string[] },
  analysis: MailAnalysis,
  opinion: MailOpinion,
  { date, timezone }: { date: number; timezone: string },
): { analysis: CheckedAnalysis; unsupported: Unsupported[] } => {
  const own = ownText(input.text.slice(0, MAX_TEXT_LENGTH))
  const subject = (input.subject ?? '').slice(0, MAX_SUBJECT_LENGTH)
  const people = (input.people ?? []).slice(0, MAX_PEOPLE).map((name) => name.slice(0, MAX_SUBJECT_LENGTH))
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
        .slice(0, 2 * MAX_NOTE_LENGTH)
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, MAX_NOTE_LENGTH)
        .toWellFormed(),
    })
  }
  /** Texts of the model may draw on the mail only. */
  const isSound = (words: string): boolean => provenSentences(words, known, now).dropped.length === 0

  const summary = provenSentences(opinion.summary, known, now)
  for (const sentence of summary.dropped) reject('summary', sentence)

  const urgency = urgencyOf(analysis.urgency, opinion.urgency, isSteered, (reason, quote) => {
    const inText = find(quote)
    const piece = inText ?? (findInSubject(quote) && { text: quote, offset: -1 })
    return piece && isSound(reason) ? piece : reject('urgency', reason)
  })

  const questions = [...analysis.questions]
  for (const { quote } of opinion.questions.slice(0, MAX_CLAIMS)) {
    const piece = find(quote)
    if (!piece) reject('question', quote)
    else if (!questions.some((one) => overlaps(one, piece))) questions.push(piece)
  }

  const items: CheckedAnalysis['actionItems'] = []
  for (const { quote, title, owner, due } of opinion.actionItems.slice(0, MAX_CLAIMS)) {
    const piece = find(quote)
    // One or two words occur in every mail and prove nothing.
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
      ...(title.trim() !== '' && isSound(title) && { title: title.trim().slice(0, MAX_NOTE_LENGTH) }),
      owner,
      person: same?.owner === owner ? same.person : null,
      dueAt,
      dueDay,
      confidence: same ? Math.max(same.confidence, FOUND) : FOUND,
    })
  }
  const isKept = (confidence: number): boolean => isSteered || confidence >= CERTAIN
  for (const item of analysis.actionItems)
    if (isKept(item.confidence) && !items.some((one) => overlaps(one, item))) items.push(item)

  const insights: Insight[] = [...analysis.insights]
  for (const { kind, quote } of opinion.insights.slice(0, MAX_INSIGHTS)) {
    const piece = find(quote)
    if (!piece) reject('insight', quote)
    else if (!insights.some((one) => one.kind === kind && overlaps(one, piece)))
      insights.push({ kind, ...piece })
  }

  const { meetings, rejected } = checkMeetings(opinion.meetings.slice(0, MAX_CLAIMS), {
    own,
    times,
    find,
    timezone,
    subject,
    isSound,
    found: analysis.meetings,
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
    unsupported: unsupported.slice(0, MAX_CLAIMS),
  }
}
