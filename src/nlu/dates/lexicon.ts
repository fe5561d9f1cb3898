import { readSections } from '../lexicon/sections.ts'
import { isOneTypo } from '../typos.ts'

/** A meaning of a word. Compounds such as "Montagabend" have several values. */
export type Lexeme = readonly [kind: string, value: unknown]

/** Contains both languages, because emails mix them. Few words are dates in only one of the two. */
const FILES = [
  new URL('../lexicon/dates.en.txt', import.meta.url),
  new URL('../lexicon/dates.de.txt', import.meta.url),
]

interface Lexicon {
  words: ReadonlyMap<string, readonly Lexeme[]>
  /** Long names of days and months, by their first letter. Only these are recognized with a typo. */
  names: ReadonlyMap<string, readonly string[]>
  /** Words that tell what their neighbors mean, by group. */
  groups: ReadonlyMap<string, ReadonlySet<string>>
}

const parseValue = (text: string): string | number => (/^-?\d+$/.test(text) ? Number(text) : text)

const NAMES = new Set(['dow', 'month', 'dayword'])
const MIN_NAME_LENGTH = 6

const readLexicon = (): Lexicon => {
  const words = new Map<string, Lexeme[]>()
  const groups = new Map<string, Set<string>>()
  for (const { heading, phrases } of FILES.flatMap(readSections)) {
    const [kind = '', ...texts] = heading.split(' ')
    if (kind === 'words') {
      const group = texts[0] as string
      groups.set(group, new Set([...(groups.get(group) ?? []), ...phrases]))
      continue
    }
    const values = texts.map(parseValue)
    for (const word of phrases)
      words.set(word, [...(words.get(word) ?? []), [kind, values.length > 1 ? values : (values[0] ?? 0)]])
  }
  const names = [...words].flatMap(([word, lexemes]) =>
    word.length >= MIN_NAME_LENGTH && lexemes.every(([kind]) => NAMES.has(kind)) ? [word] : [],
  )
  return { words, names: Map.groupBy(names, (name) => name[0] as string), groups }
}

let loaded: Lexicon | undefined

/** Loads the words on the first use. */
const getLexicon = (): Lexicon => {
  loaded ??= readLexicon()
  return loaded
}

const isSwapped = (word: string, name: string): boolean =>
  [...word].sort().join('') === [...name].sort().join('')

/**
 * Finds the name that a word misspells. Its first and last letter are right: "Frida" is a name. Words that differ in
 * one letter are other words: "sundry".
 */
const findMisspelled = (word: string): string | undefined => {
  if (word.length < MIN_NAME_LENGTH - 1) return undefined
  const { names } = getLexicon()
  return names
    .get(word[0] as string)
    ?.find(
      (name) =>
        name.at(-1) === word.at(-1) &&
        isOneTypo(word, name) &&
        (name.length > MIN_NAME_LENGTH || word.length !== name.length || isSwapped(word, name)),
    )
}

/** Returns the meanings of a word in lower case. A word may have one typo. */
export const lexemesOf = (word: string): readonly Lexeme[] => {
  const { words } = getLexicon()
  return words.get(word) ?? words.get(findMisspelled(word) ?? '') ?? []
}

export const isDateWord = (word: string): boolean => lexemesOf(word).length > 0

export const isMonth = (word: string): boolean => lexemesOf(word).some(([kind]) => kind === 'month')

export const isWordOf = (group: string, word: string): boolean =>
  getLexicon().groups.get(group)?.has(word) ?? false
