import { firstDay } from './dates/outcome.ts'
import type { TimeExpression } from './dates/read.ts'
import type { Moment } from './dates/values.ts'

export interface Sentence {
  from: number
  to: number
}

const END =
  /(?=[.?!])(?<!\b(?:Dr|Mr|Mrs|Ms|Mt|St|vs|No|Nr|ca|bzw|z\.B|d\.h|u\.a|e\.g|i\.e|a|p|m|(?<!\b(?:at|by|till|until|around|um|gegen)\s)\d|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mo|Di|Mi|Do|Fr|Sa|So))(?!(?<=\b(?:bis zum|am|zum|vom|den|dem)\s\d\d)\.\s\p{Lu})(?!(?<=\b\d\d)\.\s(?:\p{Ll}|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Kalenderwoche|KW|Woche|Quartal|Stock|Etage|Mahnung|Sitzung|Geburtstag|Advent))[.?!]+["')\]]?(?=\s|$)|(?<=\d)\.(?=\s(?:Can|Could|Would|Will|Please|I|We|You|They|He|She|It|The|This|That|If|Do|Does|Did|Is|Are|What|When|Where|Who|How|Why|Let|Also|Then|Thanks|Bitte|Können|Könnten|Kannst|Könntest|Wir|Ich|Danke|Außerdem|Falls|Wenn)\s)|\n+/gu

/** Mail programs wrap lines at 60 to 80 characters. */
const MIN_WRAPPED_LINE = 56
const LIST_ITEM = /^\s*(?:[-*•–·>|]|\d{1,2}[.)]\s)/

/** True for a line break within a sentence: the line is full and does not end like a sentence or a heading. */
const isWrappedLine = (text: string, lineStart: number, lineEnd: number, next: number): boolean =>
  next - lineEnd === 1 &&
  lineEnd - lineStart >= MIN_WRAPPED_LINE &&
  /[\p{L}\p{N},;–-]\s*$/u.test(text.slice(lineEnd - 4, lineEnd)) &&
  /^[\p{L}\p{N}("„“]/u.test(text.slice(next, next + 2)) &&
  !LIST_ITEM.test(text.slice(next, next + 6)) &&
  !/:\s/.test(text.slice(next, next + 24))

/** Splits a text into sentences and lines. Every character belongs to one of them. */
export const sentencesOf = (text: string): Sentence[] => {
  const sentences: Sentence[] = []
  let from = 0
  let testedUntil = 0
  let lineStart = 0
  for (const match of text.matchAll(END)) {
    const to = match.index + match[0].length
    if (match[0].startsWith('\n')) {
      const isWrapped = isWrappedLine(text, lineStart, match.index, to)
      lineStart = to
      if (isWrapped) continue
    }
    // Blank text belongs to the next sentence. Each part is tested only once.
    const isBlank = text.slice(testedUntil, to).trim() === ''
    testedUntil = to
    if (isBlank) continue
    sentences.push({ from, to })
    from = to
  }
  if (from < text.length || sentences.length === 0) sentences.push({ from, to: text.length })
  return sentences
}

/** Collapses whitespace to single spaces. */
export const onOneLine = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ')

/** Returns the index of the sentence that contains an offset. */
export const sentenceAt = (sentences: readonly Sentence[], offset: number): number => {
  const found = sentences.findIndex(({ to }) => offset < to)
  return found < 0 ? sentences.length - 1 : found
}

const LATE =
  /\b(?:dinner|drinks|party|parties|movies?|games?|match|date|concert|club|night|supper|poker|show|abendessen|kino|konzert|happy hour|bar|date night|bachelor|gala|table for|tisch für|tonight|theat(?:er|re)|oper|opera)\b/iu
const EARLY = /\b(?:breakfast|brunch|sunrise|frühstück|church|dawn)\b/iu
/** Activities with an exact time in the early morning: departures and routines before work. */
const BEFORE_WORK =
  /\b(?:school|gym|(?:a|morning|my) run|running|jog(?:ging)?|work-?out|swim(?:ming)?|trains?|flights?|fly|bus|ferry|commute|daycare|nursery|(?:drop|take) (?:the )?kids|schule|kita|kindergarten|zug|flug|fähre|laufen|joggen|zahnarzt|arzt|blutabnahme)\b/iu

/** Matches a later start, as in "every Monday from June on". */
const LATER = /\b(?:from|starting|beginning|ab)\b/iu

const HALF = 43_200
const DAY = 86_400

/**
 * Returns the number of days by which a moved time shifts. A time without a day, and the first occurrence of
 * a recurrence, must be the next possible one.
 */
const daysMoved = (time: TimeExpression, shift: number, now: number | undefined): number => {
  const { start, rule, dated, text } = time
  if (now === undefined || start?.seconds === undefined || (dated && rule === undefined)) return 0
  const today = Math.floor(now / 1000 / DAY)
  const isOver = start.seconds + shift < now / 1000 - today * DAY
  const next = today + (isOver ? 1 : 0)
  if (rule === undefined) return next - start.day
  return start.day > today && LATER.test(text) ? 0 : firstDay(rule, next) - start.day
}

/**
 * Moves an ambiguous time to the other half of the day if the occasion suggests it. Examples are drinks at
 * nine, breakfast at seven and a train at 6:52. A bare "7:45" is in the morning, because people who mean the
 * evening say so.
 */
export const fitting = (time: TimeExpression, text: string, now?: number): TimeExpression => {
  const { either, start, end, grain } = time
  if (!either || start?.seconds === undefined || (grain !== 'hour' && grain !== 'minute')) return time
  const hour = start.seconds / 3600
  const isLate = LATE.test(text)
  const isEarly =
    EARLY.test(text) ||
    (!isLate && !Number.isInteger(hour) && ((hour >= 19 && hour < 20) || BEFORE_WORK.test(text)))
  const shift =
    isLate && !isEarly && grain === 'hour' && hour >= 8 && hour < 12
      ? HALF
      : isEarly && hour >= 17 && hour < 21
        ? -HALF
        : 0
  if (shift === 0) return time
  const days = daysMoved(time, shift, now)
  const moved = (moment: Moment): Moment => ({
    day: moment.day + days,
    seconds: (moment.seconds as number) + shift,
  })
  return { ...time, start: moved(start), ...(end?.seconds !== undefined ? { end: moved(end) } : {}) }
}

const PREFIX_LETTERS = /^[a-z0-9ß-ÿ]+/

/** Returns the index of the matching closing bracket. */
const findClosingBracket = (source: string, open: number): number => {
  for (let depth = 0, at = open; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') at = source.indexOf(']', at)
    else if (source[at] === '(') depth++
    else if (source[at] === ')' && --depth === 0) return at
  }
  throw new Error(`Unclosed bracket in the pattern ${source}`)
}

const splitAlternatives = (source: string): string[] => {
  const alternatives: string[] = []
  let from = 0
  for (let at = 0; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') at = source.indexOf(']', at)
    else if (source[at] === '(') at = findClosingBracket(source, at)
    else if (source[at] === '|') {
      alternatives.push(source.slice(from, at))
      from = at + 1
    }
  }
  return [...alternatives, source.slice(from)]
}

const findAlternativePrefixes = (alternative: string): string[] => {
  const source = alternative.replace(/^\\b/, '')
  const letters = PREFIX_LETTERS.exec(source)?.[0]
  if (letters) {
    // The last letter is optional, as in "meetings?".
    const required = /^[?*{]/.test(source.slice(letters.length)) ? letters.slice(0, -1) : letters
    if (required !== '') return [required]
  }
  if (source.startsWith('\\d')) return [...'0123456789']
  if (source.startsWith('(?:')) {
    const close = findClosingBracket(source, 0)
    const own = findPrefixes(source.slice(3, close))
    return source[close + 1] === '?' ? [...own, ...findAlternativePrefixes(source.slice(close + 2))] : own
  }
  throw new Error(`Cannot determine the prefix of the pattern ${alternative}`)
}

/**
 * Returns the prefixes of all texts that can match a pattern. The pattern is in lower case and starts with
 * words.
 */
export const findPrefixes = (source: string): string[] =>
  splitAlternatives(source).flatMap(findAlternativePrefixes)

/*
 * Finds phrases of many patterns in one pass over a text. A global search would try every pattern at every
 * letter. Here a pattern is tried only at words that start like one of its alternatives. A word may start
 * with any letter of the patterns, such as "ö", which `\b` does not treat as a letter.
 */

interface Branch {
  /** Keyed by the code of the next letter. */
  next: Map<number, Branch>
  /** Indices of the patterns to try at this node. */
  patternIndices: number[]
}

/** Longer prefixes exclude hardly any more words. */
const MAX_PREFIX_LENGTH = 4

/** Marks the character codes that occur in words of the patterns. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, code) =>
  /[a-z0-9_ß-ÿ]/.test(String.fromCharCode(code)) ? 1 : 0,
)

export type FindPhrases = (
  lowerText: string,
  visit: (pattern: number, from: number, to: number) => void,
) => void

/** Compiles lower-case patterns of the form `\b(?:one|another)\b`. The finder expects lower-case texts. */
export const phraseFinder = (patterns: readonly RegExp[]): FindPhrases => {
  const root: (Branch | undefined)[] = new Array(LETTERS.length).fill(undefined)
  const getOrCreateBranch = (branch: Branch | undefined): Branch =>
    branch ?? { next: new Map(), patternIndices: [] }
  for (const [index, { source }] of patterns.entries())
    for (const prefix of findPrefixes(source)) {
      const first = prefix.charCodeAt(0)
      let branch = getOrCreateBranch(root[first])
      root[first] = branch
      for (const letter of prefix.slice(1, MAX_PREFIX_LENGTH)) {
        const next = getOrCreateBranch(branch.next.get(letter.charCodeAt(0)))
        branch.next.set(letter.charCodeAt(0), next)
        branch = next
      }
      if (!branch.patternIndices.includes(index)) branch.patternIndices.push(index)
    }
  const sticky = patterns.map(({ source }) => new RegExp(source.replace(/^\\b/, ''), 'y'))
  return (lowerText, visit) => {
    // The end of the last match of each pattern. Matches of one pattern do not overlap.
    const ends = new Int32Array(patterns.length)
    let isInside = false
    for (let at = 0; at < lowerText.length; at++) {
      const code = lowerText.charCodeAt(at)
      const wasInside = isInside
      isInside = code < LETTERS.length && LETTERS[code] === 1
      if (wasInside || !isInside) continue
      let branch = root[code]
      for (let offset = 1; branch !== undefined; offset++) {
        for (const index of branch.patternIndices) {
          if (at < (ends[index] as number)) continue
          const pattern = sticky[index] as RegExp
          pattern.lastIndex = at
          if (!pattern.test(lowerText)) continue
          ends[index] = pattern.lastIndex
          visit(index, at, pattern.lastIndex)
        }
        if (branch.next.size === 0) break
        branch = branch.next.get(lowerText.charCodeAt(at + offset))
      }
    }
  }
}
