import { endOf, readTimes, type TimeExpression } from '../dates/read.ts'
import { findPhrases, type Language, type Phrase, type Token, tokenize } from '../lexicon/lexicon.ts'

/* A message with everything that is known of its words: phrases of the lexicon and times. */

export interface RequestContext {
  /** Local time of the person, encoded as UTC milliseconds. */
  now: number
  timezone: string
}

export interface Sentence {
  text: string
  language: Language
  tokens: readonly Token[]
  phrases: readonly Phrase[]
  times: readonly TimeExpression[]
  context: RequestContext
}

/** Spoken short forms, which the date reader does not know. */
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/(?<!\p{L})ne(?= (?:halbe|viertel|dreiviertel|stunde|woche|minute|knappe|gute))/giu, 'eine'],
  [/(?<!\p{L})nen(?= (?:tag|monat|halben))/giu, 'einen'],
  [/(?<!\p{L})n (?=(?:tag|paar))/giu, 'ein '],
]

export const readSentence = (written: string, language: Language, context: RequestContext): Sentence => {
  const plain = written.replace(/[’‘]/gu, "'").trim()
  const text = SHORT_FORMS.reduce((left, [form, meaning]) => left.replace(form, meaning), plain)
  const tokens = tokenize(text)
  return {
    text,
    language,
    tokens,
    phrases: findPhrases(tokens, language),
    times: readTimes(text, { ...context, order: 'dmy' }),
    context,
  }
}

/** Returns the first phrase of one of the categories. */
export const findPhrase = ({ phrases }: Sentence, ...categories: readonly string[]): Phrase | undefined =>
  phrases.find(({ category }) => categories.includes(category))

export const hasPhrase = (sentence: Sentence, ...categories: readonly string[]): boolean =>
  findPhrase(sentence, ...categories) !== undefined

/** True if every word belongs to a phrase of one of the categories. */
export const hasOnly = ({ tokens, phrases }: Sentence, categories: readonly string[]): boolean => {
  const own = new Set(phrases.filter(({ category }) => categories.includes(category)).flatMap(({ at }) => at))
  return tokens.every(({ text }, at) => own.has(at) || /^[^\p{L}\p{N}]$/u.test(text))
}

/** True if a phrase of the category is at the beginning, after polite words. */
export const startsWith = ({ phrases, tokens }: Sentence, category: string): boolean => {
  let at = 0
  while (at < tokens.length) {
    if (phrases.some((one) => one.from === at && one.category === category)) return true
    const polite = phrases.find((one) => one.from === at && one.category === 'courtesy')
    if (polite) at = polite.to
    else if (/^[^\p{L}\p{N}]$/u.test((tokens[at] as Token).text)) at++
    else return false
  }
  return false
}

/** True if a time expression contains the token. */
export const isInTime = ({ times }: Sentence, { from, to }: Token): boolean =>
  times.some((time) => from >= time.offset && to <= endOf(time))

/** The words of some tokens as they were written. */
export const wordsOf = ({ text, tokens }: Sentence, from: number, to: number): string => {
  const [first, last] = [tokens[from], tokens[to - 1]]
  return first && last && to > from ? text.slice(first.from, last.to) : ''
}
