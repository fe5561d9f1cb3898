/** A model as it is kept in a module: the numbers of its features, and a weight in eight bits for each. */
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

/** The weight of a feature, which is given as a signed number; 0 for those that are unknown. */
export type WeightOf = (feature: number) => number

/** Little-endian everywhere, whatever the machine. A table of its own, for a Map takes several times as long to ask. */
export const unpackWeights = ({ scale, features, weights }: PackedWeights): WeightOf => {
  const [keys, values] = [Buffer.from(features, 'base64'), Buffer.from(weights, 'base64')]
  const mask = 2 ** Math.ceil(Math.log2(values.length * 2 + 2)) - 1
  const table = new Int32Array(mask + 1)
  // In steps, for what is small stays at hand.
  const found = new Int8Array(mask + 1)
  for (let index = 0; index < values.length; index++) {
    const feature = keys.readInt32LE(index * 4)
    let place = feature & mask
    while (found[place] !== 0) place = (place + 1) & mask
    table[place] = feature
    found[place] = values.readInt8(index)
  }
  return (feature) => {
    let place = feature & mask
    // No weight that is kept is 0, so that 0 is where nothing is.
    while (found[place] !== 0 && table[place] !== feature) place = (place + 1) & mask
    return (found[place] as number) * scale
  }
}
