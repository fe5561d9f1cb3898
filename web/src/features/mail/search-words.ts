interface Range {
  start: number
  end: number
}

/** Operators whose values are not words of the text. */
const FILTERS = /^-|^(?:tag|label|list|is|has|in|folder|before|after):/i
const TERM = /-?(?:[a-z]+:)?(?:"[^"]*"?|\S+)/giu
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Lower case without accents, as long as the text itself, so that positions stay valid. */
const fold = (text: string): string =>
  [...text]
    .map((letter) => {
      const folded = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
      return folded.length === letter.length
        ? folded
        : letter.toLowerCase().padEnd(letter.length).slice(0, letter.length)
    })
    .join('')

/** A last word of at least two characters that is no operator and is not in quotes. */
const LAST_WORD = /(?:^|\s)[\p{L}\p{N}][\p{L}\p{N}\p{M}]+$/u

/** Treats the last word as the beginning of a word, because the user may still be typing. A space after it ends it. */
export const toPrefixSearch = (q: string): string => {
  const isQuoted = (q.match(/"/g)?.length ?? 0) % 2 === 1
  return !isQuoted && LAST_WORD.test(q) ? `${q.trim()}*` : q.trim()
}

interface SearchWord {
  word: string
  isPrefix: boolean
}

/** The words of a search that can be marked in a text. */
const readWords = (q: string): SearchWord[] =>
  (toPrefixSearch(q).match(TERM) ?? [])
    .filter((term) => !FILTERS.test(term))
    .flatMap((term) => {
      const isPrefix = term.endsWith('*')
      return [...term.replace(/^[a-z]+:/i, '').matchAll(WORD)].map(([word]) => ({
        word: fold(word),
        isPrefix,
      }))
    })

/** Finds the words of a search in a text. */
export const findWords = (text: string, q: string): Range[] => {
  const words = readWords(q)
  if (words.length === 0) return []
  return [...fold(text).matchAll(WORD)]
    .filter(([found]) =>
      words.some(({ word, isPrefix }) => found === word || (isPrefix && found.startsWith(word))),
    )
    .map(({ 0: found, index }) => ({ start: index, end: index + found.length }))
}
