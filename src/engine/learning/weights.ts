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

/** Little-endian everywhere, whatever the machine. */
export const unpackWeights = ({ scale, features, weights }: PackedWeights): ReadonlyMap<number, number> => {
  const [keys, values] = [Buffer.from(features, 'base64'), Buffer.from(weights, 'base64')]
  const map = new Map<number, number>()
  for (let index = 0; index < values.length; index++)
    map.set(keys.readUInt32LE(index * 4), values.readInt8(index) * scale)
  return map
}
