import { readSections } from '../lexicon/sections.ts'

/*
 * German words by their English meaning. The classifier learns mostly from English sentences, so it reads a German
 * request word by word in English. Inflected forms are found by their stem.
 */

const MEANINGS = new URL('../lexicon/meanings.de.txt', import.meta.url)
const AMBIGUOUS = new URL('../lexicon/ambiguous.de.txt', import.meta.url)

const readWords = () => {
  const meanings = new Map<string, string>()
  for (const { heading, phrases } of readSections(MEANINGS))
    for (const word of phrases) if (!meanings.has(word)) meanings.set(word, heading)
  return { meanings, ambiguous: new Set(readSections(AMBIGUOUS).flatMap(({ phrases }) => phrases)) }
}

let loaded: ReturnType<typeof readWords> | undefined

/** Loads the words on the first use. */
const getWords = () => {
  loaded ??= readWords()
  return loaded
}

const ENGLISH =
  /\b(?:the|my|you|your|is|are|of|to|and|with|for|from|what|when|who|which|how|please|it|on|at|do|does|i|i'm|i'd|me|a|an)\b/gu

const ENDINGS = /(?:en|em|er|es|e|n|s|st|t)$/u

const findMeaning = (word: string): string | undefined => {
  const { meanings } = getWords()
  return meanings.get(word) ?? (word.length > 4 ? meanings.get(word.replace(ENDINGS, '')) : undefined)
}

/** Finds the meaning of a compound by its last part: "Zahnarzttermin" is an "appointment". */
const findCompoundMeaning = (word: string): string | undefined => {
  for (let at = 3; at <= word.length - 4; at++) {
    const last = findMeaning(word.slice(at))
    if (last === undefined) continue
    const head = findMeaning(word.slice(0, at)) ?? findMeaning(word.slice(0, at).replace(/s$/u, ''))
    return head === undefined ? last : `${head} ${last}`
  }
  return undefined
}

const splitText = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d'’-]+|\?/gu) ?? []

/** True for a word that shows that a text is German. "Wind" has the same form in English. */
const isGermanWord = (word: string): boolean => {
  const base = word.replace(ENDINGS, '')
  const { ambiguous } = getWords()
  const meaning = ambiguous.has(word) || ambiguous.has(base) ? undefined : findMeaning(word)
  return meaning !== undefined && meaning !== word && meaning !== base
}

/** Tells whether a text has more German than English words. */
export const isGermanText = (text: string): boolean => {
  const german = splitText(text).filter(isGermanWord).length
  return german > 0 && (text.toLowerCase().match(ENGLISH)?.length ?? 0) < german
}

/** Returns the English meaning of a German word, or the word. */
export const toEnglishWord = (word: string): string => findMeaning(word) ?? findCompoundMeaning(word) ?? word

/** Reads a German text word by word in English. Returns a text in another language unchanged. */
export const toEnglishWords = (text: string): string => {
  const words = splitText(text)
  if (!isGermanText(text)) return text
  return words.map(toEnglishWord).join(' ')
}
