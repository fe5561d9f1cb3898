import { readSections } from './lexicon/sections.ts'

/*
 * Identifies the language of a text by its script, its most frequent words and its letters. The engine reads English
 * and German only; the other languages are listed so that a mail in them is not taken for English.
 */

const FILE = new URL('./lexicon/languages.txt', import.meta.url)

const SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['uk', /[іїєґ]/giu],
  ['ru', /\p{Script=Cyrillic}/gu],
]

const READABLE: ReadonlySet<string> = new Set(['en', 'de'])

/** True for the languages that the engine reads. A text without a known language counts as readable. */
export const isReadable = (language: string | null): boolean => language === null || READABLE.has(language)

/** Explains that the engine cannot read a mail. */
export const unreadableNotice = (language: string): string => {
  const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language
  return `This email is written in ${name}. The built-in engine reads only English and German, so it found no action items, questions or meetings. Choose a language model to analyze it.`
}

type Languages = ReadonlyMap<string, readonly string[]>

interface Frequent {
  /** Frequent function words. A word of several languages counts less for each of them. */
  words: Languages
  /** Letters that few languages use. */
  letters: Languages
}

const readFrequent = (): Frequent => {
  const [words, letters] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (const { heading, phrases } of readSections(FILE)) {
    const known = heading.startsWith('letters ') ? letters : words
    const language = heading.replace('letters ', '')
    for (const phrase of phrases) known.set(phrase, [...(known.get(phrase) ?? []), language])
  }
  return { words, letters }
}

let loaded: Frequent | undefined

/** Loads the words on the first use. */
const getFrequent = (): Frequent => {
  loaded ??= readFrequent()
  return loaded
}

const SAMPLE = 4000
const MAX_WORDS = 400
const ADDRESSES = /https?:\/\/\S{1,500}|[\w.+-]{1,64}@[\w.-]{1,190}/g
/** Letters support words; a name with an accent must not decide alone. */
const LETTER_WEIGHT = 0.25
const MAX_LETTERS = 12
/** The least score that tells a language. */
const MIN_SCORE = 0.8
/** A language that the engine cannot read must be this much more likely than one that it reads. */
const MIN_LEAD = 1.25
const MIN_FOREIGN_SCORE = 1.2
const MIN_FOREIGN_WORDS = 2
/** A text belongs to a script if it has at least this share of its letters. */
const MIN_SHARE = 0.3
/** Kana and Ukrainian letters are a small part of their texts. */
const MIN_MARKER_SHARE = 0.02

const languageByScript = (text: string): string | null => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return null
  const share = (script: RegExp): number => (text.match(script)?.length ?? 0) / letters
  const [kana, cyrillic] = [
    share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu),
    share(/\p{Script=Cyrillic}/gu),
  ]
  if (kana > MIN_MARKER_SHARE && kana + share(/\p{Script=Han}/gu) > MIN_SHARE) return 'ja'
  if (cyrillic > MIN_SHARE) {
    if (share(/[іїєґ]/giu) > MIN_MARKER_SHARE) return 'uk'
    if (share(/[ыэё]/giu) > 0 || share(/[щъ]/giu) === 0) return 'ru'
    return share(/ъ/giu) > MIN_MARKER_SHARE / 2 ? 'bg' : 'ru'
  }
  return SCRIPTS.find(([, script]) => share(script) > MIN_SHARE)?.[0] ?? null
}

/** True for a frequent word of one language that is none of the other. */
export const isFrequentIn = (word: string, language: 'en' | 'de'): boolean => {
  const languages = getFrequent().words.get(word) ?? []
  return languages.includes(language) && !languages.includes(language === 'en' ? 'de' : 'en')
}

/** Returns the ISO 639-1 code of the language, or null if the text does not tell. */
export const identifyLanguage = (text: string): string | null => {
  const sample = text.slice(0, SAMPLE).replace(ADDRESSES, ' ').replaceAll('’', "'").toLowerCase()
  const byScript = languageByScript(sample)
  if (byScript !== null) return byScript
  const { words, letters } = getFrequent()
  const scores = new Map<string, number>()
  const add = (language: string, weight: number): void => {
    scores.set(language, (scores.get(language) ?? 0) + weight)
  }
  const seen = new Map<string, Set<string>>()
  for (const word of (sample.match(/[\p{L}]+(?:'[\p{L}]+)?/gu) ?? []).slice(0, MAX_WORDS)) {
    const known = words.get(word) ?? words.get(word.slice(word.indexOf("'") + 1)) ?? []
    for (const language of known) {
      add(language, (word.length === 1 ? 0.5 : 1) / known.length)
      seen.set(language, (seen.get(language) ?? new Set()).add(word))
    }
  }
  for (const letter of (sample.match(/[^\p{ASCII}]/gu) ?? []).slice(0, MAX_LETTERS)) {
    const languages = letters.get(letter) ?? []
    for (const language of languages) {
      add(language, LETTER_WEIGHT / Math.sqrt(languages.length))
      seen.set(language, (seen.get(language) ?? new Set()).add(letter))
    }
  }
  const ranked = [...scores].sort((a, b) => b[1] - a[1])
  const [best] = ranked
  if (!best || best[1] < MIN_SCORE) return null
  if (READABLE.has(best[0])) return best[0]
  const readable = ranked.find(([language]) => READABLE.has(language))
  const isClear =
    best[1] >= MIN_FOREIGN_SCORE &&
    (seen.get(best[0])?.size ?? 0) >= MIN_FOREIGN_WORDS &&
    best[1] >= MIN_LEAD * (readable?.[1] ?? 0)
  return isClear ? best[0] : readable && readable[1] >= MIN_SCORE ? readable[0] : null
}
