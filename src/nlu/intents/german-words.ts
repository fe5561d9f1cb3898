import { MEANINGS } from './german-meanings.ts'
import { OTHER_MEANINGS } from './german-other-meanings.ts'

/*
 * German words by their English meaning. The classifier learns mostly from English sentences, so it reads a German
 * request word by word in English. Inflected forms are found by their stem.
 */
const WORDS = new Map<string, string>()
for (const line of `${MEANINGS.trim()}\n${OTHER_MEANINGS.trim()}`.split('\n')) {
  const [meaning = '', words = ''] = line.split(': ')
  for (const word of words.split(' ')) if (!WORDS.has(word)) WORDS.set(word, meaning)
}

/** Words that are English as well, or names. They do not show that a text is German. */
const AMBIGUOUS = new Set(
  'die was in am an war hat so man also still plan block name spam radio podcast song team pizza hotel taxi ticket tickets quiz timer newsletter todo to-do bank mail mails email emails e-mail check tag film post butter may start party cancel transfer euro dollar meeting meetings es er den des um ab titel band laden land male tier rad rat handy code training ring gift kind lachs serie grad route rate stern block anhang hole bald rot hell see alarm kamera will im minute papa tunes internet problem reparatur'.split(
    ' ',
  ),
)

const ENGLISH =
  /\b(?:the|my|you|your|is|are|of|to|and|with|for|from|what|when|who|which|how|please|it|on|at|do|does|i|i'm|i'd|me|a|an)\b/gu

const ENDINGS = /(?:en|em|er|es|e|n|s|st|t)$/u

const findMeaning = (word: string): string | undefined =>
  WORDS.get(word) ?? (word.length > 4 ? WORDS.get(word.replace(ENDINGS, '')) : undefined)

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
  const meaning = AMBIGUOUS.has(word) || AMBIGUOUS.has(base) ? undefined : findMeaning(word)
  return meaning !== undefined && meaning !== word && meaning !== base
}

/** Tells whether a text has more German than English words. */
export const isGermanText = (text: string): boolean => {
  const german = splitText(text).filter(isGermanWord).length
  return german > 0 && (text.toLowerCase().match(ENGLISH)?.length ?? 0) < german
}

/** Reads a German text word by word in English. Returns a text in another language unchanged. */
export const toEnglishWords = (text: string): string => {
  const words = splitText(text)
  if (!isGermanText(text)) return text
  return words.map((word) => findMeaning(word) ?? findCompoundMeaning(word) ?? word).join(' ')
}
