import { type Token, tokenize } from '../lexicon/lexicon.ts'
import { isOneTypo } from '../typos.ts'
import { isInTime, type Sentence } from './sentence.ts'

/* Finds the known items that a message names, by the words of their titles. */

/** Words that say nothing about an item. */
const EMPTY =
  /^(?:the|an?|of|for|with|and|at|in|on|to|from|my|our|der|die|das|den|dem|des|ein|eine|mit|fuer|und|am|im|in|an|auf|zu|zum|zur|bei|beim|von|vom)$/u

const MIN_COMPOUND = 5

/** Removes the endings of plurals and cases. */
const stem = (word: string): string => (word.length > 4 ? word.replace(/(?:ies|es|en|er|s|n|e)$/u, '') : word)

/** True if two words mean the same: inflected, misspelled by one letter, or one part of a compound. */
const isSameWord = (one: string, other: string): boolean => {
  if (one === other || (one.length > 2 && stem(one) === stem(other))) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < MIN_COMPOUND) return `${short}s` === long
  return isOneTypo(one, other) || long.endsWith(short) || long.startsWith(short)
}

/** True if a text has a word that means the same as this word. */
export const nameSameThing = (word: string, text: string): boolean =>
  tokenize(text).some(({ folded }) => isSameWord(word, folded))

const contentOf = (title: string): string[] =>
  tokenize(title)
    .map(({ folded }) => folded)
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && word !== "'s" && !EMPTY.test(word))

export interface Mention<T> {
  item: T
  /** The share of the title that the message names, from 0 to 1. */
  score: number
  /** The tokens of the message that name it. */
  at: readonly number[]
}

/** Words that say what to do. They name an item only together with other words. */
const VERBS: ReadonlySet<string> = new Set([
  'cancel',
  'change',
  'courtesy',
  'create',
  'move',
  'question',
  'remind',
  'small',
  'event',
  'task',
  'mail',
])

/** Less than this share of a title names nothing. */
const MIN_SCORE = 0.4

/** The articles and prepositions of a title, where the message has them, too. */
const findSmallWords = ({ tokens }: Sentence, title: string): number[] => {
  const small = tokenize(title).map(({ folded }) => folded)
  return tokens.flatMap(({ folded }, at) => (EMPTY.test(folded) && small.includes(folded) ? at : []))
}

/** Returns the items that a message names, the best first. */
export const findMentions = <T extends { title: string }>(
  sentence: Sentence,
  items: readonly T[],
): Mention<T>[] => {
  const verbs = new Set(
    sentence.phrases.filter(({ category }) => VERBS.has(category)).flatMap(({ at }) => at),
  )
  const free = sentence.tokens
    .map((token, index) => ({ token, index }))
    .filter(({ token }) => /^[\p{L}\p{N}]{2,}/u.test(token.text) && !EMPTY.test(token.folded))
  const mentions = items.flatMap((item): Mention<T>[] => {
    const words = contentOf(item.title)
    const matched = words.map((word) => ({
      word,
      at: free.filter(({ token }) => isSameWord(token.folded, word)).map(({ index }) => index),
    }))
    const weightOf = (all: readonly { word: string }[]): number =>
      all.reduce((sum, { word }) => sum + word.length, 0)
    const found = matched.filter(({ at }) => at.length > 0)
    const score = weightOf(found) / Math.max(1, weightOf(matched))
    const at = [...new Set(found.flatMap((one) => one.at))]
    const isOnlyTime = at.every((index) => isInTime(sentence, sentence.tokens[index] as Token))
    return score < MIN_SCORE || isOnlyTime || at.every((index) => verbs.has(index))
      ? []
      : [{ item, score, at: [...at, ...findSmallWords(sentence, item.title)] }]
  })
  return mentions.sort((one, other) => other.score - one.score || other.at.length - one.at.length)
}
