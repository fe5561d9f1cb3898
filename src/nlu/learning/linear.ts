/** FNV-1a hash. Hashes identify features, so that the model needs no vocabulary. */
export const hash = (text: string): number => {
  let h = 0x811c9dc5
  for (let index = 0; index < text.length; index++) h = Math.imul(h ^ text.charCodeAt(index), 0x01000193)
  return (h ^ (h >>> 15)) >>> 0
}

/** Combines two features into one. The order matters. */
export const pair = (a: number, b: number): number => {
  let h = Math.imul(a ^ (b + 0x9e3779b9 + (a << 6) + (a >>> 2)), 0x85ebca6b)
  h ^= h >>> 13
  return Math.imul(h, 0xc2b2ae35) >>> 0
}

/** A serialized model: the feature hashes and an 8-bit weight for each. */
export interface PackedWeights {
  scale: number
  features: string
  weights: string
}

export const packWeights = (weights: ReadonlyMap<number, number>): PackedWeights => {
  const entries = [...weights].sort(([a], [b]) => a - b)
  const most = entries.reduce((max, [, weight]) => Math.max(max, Math.abs(weight)), 0)
  const scale = most / 127 || 1
  const rounded = entries
    .map(([feature, weight]) => [feature, Math.round(weight / scale)] as const)
    .filter(([, weight]) => weight !== 0)
  const features = Uint32Array.from(rounded, ([feature]) => feature)
  return {
    scale,
    features: Buffer.from(features.buffer).toString('base64'),
    weights: Buffer.from(Int8Array.from(rounded, ([, weight]) => weight).buffer).toString('base64'),
  }
}

/** Returns the weight of a feature, which is a signed integer. Unknown features have the weight 0. */
export type WeightOf = (feature: number) => number

/**
 * The data is little-endian on every machine. An open-addressing table is several times faster than a Map.
 */
export const unpackWeights = ({ scale, features, weights }: PackedWeights): WeightOf => {
  const [keys, values] = [Buffer.from(features, 'base64'), Buffer.from(weights, 'base64')]
  const mask = 2 ** Math.ceil(Math.log2(values.length * 2 + 2)) - 1
  const table = new Int32Array(mask + 1)
  // Stores quantized weights, because a small table stays in the CPU cache.
  const found = new Int8Array(mask + 1)
  for (let index = 0; index < values.length; index++) {
    const feature = keys.readInt32LE(index * 4)
    let slot = feature & mask
    while (found[slot] !== 0) slot = (slot + 1) & mask
    table[slot] = feature
    found[slot] = values.readInt8(index)
  }
  return (feature) => {
    let slot = feature & mask
    // No stored weight is 0, so 0 marks an empty slot.
    while (found[slot] !== 0 && table[slot] !== feature) slot = (slot + 1) & mask
    return (found[slot] as number) * scale
  }
}

/** A serialized linear model with many classes. */
export interface PackedLinear {
  /** Separated by spaces. */
  labels: string
  biases: string
  /** The value of the smallest weight step. */
  scale: number
  /** The value of one rarity step. */
  rarityScale: number
  features: number
  /**
   * Feature hashes in ascending order (32 bits), rarities (8), entry counts (8), classes (8) and weights (8).
   */
  data: string
}

export interface Linear {
  labels: readonly string[]
  biases: Float32Array
  keys: Uint32Array
  /** Quantized. */
  rarities: Uint8Array
  starts: Uint32Array
  classes: Uint8Array
  /** Quantized, as signed bytes. */
  weights: Uint8Array
  /** Lookup tables from quantized rarities and weights to their values. */
  rarityOf: Float32Array
  weightOf: Float32Array
}

export interface Entry {
  feature: number
  rarity: number
  /** Class and weight. */
  weights: readonly (readonly [label: number, weight: number])[]
}

/** Small weights are frequent and large ones rare. The steps therefore grow with the weight (companding). */
const stepOf = (amount: number): number => Math.sign(amount) * Math.round(Math.sqrt(Math.abs(amount)))
const amountOf = (step: number): number => step * Math.abs(step)

export const packLinear = (
  labels: readonly string[],
  biases: readonly number[],
  entries: readonly Entry[],
): PackedLinear => {
  const most = entries.reduce(
    (max, { weights }) => weights.reduce((top, [, weight]) => Math.max(top, Math.abs(weight)), max),
    0,
  )
  const rarest = entries.reduce((max, { rarity }) => Math.max(max, rarity), 0)
  const scale = most / 127 ** 2 || 1
  const rarityScale = rarest / 255 || 1
  const quantized = entries
    .map((entry) => ({
      ...entry,
      weights: entry.weights
        .map(([label, weight]) => [label, stepOf(weight / scale)] as const)
        .filter(([, weight]) => weight !== 0),
    }))
    .sort((a, b) => a.feature - b.feature)
  const total = quantized.reduce((sum, { weights }) => sum + weights.length, 0)
  const bytes = Buffer.alloc(quantized.length * 6 + total * 2)
  let at = 0
  for (const { feature } of quantized) at = bytes.writeUInt32LE(feature, at)
  for (const { rarity } of quantized) at = bytes.writeUInt8(Math.round(rarity / rarityScale), at)
  for (const { weights } of quantized) at = bytes.writeUInt8(weights.length, at)
  for (const { weights } of quantized) for (const [label] of weights) at = bytes.writeUInt8(label, at)
  for (const { weights } of quantized) for (const [, weight] of weights) at = bytes.writeInt8(weight, at)
  return {
    labels: labels.join(' '),
    biases: biases.map((bias) => bias.toFixed(4)).join(' '),
    scale,
    rarityScale,
    features: quantized.length,
    data: bytes.toString('base64'),
  }
}

export const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/**
 * The file is little-endian on every machine. Byte arrays are views on the data, which is faster than
 * copying.
 */
export const unpackLinear = (packed: PackedLinear): Linear => {
  const bytes = Buffer.from(packed.data, 'base64')
  const { features, scale, rarityScale } = packed
  const keys = new Uint32Array(features)
  const copy = Buffer.from(keys.buffer)
  bytes.copy(copy, 0, 0, features * 4)
  if (!IS_LITTLE_ENDIAN) copy.swap32()
  const starts = new Uint32Array(features + 1)
  let total = 0
  for (let index = 0; index < features; index++) {
    total += bytes[features * 5 + index] as number
    starts[index + 1] = total
  }
  return {
    labels: packed.labels.split(' '),
    biases: Float32Array.from(packed.biases.split(' '), Number),
    keys,
    rarities: bytes.subarray(features * 4, features * 5),
    starts,
    classes: bytes.subarray(features * 6, features * 6 + total),
    weights: bytes.subarray(features * 6 + total, features * 6 + total * 2),
    rarityOf: Float32Array.from({ length: 256 }, (_, step) => step * rarityScale),
    weightOf: Float32Array.from({ length: 256 }, (_, byte) => amountOf((byte << 24) >> 24) * scale),
  }
}

/** Returns the index of a feature in ascending keys, or -1. */
export const findKey = (keys: Uint32Array, feature: number): number => {
  let [low, high] = [0, keys.length - 1]
  while (low <= high) {
    const middle = (low + high) >>> 1
    const key = keys[middle] as number
    if (key === feature) return middle
    if (key < feature) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Scores every class. Each block of features is normalized, and rare features count more. */
export const scoreLinear = (
  model: Linear,
  blocks: readonly { features: ReadonlySet<number>; weight: number }[],
): Float64Array => {
  const scores = Float64Array.from(model.biases)
  const rarity = (slot: number): number => model.rarityOf[model.rarities[slot] as number] as number
  for (const { features, weight } of blocks) {
    const indices: number[] = []
    let norm = 0
    for (const feature of features) {
      const slot = findKey(model.keys, feature)
      if (slot < 0) continue
      indices.push(slot)
      norm += rarity(slot) ** 2
    }
    const share = weight / Math.sqrt(norm || 1)
    for (const slot of indices) {
      const value = rarity(slot) * share
      const end = model.starts[slot + 1] as number
      for (let index = model.starts[slot] as number; index < end; index++) {
        const label = model.classes[index] as number
        scores[label] =
          (scores[label] as number) + (model.weightOf[model.weights[index] as number] as number) * value
      }
    }
  }
  return scores
}
