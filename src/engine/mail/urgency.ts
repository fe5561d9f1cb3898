import type { Piece } from '../meetings/piece.ts'
import { phraseFinder } from '../phrases/phrases.ts'
import { smallOf } from '../small-letters.ts'

/** From the least to the most. */
export const URGENCY_LEVELS = ['low', 'normal', 'high', 'critical'] as const
export type UrgencyLevel = (typeof URGENCY_LEVELS)[number]

const LEAST: Readonly<Record<UrgencyLevel, number>> = { low: 0, normal: 0.18, high: 0.5, critical: 0.8 }

/** The score as near to what it was as the level lets it be. */
export const scoreWithin = (level: UrgencyLevel, score: number): number => {
  const next = URGENCY_LEVELS[URGENCY_LEVELS.indexOf(level) + 1]
  const most = next ? LEAST[next] - 0.01 : 1
  return Math.round(Math.min(most, Math.max(LEAST[level], score)) * 100) / 100
}

export interface UrgencyReason extends Piece {
  reason: string
}

export interface Urgency {
  level: UrgencyLevel
  score: number
  reasons: UrgencyReason[]
}

const WORDS: readonly (readonly [pattern: RegExp, weight: number, reason: string])[] = [
  [
    /\b(?:emergency|critical|outage|production (?:is )?down|(?:site|server|system|service) (?:is )?(?:completely )?down|security (?:breach|incident)|data (?:loss|breach)|life[- ]threatening|notfall|ausfall|totalausfall)\b/,
    0.5,
    'something is broken or dangerous',
  ],
  [
    /\b(?:urgent(?:ly)?(?! (?:matters?|cases?|issues?|requests?|inquir(?:y|ies)|enquir(?:y|ies)|questions?|queries))|asap|as soon as possible|right away|immediate(?:ly)?|at once|time[- ]sensitive|top priority|high priority|dringend|eilig|sofort|umgehend|unverzüglich|so (?:bald|schnell) wie möglich|schnellstmöglich)\b/,
    0.35,
    'it says that it is urgent',
  ],
  [
    /\b(?:final (?:notice|reminder|warning)|last (?:chance|reminder)|overdue|past due|letzte (?:mahnung|erinnerung)|überfällig|mahnung)\b/,
    0.3,
    'something is overdue',
  ],
  [
    /\b(?:by (?:end of (?:day|business)|eod|cob|close of business|noon|tonight|today|this (?:morning|afternoon|evening))|due today|before (?:noon|tonight|the end of the day)|bis heute|noch heute|heute noch|bis (?:feier)?abend)\b/,
    0.35,
    'it is due today',
  ],
  [
    /\b(?:deadline|due (?:date|by|on)|no later than|expires?|expiring|frist|abgabetermin|stichtag|spätestens)\b/,
    0.15,
    'a deadline is named',
  ],
  [
    /\b(?:waiting (?:for|on) (?:you|your)|blocked|blocking|can(?:'t|not) (?:proceed|continue)|holding (?:us|me|this) up|escalat\w+|warten? auf (?:dich|sie|ihre|deine)|blockiert)\b/,
    0.2,
    'others are waiting',
  ],
  [/\b(?:important|wichtig)\b/, 0.12, 'it says that it is important'],
  [
    /\b(?:no (?:rush|hurry)|whenever you (?:can|have)|when you (?:get|have) (?:a chance|time|a moment)|not urgent|low priority|fyi|for your information|keine eile|nicht dringend|zur info(?:rmation)?|wenn du zeit hast|bei gelegenheit)\b/,
    -0.35,
    'there is no hurry',
  ],
]

const findPhrases = phraseFinder(WORDS.map(([pattern]) => pattern))

/** The first of each sort of words, by their place. */
const firstOf = (text: string): Map<number, Piece> => {
  const first = new Map<number, Piece>()
  findPhrases(smallOf(text), (sort, from, to) => {
    if (!first.has(sort)) first.set(sort, { text: text.slice(from, to), offset: from })
  })
  return first
}

export interface UrgencyFacts {
  subject: string
  /** The writer's own words, offsets kept. */
  own: string
  machine: boolean
  /** An answer that no person wrote, or a mail that came back. */
  silent?: boolean
  /** Hours until the next thing is due, when something is. */
  hoursToDue?: number
  asks: boolean
  /** Importance or X-Priority said so. */
  flagged?: boolean
}

const MOST_REASONS = 8
const LOOKED_AT = 20_000

export const urgencyOf = ({
  subject,
  own,
  machine,
  silent,
  hoursToDue,
  asks,
  flagged,
}: UrgencyFacts): Urgency => {
  const reasons: UrgencyReason[] = []
  let score = 0.2
  const [inText, inSubject] = [firstOf(own.slice(0, LOOKED_AT)), firstOf(subject)]
  for (const [sort, [, weight, reason]] of WORDS.entries()) {
    const [match, heading] = [inText.get(sort), inSubject.get(sort)]
    if (!match && !heading) continue
    score += weight * (heading ? 1.2 : 1)
    // "not urgent" holds the word that it denies.
    if (weight < 0)
      score -=
        reasons.some(({ reason: other }) => other === 'it says that it is urgent') &&
        /not urgent|nicht dringend/i.test(`${subject} ${match?.text ?? ''}`)
          ? 0.35
          : 0
    reasons.push({ reason, text: match?.text ?? (heading as Piece).text, offset: match?.offset ?? -1 })
  }
  if (hoursToDue !== undefined && hoursToDue >= 0) {
    const soon = hoursToDue <= 24 ? 0.25 : hoursToDue <= 72 ? 0.15 : hoursToDue <= 168 ? 0.05 : 0
    if (soon > 0)
      reasons.push({
        reason:
          hoursToDue <= 24
            ? 'it is due within a day'
            : hoursToDue <= 72
              ? 'it is due within three days'
              : 'it is due within a week',
        text: '',
        offset: -1,
      })
    score += soon
  }
  if (asks) score += 0.1
  if (flagged) {
    score += 0.15
    reasons.push({ reason: 'the sender marked it as important', text: '', offset: -1 })
  }
  if (/^[^\p{Ll}]{8,}$/u.test(subject) && /\p{Lu}{4}/u.test(subject)) score += 0.05
  // A shop that shouts is still a shop.
  if (machine) score *= 0.5
  // Nothing is asked of who reads an automatic answer or a newsletter, though it names what is urgent.
  if (silent) score = Math.min(score, LEAST.normal - 0.01)
  score = Math.round(Math.min(1, Math.max(0, score)) * 100) / 100
  const level = URGENCY_LEVELS.findLast((name) => score >= LEAST[name]) ?? 'low'
  return { level, score, reasons: reasons.slice(0, MOST_REASONS) }
}
