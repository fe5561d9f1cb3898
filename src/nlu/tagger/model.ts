/* The weights of the tagger, and their form in a file. */

export interface TaggerModel {
  /** Places of features in `keys` plus 1, by hash and open addressing. */
  table: Uint32Array
  /** Hashes of features in ascending order, without their lowest bits. */
  keys: Uint32Array
  /** The first weight of each feature, and the end of the last one. */
  starts: Uint32Array
  /** The label of each weight. */
  labels: Uint8Array
  weights: Float32Array
  /** Scores by label before and label. The label before the first word is the last one. */
  transitions: Float64Array
  /** Hashes of words that are frequent in the training data. */
  frequent: ReadonlySet<number>
}

export interface PackedTagger {
  features: number
  /** The value of the smallest weight step. */
  scale: number
  /** Differences of the keys (7 bits in each byte), counts of weights, then a label and a weight in 12 bits each. */
  data: string
  transitions: string
  frequent: string
}

export interface FeatureWeights {
  feature: number
  weights: readonly (readonly [label: number, weight: number])[]
}

/** A shorter hash takes less space. Few features share one. */
export const toKey = (feature: number): number => feature >>> 4

/** Weights have 6 bits: a sign and 31 steps, which grow with the weight. */
const STEPS = 31
const toStep = (weight: number, scale: number): number =>
  Math.sign(weight) * Math.min(STEPS, Math.round(Math.sqrt(Math.abs(weight) / scale)))

const packFloats = (values: ArrayLike<number>): string => {
  const bytes = Buffer.alloc(values.length * 4)
  for (let at = 0; at < values.length; at++) bytes.writeFloatLE(values[at] as number, at * 4)
  return bytes.toString('base64')
}

const packDifferences = (keys: readonly number[]): number[] => {
  const bytes: number[] = []
  let last = 0
  for (const key of keys) {
    let rest = key - last
    last = key
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
    bytes.push(rest)
  }
  return bytes
}

const packHashes = (hashes: readonly number[]): string =>
  Buffer.from(packDifferences(hashes.map(toKey).sort((a, b) => a - b))).toString('base64')

export const packTagger = (
  entries: readonly FeatureWeights[],
  transitions: ArrayLike<number>,
  frequent: readonly number[],
): PackedTagger => {
  const most = entries.reduce(
    (max, { weights }) => weights.reduce((top, [, weight]) => Math.max(top, Math.abs(weight)), max),
    0,
  )
  const scale = most / STEPS ** 2 || 1
  const byKey = new Map<number, (readonly [number, number])[]>()
  for (const { feature, weights } of entries) {
    const steps = weights
      .map(([label, weight]) => [label, toStep(weight, scale)] as const)
      .filter(([, step]) => step !== 0)
    if (steps.length > 0) byKey.set(toKey(feature), steps)
  }
  const kept = [...byKey].sort(([a], [b]) => a - b)
  const codes = kept.flatMap(([, steps]) => steps.map(([label, step]) => (label << 6) | (step + STEPS)))
  if (codes.length % 2 === 1) codes.push(0)
  const bytes = packDifferences(kept.map(([key]) => key))
  for (const [, steps] of kept) bytes.push(steps.length)
  for (let at = 0; at < codes.length; at += 2) {
    const [first, second] = [codes[at] as number, codes[at + 1] as number]
    bytes.push(first >> 4, ((first & 15) << 4) | (second >> 8), second & 255)
  }
  return {
    features: kept.length,
    scale,
    data: Buffer.from(bytes).toString('base64'),
    transitions: packFloats(transitions),
    frequent: packHashes(frequent),
  }
}

/** Reads keys from their differences. Returns the offset behind them, too. */
const unpackDifferences = (bytes: Uint8Array, keys: Uint32Array): number => {
  let [at, last] = [0, 0]
  for (let index = 0; index < keys.length; index++) {
    let [difference, shift] = [0, 0]
    for (; (bytes[at] as number) > 127; shift += 7) difference |= ((bytes[at++] as number) & 127) << shift
    last += difference | ((bytes[at++] as number) << shift)
    keys[index] = last
  }
  return at
}

const createTable = (keys: Uint32Array): Uint32Array => {
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(keys.length * 2 + 2)))
  for (const [index, key] of keys.entries()) {
    let slot = key & (table.length - 1)
    while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1)
    table[slot] = index + 1
  }
  return table
}

/** Returns the place of a feature in `keys`, or -1. */
export const findFeature = ({ table, keys }: TaggerModel, feature: number): number => {
  const key = toKey(feature)
  let slot = key & (table.length - 1)
  for (;;) {
    const index = (table[slot] as number) - 1
    if (index < 0 || keys[index] === key) return index
    slot = (slot + 1) & (table.length - 1)
  }
}

const unpackHashes = (packed: string): Set<number> => {
  const bytes = Buffer.from(packed, 'base64')
  const keys = new Uint32Array(bytes.reduce((count, byte) => count + (byte < 128 ? 1 : 0), 0))
  unpackDifferences(bytes, keys)
  return new Set(keys)
}

export const unpackTagger = ({ features, scale, data, transitions, frequent }: PackedTagger): TaggerModel => {
  const bytes = Buffer.from(data, 'base64')
  const keys = new Uint32Array(features)
  const counts = unpackDifferences(bytes, keys)
  const starts = new Uint32Array(features + 1)
  for (let index = 0; index < features; index++)
    starts[index + 1] = (starts[index] as number) + (bytes[counts + index] as number)
  const total = starts[features] as number
  const [labels, weights] = [new Uint8Array(total), new Float32Array(total)]
  let from = counts + features
  for (let index = 0; index < total; index++) {
    const [first, second] = [bytes[from] as number, bytes[from + 1] as number]
    const code = index % 2 === 0 ? (first << 4) | (second >> 4) : ((first & 15) << 8) | second
    from += index % 2 === 0 ? 1 : 2
    const step = (code & 63) - STEPS
    labels[index] = code >> 6
    weights[index] = step * Math.abs(step) * scale
  }
  const steps = Buffer.from(transitions, 'base64')
  return {
    table: createTable(keys),
    keys,
    starts,
    labels,
    weights,
    transitions: Float64Array.from({ length: steps.length / 4 }, (_, slot) => steps.readFloatLE(slot * 4)),
    frequent: unpackHashes(frequent),
  }
}
