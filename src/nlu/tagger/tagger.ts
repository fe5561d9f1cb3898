import { readFileSync } from 'node:fs'
import { hash } from '../learning/linear.ts'
import { featuresOf } from './features.ts'
import { findFeature, type PackedTagger, type TaggerModel, toKey, unpackTagger } from './model.ts'
import { splitWords, type Word } from './words.ts'

/* Marks the arguments of a request with a linear-chain conditional random field. */

export const ROLES = [
  'title',
  'date',
  'time',
  'start',
  'end',
  'duration',
  'recurrence',
  'until',
  'person',
  'place',
  'list',
  'tag',
  'reminder_offset',
  'topic',
  'condition',
  'other',
] as const

/** `start` is the new time of a move, `until` the last day of a series, `other` a further named thing. */
export type Role = (typeof ROLES)[number]

/** An argument of a request: its role, and its place in the text. */
export interface Argument {
  role: Role
  start: number
  end: number
  text: string
}

/** Outside of arguments, and the first and the other words of each role. */
export const LABELS: readonly string[] = ['O', ...ROLES.flatMap((role) => [`B-${role}`, `I-${role}`])]

const scoreWord = (model: TaggerModel, features: Uint32Array): Float64Array => {
  const { starts, labels, weights } = model
  const scores = new Float64Array(LABELS.length)
  for (const feature of features) {
    const slot = findFeature(model, feature)
    if (slot < 0) continue
    for (let at = starts[slot] as number; at < (starts[slot + 1] as number); at++) {
      const label = labels[at] as number
      scores[label] = (scores[label] as number) + (weights[at] as number)
    }
  }
  return scores
}

/** An inner word follows a word of the same argument. */
export const isPossible = (before: number, label: number): boolean =>
  label === 0 || label % 2 === 1 || before === label || before === label - 1

/** The possible labels before each label. */
const ORIGINS = LABELS.map((_, label) =>
  LABELS.flatMap((_, before) => (isPossible(before, label) ? before : [])),
)

/** Finds the best sequence of labels (Viterbi). */
const findBest = (scores: readonly Float64Array[], transitions: Float64Array): number[] => {
  const labels = LABELS.length
  const paths: Int32Array[] = []
  let best = Float64Array.from(LABELS, (_, label) => transitions[labels * labels + label] as number)
  for (const [at, score] of scores.entries()) {
    const next = new Float64Array(labels)
    const path = new Int32Array(labels)
    for (let label = 0; label < labels; label++) {
      let [top, origin] = [at === 0 ? (best[label] as number) : -Infinity, 0]
      if (at > 0)
        for (const before of ORIGINS[label] as number[]) {
          const value = (best[before] as number) + (transitions[before * labels + label] as number)
          if (value > top) [top, origin] = [value, before]
        }
      next[label] = top + (score[label] as number)
      path[label] = origin
    }
    paths.push(path)
    best = next
  }
  let label = best.indexOf(best.reduce((one, other) => Math.max(one, other), -Infinity))
  const found: number[] = []
  for (const path of paths.reverse()) {
    found.unshift(label)
    label = path[label] as number
  }
  return found
}

const toArguments = (text: string, words: readonly Word[], path: readonly number[]): Argument[] => {
  const found: Argument[] = []
  for (const [at, label] of path.entries()) {
    const { from, to } = words[at] as Word
    const last = found.at(-1)
    if (label % 2 === 0 && label > 0 && last) {
      last.end = to
      last.text = text.slice(last.start, to)
    } else if (label > 0) {
      const role = ROLES[(label - 1) >> 1] as Role
      found.push({ role, start: from, end: to, text: text.slice(from, to) })
    }
  }
  return found
}

export const tagWith = (model: TaggerModel, text: string): Argument[] => {
  const words = splitWords(text)
  const features = featuresOf(text, words, (word) => model.frequent.has(toKey(hash(word))))
  const scores = features.map((one) => scoreWord(model, one))
  return toArguments(text, words, findBest(scores, model.transitions))
}

let shipped: TaggerModel | undefined

/** Longer texts are no requests. */
const MAX_CHARACTERS = 600

/** Marks the arguments of a request with the shipped model, which is loaded on first use. */
export const tagArguments = (text: string): Argument[] => {
  shipped ??= unpackTagger(
    JSON.parse(readFileSync(new URL('../models/tagger.json', import.meta.url), 'utf8')) as PackedTagger,
  )
  return tagWith(shipped, text.slice(0, MAX_CHARACTERS))
}
