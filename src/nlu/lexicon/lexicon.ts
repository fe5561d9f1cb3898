import { isOneTypo } from '../typos.ts'
import { readSections } from './sections.ts'

/* The phrases of requests, by category and language. They are loaded with the first request. */

export type Language = 'en' | 'de'

export interface Token {
  text: string
  /** In lower case, with ae, oe, ue and ss for umlauts. */
  folded: string
  from: number
  to: number
}

/** A phrase of a category, from its first to its last token. */
export interface Phrase {
  category: string
  from: number
  to: number
  /** Its own tokens, without those in a gap. */
  at: readonly number[]
}

/** Folds the case, umlauts and apostrophes, so that "spaeter" is "später". */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replace(/[’‘]/gu, "'")

/** "I'll" and "Yoga's" are two words, "can't" is one. */
const TOKEN =
  /['’](?:s|ll|ve|re|d|m)(?!\p{L})|[\p{L}\p{N}]+(?:(?:['’](?!(?:s|ll|ve|re|d|m)(?!\p{L}))|[.:@_-])[\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/giu

/** Splits a text into words, numbers and punctuation marks. */
export const tokenize = (text: string): Token[] =>
  Array.from(text.matchAll(TOKEN), ({ 0: word, index }) => ({
    text: word,
    folded: fold(word),
    from: index,
    to: index + word.length,
  }))

interface Pattern {
  category: string
  words: readonly string[]
}

type Lexicon = ReadonlyMap<string, readonly Pattern[]>

type Files = Readonly<Record<Language, URL>>

const REQUESTS: Files = {
  en: new URL('./en.txt', import.meta.url),
  de: new URL('./de.txt', import.meta.url),
}
/** Words that only questions about stored facts have. */
export const QUESTIONS: Files = {
  en: new URL('./questions.en.txt', import.meta.url),
  de: new URL('./questions.de.txt', import.meta.url),
}

/** Words that refer to the conversation, and words for what becomes of an email. */
export const FOLLOW_UPS: Files = {
  en: new URL('./follow-ups.en.txt', import.meta.url),
  de: new URL('./follow-ups.de.txt', import.meta.url),
}

/** Length of the beginning by which phrases are found. */
const KEY_LENGTH = 3
/** Misspelled words are found by their first letter, among phrases of one word. */
const TYPOS = '^'
/** The phrases that begin with a star are found by their endings. */
const ENDINGS = '*'

const readLexicon = (file: URL): Lexicon => {
  const lexicon = new Map<string, Pattern[]>()
  for (const { heading: category, phrases } of readSections(file))
    for (const phrase of phrases) {
      const words = fold(phrase)
        .split(' ')
        .flatMap((word) => (/[*…]/.test(word) ? word : tokenize(word).map(({ folded }) => folded)))
      const [first] = words as [string]
      const key = first.startsWith('*') ? ENDINGS : first.slice(0, KEY_LENGTH)
      const keys = words.length === 1 && !first.startsWith('*') ? [key, TYPOS + first.charAt(0)] : [key]
      for (const one of keys) lexicon.set(one, [...(lexicon.get(one) ?? []), { category, words }])
    }
  return lexicon
}

const loaded = new Map<URL, Lexicon>()

const getLexicon = (file: URL): Lexicon => {
  const lexicon = loaded.get(file) ?? readLexicon(file)
  loaded.set(file, lexicon)
  return lexicon
}

const GAP = '…'
const MAX_GAP = 8

const isSame = (wanted: string, folded: string): boolean => {
  if (wanted.endsWith('*')) return folded.startsWith(wanted.slice(0, -1))
  return wanted.startsWith('*') ? folded.endsWith(wanted.slice(1)) : folded === wanted
}

const MIN_TYPO = 6
const MIN_SWAPPED = 5

/** "Bitet" for "bitte": the same letters in another order. */
const isSwapped = (wanted: string, folded: string): boolean =>
  folded.length >= MIN_SWAPPED &&
  wanted.length === folded.length &&
  isOneTypo(folded, wanted) &&
  [...wanted].sort().join('') === [...folded].sort().join('')

/** Shorter words differ from each other by one letter. */
const isMisspelled = (wanted: string, folded: string): boolean => {
  if (folded.length < MIN_TYPO) return isSwapped(wanted, folded)
  const stem = wanted.replace('*', '')
  if (!wanted.endsWith('*')) return isOneTypo(folded, wanted)
  if (stem.length < MIN_SWAPPED) return false
  return [-1, 0, 1].some((more) => isOneTypo(folded.slice(0, stem.length + more), stem))
}

/** Returns the tokens of the phrase that begins at a token. */
const matchAt = (
  words: readonly string[],
  tokens: readonly Token[],
  from: number,
): readonly number[] | undefined => {
  const matched: number[] = []
  let at = from
  for (let index = 0; index < words.length; index++) {
    const wanted = words[index] as string
    if (wanted !== GAP) {
      const token = tokens[at]
      if (token === undefined || !isSame(wanted, token.folded)) return undefined
      matched.push(at++)
      continue
    }
    const next = words[index + 1] as string
    const end = Math.min(tokens.length, at + MAX_GAP)
    while (at < end && !isSame(next, (tokens[at] as Token).folded)) at++
    if (at === end) return undefined
  }
  return matched
}

/** Finds all phrases of a text. At each place, a category has the phrase with most words. */
export const findPhrases = (
  tokens: readonly Token[],
  language: Language,
  files: Files = REQUESTS,
): Phrase[] => {
  const lexicon = getLexicon(files[language])
  const phrases: Phrase[] = []
  for (const [from, { folded }] of tokens.entries()) {
    const longest = new Map<string, readonly number[]>()
    for (const { category, words } of [
      ...(lexicon.get(folded.slice(0, KEY_LENGTH)) ?? []),
      ...(lexicon.get(ENDINGS) ?? []),
    ]) {
      const at = matchAt(words, tokens, from)
      if (at && at.length > (longest.get(category)?.length ?? 0)) longest.set(category, at)
    }
    if (longest.size === 0)
      for (const { category, words } of lexicon.get(TYPOS + folded.charAt(0)) ?? [])
        if (isMisspelled(words[0] as string, folded)) longest.set(category, [from])
    for (const [category, at] of longest) phrases.push({ category, from, to: (at.at(-1) as number) + 1, at })
  }
  return phrases
}
