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

type Sign =
  | 'failure'
  | 'problem'
  | 'denial'
  | 'affected'
  | 'ultimatum'
  | 'repeated'
  | 'hurry'
  | 'dueToday'
  | 'today'
  | 'deadline'
  | 'waiting'
  | 'help'
  | 'operation'
  | 'leisure'
  | 'opinion'
  | 'thanks'
  | 'introduction'

interface SignRule {
  sign: Sign
  pattern: RegExp
  /** Added to the logit of the score for the first match; further matches add less. */
  weight: number
  /** Null for signs that explain nothing to a user. */
  reason: string | null
}

/** Matched against lower-case text. */
const SIGNS: readonly SignRule[] = [
  {
    sign: 'failure',
    pattern:
      /\b(?:outage|(?:production|site|website|server|system|service|shop|network|database|line|api|app) (?:is |are |has been |went |was )?(?:completely |currently |still )?(?:down|unavailable|offline|unreachable|standing still)|(?:is|are|went|has been) down|standing still|stands? still|not available|can(?:'t|not) (?:log ?in|sign ?in|access|work|pay|order|submit|upload|open|reach|connect)|unable to (?:log ?in|sign ?in|access|work|pay|order|submit|upload|open|reach|connect)|payments? fail\w*|critical (?:bug|issue|error|problem|failure|incident|outage|vulnerability)|security incident|(?:has|have|was|were|is) (?:been )?cancelled|turned off|shut (?:down|off)|ausfall|totalausfall|ausgefallen|störung|steht still|kommt (?:auf \w+ \w+ )?(?:mehr )?(?:jemand|niemand|keiner) (?:mehr )?(?:ins|in das|rein)|kommen wir nicht|nicht erreichbar|fällt (?:leider )?aus|gesperrt|annulliert|gestrichen)\b/,
    weight: 1.25,
    reason: 'it reports an outage or a failure',
  },
  {
    sign: 'problem',
    pattern:
      /\b(?:(?:i|we|you|he|she|they|customers|users|nobody|somebody) (?:still |also |just )?(?:can(?:'t|not)|can not|could(?:n't| not)|am not able|are not able|did(?:n't| not) (?:get|receive|see|find))|unable|(?:do|did) not understand|don't understand|(?:does|do|did|will|would)(?:n't| not) (?:work|open|load|show|start|accept|let|arrive|appear|respond|play|save|allow|register)|(?:isn't|aren't|wasn't|weren't) (?:working|there|loading|showing|possible)|won't (?:work|open|load|start|let|submit|play|save)|not (?:working|able|possible|loading|showing|appearing|found|received|getting)|stopped|fail(?:s|ed|ing|ure)?|errors?|bugs?|broken|broke|crash(?:es|ed|ing)?|missing|lost|wrong(?:ly)?|incorrect(?:ly)?|mistakes?|stuck|problems?|problematic|issues?|trouble|confus(?:ed|ing)|unclear|damaged|defect(?:ive)?|leak(?:s|ing)?|dripping|delay(?:ed)?|complaints?|complain|nobody|no one|nothing happens|empty|unable|blank|frozen|disappeared|refus(?:es|ed)|reject(?:s|ed)|invalid|expired|undeclared|terminat(?:e|ed|ing)|geht nicht|gehen nicht|funktioniert nicht|funktionieren nicht|klappt nicht|läuft nicht|nicht (?:möglich|mehr|gekommen|bekommen|erhalten|angekommen|gefunden)|kaputt|defekt|fehler|fehlermeldung|problem(?:e|en)?|falsch|fehlt|fehlen|fehlende[nr]?|verloren|abgestürzt|undicht|beschädigt|kein(?:e|en|er)? (?:zugriff|zugang|verbindung|antwort|ton|bild|zertifikat|techniker)|niemand(?:en)?|keiner|verschieben|reklamation|beschwerde|krank|unvollständig|abgelehnt)\b/,
    weight: 0.55,
    reason: 'it reports a problem',
  },
  {
    sign: 'denial',
    pattern:
      /\b(?:can(?:'t|not)|could(?:n't| not)|(?:does|do|did|is|are|was|were|has|have|will|would)(?:n't| not)|won't|nicht|kein(?:e|en|er)?)\b/,
    weight: 0.25,
    reason: null,
  },
  {
    sign: 'affected',
    pattern:
      /\b(?:customers?|clients?|users|patients|students|everyone|everybody|the whole|the entire|all (?:our|of us|users|customers|machines)|\d+ (?:open )?(?:people|tickets|complaints|customers|users|colleagues|employees|reports|orders)|(?:two|three|four|five|six|ten|twelve|twenty|many|several) (?:people|colleagues|customers|users|complaints)|(?:four|three|five) of us|production|baby|nursery|child(?:ren)?|family|biggest customer|anybody else|anyone else|kunden?|kundin|patienten|stationen?|pflege|alle (?:nutzer|mitarbeiter|kollegen)|produktion|operationen|kind(?:er)?|familie|ganze[rsn]?)\b/,
    weight: 0.55,
    reason: 'people are affected',
  },
  {
    sign: 'ultimatum',
    pattern:
      /\b(?:lawyers?|attorney|legal (?:action|steps)|court|sue|collection agency|without further notice|terminate|cancel (?:the|our|my) (?:contract|order|subscription|account)|threatening|threaten(?:s|ed)?|walks? away|or else|otherwise (?:we|i|you|the)|last (?:chance|warning|reminder)|final (?:notice|reminder|warning|demand)|(?:if|unless) (?:no one|nobody|nothing|we (?:do not|don't)|i (?:do not|don't)|you (?:do not|don't)|it is(?:n't| not)|this is(?:n't| not)|they are(?:n't| not)|(?:the|your|our) [^.,]{1,40} (?:is|are) not)|cannot be (?:extended|accepted)|does not reopen|will be (?:closed|cancelled|lost)|no (?:second|other) chance|anw[aä]lt\w*|klage|gericht|inkasso|kündig\w+|andernfalls|ansonsten|sonst (?:müssen|werden|verlieren)|letzte (?:frist|mahnung|erinnerung|chance)|verlieren sie|nicht verlängert|rechtliche schritte|wenn (?:sie|es|das|die|wir)[^.,]{0,60} nicht)\b/,
    weight: 1,
    reason: 'it sets an ultimatum',
  },
  {
    sign: 'repeated',
    pattern:
      /\b(?:(?:second|third|fourth|fifth|2nd|3rd|4th) (?:time|reminder|complaint|request|mail|email|attempt)|(?:again|twice|several times|repeatedly|multiple times)|(?:two|three|four|five|several) times|still (?:no|not|nothing|nobody|waiting|have(?:n't| nothing| no| not)|missing|dripping|do(?:n't|es not| not))|i (?:have|had|'ve) (?:already )?(?:asked|written|called|tried)|have(?:n't| not) (?:heard|received|answered)|(?:no|not) (?:answer|answered|reply|response)|follow(?:ing)? up|despite|reminders?|schon (?:geschrieben|gefragt|mehrfach|zweimal|dreimal)|noch (?:keine|immer)|immer noch|erneut|nochmals?|noch einmal|zum (?:zweiten|dritten|vierten) mal|trotz|wiederholt|mehrfach|keine (?:antwort|rückmeldung|reaktion))\b/,
    weight: 0.6,
    reason: 'it was asked before',
  },
  {
    sign: 'hurry',
    pattern:
      /\b(?:urgent(?:ly)?(?! (?:matters?|cases?|issues?|requests?|inquir(?:y|ies)|enquir(?:y|ies)|questions?|queries))|asap|as soon as (?:possible|you)|right away|right now|immediate(?:ly)?|at once|time[- ]sensitive|top priority|high priority|within the hour|within an hour|quickly|before it is too late|dringend(?:e[nrs]?)?|eilig|eilt|sofort|umgehend|unverzüglich|so (?:bald|schnell) wie möglich|schnellstmöglich|möglichst (?:bald|schnell))\b/,
    weight: 1.1,
    reason: 'it says that it is urgent',
  },
  {
    sign: 'dueToday',
    pattern:
      /\b(?:(?:by|before|until) (?:the )?(?:end of (?:day|business|the day|today)|eod|cob|close of business|noon|tonight|today|this (?:morning|afternoon|evening))|due (?:today|tonight)|(?:ends|closes|expires) (?:today|tonight)|noch heute|heute noch|bis (?:heute )?(?:mittag|abend|feierabend))\b/,
    weight: 1.9,
    reason: 'it is due today',
  },
  {
    sign: 'today',
    pattern:
      /\b(?:today|tonight|this (?:morning|afternoon|evening)|by tomorrow|until tomorrow|tomorrow (?:noon|morning)|heute (?:um|bis|nachmittag|vormittag|abend)|bis morgen)\b/,
    weight: 0.55,
    reason: 'it concerns today',
  },
  {
    sign: 'deadline',
    pattern:
      /\b(?:deadline|due (?:date|by|on)|is due|no later than|expires?|expiring|closes|ends (?:on|at|today|tomorrow)|frist|abgabetermin|stichtag|spätestens|fällig|läuft (?:heute |morgen )?(?:noch )?ab|endet am)\b/,
    weight: 0.5,
    reason: 'it mentions a deadline',
  },
  {
    sign: 'waiting',
    pattern:
      /\b(?:waiting (?:for|on) (?:you|your|an answer)|waits for (?:you|your)|blocked|blocking|blocks|can(?:'t|not) (?:proceed|continue|go on|finish|start)|holding (?:us|me|this) up|escalat\w+|without (?:your|them|it|that)|needs? (?:you|your (?:approval|signature|answer|decision|help))|warte[nt]? (?:\S+ ){0,3}auf (?:dich|sie|ihre?|deine?|euch)|blockiert|kommen? (?:wir |ich )?(?:so )?nicht weiter|ohne (?:dein|deine|deinen|ihr|ihre|ihren))\b/,
    weight: 0.75,
    reason: 'others are waiting',
  },
  {
    sign: 'help',
    pattern:
      /\b(?:help|any(?:one|body) (?:know|else)|does any(?:one|body)|can any(?:one|body)|some(?:one|body) (?:help|please|tell)|what (?:should|can|do) i do|how (?:can|do|should|could) i|where (?:can|do) i|is there (?:a|any|another) way|please (?:advise|fix|correct|clarify|explain|help|check)|hilfe|helfen|was (?:soll|kann|muss) ich|wie (?:kann|soll) ich|wo (?:kann|finde) ich|kann (?:mir )?jemand|muss ich noch)\b/,
    weight: 0.5,
    reason: 'it asks for help',
  },
  {
    sign: 'operation',
    pattern:
      /\b(?:accounts?|access|log ?in|password|submit(?:ted|ting)?|submission|upload(?:ed)?|download(?:ed)?|links?|videos?|browser|files?|error message|deadline|grad(?:e|es|ed|er|ing)|score[sd]?|points|quiz(?:zes)?|exam|assignment|homework|certificate|transcript|subtitles?|answer key|marked|invoice|refund|payment|order|delivery|contract|signature|approval|release|build|zugang|konto|passwort|datei(?:en)?|rechnung|zahlung|lieferung|vertrag|freigabe|zertifikat|prüfung|abgabe|bestellung)\b/,
    weight: 0.2,
    reason: null,
  },
  {
    sign: 'leisure',
    pattern:
      /\b(?:no (?:rush|hurry)|whenever you (?:can|have|like)|when you (?:get|have) (?:a chance|time|a moment)|not urgent|low priority|fyi|for your information|at some point|some ?time|only an idea|just an idea|you do not need to|nothing (?:is left )?to do|keine eile|eilt nicht|nicht dringend|zur info(?:rmation)?|zur kenntnis|wenn du zeit hast|bei gelegenheit|irgendwann|nur (?:so )?(?:eine|als) idee|keine beschlüsse)\b/,
    weight: -1.3,
    reason: 'there is no hurry',
  },
  {
    sign: 'opinion',
    pattern:
      /\b(?:in my (?:opinion|experience|view)|i (?:think|believe|feel|find|guess|agree|disagree|prefer)|i (?:really |very much )?(?:enjoy(?:ed)?|love[d]?|like[d]?)|from my (?:perspective|point of view)|interesting|personally|for example|such as|people (?:should|need|are|who)|society|culture|important (?:to|that)|learn(?:ed|ing)?|ich (?:finde|glaube|denke|meine)|meiner meinung|meines erachtens|interessant|geschmackssache)\b/,
    weight: -0.55,
    reason: null,
  },
  {
    sign: 'thanks',
    pattern:
      /\b(?:thank(?:s| you)(?: (?:a lot|so much|very much|all|again))?(?: for)?|great|wonderful|awesome|amazing|excellent|congrat\w+|well done|happy|glad|nice|enjoy|good luck|cheers|works for me|sounds good|all (?:tests )?passed|is finished|danke|vielen dank|toll|wunderbar|super|prima|schöne[nrs]?|herzlichen glückwunsch|freue? mich|passt (?:mir )?gut|alles läuft|läuft alles|ist durch)\b/,
    weight: -0.5,
    reason: null,
  },
  {
    sign: 'introduction',
    pattern:
      /\b(?:my name is|i(?:'m| am) (?:from|a|an|currently|originally)|hello (?:everyone|everybody|all|from)|hi (?:everyone|everybody|all)|greetings from|nice to meet|look(?:ing)? forward to|welcome|mein name ist|ich (?:komme|bin) aus|hallo (?:zusammen|an alle)|freue mich auf|grüße aus)\b/,
    weight: -0.7,
    reason: null,
  },
]

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
    const { sign } = SIGNS[index] as SignRule
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
