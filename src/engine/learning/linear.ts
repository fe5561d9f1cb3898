/** A linear model of many classes as it is kept in a module. */
export interface PackedLinear {
  /** Between blanks. */
  labels: string
  biases: string
  /** What a weight of the first step is worth. */
  scale: number
  /** Of each feature: how rare it is. */
  rarityScale: number
  features: number
  /** Numbers of the features ascending (32 bits), rarities (8), counts of entries (8), then classes (8) and weights (8). */
  data: string
}

export interface Linear {
  labels: readonly string[]
  biases: Float32Array
  keys: Uint32Array
  /** In steps. */
  rarities: Uint8Array
  starts: Uint32Array
  classes: Uint8Array
  /** In signed steps. */
  weights: Uint8Array
  /** What each step of a rarity and of a weight is worth. */
  rarityOf: Float32Array
  weightOf: Float32Array
}

export interface Entry {
  feature: number
  rarity: number
  /** Class and weight. */
  weights: readonly (readonly [label: number, weight: number])[]
}

/** Small weights are many and large ones few: steps grow with the weight, as loudness does on a telephone line. */
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
  const kept = entries
    .map((entry) => ({
      ...entry,
      weights: entry.weights
        .map(([label, weight]) => [label, stepOf(weight / scale)] as const)
        .filter(([, weight]) => weight !== 0),
    }))
    .sort((a, b) => a.feature - b.feature)
  const total = kept.reduce((sum, { weights }) => sum + weights.length, 0)
  const bytes = Buffer.alloc(kept.length * 6 + total * 2)
  let at = 0
  for (const { feature } of kept) at = bytes.writeUInt32LE(feature, at)
  for (const { rarity } of kept) at = bytes.writeUInt8(Math.round(rarity / rarityScale), at)
  for (const { weights } of kept) at = bytes.writeUInt8(weights.length, at)
  for (const { weights } of kept) for (const [label] of weights) at = bytes.writeUInt8(label, at)
  for (const { weights } of kept) for (const [, weight] of weights) at = bytes.writeInt8(weight, at)
  return {
    labels: labels.join(' '),
    biases: biases.map((bias) => bias.toFixed(4)).join(' '),
    scale,
    rarityScale,
    features: kept.length,
    data: bytes.toString('base64'),
  }
}

export const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** Little-endian in the file, whatever the machine. What is in bytes is read where it lies: it is faster than it is made. */
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

/** Where a number stands among numbers that ascend; -1 where it does not. */
export const placeOf = (keys: Uint32Array, feature: number): number => {
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

/** The score of every class. Each block of features is brought to the same length, rare features counting more. */
export const scoreLinear = (
  model: Linear,
  blocks: readonly { features: ReadonlySet<number>; weight: number }[],
): Float64Array => {
  const scores = Float64Array.from(model.biases)
  const rarity = (place: number): number => model.rarityOf[model.rarities[place] as number] as number
  for (const { features, weight } of blocks) {
    const places: number[] = []
    let norm = 0
    for (const feature of features) {
      const place = placeOf(model.keys, feature)
      if (place < 0) continue
      places.push(place)
      norm += rarity(place) ** 2
    }
    const share = weight / Math.sqrt(norm || 1)
    for (const place of places) {
      const value = rarity(place) * share
      const end = model.starts[place + 1] as number
      for (let index = model.starts[place] as number; index < end; index++) {
        const label = model.classes[index] as number
        scores[label] =
          (scores[label] as number) + (model.weightOf[model.weights[index] as number] as number) * value
      }
    }
  }
  return scores
}
