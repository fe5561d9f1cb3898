/*
 * Finds the promises in a mail: of the writer, and of a recipient whom the writer names. Quoted history, questions,
 * conditions, reports and automated mail contain none.
 */

import { toWall } from '../../recurrence/time-zones.ts'
import { toProse } from '../dates/prose.ts'
import { isGerman, type TimeExpression, timesIn } from '../dates/read.ts'
import { ownText } from '../history.ts'
import { identifyLanguage, isReadable } from '../language.ts'
import { loadPatterns } from '../lexicon/patterns.ts'
import { timesWithin } from '../meetings/detect.ts'
import { inheritTimes } from '../meetings/inherit.ts'
import { onOneLine, type Sentence, sentencesOf } from '../text.ts'
import { openingOf } from './action-items.ts'
import { dueOf } from './analysis.ts'
import { categoryOf, isAdvertising, isMachine } from './category.ts'
import { findPhishing } from './phishing.ts'

export interface CommitmentMail {
  text: string
  subject?: string
  /** Email address of the sender. */
  from?: string
  headers?: Readonly<Record<string, string>>
  /** The reader wrote it: subject and sender then say nothing about its kind. */
  isOwn: boolean
  /** Names of the recipients other than the reader, who may be named as the ones who act. */
  people?: readonly string[]
}

export interface FoundCommitment {
  /** The clause with the promise, on one line. */
  text: string
  /** The whole sentence, on one line. */
  quote: string
  /** Position of the sentence in the text of the mail. */
  offset: number
  /** The recipient who has to act; null if the writer promised it. */
  person: string | null
  /** Epoch milliseconds, or null. */
  dueAt: number | null
  /** The date, if no hour was named. `dueAt` is then the last minute of that day. */
  dueDay: string | null
  confidence: number
}

const pattern = loadPatterns(new URL('../lexicon/mail-promises.txt', import.meta.url))

const MAX_TEXT_LENGTH = 30_000
const MAX_SENTENCE_LENGTH = 600
const MAX_QUOTE_LENGTH = 500
const MAX_COMMITMENTS = 10

const LEAD =
  /^(?:[\s"'“„(*•–-]|(?:and|but|so|also|then|ok|okay|well|now|again|first|second|finally|anyway|great|perfect|sure|fine|good|yes|yep|thanks|thank you|sorry|understood|no problem|no worries|of course|don['’]t worry|leave it with me|as (?:agreed|discussed|promised|mentioned)|i can confirm(?: that)?|und|aber|also|dann|gut|ja|klar|gerne?|okay|außerdem|zudem|danke|super|prima|kein problem|keine sorge|wie (?:besprochen|vereinbart|gesagt|versprochen))(?![\p{L}\d])[\s,:.!–-]*)+/iu

/** Mail that programs send, by its header fields (RFC 3834, RFC 2369). */
export const isAutomatic = (headers: Readonly<Record<string, string>> = {}): boolean => {
  const submitted = headers['auto-submitted']
  return (
    (submitted !== undefined && !/^\s*no\b/i.test(submitted)) ||
    headers['list-unsubscribe'] !== undefined ||
    headers['list-id'] !== undefined ||
    /^\s*(?:bulk|list|junk|auto_reply)/i.test(headers.precedence ?? '')
  )
}

/** Whether the mail can contain promises between people. */
const isPersonal = (
  { subject = '', from = '', headers, isOwn }: CommitmentMail,
  text: string,
  own: string,
): boolean => {
  if (isAutomatic(headers)) return false
  const facts = isOwn ? { subject: '', from: '', text } : { subject, from, text }
  const { category } = categoryOf({ ...facts, ...(headers && !isOwn && { headers }) })
  if (isOwn) return category !== 'auto-reply' && category !== 'bounce'
  if (isMachine(category) || isAdvertising(own, category)) return false
  return !findPhishing({ subject, from, text }).some(({ kind }) => kind === 'phishing')
}

const splitClauses = (sentence: string): Sentence[] => {
  const clauses: Sentence[] = []
  let from = 0
  for (const match of sentence.matchAll(pattern('new subject'))) {
    if (sentence.slice(from, match.index).trim().length < 3) continue
    clauses.push({ from, to: match.index })
    from = match.index + match[0].length
  }
  return [...clauses, { from, to: sentence.length }]
}

const hasDue = (times: readonly TimeExpression[]): boolean =>
  times.some(({ start, kind }) => start && kind !== 'duration' && kind !== 'recurrence')

const isRecurring = (times: readonly TimeExpression[]): boolean =>
  times.some(({ kind }) => kind === 'recurrence')

/** Whether the words before the promise leave it a promise. */
const isPlainBefore = (before: string): boolean =>
  !pattern('doubt').test(before) &&
  (before.trim() === '' || /[,;:–—-]\s*$|(?:and|so|then)\s*$/iu.test(before))

const scoreEnglish = (words: string, times: readonly TimeExpression[]): number => {
  if (pattern('no action en').test(words)) return 0
  const found = pattern('promises en').exec(words)
  if (found && isPlainBefore(words.slice(0, found.index))) return hasDue(times) ? 0.9 : 0.8
  if (pattern('elided en').test(words)) return 0.75
  if (pattern('let me en').test(words)) return 0.75
  const receives = pattern('receives en').exec(words)
  if (
    receives &&
    isPlainBefore(words.slice(0, receives.index)) &&
    (hasDue(times) || pattern('from writer').test(words))
  )
    return 0.75
  const soft = pattern('soft promises en').exec(words)
  const isAboutReader = /(?<!\p{L})(?:you|your)(?!\p{L})/iu.test(words)
  return soft && hasDue(times) && isAboutReader && isPlainBefore(words.slice(0, soft.index)) ? 0.65 : 0
}

const scoreGerman = (words: string, times: readonly TimeExpression[]): number => {
  if (pattern('no action de').test(words)) return 0
  if (pattern('pledges de').test(words) && /verspr/iu.test(words)) return 0.85
  const receives = pattern('receives de').exec(words)
  if (receives) return hasDue(times) || pattern('from writer').test(words) ? 0.75 : 0
  const future = pattern('will de').exec(words)
  if (future && !pattern('doubt').test(words.slice(0, future.index))) return hasDue(times) ? 0.9 : 0.8
  if (pattern('elided de').test(words)) return 0.75
  const present = pattern('promises de').exec(words)
  if (!present || pattern('doubt').test(words.slice(0, present.index))) return 0
  if (pattern('comes de').test(present[0]) && !pattern('comes to you de').test(words)) return 0
  return hasDue(times) ? 0.85 : 0.75
}

const isConditional = (words: string): boolean =>
  pattern('condition after').test(words) ||
  (pattern('when after').test(words) && !pattern('reports').test(words))

/** Returns the certainty that the clause is a promise of its writer, or 0. */
const scoreClause = (clause: string, times: readonly TimeExpression[]): number => {
  const words = clause.replace(LEAD, '')
  if (words.length < 6 || isConditional(words) || isRecurring(times)) return 0
  return Math.max(scoreEnglish(words, times), scoreGerman(words, times))
}

interface Named {
  name: string
  acts: RegExp
}

const toPattern = (text: string): string => text.replace(/[^\p{L}\d ]/gu, '.')

/** People are named by their whole name or by their first name. */
const toNamed = (people: readonly string[]): Named[] =>
  people
    .filter((name) => /^\p{Lu}\p{L}/u.test(name))
    .slice(0, 20)
    .map((name) => {
      const words = name.trim().split(/\s+/)
      const names = [...new Set([words.join(' '), words[0] as string])].map(toPattern)
      return { name, acts: new RegExp(pattern('third person').source.replace('NAME', names.join('|')), 'u') }
    })

interface Clause {
  from: number
  to: number
  person: string | null
  confidence: number
}

const findClauses = (
  raw: string,
  opening: number,
  times: readonly TimeExpression[],
  named: readonly Named[],
): Clause[] => {
  const sentence = raw.slice(opening)
  const bare = sentence.replace(LEAD, '')
  if (/\?["')]*\s*$/.test(sentence) || pattern('condition first').test(bare)) return []
  const found: Clause[] = []
  for (const { from, to } of splitClauses(sentence)) {
    const words = sentence.slice(from, to).trim()
    const within = times.filter(({ offset }) => offset >= opening + from && offset < opening + to)
    const third = named.find(({ acts }) => acts.test(words.replace(LEAD, '')))
    const confidence = third ? (isConditional(words) ? 0 : 0.7) : scoreClause(words, within)
    if (confidence === 0) continue
    const last = found.at(-1)
    const clause = { from: opening + from, to: opening + to, person: third?.name ?? null, confidence }
    // "I'll check it, and I'll write to you" is one promise.
    if (last && last.person === clause.person) last.to = clause.to
    else found.push(clause)
  }
  return found
}

const clip = (text: string): string =>
  text.length <= MAX_QUOTE_LENGTH ? text : `${text.slice(0, MAX_QUOTE_LENGTH - 1).trimEnd()}…`.toWellFormed()

const toTitle = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

const DAY_MS = 86_400_000

export const findCommitments = (
  mail: CommitmentMail,
  { date, timezone }: { date: number; timezone: string },
): FoundCommitment[] => {
  const text = mail.text.slice(0, MAX_TEXT_LENGTH)
  const own = ownText(text)
  if (own.trim().length < 6 || !isPersonal(mail, text, own)) return []
  const language = identifyLanguage(own)
  if (!isReadable(language)) return []
  const wall = toWall(date, timezone)
  const order = (language === null ? isGerman(own) : language === 'de') ? 'dmy' : 'mdy'
  const all = inheritTimes(own, timesIn(own, toProse(own), { now: wall, timezone, order }), wall)
  const named = toNamed(mail.people ?? [])
  const found: FoundCommitment[] = []
  for (const sentence of sentencesOf(own).slice(0, 400)) {
    const { from, to } = sentence
    if (found.length >= MAX_COMMITMENTS) break
    if (to - from < 6 || to - from > MAX_SENTENCE_LENGTH) continue
    const raw = own.slice(from, to)
    const times = timesWithin(all, sentence)
    for (const clause of findClauses(raw, openingOf(raw), times, named)) {
      const within = times.filter(({ offset }) => offset >= clause.from && offset < clause.to)
      const due = dueOf(within, timezone)
      // A date in the past is a reference, not a deadline.
      const isAhead = due.dueAt !== null && due.dueAt > date - DAY_MS && due.dueAt < Date.UTC(9990, 0)
      found.push({
        text: toTitle(clip(onOneLine(raw.slice(clause.from, clause.to)).trim())),
        quote: clip(onOneLine(raw.slice(openingOf(raw))).trim()),
        offset: from + (raw.length - raw.trimStart().length),
        person: clause.person,
        ...(isAhead ? due : { dueAt: null, dueDay: null }),
        confidence: clause.confidence,
      })
    }
  }
  return found
}
