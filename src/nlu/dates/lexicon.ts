import { readSections } from '../lexicon/sections.ts'

/** A meaning of a word. Compounds such as "Montagabend" have several values. */
export type Lexeme = readonly [kind: string, value: unknown]

/** Contains both languages, because emails mix them. Few words are dates in only one of the two. */
const FILES = [
  new URL('../lexicon/dates.en.txt', import.meta.url),
  new URL('../lexicon/dates.de.txt', import.meta.url),
]

interface Lexicon {
  words: ReadonlyMap<string, readonly Lexeme[]>
  /** Words with another common meaning. They count as dates only if their neighbors confirm it. */
  ambiguous: ReadonlySet<string>
}

const parseValue = (text: string): string | number => (/^-?\d+$/.test(text) ? Number(text) : text)

const readLexicon = (): Lexicon => {
  const words = new Map<string, Lexeme[]>()
  const ambiguous = new Set<string>()
  for (const { heading, phrases } of FILES.flatMap(readSections)) {
    const [kind = '', ...texts] = heading.split(' ')
    const values = texts.map(parseValue)
    for (const word of phrases)
      if (kind === 'ambiguous') ambiguous.add(word)
      else words.set(word, [...(words.get(word) ?? []), [kind, values.length > 1 ? values : (values[0] ?? 0)]])
  }
  return { words, ambiguous }
}

let loaded: Lexicon | undefined

/** Loads the words on the first use. */
const getLexicon = (): Lexicon => {
  loaded ??= readLexicon()
  return loaded
}

/** Returns the meanings of a word in lower case. */
export const lexemesOf = (word: string): readonly Lexeme[] => getLexicon().words.get(word) ?? []

export const isDateWord = (word: string): boolean => getLexicon().words.has(word)

export const isMonth = (word: string): boolean => lexemesOf(word).some(([kind]) => kind === 'month')

export const isAmbiguousWord = (word: string): boolean => getLexicon().ambiguous.has(word)
