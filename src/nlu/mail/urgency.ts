import type { Piece } from '../meetings/title.ts'
import { phraseFinder, smallOf } from '../text.ts'

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

const WORDS: readonly (readonly [pattern: RegExp, weight: number, reason: string])[] = [
  [
    /\b(?:emergency|critical|outage|production (?:is )?down|(?:site|server|system|service) (?:is )?(?:completely )?down|security (?:breach|incident)|data (?:loss|breach)|life[- ]threatening|notfall|ausfall|totalausfall)\b/,
    0.5,
    'it reports an outage or an emergency',
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
    'it mentions a deadline',
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

/** Returns the first match of each entry in `WORDS`, by index. */
const firstOf = (text: string): Map<number, Piece> => {
  const first = new Map<number, Piece>()
  findPhrases(smallOf(text), (sort, from, to) => {
    if (!first.has(sort)) first.set(sort, { text: text.slice(from, to), offset: from })
  })
  return first
}

export interface UrgencyFacts {
  subject: string
  /** Text of the writer without quoted history. Offsets refer to the full text. */
  own: string
  machine: boolean
  /** An automatic reply, or a newsletter. */
  silent?: boolean
  /** Hours until the next deadline. */
  hoursToDue?: number
  asks: boolean
  /** The Importance or X-Priority header marks the mail as important. */
  flagged?: boolean
}

const MOST_REASONS = 8
const MAX_TEXT = 20_000

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
  const [inText, inSubject] = [firstOf(own.slice(0, MAX_TEXT)), firstOf(subject)]
  for (const [sort, [, weight, reason]] of WORDS.entries()) {
    const [match, heading] = [inText.get(sort), inSubject.get(sort)]
    if (!match && !heading) continue
    score += weight * (heading ? 1.2 : 1)
    // "not urgent" also matches the pattern for "urgent".
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
  // Automated mail, such as advertising, exaggerates its urgency.
  if (machine) score *= 0.5
  // Automatic replies and newsletters require no action, even if they mention something urgent.
  if (silent) score = Math.min(score, MIN_SCORE.normal - 0.01)
  score = Math.round(Math.min(1, Math.max(0, score)) * 100) / 100
  const level = URGENCY_LEVELS.findLast((name) => score >= MIN_SCORE[name]) ?? 'low'
  return { level, score, reasons: reasons.slice(0, MOST_REASONS) }
}

/** The writer announces an action. */
const OWN_ACTION =
  /\b(?:i|we)(?:['’]ll| will| shall|['’]m going to| am going to|['’]re going to| are going to| promise to)\b|\b(?:ich|wir) werden?\b|\bich (?:melde|schicke|sende|rufe|kümmere|komme)\b|\bwir (?:melden|schicken|senden)\b/i

/** Verbs of actions that a writer can promise. "I will be away" is not a promise. */
export const ACTION_VERBS = `send|forward|bring|call|phone|ring|e-?mail|mail|write|reply|respond|answer|get back|come back|let you know|prepare|check|look into|look at|review|read|finish|complete|deliver|update|share|provide|submit|arrange|book|schedule|organi[sz]e|confirm|pay|transfer|fix|handle|take care|follow up|circulate|draft|post|upload|ask|talk|speak|make|do|return|contact|set up|sort|give|drop|pick|order|sign|print|test|deploy|report|file|invite|order|buy|cancel|change|move|add|remove|revise|correct|attach|pass|hand|show|tell|find out|investigate|release|publish|ship|install`

const PROMISES: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:i|we)(?:['’]ll| will| shall|['’]m(?: also)? going to| am(?: also)? going to|['’]re(?: also)? going to| are(?: also)? going to| promise to)(?: (?:also|then|just|try to|try and|make sure to|be sure to|definitely|certainly|gladly|happily|personally|first|now|soon|shortly|quickly|have .{1,40} and))? (?:${ACTION_VERBS})\b`,
    'i',
  ),
  new RegExp(
    String.raw`^\s*(?:but |and )?(?:i|we) (?:still |also |just )?(?:have|need) to (?:${ACTION_VERBS})\b`,
    'i',
  ),
  /\b(?:ich|wir) (?:schicken?|sende|senden|melden?|rufen?|bringen?|kümmer[en]|erledigen?|liefern?|überweisen?|prüfen?|klären?|bereiten?|leiten?|schreiben?|besorgen?|buchen?|bestellen?|zahlen?|bezahlen?|reichen?|gebe|geben|verschicken?|erstellen?|machen?|aktualisieren?|übernehmen?|organisieren?|informieren?|fragen?|spreche|sprechen|holen?|laden?|stellen?|bestätigen?|vereinbaren?|unterschreiben?|korrigieren?|ergänzen?) (?=[^.?!]{0,200}\S)/i,
  new RegExp(String.raw`\b(?:i|we)\b[^.?!]{0,80}\band (?:will|['’]ll) (?:${ACTION_VERBS})\b`, 'i'),
  /\b(?:ich|wir)\b[^.?!]{0,80}\bund (?:schicke|sende|melde|rufe|bringe|gebe|leite|kümmere|überweise|prüfe|schreibe|erledige|kläre|besorge|buche)n?\b/i,
  /\b(?:ich|wir) werden? [^.?!]{0,160}(?<![a-zß-ÿ])(?:schicken|senden|melden|anrufen|bringen|kümmern|erledigen|liefern|überweisen|prüfen|klären|vorbereiten|weiterleiten|schreiben|besorgen|buchen|bestellen|bezahlen|einreichen|machen|fertigstellen|organisieren|zusenden|zuschicken)\b/i,
]

/** Words that turn an apparent promise into a request: "I will need you to", "I'll wait, so please". */
const ASKS_BACK =
  /\b(?:please|let (?:me|us) know|bitte)\b|\?|\b(?:need|want|like|expect|require|appreciate|await|count on|rely on|wait for|look forward to) (?:you|your|to hear)\b|\byou (?:to|need|should|must|could|would|have to)\b|\b(?:kannst|könntest|musst|solltest|würdest) du\b|\b(?:können|könnten|müssen|sollten|würden) sie\b/i

/** A conditional statement is not a promise yet. */
const CONDITION = /^\s*(?:if|unless|should you|in case|wenn|falls|sofern)\b/i

/** A promise needs the first person. */
const SPEAKER = /\b(?:i|we|ich|wir)\b/i

const LONGEST = 600

/** True if the action in a sentence is the writer's own. */
export const isOwnAction = (sentence: string): boolean => {
  const words = sentence.slice(0, LONGEST)
  return OWN_ACTION.test(words) && !ASKS_BACK.test(words)
}

/** True if the writer commits to an action. */
export const isPromise = (sentence: string): boolean => {
  const words = sentence.slice(0, LONGEST)
  if (!SPEAKER.test(words)) return false
  return !CONDITION.test(words) && PROMISES.some((form) => form.test(words)) && !ASKS_BACK.test(words)
}

const FAREWELL =
  /^(?:(?:see|talk to|speak to|catch) you|(?:talk|speak) (?:soon|then|later)|(?:we )?(?:look|looking) forward to (?!your (?:answer|reply|response|feedback))|have a (?:great|nice|good|lovely|safe)|enjoy (?:your|the)|take care|bis (?:dann|bald|morgen|später|nächste|montag|dienstag|mittwoch|donnerstag|freitag)|wir sehen uns|schöne[ns]? (?:tag|abend|woche|wochenende|urlaub))\b[^?]{0,50}$/iu

/** A farewell such as "See you next week." requests nothing. */
export const isFarewell = (words: string): boolean => words.length < 70 && FAREWELL.test(words)
