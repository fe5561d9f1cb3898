import type { WordQuery } from '../../database/full-text/full-text.ts'
import { placedWords } from '../../database/full-text/words.ts'

interface Term {
  word: string
  isPrefix: boolean
  /** Null for any. */
  column: string | null
}

export interface Highlight {
  field: 'subject' | 'from' | 'snippet' | 'text'
  text: string
  ranges: { start: number; end: number }[]
}

const MOST_RANGES = 20

/** The single words that a search is after. */
export const termsOf = ({ all }: WordQuery): Term[] =>
  all.flatMap(({ words, isPrefix, column = null }) =>
    words.map((word, index) => ({ word, isPrefix: isPrefix && index === words.length - 1, column })),
  )

const ASCII = /^[\0-\x7f]*$/
const isLetter = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 97 && code <= 122)

/** Most mail is plain enough to be looked through as it is; folding each word costs many times as much. */
const findInAscii = (text: string, terms: readonly Term[]): Highlight['ranges'] => {
  const lower = text.toLowerCase()
  const ranges: Highlight['ranges'] = []
  for (const { word, isPrefix } of terms)
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
      let end = at + word.length
      const isBegin = at === 0 || !isLetter(lower.charCodeAt(at - 1))
      const isEnd = end === lower.length || !isLetter(lower.charCodeAt(end))
      if (!isBegin || !(isEnd || isPrefix)) continue
      while (isPrefix && end < lower.length && isLetter(lower.charCodeAt(end))) end++
      ranges.push({ start: at, end })
      if (ranges.length >= MOST_RANGES) break
    }
  return ranges.sort((a, b) => a.start - b.start)
}

const findRanges = (text: string, terms: readonly Term[]): Highlight['ranges'] => {
  if (terms.length === 0) return []
  if (ASCII.test(text)) return findInAscii(text, terms)
  const ranges: Highlight['ranges'] = []
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

const forColumn = (terms: readonly Term[], column: string): Term[] =>
  terms.filter((term) => term.column === null || term.column === column)

export interface Shown {
  subject: string
  snippet: string
  from: { name: string; address: string } | null
}

/** Where the words stand in what a list shows of an e-mail. */
export const highlightsOf = (shown: Shown, terms: readonly Term[]): Highlight[] => {
  const fields = [
    ['subject', shown.subject, 'subject'],
    ['from', shown.from === null ? '' : `${shown.from.name} <${shown.from.address}>`, 'sender'],
    ['snippet', shown.snippet, 'body'],
  ] as const
  return fields.flatMap(([field, text, column]) => {
    const ranges = text === '' ? [] : findRanges(text, forColumn(terms, column))
    return ranges.length === 0 ? [] : [{ field, text, ranges }]
  })
}

const AROUND = 80

/** The stretch of a long text in which the first of the words stands; undefined when none does. */
export const excerptOf = (text: string, terms: readonly Term[]): Highlight | undefined => {
  const wanted = forColumn(terms, 'body')
  const [first] = findRanges(text, wanted)
  if (!first) return undefined
  const start = Math.max(0, text.lastIndexOf(' ', Math.max(0, first.start - AROUND)) + 1)
  const part = text
    .slice(start, first.end + AROUND)
    .replace(/\s/g, ' ')
    .toWellFormed()
  return { field: 'text', text: part, ranges: findRanges(part, wanted) }
}
