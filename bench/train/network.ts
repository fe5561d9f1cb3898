import { tokensOf } from '../../src/engine/intents/tokens.ts'
import {
  addVector,
  classify,
  convolve,
  filterStart,
  type LearntNetwork,
  MOST_TOKENS,
  type Rows,
  rowsOf,
  type Shape,
  spanOf,
  WIDEST,
} from '../../src/engine/learning/network.ts'
import { createAdam, createLearning, softmax } from './adam.ts'
import type { Sentence } from './intents.ts'
import { createRandom } from './svm.ts'

export interface NetworkSettings extends Shape {
  rounds: number
  batch: number
  rate: number
  seed: number
}

/** How much is left out at random, so that nothing relies on one thing alone: words, numbers of vectors, filters. */
const [LOST_WORDS, LOST_NUMBERS, LOST_ANSWERS] = [0.1, 0.2, 0.5]

/** What is not promised to the class that is right: people do not always agree. */
const DOUBT = 0.1

/** A word in one sentence alone is known by its kinds and pieces. */
const RARE = 2

const keysOf = (sentences: readonly Sentence[]): Uint32Array => {
  const counts = new Map<number, number>()
  const kinds = new Set<number>()
  for (const { text } of sentences) {
    const tokens = tokensOf(text)
    for (const word of new Set(tokens.map((token) => token.word)))
      counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const token of tokens) for (const kind of token.kinds) kinds.add(kind)
  }
  const words = [...counts].filter(([, count]) => count >= RARE).map(([word]) => word)
  return Uint32Array.from(new Set([...words, ...kinds])).sort()
}

/** A convolution over words, learnt by gradient descent. */
export const trainNetwork = (
  sentences: readonly Sentence[],
  labels: readonly string[],
  { rounds, batch, rate, seed, ...shape }: NetworkSettings,
): LearntNetwork => {
  const { size, filters, buckets } = shape
  const random = createRandom(seed)
  /** Nearly a bell curve: a dozen dice. */
  const scattered = (length: number, width: number): Float32Array =>
    Float32Array.from({ length }, () => {
      let sum = -6
      for (let die = 0; die < 12; die++) sum += random()
      return sum * width
    })
  const keys = keysOf(sentences)
  const many = filters * WIDEST
  const vectors = createLearning(scattered((keys.length + buckets) * size, 0.1))
  const cores = createLearning(new Float32Array(filterStart(shape, WIDEST + 1)))
  for (let width = 1; width <= WIDEST; width++)
    cores.weights.set(
      scattered(filters * width * size, 1 / Math.sqrt(width * size)),
      filterStart(shape, width),
    )
  const thresholds = createLearning(new Float32Array(many))
  const outputs = createLearning(scattered(labels.length * many, 1 / Math.sqrt(many)))
  const biases = createLearning(new Float32Array(labels.length))
  const weights = {
    vectors: vectors.weights,
    filters: cores.weights,
    thresholds: thresholds.weights,
    outputs: outputs.weights,
    biases: biases.weights,
  }

  const texts = sentences.map(({ text, intent }) => ({
    label: labels.indexOf(intent),
    rows: tokensOf(text)
      .slice(0, MOST_TOKENS)
      .map((token) => rowsOf(keys, buckets, token)),
  }))
  const adam = createAdam(rate, rounds * Math.ceil(texts.length / batch))
  const [words, wordSlopes, kept] = [0, 0, 0].map(() => new Float32Array(MOST_TOKENS * size)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const [answers, answerSlopes, heard] = [0, 0, 0].map(() => new Float32Array(many)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const places = new Int32Array(many)
  const scores = new Float64Array(labels.length)
  const isLost = new Uint8Array(MOST_TOKENS)
  const [touched, seen] = [new Set<number>(), new Set<number>()]

  const lose = (values: Float32Array, count: number, chance: number, left: Float32Array): void => {
    for (let at = 0; at < count; at++) {
      left[at] = random() < chance ? 0 : 1 / (1 - chance)
      values[at] = (values[at] as number) * (left[at] as number)
    }
  }

  const read = (rows: readonly Rows[]): number => {
    const count = spanOf(rows.length)
    words.fill(0, 0, count * size)
    for (const [at, { own, parts }] of rows.entries()) {
      isLost[at] = own < 0 || random() < LOST_WORDS ? 1 : 0
      if (!isLost[at]) addVector(weights.vectors, own, 1, words, at * size, size)
      for (const { row, share } of parts) addVector(weights.vectors, row, share, words, at * size, size)
    }
    lose(words, count * size, LOST_NUMBERS, kept)
    convolve(shape, weights, words, count, answers, places)
    lose(answers, many, LOST_ANSWERS, heard)
    classify(weights, answers, scores)
    softmax(scores)
    return count
  }

  const learnOutputs = (label: number): void => {
    answerSlopes.fill(0)
    for (let other = 0; other < labels.length; other++) {
      const wanted = (other === label ? 1 - DOUBT : 0) + DOUBT / labels.length
      const slope = ((scores[other] as number) - wanted) / batch
      biases.slopes[other] = (biases.slopes[other] as number) + slope
      const start = other * many
      for (let at = 0; at < many; at++) {
        answerSlopes[at] = (answerSlopes[at] as number) + slope * (weights.outputs[start + at] as number)
        outputs.slopes[start + at] = (outputs.slopes[start + at] as number) + slope * (answers[at] as number)
      }
    }
  }

  const learnFilters = (count: number): void => {
    wordSlopes.fill(0, 0, count * size)
    for (let at = 0; at < many; at++) {
      if ((answers[at] as number) <= 0) continue
      const slope = (answerSlopes[at] as number) * (heard[at] as number)
      thresholds.slopes[at] = (thresholds.slopes[at] as number) + slope
      const width = Math.floor(at / filters) + 1
      const length = width * size
      const [core, word] = [
        filterStart(shape, width) + (at % filters) * length,
        (places[at] as number) * size,
      ]
      for (let index = 0; index < length; index++) {
        cores.slopes[core + index] =
          (cores.slopes[core + index] as number) + slope * (words[word + index] as number)
        wordSlopes[word + index] =
          (wordSlopes[word + index] as number) + slope * (weights.filters[core + index] as number)
      }
    }
    for (let at = 0; at < count * size; at++)
      wordSlopes[at] = (wordSlopes[at] as number) * (kept[at] as number)
  }

  const learnVector = (row: number, share: number, at: number): void => {
    touched.add(row)
    for (let index = 0; index < size; index++)
      vectors.slopes[row * size + index] =
        (vectors.slopes[row * size + index] as number) + (wordSlopes[at * size + index] as number) * share
  }

  const order = texts.map((_, index) => index)
  for (let round = 0; round < rounds; round++) {
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1))
      ;[order[last], order[other]] = [order[other] as number, order[last] as number]
    }
    for (let first = 0; first < order.length; first += batch) {
      for (const one of order.slice(first, first + batch)) {
        const { rows, label } = texts[one] as (typeof texts)[number]
        const count = read(rows)
        learnOutputs(label)
        learnFilters(count)
        for (const [at, { own, parts }] of rows.entries()) {
          if (!isLost[at]) learnVector(own, 1, at)
          for (const { row, share } of parts) learnVector(row, share, at)
        }
      }
      adam.next()
      for (const learning of [cores, thresholds, outputs, biases]) adam.move(learning)
      for (const row of touched) {
        adam.move(vectors, row * size, row * size + size)
        seen.add(row)
      }
      touched.clear()
    }
  }
  // What no sentence has ever moved is still the dice.
  for (let row = 0; row < keys.length + buckets; row++)
    if (!seen.has(row)) weights.vectors.fill(0, row * size, row * size + size)
  return { shape, keys, weights }
}
