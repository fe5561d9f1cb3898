/*
 * The length that a user asks for: "in two sentences", "at most 50 words", "kurz", "in einem Satz". The draft drops
 * its politest parts first, then its last points.
 */

import { getNumberWords } from '../lexicon/numbers.ts'

export interface LengthLimit {
  sentences?: number
  words?: number
}

const LIMIT =
  '(?:(?:in|with|using|use|write|max(?:imum|imal)?\\.?|at most|no more than|not more than|up to|under|less than|within|only|mit|höchstens|maximal|nicht mehr als|unter|bis zu|nur|keep it (?:to|under)|answer in|reply in|antworte in|schreib)\\s+)*'
const COUNT =
  '(\\d{1,3}|a few|a|one|single|two|three|four|five|six|einem|einen|ein|zwei|drei|vier|fünf|sechs)'
const SENTENCES = new RegExp(
  `(?:^|[\\s,;])${LIMIT}${COUNT}\\s(?:\\p{L}+ ){0,2}?(?:sentences?|sätze[n]?|satz|lines?|zeilen?)(?!\\p{L})[,;.]?`,
  'iu',
)
const WORDS = new RegExp(
  `(?:^|[\\s,;])${LIMIT}${COUNT}\\s(?:words?|wörter[n]?|worten?|worte)(?!\\p{L})(?: or (?:less|fewer)| or under)?[,;.]?`,
  'iu',
)
const SHORT =
  /(?:^|[\s,;])(?:(?:keep it|make it|be|very|please|sehr|bitte|fasse? dich|halte? (?:es|dich))\s+)*(?:short(?: and sweet)?|brief(?:ly)?|concise(?:ly)?|kurz(?: und knapp)?|knapp)(?!\p{L})[,;.]?/iu
const SHORT_SENTENCES = 2

const toCount = (text: string): number => Number(getNumberWords().get(`length ${text.toLowerCase()}`) ?? text)

/** Reads the length from instructions and removes it from them. */
export const readLength = (instructions: string): { instructions: string; limit: LengthLimit } => {
  const limit: LengthLimit = {}
  let rest = instructions
  const take = (pattern: RegExp): string | undefined => {
    const match = pattern.exec(rest)
    if (!match) return undefined
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`
    return match[1] ?? ''
  }
  const sentences = take(SENTENCES)
  if (sentences) limit.sentences = Math.max(1, toCount(sentences))
  const words = take(WORDS)
  if (words) limit.words = Math.max(5, toCount(words))
  if (take(SHORT) !== undefined) limit.sentences ??= SHORT_SENTENCES
  const cleaned = rest
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;.]+|[\s,;]+$/g, '')
    .replace(/(?:^|\s)(?:and|und|but|aber)$/iu, '')
    .trim()
  return { instructions: cleaned, limit }
}

interface DraftParts {
  greeting: string
  thanks: string
  points: readonly string[]
  closing: string
}

/** Counts sentences. A quote with its placeholder counts as one. */
const countSentences = (paragraph: string): number =>
  paragraph.includes('\n') ? 1 : Math.max(1, paragraph.match(/[.?!](?=\s|$)/g)?.length ?? 1)

const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0

const join = ({ greeting, thanks, points, closing }: DraftParts): string =>
  [greeting, thanks, ...points, closing].filter((part) => part !== '').join('\n\n')

/** Keeps only the placeholder of a quoted question. */
const withoutQuote = (point: string): string => /\n(\[[^\n]*\])$/.exec(point)?.[1] ?? point

/** Joins the parts within the limit. The first point always stays. */
export const fitLength = (parts: DraftParts, { sentences, words }: LengthLimit): string => {
  const fits = (some: DraftParts): boolean =>
    (sentences === undefined ||
      [some.thanks, ...some.points]
        .filter((part) => part !== '')
        .reduce((sum, part) => sum + countSentences(part), 0) <= sentences) &&
    (words === undefined || countWords(join(some)) <= words)
  if (fits(parts)) return join(parts)
  const plain = { ...parts, thanks: '' }
  for (let count = parts.points.length; count >= 1; count--) {
    const fewer = { ...plain, points: plain.points.slice(0, count) }
    if (fits(fewer)) return join(fewer)
    const bare = { ...fewer, points: [...new Set(fewer.points.map(withoutQuote))] }
    if (fits(bare)) return join(bare)
  }
  return join({ ...plain, points: [withoutQuote(plain.points[0] ?? '')] })
}
