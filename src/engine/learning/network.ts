import { IS_LITTLE_ENDIAN, placeOf } from './linear.ts'

/*
 * A convolution over the words of a sentence (Kim, 2014): each word is a vector, the sum of its own, those of its kinds and
 * those of its pieces; filters look at one, two and three neighbours; of each filter the place where it answers loudest
 * counts, wherever it stands. Unlike a linear model it knows what comes after what, and words that stand alike become alike.
 */

/** One word as it is read. */
export interface Token {
  word: number
  kinds: readonly number[]
  pieces: readonly number[]
}

export interface Shape {
  /** Numbers in a vector; a multiple of four. */
  size: number
  /** Of each width; a multiple of four. */
  filters: number
  /** Pieces of words share this many vectors by their hash. */
  buckets: number
}

/** How many neighbours a filter sees at most, beginning with one. */
export const WIDEST = 3

/** Words beyond these are not read. */
export const MOST_TOKENS = 60

/** What is made of the vectors of the words. */
interface Layers {
  /** Width by width. */
  filters: Float32Array
  thresholds: Float32Array
  /** Class by class. */
  outputs: Float32Array
  biases: Float32Array
}

export interface Weights extends Layers {
  /** Of the known words and kinds in the order of the keys, then of the buckets. */
  vectors: Float32Array
}

interface Known {
  shape: Shape
  /** Numbers of the known words and kinds, ascending. */
  keys: Uint32Array
}

/** As it is learnt. */
export interface LearntNetwork extends Known {
  weights: Weights
}

/** As it is asked: the vectors, which are most of it, stay in eight bits. */
export interface Network extends Known {
  vectors: Int8Array
  /** What a step of a vector is worth. */
  step: number
  layers: Layers
}

export interface PackedNetwork extends Shape {
  known: number
  labels: number
  /** What a step is worth, for each of the weights. */
  scales: number[]
  /** Keys (32 bits), then the weights (8 bits each) in their order. */
  data: string
}

const sizesOf = ({ size, filters, buckets }: Shape, known: number, labels: number): number[] => [
  (known + buckets) * size,
  (filters * size * WIDEST * (WIDEST + 1)) / 2,
  filters * WIDEST,
  labels * filters * WIDEST,
  labels,
]

const listed = ({ vectors, filters, thresholds, outputs, biases }: Weights): Float32Array[] => [
  vectors,
  filters,
  thresholds,
  outputs,
  biases,
]

const STEPS = 127

export const packNetwork = ({ shape, keys, weights }: LearntNetwork): PackedNetwork => {
  const head = Buffer.alloc(keys.length * 4)
  for (const [index, key] of keys.entries()) head.writeUInt32LE(key, index * 4)
  const all = listed(weights)
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

/** Little-endian in the file, whatever the machine. */
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

/** The vectors of a word: its own, -1 where it is unknown, and those of its kinds and pieces with their weights. */
export interface Rows {
  own: number
  parts: readonly { row: number; share: number }[]
}

/** How much the kinds of a word count beside its pieces: what somebody knows beside what its letters suggest. */
const KINDS_WEIGHT = 2

/** However many there are, they count as much together. */
const shared = (rows: readonly number[], weight: number): Rows['parts'] =>
  rows.map((row) => ({ row, share: weight / Math.sqrt(rows.length) }))

export const rowsOf = (keys: Uint32Array, buckets: number, { word, kinds, pieces }: Token): Rows => ({
  own: placeOf(keys, word),
  parts: [
    ...shared(
      kinds.map((kind) => placeOf(keys, kind)).filter((row) => row >= 0),
      KINDS_WEIGHT,
    ),
    ...shared(
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

/** In four sums that do not wait for one another. The length is a multiple of four. */
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

/** Where the filters of a width begin. */
export const filterStart = ({ size, filters }: Shape, width: number): number =>
  (filters * size * width * (width - 1)) / 2

/** How loud each filter is where it is loudest, and where that is. */
export const convolve = (
  shape: Shape,
  { filters, thresholds }: Layers,
  words: Float32Array,
  count: number,
  answers: Float32Array,
  places: Int32Array,
): void => {
  for (let width = 1; width <= WIDEST; width++) {
    const [start, length] = [filterStart(shape, width), width * shape.size]
    for (let filter = 0; filter < shape.filters; filter++) {
      let [best, place] = [Number.NEGATIVE_INFINITY, 0]
      for (let at = 0; at + width <= count; at++) {
        const heard = dot(filters, start + filter * length, words, at * shape.size, length)
        if (heard > best) {
          best = heard
          place = at
        }
      }
      const index = (width - 1) * shape.filters + filter
      answers[index] = Math.max(0, best + (thresholds[index] as number))
      places[index] = place
    }
  }
}

export const classify = ({ outputs, biases }: Layers, answers: Float32Array, scores: Float64Array): void => {
  for (let label = 0; label < biases.length; label++)
    scores[label] =
      (biases[label] as number) + dot(outputs, label * answers.length, answers, 0, answers.length)
}

/** How many words are looked at: at least as many as the widest filter sees, those that are not there being silent. */
export const spanOf = (tokens: number): number => Math.max(WIDEST, Math.min(tokens, MOST_TOKENS))

/** The score of every class: logarithms of shares, up to a constant. */
export const scoreNetwork = (
  { shape, keys, vectors, step, layers }: Network,
  tokens: readonly Token[],
): Float64Array => {
  const count = spanOf(tokens.length)
  const words = new Float32Array(count * shape.size)
  for (const [at, token] of tokens.slice(0, MOST_TOKENS).entries()) {
    const { own, parts } = rowsOf(keys, shape.buckets, token)
    if (own >= 0) addVector(vectors, own, step, words, at * shape.size, shape.size)
    for (const { row, share } of parts)
      addVector(vectors, row, share * step, words, at * shape.size, shape.size)
  }
  const answers = new Float32Array(shape.filters * WIDEST)
  convolve(shape, layers, words, count, answers, new Int32Array(answers.length))
  const scores = new Float64Array(layers.biases.length)
  classify(layers, answers, scores)
  return scores
}
