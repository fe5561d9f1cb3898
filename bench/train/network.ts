import { tokensOf } from '../../src/nlu/intents/classifier.ts'
import {
  addVector,
  classify,
  convolve,
  countPositions,
  filterStart,
  MAX_TOKENS,
  MAX_WIDTH,
  type Rows,
  rowsOf,
  type Shape,
  type TrainedNetwork,
} from '../../src/nlu/learning/network.ts'
import { createAdam, createTrainedWeights, softmax } from './adam.ts'
import type { Sentence } from './intents.ts'
import { createRandom } from './svm.ts'

export interface NetworkSettings extends Shape {
  rounds: number
  batch: number
  rate: number
  seed: number
}

/** Dropout rates of words, vector components and filters, to avoid overfitting. */
const [WORD_DROPOUT, VECTOR_DROPOUT, FILTER_DROPOUT] = [0.1, 0.2, 0.5]

/** Label smoothing, because human labels are not always consistent. */
const LABEL_SMOOTHING = 0.1

/** Words of a single sentence are represented by their kinds and pieces only. */
const MIN_COUNT = 2

const keysOf = (sentences: readonly Sentence[]): Uint32Array => {
  const counts = new Map<number, number>()
  const kinds = new Set<number>()
  for (const { text } of sentences) {
    const tokens = tokensOf(text)
    for (const word of new Set(tokens.map((token) => token.word)))
      counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const token of tokens) for (const kind of token.kinds) kinds.add(kind)
  }
  const words = [...counts].filter(([, count]) => count >= MIN_COUNT).map(([word]) => word)
  return Uint32Array.from(new Set([...words, ...kinds])).sort()
}

/** Trains a convolutional network over words by gradient descent. */
export const trainNetwork = (
  sentences: readonly Sentence[],
  labels: readonly string[],
  { rounds, batch, rate, seed, ...shape }: NetworkSettings,
): TrainedNetwork => {
  const { size, filters, buckets } = shape
  const random = createRandom(seed)
  /** Approximates a normal distribution by the sum of twelve uniform numbers. */
  const createRandomArray = (length: number, width: number): Float32Array =>
    Float32Array.from({ length }, () => {
      let sum = -6
      for (let die = 0; die < 12; die++) sum += random()
      return sum * width
    })
  const keys = keysOf(sentences)
  const activationCount = filters * MAX_WIDTH
  const vectors = createTrainedWeights(createRandomArray((keys.length + buckets) * size, 0.1))
  const cores = createTrainedWeights(new Float32Array(filterStart(shape, MAX_WIDTH + 1)))
  for (let width = 1; width <= MAX_WIDTH; width++)
    cores.weights.set(
      createRandomArray(filters * width * size, 1 / Math.sqrt(width * size)),
      filterStart(shape, width),
    )
  const thresholds = createTrainedWeights(new Float32Array(activationCount))
  const outputs = createTrainedWeights(
    createRandomArray(labels.length * activationCount, 1 / Math.sqrt(activationCount)),
  )
  const biases = createTrainedWeights(new Float32Array(labels.length))
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
      .slice(0, MAX_TOKENS)
      .map((token) => rowsOf(keys, buckets, token)),
  }))
  const adam = createAdam(rate, rounds * Math.ceil(texts.length / batch))
  const [words, wordGradients, wordMask] = [0, 0, 0].map(() => new Float32Array(MAX_TOKENS * size)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const [activations, activationGradients, activationMask] = [0, 0, 0].map(
    () => new Float32Array(activationCount),
  ) as [Float32Array, Float32Array, Float32Array]
  const positions = new Int32Array(activationCount)
  const scores = new Float64Array(labels.length)
  const isDropped = new Uint8Array(MAX_TOKENS)
  const [updatedRows, trainedRows] = [new Set<number>(), new Set<number>()]

  const applyDropout = (values: Float32Array, count: number, chance: number, left: Float32Array): void => {
    for (let at = 0; at < count; at++) {
      left[at] = random() < chance ? 0 : 1 / (1 - chance)
      values[at] = (values[at] as number) * (left[at] as number)
    }
  }

  const read = (rows: readonly Rows[]): number => {
    const count = countPositions(rows.length)
    words.fill(0, 0, count * size)
    for (const [at, { own, parts }] of rows.entries()) {
      isDropped[at] = own < 0 || random() < WORD_DROPOUT ? 1 : 0
      if (!isDropped[at]) addVector(weights.vectors, own, 1, words, at * size, size)
      for (const { row, share } of parts) addVector(weights.vectors, row, share, words, at * size, size)
    }
    applyDropout(words, count * size, VECTOR_DROPOUT, wordMask)
    convolve(shape, weights, words, count, activations, positions)
    applyDropout(activations, activationCount, FILTER_DROPOUT, activationMask)
    classify(weights, activations, scores)
    softmax(scores)
    return count
  }

  const updateOutputs = (label: number): void => {
    activationGradients.fill(0)
    for (let other = 0; other < labels.length; other++) {
      const wanted = (other === label ? 1 - LABEL_SMOOTHING : 0) + LABEL_SMOOTHING / labels.length
      const gradient = ((scores[other] as number) - wanted) / batch
      biases.gradients[other] = (biases.gradients[other] as number) + gradient
      const start = other * activationCount
      for (let at = 0; at < activationCount; at++) {
        activationGradients[at] =
          (activationGradients[at] as number) + gradient * (weights.outputs[start + at] as number)
        outputs.gradients[start + at] =
          (outputs.gradients[start + at] as number) + gradient * (activations[at] as number)
      }
    }
  }

  const updateFilters = (count: number): void => {
    wordGradients.fill(0, 0, count * size)
    for (let at = 0; at < activationCount; at++) {
      if ((activations[at] as number) <= 0) continue
      const gradient = (activationGradients[at] as number) * (activationMask[at] as number)
      thresholds.gradients[at] = (thresholds.gradients[at] as number) + gradient
      const width = Math.floor(at / filters) + 1
      const length = width * size
      const [core, word] = [
        filterStart(shape, width) + (at % filters) * length,
        (positions[at] as number) * size,
      ]
      for (let index = 0; index < length; index++) {
        cores.gradients[core + index] =
          (cores.gradients[core + index] as number) + gradient * (words[word + index] as number)
        wordGradients[word + index] =
          (wordGradients[word + index] as number) + gradient * (weights.filters[core + index] as number)
      }
    }
    for (let at = 0; at < count * size; at++)
      wordGradients[at] = (wordGradients[at] as number) * (wordMask[at] as number)
  }

  const updateVector = (row: number, share: number, at: number): void => {
    updatedRows.add(row)
    for (let index = 0; index < size; index++)
      vectors.gradients[row * size + index] =
        (vectors.gradients[row * size + index] as number) +
        (wordGradients[at * size + index] as number) * share
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
        updateOutputs(label)
        updateFilters(count)
        for (const [at, { own, parts }] of rows.entries()) {
          if (!isDropped[at]) updateVector(own, 1, at)
          for (const { row, share } of parts) updateVector(row, share, at)
        }
      }
      adam.next()
      for (const learning of [cores, thresholds, outputs, biases]) adam.update(learning)
      for (const row of updatedRows) {
        adam.update(vectors, row * size, row * size + size)
        trainedRows.add(row)
      }
      updatedRows.clear()
    }
  }
  // Rows without any update still have random initial values, so they are cleared.
  for (let row = 0; row < keys.length + buckets; row++)
    if (!trainedRows.has(row)) weights.vectors.fill(0, row * size, row * size + size)
  return { shape, keys, weights }
}
