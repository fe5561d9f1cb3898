import type { WordQuery } from '../../database/full-text/full-text.ts'
import { placedWords } from '../../database/full-text/words.ts'

interface Term {
  word: string
  isPrefix: boolean
  /** Null for any. */
  column: string | null
}

export interface Range {
  start: number
  end: number
}

export interface Highlight {
  field: 'subject' | 'from.name' | 'from.address' | 'snippet' | 'text'
  ranges: Range[]
  /** Of `text` alone, which the list does not show: the part around the words. */
  excerpt?: string
}

export interface Shown {
  subject: string
  snippet: string
  from: { name: string; address: string } | null
}

const MOST_RANGES = 20

/** The single words that a search is after. */
export const termsOf = ({ all }: WordQuery): Term[] =>
  all.flatMap(({ words, isPrefix, column = null }) =>
    words.map((word, index) => ({ word, isPrefix: isPrefix && index === words.length - 1, column })),
  )

const NOT_ASCII = /[^\0-\x7f]/
const isLetter = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 97 && code <= 122)

/** Most mail is plain enough to be looked through as it is; folding each word costs many times as much. */
const findInAscii = (text: string, { word, isPrefix }: Term, found: (range: Range) => void): void => {
  let count = 0
  for (
    let at = text.indexOf(word);
    at >= 0 && count < MOST_RANGES;
    at = text.indexOf(word, at + word.length)
  ) {
    let end = at + word.length
    const isBegin = at === 0 || !isLetter(text.charCodeAt(at - 1))
    const isEnd = end === text.length || !isLetter(text.charCodeAt(end))
    if (!isBegin || !(isEnd || isPrefix)) continue
    while (isPrefix && end < text.length && isLetter(text.charCodeAt(end))) end++
    found({ start: at, end })
    count++
  }
}

const findInAny = (text: string, terms: readonly Term[]): Range[] => {
  const ranges: Range[] = []
  for (const { word, start, end } of placedWords(text)) {
    if (!terms.some((term) => (term.isPrefix ? word.startsWith(term.word) : word === term.word))) continue
    const last = ranges.at(-1)
    // Characters of an unspaced script that follow each other are one stretch.
    if (last && last.end === start) last.end = end
    else ranges.push({ start, end })
    if (ranges.length >= MOST_RANGES) break
  }
  return ranges
}

const findRanges = (text: string, terms: readonly Term[]): Range[] => {
  if (NOT_ASCII.test(text)) return findInAny(text, terms)
  const ranges: Range[] = []
  const lower = text.toLowerCase()
  for (const term of terms) findInAscii(lower, term, (range) => ranges.push(range))
  return ranges.sort((a, b) => a.start - b.start)
}

const isFor = (term: Term, column: string): boolean => term.column === null || term.column === column

const FIELDS = ['subject', 'from.name', 'from.address', 'snippet'] as const
const COLUMNS = ['subject', 'sender', 'sender', 'body'] as const

/** Where the words stand in what a list shows of an e-mail. All of it is looked through at once: there are many. */
export const highlightsOf = ({ subject, from, snippet }: Shown, terms: readonly Term[]): Highlight[] => {
  const texts = [subject, from?.name ?? '', from?.address ?? '', snippet]
  const joined = texts.join('\n')
  if (NOT_ASCII.test(joined))
    return texts.flatMap((text, index) => {
      const ranges = findRanges(
        text,
        terms.filter((term) => isFor(term, COLUMNS[index] as string)),
      )
      return ranges.length === 0 ? [] : [{ field: FIELDS[index] as Highlight['field'], ranges }]
    })
  const lower = joined.toLowerCase()
  const ranges: Range[][] = [[], [], [], []]
  for (const term of terms)
    findInAscii(lower, term, ({ start, end }) => {
      let index = 0
      let offset = 0
      while (start > offset + (texts[index] as string).length) offset += (texts[index++] as string).length + 1
      if (isFor(term, COLUMNS[index] as string))
        ranges[index]?.push({ start: start - offset, end: end - offset })
    })
  return ranges.flatMap((found, index) =>
    found.length === 0
      ? []
      : [{ field: FIELDS[index] as Highlight['field'], ranges: found.sort((a, b) => a.start - b.start) }],
  )
}

const AROUND = 80

/** The stretch of a long text in which the first of the words stands; undefined when none does. */
export const excerptOf = (text: string, terms: readonly Term[]): Highlight | undefined => {
  const wanted = terms.filter((term) => isFor(term, 'body'))
  const [first] = findRanges(text, wanted)
  if (!first) return undefined
  const start = Math.max(0, text.lastIndexOf(' ', Math.max(0, first.start - AROUND)) + 1)
  const excerpt = text
    .slice(start, first.end + AROUND)
    .replace(/\s/g, ' ')
    .toWellFormed()
  return { field: 'text', excerpt, ranges: findRanges(excerpt, wanted) }
}
