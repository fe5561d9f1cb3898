import { readFileSync } from 'node:fs'
import { hash, type Linear, type PackedLinear, pair, scoreLinear, unpackLinear } from '../learning/linear.ts'
import type { Block } from '../learning/texts.ts'
import { toEnglishWords } from './german-words.ts'

/** The kinds of requests that the assistant handles. Everything else is `outside`. */
export type Business =
  | 'ask_events'
  | 'make_event'
  | 'change_event'
  | 'ask_tasks'
  | 'make_task'
  | 'change_task'
  | 'ask_mail'
  | 'write_mail'
  | 'change_mail'
  | 'overview'
  | 'date'

export type RequestClass = Business | 'outside'

/** Longer texts are truncated. No request to the assistant needs more. */
const MAX_CHARACTERS = 400

/** Splits a text into words, numbers (reduced to their length) and question marks. */
const splitWords = (text: string): string[] =>
  (
    text
      .slice(0, MAX_CHARACTERS)
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[a-zß-ÿ]+(?:'[a-z]+)?|\d+|\?/g) ?? []
  ).map((word) => (/^\d/.test(word) ? (word.length > 2 ? '0000' : '00') : word))

const [MIN_PIECE, MAX_PIECE] = [2, 5]

/** Returns the character n-grams of a word, with its ends marked. */
const splitPieces = (word: string): string[] => {
  const marked = `_${word}_`
  const pieces: string[] = []
  for (let length = MIN_PIECE; length <= MAX_PIECE; length++)
    for (let at = 0; at + length <= marked.length; at++) pieces.push(marked.slice(at, at + length))
  return pieces
}

const [START, END, PIECE, APART] = ['^', '$', 'c', 's'].map(hash) as [number, number, number, number]

/** Extracts words with neighbours, character n-grams, and pairs of words with one word between them. */
export const toBlocks = (text: string): Block[] => {
  const words = splitWords(toEnglishWords(text.slice(0, MAX_CHARACTERS)))
  const numbers = [START, ...words.map(hash), END]
  const [plain, pieces, apart] = [new Set<number>(), new Set<number>(), new Set<number>()]
  for (let at = 0; at + 1 < numbers.length; at++) {
    const word = numbers[at] as number
    if (at > 0) plain.add(word)
    plain.add(pair(word, numbers[at + 1] as number))
    if (at + 2 < numbers.length) apart.add(pair(APART, pair(word, numbers[at + 2] as number)))
  }
  for (const word of words) for (const piece of splitPieces(word)) pieces.add(pair(PIECE, hash(piece)))
  return [
    { features: plain, weight: 1 },
    { features: pieces, weight: 1 },
    { features: apart, weight: 0.6 },
  ]
}

export interface Decision {
  /** The most likely kind of request, even if `outside` is more likely. */
  business: Business
  /** Score of `business` minus the score of `outside`. Positive if the request concerns the assistant. */
  margin: number
  /** The score of each class. */
  scores: Readonly<Record<RequestClass, number>>
}

export type Decide = (text: string) => Decision

/** Scores a request with a model. */
export const createDecide =
  (model: Linear): Decide =>
  (text) => {
    const values = scoreLinear(model, toBlocks(text))
    const scores = Object.fromEntries(
      model.labels.map((label, index) => [label, values[index] as number]),
    ) as Record<RequestClass, number>
    const best = model.labels
      .filter((label): label is Business => label !== 'outside')
      .reduce((one, other) => (scores[other] > scores[one] ? other : one))
    return { business: best, margin: scores[best] - scores.outside, scores }
  }

let shipped: Decide | undefined

/** Classifies a request with the shipped model, which is loaded on first use. */
export const decide: Decide = (text) => {
  shipped ??= createDecide(
    unpackLinear(
      JSON.parse(readFileSync(new URL('../models/intents.json', import.meta.url), 'utf8')) as PackedLinear,
    ),
  )
  return shipped(text)
}
