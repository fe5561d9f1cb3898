import { toInstant, toWall } from '../../recurrence/time-zones.ts'
import { toReaderZone } from '../dates/calendar.ts'
import type { Order } from '../dates/formats.ts'
import { toProse } from '../dates/prose.ts'
import { isGerman, type TimeExpression, timesIn } from '../dates/read.ts'
import { ownText } from '../history.ts'
import { identifyLanguage, isReadable } from '../language.ts'
import { unpackWeights } from '../learning/linear.ts'
import { type DetectedMeeting, findOccasion, meetingsIn, timesWithin } from '../meetings/detect.ts'
import { inheritTimes } from '../meetings/inherit.ts'
import type { Piece } from '../meetings/title.ts'
import { REQUEST_MODEL } from '../models/requests.ts'
import { onOneLine, type Sentence, sentenceAt, sentencesOf } from '../text.ts'
import {
  type Assignment,
  asksForPayment,
  asksPolitely,
  findActionItems,
  type Owner,
  openingOf,
  timesOf,
} from './action-items.ts'
import { type Category, categoryOf, isAdvertising, isMachine } from './category.ts'
import { findInsights, findTricks, type Insight } from './facts.ts'
import { classifyMail } from './kind.ts'
import { findPickups, findTopic, isAppointmentCard } from './notices.ts'
import { findPhishing } from './phishing.ts'
import { eachFeature, formsOf } from './request-features.ts'
import { firstSentences, type Sentiment, sentimentOf, summarize } from './summary.ts'
import { writeTaskTitle } from './task-title.ts'
import { type Urgency, urgencyOf } from './urgency.ts'

/** The model was not trained on German, so German requests are matched with patterns. */
const GERMAN =
  /\b(?:bitte|könnten sie|könntest du|können sie|kannst du|würden sie|würdest du|hätten sie|hättest du|lass(?:t|en)? (?:uns|sie)|gib(?:t|en)? (?:mir|uns) bescheid|melde(?:n|t)? (?:dich|sie sich)|ich (?:brauche|bräuchte|benötige)|bräuchten? (?:ich|wir)|benötigen? (?:ich|wir)|brauche ich|wir (?:müssen|sollten|brauchen|bräuchten|benötigen)|(?:mir|uns) fehl(?:t|en) noch|bitte(?:n)? (?:ich|wir) (?:um|sie|dich)|teilen sie (?:mir|uns)|ruf(?:en|t)? (?:mich|uns|sie (?:mich|uns))|sag(?:en|t)? (?:mir|uns|sie (?:mir|uns))|schick(?:e|en|t)?|denk(?:e|t|en)? (?:daran|bitte)|wollen wir|sollen wir|fordern (?:wir )?sie|reichen sie|füllen sie|nicht vergessen)\b|(?<![a-zß-ÿ])überweisen sie\b|^(?:haben|hast|sind|bist|wann|wäre|passt|ist|gibt|wer|wo|was|wie)\b[^.]{0,300}\?/i

/** Clear requests that the training data does not contain: "need the slides by noon", "kindly revert". */
const PLAIN =
  /^(?:also[, ]+)?(?:(?:i |we )?need (?:the|your|an?|this|that|those|these|updated)\b[^.?!]{0,80}\b(?:by|today|tomorrow|asap|before|tonight|now)\b|kindly [a-z]+)/i

const weightOf = unpackWeights(REQUEST_MODEL.packed)

/**
 * Scores whether a sentence requests, proposes or promises something. A score above 0 means yes. The model is
 * linear in the features; see bench/train.
 */
export const requestScore = (sentence: string, times: readonly TimeExpression[]): number => {
  let score = REQUEST_MODEL.bias
  eachFeature(sentence, formsOf(sentence, times), (feature, value) => {
    score += weightOf(feature) * value
  })
  if (GERMAN.test(sentence.slice(0, 600))) score += 1
  if (PLAIN.test(sentence.slice(0, 200))) score += 1
  return score
}

/**
 * Indirect questions without a question mark: "I would like to know whether …", "ich wollte fragen, ob …".
 */
const INDIRECT =
  /\b(?:i(?:['’]d| would)(?: also| really)? (?:like|love) to (?:know|ask(?: you)?|find out)|i (?:was|am)(?: just| also)? wondering|i wonder|i (?:wanted|want) to (?:ask|know)(?: you)?|i(?:['’]m| am) (?:curious|not sure)|mich würde(?: auch| noch)? interessieren|ich (?:wüsste|würde)(?: auch| noch)? gerne?(?: wissen)?|ich (?:wollte|möchte|würde)(?: \p{L}+){0,3} (?:fragen|wissen))[\s,]+(?:if|whether|what|when|where|who|which|how|why|ob|was|wann|wo|wer|welche[rsnm]?|wie|warum|wieso|weshalb)\b/iu
const MAX_QUESTION_LENGTH = 400

const isQuestion = (words: string): boolean =>
  words.length > 3 && (/\?["')]*\s*$/.test(words) || INDIRECT.test(words.slice(0, MAX_QUESTION_LENGTH)))

export interface MailInput {
  text: string
  subject?: string
  /** Email address of the sender. */
  from?: string
  /** Name of the sender. Titles of tasks use it for "me" and "us". */
  sender?: string
  html?: string
  headers?: Readonly<Record<string, string>>
}

export interface AnalysisOptions {
  /** When the mail was written, in epoch milliseconds. Relative dates such as "tomorrow" refer to it. */
  date: number
  /** Time zone of the reader. */
  timezone: string
  writerTimezone?: string
  order?: Order
}

export interface ActionItem extends Piece {
  /** The reader, or somebody else: the writer who promised it, or `person`. */
  owner: Owner
  /** Name of a third person who has to act, or null. */
  person: string | null
  /** Epoch milliseconds, or null. */
  dueAt: number | null
  /** The date, if no hour was named. `dueAt` is then the last minute of that day. */
  dueDay: string | null
  confidence: number
  /** The tasks that a person would note. */
  title?: string
}

export interface MailAnalysis {
  /** ISO 639-1 code, or null if the text is too short to tell. */
  language: string | null
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
const MAX_ITEMS = 20
const MAX_TEXT_LENGTH = 30_000
/** Pronouns in a request refer to the text before it. */
const MAX_CONTEXT = 500
export type Deadline = Pick<ActionItem, 'dueAt' | 'dueDay'>

/** Builds a deadline from a local day and time. Without `seconds` the deadline is the end of that day. */
export const deadlineOn = (day: number, seconds: number | undefined, timezone: string): Deadline => ({
  dueAt: toInstant(seconds === undefined ? (day + 1) * DAY - 60_000 : day * DAY + seconds * 1000, timezone),
  dueDay: seconds === undefined ? dayText(day) : null,
})

/** Returns null for years outside 0 to 9999, which are misread numbers. */
const dayText = (day: number): string | null => {
  const at = new Date(day * DAY)
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() < 0 || at.getUTCFullYear() > 9999
    ? null
    : at.toISOString().slice(0, 10)
}

/** Prefers a date with "by", then the first explicit date. */
export const dueOf = (times: readonly TimeExpression[], timezone: string): Deadline => {
  const dated = times.filter(({ start, kind }) => start && kind !== 'duration' && kind !== 'recurrence')
  const time =
    dated.find(({ bound }) => bound === 'by' || bound === 'before' || bound === 'until') ??
    dated.find(({ dated: said }) => said) ??
    dated[0]
  if (!time?.start) return { dueAt: null, dueDay: null }
  const { start, end } = time
  if (start.seconds !== undefined) {
    const { day, seconds } = toReaderZone(start, time.zone, timezone)
    return deadlineOn(day, seconds, timezone)
  }
  const last =
    end && time.kind === 'daterange' && time.bound !== 'before'
      ? end.day - (time.inclusive ? 0 : 1)
      : start.day - (time.bound === 'before' ? 1 : 0)
  return deadlineOn(last, undefined, timezone)
}

const clean = (text: string): string => onOneLine(text).trim()

/** Analyzes a mail without a language model. All evidence is quoted from the mail. */
export const analyzeMail = (input: MailInput, options: AnalysisOptions): MailAnalysis => {
  const text = input.text.slice(0, MAX_TEXT_LENGTH)
  const subject = input.subject?.slice(0, 500) ?? ''
  const own = ownText(text)
  const language = identifyLanguage(own.trim() === '' ? subject : own)
  const { category, confidence: categoryConfidence } = categoryOf({
    subject,
    from: input.from ?? '',
    text,
    ...(input.headers ? { headers: input.headers } : {}),
  })
  const letter = { subject, from: input.from ?? '', text: own.trim() === '' ? text : own }
  const decision = classifyMail(letter)
  const tricks = [...findTricks(text, input.html), ...findPhishing({ ...letter, text }, decision)]
  const flagged = /^(?:high|1|2)\b/i.test(input.headers?.importance ?? input.headers?.['x-priority'] ?? '')
  const isPhishing = tricks.some(({ kind }) => kind === 'phishing')
  const machine = isMachine(category)
  const silent = category === 'auto-reply' || category === 'newsletter' || isPhishing
  const prose = toProse(own)
  const sentences = sentencesOf(own).slice(0, 400)
  if (!isReadable(language)) {
    const insights = [...tricks, ...findInsights(machine ? text : own)]
    const facts = {
      subject: '',
      own: '',
      machine,
      silent,
      requests: 0,
      questions: 0,
      requestScore: 0,
      flagged,
      decision,
    }
    return {
      language,
      category,
      categoryConfidence,
      urgency: urgencyOf(facts),
      sentiment: 'neutral',
      summary: firstSentences(own, sentences),
      questions: [],
      actionItems: [],
      insights,
      meetings: [],
    }
  }
  const wall = toWall(options.date, options.timezone)
  const german = language === null ? isGerman(own) : language === 'de'
  const all = inheritTimes(
    own,
    timesIn(own, prose, {
      now: wall,
      timezone: options.timezone,
      order: options.order ?? (german ? 'dmy' : 'mdy'),
    }),
    wall,
  )
  const times = sentences.map((sentence) => timesWithin(all, sentence))
  const isBill = category === 'receipt' || (machine && decision.kind === 'dunning')
  const scores = sentences.map(({ from, to }, index) =>
    to - from < 4 || (machine && !(isBill && asksForPayment(own.slice(from, to))))
      ? -1
      : requestScore(own.slice(from, to).trim(), times[index] as TimeExpression[]),
  )
  const questions = machine ? [] : findQuestions(own, sentences)
  const isQuiet = isPhishing || isAdvertising(own, category)
  const isCard = machine && !isQuiet && isAppointmentCard(subject, own)
  const heading = (isCard ? findTopic(own) : undefined) ?? subject
  const meetings =
    isPhishing || (machine && !isCard)
      ? []
      : meetingsIn(own, all, {
          now: options.date,
          timezone: options.timezone,
          ...(heading ? { subject: heading } : {}),
          ...(options.writerTimezone ? { writerTimezone: options.writerTimezone } : {}),
          ...(options.order ? { order: options.order } : {}),
        }).meetings
  const sender = { name: input.sender ?? '', address: input.from ?? '' }
  const toItem = (found: Assignment & { title?: string }): ActionItem => {
    const { text: words, offset, length, owner, person, confidence } = found
    const within = timesOf(all, found)
    const title =
      found.title ??
      writeTaskTitle(own.slice(offset, offset + length), {
        german,
        sender,
        before: own.slice(Math.max(0, offset - MAX_CONTEXT), offset),
        times: within,
        topic: findOccasion(meetings),
      })
    return {
      text: words,
      offset,
      owner,
      person,
      ...dueOf(within, options.timezone),
      confidence,
      ...(owner === 'me' && { title }),
    }
  }
  const pickups = machine && !isQuiet && !isBill ? findPickups(own, sentences, german) : []
  const isWanted = isBill && machine ? asksForPayment : isCard ? asksPolitely : undefined
  const found = isQuiet || (machine && !isWanted) ? [] : findActionItems(own, sentences, scores, isWanted)
  const actionItems = [...found, ...pickups].map(toItem)
  const wanted = actionItems.filter(({ owner }) => owner === 'me')
  // The time of a meeting is not a deadline.
  const due = wanted.filter(
    ({ offset, text: words }) =>
      !meetings.some(
        ({ evidence: [time] }) => time && time.offset >= offset && time.offset < offset + words.length,
      ),
  )
  const terms = termsIn(own, sentences, times, due, wall)
  const dues = [
    ...due.flatMap(({ dueAt }) => (dueAt !== null && dueAt >= options.date ? [dueAt] : [])),
    ...terms.flatMap(({ offset }) => {
      const { dueAt } = dueOf(times[sentenceAt(sentences, offset)] ?? [], options.timezone)
      return dueAt !== null && dueAt >= options.date ? [dueAt] : []
    }),
  ]
  const next = dues.length > 0 ? (Math.min(...dues) - options.date) / 3_600_000 : undefined
  const { sentiment } = sentimentOf(prose.tokens)
  return {
    language: language ?? (german ? 'de' : null),
    category,
    categoryConfidence,
    urgency: urgencyOf({
      subject,
      own,
      machine,
      silent: silent || isAdvertising(own, category),
      ...(next !== undefined ? { hoursToDue: next } : {}),
      requests: wanted.length,
      questions: questions.filter(({ offset }) => !wanted.some((item) => item.offset === offset)).length,
      requestScore: scores.reduce((sum, score) => sum + Math.max(0, score), 0),
      flagged,
      decision,
    }),
    sentiment,
    summary: summarize(own, sentences, prose.tokens, (index) =>
      Math.max(0, Math.min(1, (scores[index] as number) + 0.2)),
    ),
    questions,
    actionItems,
    insights: [...tricks, ...findInsights(machine ? text : own), ...deadlines(due), ...terms],
    meetings,
  }
}

const findQuestions = (own: string, sentences: readonly Sentence[]): Piece[] =>
  sentences
    .map(({ from, to }) => {
      const raw = own.slice(from, to)
      const opening = openingOf(raw)
      return { text: clean(raw.slice(opening)), offset: from + opening }
    })
    .filter(({ text }) => isQuestion(text))
    .slice(0, MAX_ITEMS)

const deadlines = (items: readonly ActionItem[]): Insight[] =>
  items.filter(({ dueAt }) => dueAt !== null).map(({ text, offset }) => ({ kind: 'deadline', text, offset }))

const TERM =
  /(?<![\p{L}\d])(?:due|payable|pay by|expires?|deadline|renews? (?:on|by)|valid until|fällig|zahlbar|frist|spätestens|überweisen|läuft (?:am|bis)|gültig bis)(?!\p{L})/iu
const MAX_TERMS = 5

/** Finds due dates that nobody requests explicitly, such as those of an invoice or a library book. */
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
    .slice(0, MAX_TERMS)
