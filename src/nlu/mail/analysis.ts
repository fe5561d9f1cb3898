import { toReaderZone } from '../dates/calendar.ts'
import type { Order } from '../dates/formats.ts'
import { toProse } from '../dates/prose.ts'
import { isGerman, type TimeExpression, timesIn } from '../dates/read.ts'
import { ownText } from '../history.ts'
import { unpackWeights } from '../learning/linear.ts'
import { type DetectedMeeting, meetingsIn, timesWithin } from '../meetings/detect.ts'
import type { Piece } from '../meetings/title.ts'
import { REQUEST_MODEL } from '../models/requests.ts'
import { onOneLine, type Sentence, sentencesOf, smallOf } from '../text.ts'
import { toInstant, toWall } from '../time-zones.ts'
import { type Category, categoryOf, isMachine } from './category.ts'
import { findInsights, findTricks, type Insight } from './facts.ts'
import { eachFeature, formsOf } from './request-features.ts'
import { type Sentiment, sentimentOf, summarize } from './summary.ts'
import { ACTION_VERBS, isFarewell, isOwnAction, isPromise, type Urgency, urgencyOf } from './urgency.ts'

/** Brands that phishing mail impersonates. */
const BRANDS =
  'paypal|apple|icloud|amazon|microsoft|office365|outlook|google|gmail|netflix|dhl|fedex|usps|hermes|sparkasse|volksbank|postbank|commerzbank|deutschebank|comdirect|wellsfargo|bankofamerica|barclays|hsbc|santander|facebook|instagram|whatsapp|linkedin|ebay|dropbox|docusign|telekom|vodafone|coinbase|binance|klarna|spotify|steam'

const HOST = /https?:\/\/(?:[^\s/@<>"]{1,200}@)?([^\s/:?#<>"')\]]{3,200})/gi
const BRANDED = new RegExp(`(?:^|[.-])(?:${BRANDS})(?:[.-]|$)`)
const OWN = new RegExp(`^(?:${BRANDS})$`)
/** Words that phishing hosts combine with a brand: "paypal-login", "secure-paypal". */
const BAIT =
  'log-?in|sign-?in|secure|security|sicherheit|verify|verification|account|konto|support|service|kundenservice|update|billing|alert|unlock|help|pay|payment|paket|delivery|tracking|zoll|id'
/**
 * A brand's domain in front of another domain, or a brand combined with a bait word. "outlook.live.com" is
 * neither.
 */
const BORROWED = new RegExp(
  `(?:^|[.-])(?:(?:${BRANDS})\\.(?:com|net|org|de|co)[.-]|(?:${BRANDS})-(?:${BAIT})(?:[.-]|$)|(?:${BAIT})-(?:${BRANDS})(?:[.-]|$))`,
)
const SECOND_LEVEL = /^(?:co|com|org|net|gov|ac|edu)$/

/** Returns the registered name of a host: "paypal" for "mail.paypal.co.uk". */
const ownerOf = (host: string): string => {
  const labels = host.split('.')
  const last = labels.length - (SECOND_LEVEL.test(labels.at(-2) ?? '') && labels.length > 2 ? 3 : 2)
  return labels[Math.max(0, last)] ?? host
}

/** True for hosts that impersonate a brand: "paypal.com.verify.example", "paypal-login.example". */
const isBorrowed = (host: string): boolean => BORROWED.test(host) && !OWN.test(ownerOf(host))

/** True for a brand written with look-alike characters: "paypa1". */
const isLookalike = (host: string): boolean => {
  const plain = host
    .replace(/0/g, 'o')
    .replace(/1/g, 'l')
    .replace(/3/g, 'e')
    .replace(/5/g, 's')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
  return plain !== host && BRANDED.test(plain) && !BRANDED.test(host)
}

const isNumbers = (host: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)

/** Threats, and requests for secrets. Each alone is ordinary. Matched against lower-case text. */
const FEAR =
  /\b(?:account|access|card|mailbox|konto|zugang|karte|postfach)\b[^.\n]{0,60}\b(?:suspended|limited|locked|restricted|deactivated|closed|terminated|gesperrt|eingeschränkt|deaktiviert|geschlossen)\b|\bunusual (?:activity|sign-?in)\b|\bwithin (?:24|48|12) hours or\b|\binnerhalb von (?:24|48) stunden\b/
const SECRETS =
  /\b(?:verify|confirm|validate|update|enter|bestätigen sie|aktualisieren sie|geben sie)\b[^.\n]{0,30}\b(?:passwords?|pin|identity|card details|credit card|banking details|payment (?:details|information)|account (?:details|information)|credentials|login|passwort|zugangsdaten|identität|kreditkarte|bankdaten|kontodaten|tan)\b/
/** Gift card requests, which are almost always fraud. */
const GIFTS =
  /\b(?:buy|purchase|get|pick up|need|send)\b[^.\n]{0,40}\bgift ?cards?\b|\bgeschenkkarten?\b[^.\n]{0,40}\b(?:kaufen|besorgen|schicken)/
/** The "new phone number" scam: a supposed relative who needs money. */
const NEW_NUMBER =
  /\b(?:(?:this is )?my new (?:phone )?number|(?:phone|mobile|handy|telefon)\b[^.\n]{0,30}\b(?:broke|broken|lost|stolen|kaputt|verloren|gestohlen)|meine neue (?:handy)?nummer)\b/
const MONEY =
  /(?<![a-zß-ÿ])(?:send|transfer|lend|pay|überweis\w*|schick\w*|leih\w*)\b[^.\n]{0,40}\d[^.\n]{0,20}(?:€|\$|£|eur|euros?|dollars?|pounds?)|\d{2,}\s?(?:€|\$|£|eur|euros?|dollars?|pounds?)[^.\n]{0,30}(?:überweis|schick|transfer|send)/
const CODES = /\b(?:send|text|e-?mail|forward|schick\w*|sende\w*)\b[^.\n]{0,40}\bcodes?\b/
/** Promised riches, and the data or fees demanded in exchange. */
const RICHES =
  /\b(?:you(?:'ve| have) (?:won|been selected)|(?:lottery|prize|inheritance|unclaimed (?:funds?|money)|next of kin|gewinnspiel|sie haben gewonnen|erbschaft))\b/
const AGAINST =
  /\b(?:bank (?:details|account)|account (?:details|number)|claim (?:your|the) (?:prize|winnings?|reward|funds?)|processing fee|passport copy|bankdaten|kontodaten|bearbeitungsgebühr|gewinn (?:abholen|anfordern))\b/
const TRANSFER =
  /\b(?:wire transfer|urgent (?:payment|transfer)|bank transfer|eilüberweisung|dringende überweisung)\b/
const SECRECY =
  /\b(?:keep (?:this|it) (?:confidential|between us|quiet|secret)|(?:do not|don't) (?:call|tell|discuss|mention)|confidential transaction|streng vertraulich|nicht (?:anrufen|weitersagen)|behalten sie (?:das|dies) für sich)\b/

const hostsIn = (text: string): { host: string; text: string; offset: number }[] =>
  [...text.matchAll(HOST)].slice(0, 200).map((match) => ({
    host: (match[1] as string).toLowerCase().replace(/\.$/, ''),
    text: match[0],
    offset: match.index,
  }))

/** Quick check: without one of these words none of the remaining patterns match. */
const BAITED =
  /gift|geschenk|lotter|prize|inherit|unclaimed|next of kin|gewin|gewonn|erbschaft|you(?:'ve| have) (?:won|been)|new (?:phone )?number|neue (?:handy)?nummer|broke|lost|stolen|kaputt|verloren|gestohlen/
const MOST = 5

/** Finds signs of phishing, each with the words that show it. */
const findPhishing = (whole: string, from: string): Insight[] => {
  const text = whole.slice(0, 50_000)
  const small = smallOf(text)
  const piece = (pattern: RegExp): Insight | undefined => {
    const match = pattern.exec(small)
    return match
      ? {
          kind: 'phishing',
          text: text.slice(match.index, match.index + match[0].length),
          offset: match.index,
        }
      : undefined
  }
  const sender = (from.split('@').at(-1) ?? '').toLowerCase()
  const found: Insight[] = []
  const hosts = hostsIn(text)
  const fear = piece(FEAR)
  for (const { host, text: words, offset } of hosts)
    if (isBorrowed(host) || isLookalike(host) || (fear && isNumbers(host)))
      found.push({ kind: 'phishing', text: words, offset })
  if (isLookalike(sender)) found.push({ kind: 'phishing', text: from, offset: -1 })
  // A genuine provider sends from the domain that its links point to.
  const isElsewhere = hosts.length > 0 && hosts.every(({ host }) => ownerOf(host) !== ownerOf(sender))
  const secrets = fear && isElsewhere ? piece(SECRETS) : undefined
  if (fear && secrets) found.push(fear, secrets)
  const secrecy = piece(SECRECY)
  const bait = secrecy && (piece(GIFTS) ?? piece(TRANSFER))
  if (secrecy && bait) found.push(secrecy, bait)
  if (!BAITED.test(small)) return found.slice(0, MOST)
  const gifts = bait ? undefined : piece(GIFTS)
  const codes = gifts && piece(CODES)
  if (gifts && codes) found.push(gifts, codes)
  const stranded = piece(NEW_NUMBER)
  const money = stranded && piece(MONEY)
  if (stranded && money) found.push(stranded, money)
  const riches = piece(RICHES)
  const against = riches && piece(AGAINST)
  if (riches && against) found.push(riches, against)
  return found.slice(0, MOST)
}

/** `me` is the reader, `them` anybody else. */
type Owner = 'me' | 'them'

const HEADING =
  /^[\s*_#>]*(?:(?:open |agreed |our )?action (?:items?|points?)|(?:the )?next steps?|to-?\s?dos?|follow-?ups?|tasks|aufgaben(?:liste)?|nächste schritte|offene punkte|to-?do-?liste|maßnahmen)[\s*_]*:?[\s*_]*$/iu
/** Quick check that skips the search for a heading. Most mails have no such list. */
const ANNOUNCED = /action|next step|to-?\s?do|follow-?up|tasks|aufgaben|schritte|punkte|maßnahmen/i
const LONGEST_HEADING = 60
const ITEM = /^\s*(?:[-*•–·☐□]|\[\s?\]|\d{1,2}[.)])\s+(?=\S)/u
const NAMED =
  /^@?(\p{Lu}[\p{L}'’-]{1,30}(?:\s\p{Lu}[\p{L}'’-]{1,30})?)(?:\s?[:–-]\s+|\s(?:to|will|soll|wird)\s+)(?=\S)/u
const EVERYONE = /^(?:all|everyone|everybody|you|team|alle|jeder|du|sie)$/iu
/** A list item with a name and a verb: "Ana: update the roadmap". */
const NAMED_ACTION = new RegExp(
  String.raw`^@?\p{Lu}[\p{L}'’-]{1,30}(?:\s\p{Lu}[\p{L}'’-]{1,30})?\s?:\s+(?:(?:please |bitte )?(?:to )?(?:${ACTION_VERBS}|fill|talk|clean|collect|create|define|discuss|document|ensure|evaluate|gather|merge|plan|present|remind|research|run|start|translate|verify|work)\b|[^\n]{0,120}\p{Ll}(?:en|ern|eln)(?:\s(?:bis|am)\s[^\n]{1,40})?[.!]?\s*$)`,
  'u',
)
/** A list item with a verb and an object: "Call the venue". */
const PLAIN_ACTION = new RegExp(
  String.raw`^(?:please |then |also )?(?:${ACTION_VERBS})\s(?:the|an?|your|our|my|me|us|him|her|them|it|this|that|these|all|out|up|back|new|some|any|\p{Ll}{3,}s)\b`,
  'iu',
)
/** A single item may be a note; several form a list of action items. */
const LEAST_NAMED = 2
const GREETED = /^\s*(?:hi|hello|hey|dear|hallo|liebe[rs]?|moin)\s+(\p{L}[\p{L}'’-]{1,30})\b/iu

/** Returns the list items that assign work, with or without a name. */
const namedItems = (own: string, sentences: readonly Sentence[]): ReadonlySet<number> => {
  const found = new Set<number>()
  for (const [index, { from, to }] of sentences.entries()) {
    const line = own.slice(from, Math.min(to, from + 300))
    const item = ITEM.exec(line)
    if (!item) continue
    const words = line.slice(item[0].length)
    if (NAMED_ACTION.test(words) || PLAIN_ACTION.test(words)) found.add(index)
  }
  return found.size < LEAST_NAMED ? new Set() : found
}

/**
 * Returns the owner of each item in a list of action items. Unnamed items, and items for everyone, belong to
 * the reader.
 */
const agreedItems = (own: string, sentences: readonly Sentence[]): ReadonlyMap<number, Owner> => {
  const found = new Map<number, Owner>()
  const named = namedItems(own, sentences)
  if (!ANNOUNCED.test(own) && named.size < LEAST_NAMED) return found
  const reader = GREETED.exec(own.slice(0, 200))?.[1]?.toLowerCase()
  let isListed = false
  for (const [index, { from, to }] of sentences.entries()) {
    const line = own.slice(from, Math.min(to, from + 300))
    if (line.length < LONGEST_HEADING && HEADING.test(line)) {
      isListed = true
      continue
    }
    const item = isListed || named.has(index) ? ITEM.exec(line) : null
    if (!item) {
      if (line.trim() !== '') isListed = false
      continue
    }
    const name = NAMED.exec(line.slice(item[0].length))?.[1]
    const isMine = name === undefined || EVERYONE.test(name) || name.split(' ')[0]?.toLowerCase() === reader
    found.set(index, isMine ? 'me' : 'them')
  }
  return found
}

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

const PAYMENT =
  /\b(?:please|kindly|bitte)\b[^.?!]{0,60}(?<![a-zß-ÿ])(?:pay|settle|remit|transfer|arrange (?:the )?payment|make (?:the )?payment|update your payment|payment (?:by|within|no later)|überweisen|begleichen|bezahlen|zahlen|ausgleichen)\b/i

/** Invoices are automated mail, but the reader still has to pay them. */
const asksForPayment = (sentence: string): boolean => PAYMENT.test(sentence.slice(0, 600))

/**
 * Indirect questions without a question mark: "I would like to know whether …", "ich wollte fragen, ob …".
 */
const INDIRECT =
  /\b(?:i(?:['’]d| would)(?: also| really)? (?:like|love) to (?:know|ask(?: you)?|find out)|i (?:was|am)(?: just| also)? wondering|i wonder|i (?:wanted|want) to (?:ask|know)(?: you)?|i(?:['’]m| am) (?:curious|not sure)|mich würde(?: auch| noch)? interessieren|ich (?:wüsste|würde)(?: auch| noch)? gerne?(?: wissen)?|ich (?:wollte|möchte|würde)(?: \p{L}+){0,3} (?:fragen|wissen))[\s,]+(?:if|whether|what|when|where|who|which|how|why|ob|was|wann|wo|wer|welche[rsnm]?|wie|warum|wieso|weshalb)\b/iu
const LONGEST = 400

const isQuestion = (words: string): boolean =>
  words.length > 3 && (/\?["')]*\s*$/.test(words) || INDIRECT.test(words.slice(0, LONGEST)))

export interface MailInput {
  text: string
  subject?: string
  /** Email address of the sender. */
  from?: string
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
  /** The reader, or the writer who promised it. */
  owner: Owner
  /** Epoch milliseconds, or null. */
  dueAt: number | null
  /** The date, if no hour was named. `dueAt` is then the last minute of that day. */
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

/** Matches the list marker and the greeting before a sentence. */
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

/** Analyzes a mail without a language model. All evidence is quoted from the mail. */
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
  const prose = toProse(own)
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
  // Keep promises of the writer separate: they must not make the mail urgent.
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
        text: words,
        offset,
        owner: 'them',
        ...due,
        confidence: due.dueAt === null ? 0.6 : 0.8,
      })
      continue
    }
    const score = isFarewell(words) ? -1 : (scores[index] as number)
    if (score <= 0 || actionItems.length >= MOST_ITEMS) continue
    actionItems.push({
      text: words,
      offset,
      owner: isOwnAction(words) ? 'them' : 'me',
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
  // The time of a meeting is not a deadline.
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
    .slice(0, MOST_TERMS)
