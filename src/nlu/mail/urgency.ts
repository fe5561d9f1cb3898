import { compilePatterns } from '../lexicon/patterns.ts'
import { smallOf } from '../lower-case.ts'
import type { Piece } from '../meetings/title.ts'
import { phraseFinder } from '../text.ts'
import { findEvidence, isCertain, type KindDecision, type MailKind } from './kind.ts'

/** In ascending order. */
export const URGENCY_LEVELS = ['low', 'normal', 'high', 'critical'] as const
export type UrgencyLevel = (typeof URGENCY_LEVELS)[number]

const MIN_SCORE: Readonly<Record<UrgencyLevel, number>> = { low: 0, normal: 0.18, high: 0.5, critical: 0.8 }

/** Clamps a score to the range of a level. */
export const scoreWithin = (level: UrgencyLevel, score: number): number => {
  const next = URGENCY_LEVELS[URGENCY_LEVELS.indexOf(level) + 1]
  const most = next ? MIN_SCORE[next] - 0.01 : 1
  return Math.round(Math.min(most, Math.max(MIN_SCORE[level], score)) * 100) / 100
}

export interface UrgencyReason extends Piece {
  reason: string
}

export interface Urgency {
  level: UrgencyLevel
  score: number
  reasons: UrgencyReason[]
}

interface SignRule {
  /** Added to the logit of the score for the first match; further matches add less. */
  weight: number
  /** Null for signs that explain nothing to a user. */
  reason: string | null
}

const RULES = {
  failure: { weight: 1.25, reason: 'it reports an outage or a failure' },
  problem: { weight: 0.55, reason: 'it reports a problem' },
  denial: { weight: 0.25, reason: null },
  affected: { weight: 0.55, reason: 'people are affected' },
  ultimatum: { weight: 1, reason: 'it sets an ultimatum' },
  repeated: { weight: 0.6, reason: 'it was asked before' },
  hurry: { weight: 1.1, reason: 'it says that it is urgent' },
  dueToday: { weight: 1.9, reason: 'it is due today' },
  today: { weight: 0.55, reason: 'it concerns today' },
  deadline: { weight: 0.5, reason: 'it mentions a deadline' },
  waiting: { weight: 0.75, reason: 'others are waiting' },
  help: { weight: 0.5, reason: 'it asks for help' },
  operation: { weight: 0.2, reason: null },
  leisure: { weight: -1.3, reason: 'there is no hurry' },
  opinion: { weight: -0.55, reason: null },
  thanks: { weight: -0.5, reason: null },
  introduction: { weight: -0.7, reason: null },
} satisfies Record<string, SignRule>
type Sign = keyof typeof RULES

const SIGNS = [...compilePatterns(new URL('../lexicon/mail-urgency.txt', import.meta.url))].map(
  ([name, pattern]) => ({ ...(RULES[name as Sign] as SignRule), sign: name as Sign, pattern }),
)

const findPhrases = phraseFinder(SIGNS.map(({ pattern }) => pattern))

const DENIED_BEFORE =
  /(?:\b(?:no|not|never|without|any|if|in case|kein|keine|keinen|ohne|falls|wenn|keinerlei|nicht|isn't|aren't)\s(?:\S+\s)?)$/
/** Signs that a word before them can deny: "no problem", "if you have any trouble", "not urgent". */
const DENIABLE: ReadonlySet<Sign> = new Set(['problem', 'failure', 'hurry', 'help', 'waiting'])

interface Found {
  count: number
  first: Piece
}

/** Collects the signs of a text with their number and first match. */
const signsIn = (text: string): Map<Sign, Found> => {
  const found = new Map<Sign, Found>()
  const small = smallOf(text)
  findPhrases(small, (index, from, to) => {
    const { sign } = SIGNS[index] as (typeof SIGNS)[number]
    if (DENIABLE.has(sign) && DENIED_BEFORE.test(small.slice(Math.max(0, from - 24), from))) return
    const known = found.get(sign)
    if (known) known.count++
    else found.set(sign, { count: 1, first: { text: text.slice(from, to), offset: from } })
  })
  return found
}

export interface UrgencyFacts {
  subject: string
  /** Text of the writer without quoted history. Offsets refer to the full text. */
  own: string
  machine: boolean
  /** An automatic reply, a newsletter or an attempt to deceive. */
  silent?: boolean
  /** Hours until the next deadline. */
  hoursToDue?: number
  /** Number of action items of the reader. */
  requests: number
  questions: number
  /** Sum of the positive scores of the request model. */
  requestScore: number
  /** The Importance or X-Priority header marks the mail as important. */
  flagged?: boolean
  decision: KindDecision
}

/** The kind of a mail changes the logit of its score. */
const KIND_SIGNS: Readonly<Partial<Record<MailKind, { weight: number; reason: string }>>> = {
  emergency: { weight: 3, reason: 'it reports an emergency or a danger' },
  dunning: { weight: 0.8, reason: 'something is overdue' },
}
/** A demand for payment is never as urgent as an emergency. */
const MAX_DUNNING_SCORE = 0.75

const MAX_REASONS = 8
const MAX_TEXT = 20_000
/** Spreads the scores over the levels. */
const SLOPE = 0.75
const SHIFT = 0.75
/** Logit of a mail without any sign. */
const BASE = -1.75
const SUBJECT_FACTOR = 1.2
const MAX_MATCHES = 6
/** Signs in a longer text count less: an essay names problems without having one. */
const USUAL_WORDS = 60
const CHARACTERS_PER_WORD = 6
const TELLS_ONLY = 0.5
const LENGTH_EXPONENT = 0.35
/** Signs that lower the score of a mail that asks for nothing. "Thanks" below a question is mere courtesy. */
const COURTESIES: ReadonlySet<Sign> = new Set(['thanks', 'introduction'])
const COURTESY_FACTOR = 0.2

const duePart = (hours: number | undefined): { weight: number; reason: string } | undefined => {
  if (hours === undefined || hours < 0 || hours > 168) return undefined
  if (hours <= 16) return { weight: 1.8, reason: 'it is due today' }
  if (hours <= 40) return { weight: 1.2, reason: 'it is due within two days' }
  if (hours <= 82) return { weight: 0.6, reason: 'it is due within three days' }
  return { weight: 0.25, reason: 'it is due within a week' }
}

/**
 * Rates how soon a mail needs its reader. Problems, people affected, ultimatums, repeated requests and real
 * deadlines raise the score; thanks, opinions and "no hurry" lower it. The sum is a logit.
 */
export const urgencyOf = ({
  subject,
  own,
  machine,
  silent,
  hoursToDue,
  requests,
  questions,
  requestScore,
  flagged,
  decision,
}: UrgencyFacts): Urgency => {
  const reasons: UrgencyReason[] = []
  const [inText, inSubject] = [signsIn(own.slice(0, MAX_TEXT)), signsIn(subject)]
  const has = (sign: Sign): boolean => inText.has(sign) || inSubject.has(sign)
  const kind = isCertain(decision) ? KIND_SIGNS[decision.kind] : undefined
  const isWrong = kind !== undefined || has('failure') || has('problem') || has('ultimatum')
  const asks = requests + questions > 0
  const words = own.length / CHARACTERS_PER_WORD
  const density = Math.min(1, (USUAL_WORDS / words) ** LENGTH_EXPONENT)
  let logit = BASE
  if (kind) {
    logit += kind.weight * Math.min(1, decision.margin)
    reasons.push({ reason: kind.reason, ...(findEvidence(own, decision.kind) ?? { text: '', offset: -1 }) })
  }
  for (const { sign, weight, reason } of SIGNS) {
    const [found, heading] = [inText.get(sign), inSubject.get(sign)]
    if (!found && !heading) continue
    // People count only where something is wrong.
    if (sign === 'affected' && !isWrong) continue
    const count = Math.min(MAX_MATCHES, (found?.count ?? 0) + (heading?.count ?? 0))
    const factor =
      weight > 0
        ? density * (heading ? SUBJECT_FACTOR : 1)
        : COURTESIES.has(sign) && (asks || isWrong)
          ? COURTESY_FACTOR
          : 1
    logit += weight * (1 + 0.5 * Math.log(count)) * factor
    if (reason !== null)
      reasons.push({
        reason,
        text: (found ?? (heading as Found)).first.text,
        offset: found?.first.offset ?? -1,
      })
  }
  // The words "by noon" and the time that they name are one deadline.
  const due = has('dueToday') ? undefined : duePart(hoursToDue)
  if (due) {
    logit += due.weight
    reasons.push({ reason: due.reason, text: '', offset: -1 })
  }
  logit +=
    0.55 * Math.min(2, Math.log2(1 + requests)) + 0.5 * density * Math.min(2.5, Math.log2(1 + questions))
  logit += 0.35 * Math.min(2, requestScore)
  if (flagged) {
    logit += 0.7
    reasons.push({ reason: 'the sender marked it as important', text: '', offset: -1 })
  }
  if (/^[^\p{Ll}]{8,}$/u.test(subject) && /\p{Lu}{4}/u.test(subject)) logit += 0.25
  // A text without a question or a request tells something and asks for nothing.
  if (!asks && !isWrong) logit -= TELLS_ONLY + 0.15 * Math.max(0, Math.log2(words / USUAL_WORDS))
  // Automated mail, such as advertising, exaggerates its urgency.
  let score = 1 / (1 + Math.exp(SHIFT - SLOPE * logit))
  if (decision.kind === 'dunning') score = Math.min(score, MAX_DUNNING_SCORE)
  if (kind && decision.kind === 'emergency') score = Math.max(score, MIN_SCORE.critical)
  if (machine) score *= 0.6
  // Automatic replies and newsletters require no action, even if they mention something urgent.
  if (silent) score = Math.min(score, 0.5) * 0.3
  score = Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000
  const level = URGENCY_LEVELS.findLast((name) => score >= MIN_SCORE[name]) ?? 'low'
  return { level, score, reasons: reasons.slice(0, MAX_REASONS) }
}
