/*
 * Finds the action items of a mail and assigns each to a person. A sentence is split where the person changes. "I'll
 * send the offer, you get me the plan, and Kim talks to the bank" holds three items. Questions and agreements give
 * none. A request in the form of a question ("Could you send me the plan?") does.
 */

import type { TimeExpression } from '../dates/read.ts'
import { loadPatterns } from '../lexicon/patterns.ts'
import type { Piece } from '../meetings/title.ts'
import { onOneLine, type Sentence } from '../text.ts'

/** `me` is the reader, `them` anybody else. */
export type Owner = 'me' | 'them'

export interface Assignment extends Piece {
  owner: Owner
  /** Name of a third person who has to act, or null. */
  person: string | null
  confidence: number
  /** Length in the text, before line breaks are removed. */
  length: number
}

/** Patterns of requests and promises. */
export const pattern = loadPatterns(new URL('../lexicon/mail-requests.txt', import.meta.url))

/** Words before a clause that carry no meaning of their own. */
const LEAD =
  /^(?:[\s"'“„(*•–-]|(?:and|but|so|also|then|ok|okay|well|now|just|again|first|second|finally|otherwise|meanwhile|und|aber|also|dann|außerdem|zudem|oder|or|while|während|noch etwas|one more thing|as (?:agreed|discussed)|wie (?:besprochen|vereinbart|gesagt))(?![\p{L}\d])[\s,:]*)+/iu

const isCourtesy = (words: string): boolean => {
  if (pattern('on questions').test(words) || pattern('attached').test(words)) return true
  const match = pattern('courtesy').exec(words.slice(0, 300))
  return match !== null && match.index < 40
}

const MAX_SENTENCE_LENGTH = 600

const splitByPerson = (raw: string): Sentence[] => {
  if (raw.length > MAX_SENTENCE_LENGTH) return [{ from: 0, to: raw.length }]
  const clauses: Sentence[] = []
  let from = 0
  for (const match of raw.matchAll(pattern('new subject'))) {
    // "If you like, I will send it" is one clause.
    if (raw.slice(from, match.index).trim().length < 4 || pattern('condition').test(raw.slice(from))) continue
    clauses.push({ from, to: match.index })
    from = match.index + match[0].length
  }
  return [...clauses, { from, to: raw.length }]
}

const MIN_OWN_WORDS = 3

const countWords = (text: string): number => text.trim().split(/\s+/u).length

const splitRequests = (text: string): Sentence[] => {
  const requests: Sentence[] = []
  let from = 0
  for (const match of text.matchAll(pattern('next request'))) {
    const next = text.slice(match.index + match[0].length)
    const isOwn =
      countWords(text.slice(from, match.index)) > MIN_OWN_WORDS && countWords(next) >= MIN_OWN_WORDS
    if (!isOwn || pattern('same matter').test(next)) continue
    requests.push({ from, to: match.index })
    from = match.index + match[0].length
  }
  return [...requests, { from, to: text.length }]
}

type Assigned = { owner: Owner; person: string | null; confidence: number }

const mine = (confidence: number): Assigned => ({ owner: 'me', person: null, confidence })
const theirs = (confidence: number, person: string | null = null): Assigned => ({
  owner: 'them',
  person,
  confidence,
})

const findPerson = (words: string): string | undefined => {
  const name = (pattern('named acts').exec(words) ?? pattern('named acts de').exec(words))?.[1]
  if (name === undefined || pattern('reports').test(words)) return undefined
  return name.split(' ').some((word) => pattern('no name').test(word)) ? undefined : name
}

const isCommitment = (words: string): boolean =>
  pattern('commitment').test(words) && !pattern('no promise').test(words) && !pattern('asks back').test(words)

const isRequestQuestion = (words: string): boolean =>
  !pattern('about presence').test(words) &&
  (pattern('asks to act').test(words) ||
    (pattern('german asks').test(words) && pattern('german acts').test(words)))

const isRequest = (words: string): boolean =>
  pattern('request').test(words) ||
  (pattern('imperative').test(words) && !pattern('no imperative').test(words))

/** The model alone must be this sure, because it was trained on proposals too. */
const MODEL_ALONE = 1.1

/** Assigns one clause to a person, or returns undefined if nobody has to do anything. */
const assign = (clause: string, score: number): Assigned | undefined => {
  const words = clause.replace(LEAD, '').slice(0, MAX_SENTENCE_LENGTH)
  if (words.length < 4 || (words.length < 70 && pattern('farewell').test(words))) return undefined
  const isQuestion = /\?["')]*\s*$/.test(words)
  const isPolite = pattern('please').test(words)
  if (isQuestion) return isRequestQuestion(words) ? mine(0.85) : undefined
  if (pattern('agreement').test(words) && !isPolite) return undefined
  if (isCourtesy(words) || pattern('offer').test(words)) return undefined
  const person = findPerson(words)
  if (person !== undefined) return theirs(0.75, person)
  if (isCommitment(words)) return theirs(0.75)
  if (isRequest(words)) return mine(isPolite ? 0.9 : 0.8)
  if (isRequestQuestion(words)) return mine(0.75)
  if (pattern('no promise').test(words)) return undefined
  return score > MODEL_ALONE ? mine(0.6) : undefined
}

/** A heading may end a sentence: "It was a good meeting. Next steps:". */
const MAX_HEADING_LENGTH = 60
const ITEM = /^\s*(?:[-*•–·☐□]|\[\s?\]|\d{1,2}[.)])\s+(?=\S)/u

/** A single item may be a note; several form a list of action items. */
const MIN_ITEMS = 2

/** Returns the sentences that are items of a list of action items, with their assignment. */
const findListed = (own: string, sentences: readonly Sentence[]): ReadonlyMap<number, Assigned> => {
  const lines = sentences.map(({ from, to }) => own.slice(from, Math.min(to, from + 300)))
  const worded = new Set(
    lines.flatMap((line, index) => {
      const item = ITEM.exec(line)
      const words = item ? line.slice(item[0].length) : ''
      return item && (pattern('named action').test(words) || pattern('plain action').test(words))
        ? [index]
        : []
    }),
  )
  const found = new Map<number, Assigned>()
  const reader = pattern('greeted').exec(own.slice(0, 200))?.[1]?.toLowerCase()
  let isListed = false
  for (const [index, line] of lines.entries()) {
    if (line.length < MAX_HEADING_LENGTH && pattern('heading').test(line)) {
      isListed = true
      continue
    }
    const isItem = isListed || (worded.size >= MIN_ITEMS && worded.has(index))
    const item = isItem ? ITEM.exec(line) : null
    if (!item) {
      if (line.trim() !== '') isListed = false
      continue
    }
    const name = pattern('named item').exec(line.slice(item[0].length))?.[1]
    const isMine =
      name === undefined || pattern('everyone').test(name) || name.split(' ')[0]?.toLowerCase() === reader
    found.set(index, isMine ? mine(0.75) : theirs(0.75, name))
  }
  return found
}

/** Matches the list marker and the greeting before a sentence. */
const MARK = /^[\s>*•–-]*(?:(?:\d{1,2}[.)]|[a-h]\))\s+)?/
const MAX_GREETING_LENGTH = 120

/** Returns the length of the list marker and the greeting before a sentence. */
export const openingOf = (text: string): number => {
  const mark = MARK.exec(text)?.[0].length ?? 0
  const start = text.slice(mark, mark + MAX_GREETING_LENGTH)
  const length = mark + (/[,!]/.test(start) ? (pattern('greeting').exec(start)?.[0].length ?? 0) : 0)
  return length < text.trimEnd().length ? length : 0
}

/** Invoices are automated mail, but the reader still has to pay them. */
export const asksForPayment = (sentence: string): boolean =>
  pattern('payment').test(sentence.slice(0, MAX_SENTENCE_LENGTH))

/** Whether a sentence asks politely. */
export const asksPolitely = (sentence: string): boolean =>
  pattern('please').test(sentence.slice(0, MAX_SENTENCE_LENGTH))

const MAX_ITEMS = 20

/** Finds the action items in a text without quoted history. `scores` are those of the request model. */
export const findActionItems = (
  own: string,
  sentences: readonly Sentence[],
  scores: readonly number[],
  /** Limits the search to sentences of this kind. */
  isWanted?: (sentence: string) => boolean,
): Assignment[] => {
  const listed: ReadonlyMap<number, Assigned> = isWanted ? new Map() : findListed(own, sentences)
  const found: Assignment[] = []
  for (const [index, { from, to }] of sentences.entries()) {
    if (found.length >= MAX_ITEMS) break
    const raw = own.slice(from, to)
    if (isWanted && !isWanted(raw)) continue
    const opening = openingOf(raw)
    const add = (start: number, end: number, assigned: Assigned): void => {
      const piece = raw.slice(start, end)
      const text = onOneLine(piece).trim()
      const offset = from + start + (piece.length - piece.trimStart().length)
      if (text !== '') found.push({ text, offset, length: end - start, ...assigned })
    }
    const inList = listed.get(index)
    if (inList) {
      add(opening, raw.length, inList)
      continue
    }
    const clauses = splitByPerson(raw.slice(opening))
    const isWhole = clauses.length === 1
    const assigned = clauses.map((clause) => ({
      ...clause,
      assigned: assign(
        raw.slice(opening + clause.from, opening + clause.to).trim(),
        isWhole ? (scores[index] as number) : 0,
      ),
    }))
    // Clauses of the same person in one sentence are one item.
    let before: (typeof assigned)[number] | undefined
    for (const clause of assigned) {
      if (!clause.assigned) continue
      const last = found.at(-1)
      const isSame =
        before?.assigned !== undefined &&
        last !== undefined &&
        before.assigned.owner === clause.assigned.owner &&
        before.assigned.person === clause.assigned.person
      if (isSame && last) {
        const end = from + opening + clause.to
        const piece = own.slice(last.offset, end)
        last.text = onOneLine(piece).trim()
        last.length = end - last.offset
      } else add(opening + clause.from, opening + clause.to, clause.assigned)
      before = clause
    }
  }
  return found.flatMap((item): Assignment[] => {
    if (item.owner !== 'me') return [item]
    const raw = own.slice(item.offset, item.offset + item.length)
    return splitRequests(raw).map(({ from, to }) => ({
      ...item,
      text: onOneLine(raw.slice(from, to)).trim(),
      offset: item.offset + from,
      length: to - from,
    }))
  })
}

/** Returns the times of an item, with offsets relative to it. */
export const timesOf = (
  times: readonly TimeExpression[],
  { offset, length }: Pick<Assignment, 'offset' | 'length'>,
): TimeExpression[] =>
  times
    .filter((time) => time.offset >= offset && time.offset < offset + length)
    .map((time) => ({ ...time, offset: time.offset - offset }))
