import { findKey, IS_LITTLE_ENDIAN } from './linear.ts'

/*
 * A convolutional network for sentences (Kim, 2014). The vector of a word is the sum of the vectors of the
 * word, its kinds and its pieces. Filters cover one, two and three adjacent words. Max pooling keeps the
 * strongest activation of each filter, at any position. Unlike a linear model, the network knows the word
 * order and learns similar vectors for similar words.
 */

/** One word of the input, by its hashes. */
export interface Token {
  word: number
  kinds: readonly number[]
  pieces: readonly number[]
}

export interface Shape {
  /** The vector dimension; a multiple of four. */
  size: number
  /** The number of filters per width; a multiple of four. */
  filters: number
  /** The number of hash buckets for the vectors of word pieces. */
  buckets: number
}

/** The maximum filter width. Widths start at one. */
export const MAX_WIDTH = 3

/** Further words are ignored. */
export const MAX_TOKENS = 60

/** The layers above the word vectors. */
interface Layers {
  /** Grouped by width. */
  filters: Float32Array
  thresholds: Float32Array
  /** Grouped by class. */
  outputs: Float32Array
  biases: Float32Array
}

export interface Weights extends Layers {
  /** Vectors of the known words and kinds in the order of the keys, then of the buckets. */
  vectors: Float32Array
}

interface Known {
  shape: Shape
  /** Hashes of the known words and kinds, ascending. */
  keys: Uint32Array
}

/** The network during training. */
export interface TrainedNetwork extends Known {
  weights: Weights
}

/** The network for inference. The vectors, which take most of the space, stay quantized to 8 bits. */
export interface Network extends Known {
  vectors: Int8Array
  /** The value of one quantization step of the vectors. */
  step: number
  layers: Layers
}

export interface PackedNetwork extends Shape {
  known: number
  labels: number
  /** The value of one quantization step, for each weight array. */
  scales: number[]
  /** Keys (32 bits each), then the weight arrays (8 bits per value). */
  data: string
}

const sizesOf = ({ size, filters, buckets }: Shape, known: number, labels: number): number[] => [
  (known + buckets) * size,
  (filters * size * MAX_WIDTH * (MAX_WIDTH + 1)) / 2,
  filters * MAX_WIDTH,
  labels * filters * MAX_WIDTH,
  labels,
]

const toArrays = ({ vectors, filters, thresholds, outputs, biases }: Weights): Float32Array[] => [
  vectors,
  filters,
  thresholds,
  outputs,
  biases,
]

const STEPS = 127

export const packNetwork = ({ shape, keys, weights }: TrainedNetwork): PackedNetwork => {
  const head = Buffer.alloc(keys.length * 4)
  for (const [index, key] of keys.entries()) head.writeUInt32LE(key, index * 4)
  const all = toArrays(weights)
  const scales = all.map((own) => own.reduce((most, one) => Math.max(most, Math.abs(one)), 0) / STEPS || 1)
  const bodies = all.map((own, index) =>
    Buffer.from(Int8Array.from(own, (one) => Math.round(one / (scales[index] as number))).buffer),
  )
  return {
    ...shape,
    known: keys.length,
    labels: weights.biases.length,
    scales,
    data: Buffer.concat([head, ...bodies]).toString('base64'),
  }
}

/** The file is little-endian on every machine. */
export const unpackNetwork = (packed: PackedNetwork): Network => {
  const { size, filters, buckets, known, labels, scales } = packed
  const shape = { size, filters, buckets }
  const bytes = Buffer.from(packed.data, 'base64')
  const keys = new Uint32Array(known)
  const copy = Buffer.from(keys.buffer)
  bytes.copy(copy, 0, 0, known * 4)
  if (!IS_LITTLE_ENDIAN) copy.swap32()
  let at = known * 4
  const [vectors, ...others] = sizesOf(shape, known, labels).map((length) => {
    at += length
    return new Int8Array(bytes.buffer, bytes.byteOffset + at - length, length)
  }) as [Int8Array, ...Int8Array[]]
  const [step, ...steps] = scales as [number, ...number[]]
  const [cores, thresholds, outputs, biases] = others.map((own, index) => {
    const amounts = new Float32Array(own)
    for (let place = 0; place < amounts.length; place++)
      amounts[place] = (amounts[place] as number) * (steps[index] as number)
    return amounts
  }) as [Float32Array, Float32Array, Float32Array, Float32Array]
  return { shape, keys, vectors, step, layers: { filters: cores, thresholds, outputs, biases } }
}

/** The vector rows of a word: its own, or -1 if unknown, and the weighted rows of its kinds and pieces. */
export interface Rows {
  own: number
  parts: readonly { row: number; share: number }[]
}

/** Weight of the kinds of a word relative to its pieces. Kinds are curated, pieces are only spelling. */
const KINDS_WEIGHT = 2

/** Normalizes the shares, so that the total is independent of the number of rows. */
const toShares = (rows: readonly number[], weight: number): Rows['parts'] =>
  rows.map((row) => ({ row, share: weight / Math.sqrt(rows.length) }))

export const rowsOf = (keys: Uint32Array, buckets: number, { word, kinds, pieces }: Token): Rows => ({
  own: findKey(keys, word),
  parts: [
    ...toShares(
      kinds.map((kind) => findKey(keys, kind)).filter((row) => row >= 0),
      KINDS_WEIGHT,
    ),
    ...toShares(
      pieces.map((piece) => keys.length + (piece % buckets)),
      1,
    ),
  ],
})

export const addVector = (
  vectors: Float32Array | Int8Array,
  row: number,
  share: number,
  into: Float32Array,
  start: number,
  size: number,
): void => {
  for (let index = 0; index < size; index++)
    into[start + index] = (into[start + index] as number) + (vectors[row * size + index] as number) * share
}

/** Uses four independent sums, which the CPU can compute in parallel. The length is a multiple of four. */
const dot = (a: Float32Array, aStart: number, b: Float32Array, bStart: number, length: number): number => {
  let [one, two, three, four] = [0, 0, 0, 0]
  for (let index = 0; index < length; index += 4) {
    one += (a[aStart + index] as number) * (b[bStart + index] as number)
    two += (a[aStart + index + 1] as number) * (b[bStart + index + 1] as number)
    three += (a[aStart + index + 2] as number) * (b[bStart + index + 2] as number)
    four += (a[aStart + index + 3] as number) * (b[bStart + index + 3] as number)
  }
  return one + two + (three + four)
}

/** Returns the offset of the filters of a width. */
export const filterStart = ({ size, filters }: Shape, width: number): number =>
  (filters * size * width * (width - 1)) / 2

/** Computes the maximum activation of each filter and its position. */
export const convolve = (
  shape: Shape,
  { filters, thresholds }: Layers,
  words: Float32Array,
  count: number,
  activations: Float32Array,
  positions: Int32Array,
): void => {
  for (let width = 1; width <= MAX_WIDTH; width++) {
    const [start, length] = [filterStart(shape, width), width * shape.size]
    for (let filter = 0; filter < shape.filters; filter++) {
      let [best, place] = [Number.NEGATIVE_INFINITY, 0]
      for (let at = 0; at + width <= count; at++) {
        const activation = dot(filters, start + filter * length, words, at * shape.size, length)
        if (activation > best) {
          best = activation
          place = at
        }
      }
      const index = (width - 1) * shape.filters + filter
      activations[index] = Math.max(0, best + (thresholds[index] as number))
      positions[index] = place
    }
  }
}

export const classify = (
  { outputs, biases }: Layers,
  activations: Float32Array,
  scores: Float64Array,
): void => {
  for (let label = 0; label < biases.length; label++)
    scores[label] =
      (biases[label] as number) + dot(outputs, label * activations.length, activations, 0, activations.length)
}

/**
 * Returns the number of input positions. It is at least the maximum filter width; missing words are zero
 * vectors.
 */
export const countPositions = (tokens: number): number => Math.max(MAX_WIDTH, Math.min(tokens, MAX_TOKENS))

/** Scores every class with log probabilities, up to a constant. */
export const scoreNetwork = (
  { shape, keys, vectors, step, layers }: Network,
  tokens: readonly Token[],
): Float64Array => {
  const count = countPositions(tokens.length)
  const words = new Float32Array(count * shape.size)
  for (const [at, token] of tokens.slice(0, MAX_TOKENS).entries()) {
    const { own, parts } = rowsOf(keys, shape.buckets, token)
    if (own >= 0) addVector(vectors, own, step, words, at * shape.size, shape.size)
    for (const { row, share } of parts)
      addVector(vectors, row, share * step, words, at * shape.size, shape.size)
  }
  const activations = new Float32Array(shape.filters * MAX_WIDTH)
  convolve(shape, layers, words, count, activations, new Int32Array(activations.length))
  const scores = new Float64Array(layers.biases.length)
  classify(layers, activations, scores)
  return scores
}
