/** The sparse feature vector of a text. */
export interface Vector {
  at: number[]
  value: number[]
}

/** A deterministic pseudorandom generator, so that models are equal on every machine. */
export const createRandom = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Trained {
  weights: Float64Array
  bias: number
}

/**
 * Trains a linear support vector machine with squared hinge loss by dual coordinate descent (Hsieh et al.,
 * 2008).
 */
export const trainSvm = (
  vectors: readonly Vector[],
  isPositive: readonly boolean[],
  { size, cost, rounds, seed }: { size: number; cost: number; rounds: number; seed: number },
): Trained => {
  const random = createRandom(seed)
  const weights = new Float64Array(size)
  let bias = 0
  const alpha = new Float64Array(vectors.length)
  const norms = vectors.map(({ value }) => 1 + value.reduce((sum, v) => sum + v * v, 0))
  const order = vectors.map((_, index) => index)
  const slack = 0.5 / cost
  for (let round = 0; round < rounds; round++) {
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1))
      ;[order[last], order[other]] = [order[other] as number, order[last] as number]
    }
    for (const one of order) {
      const { at, value } = vectors[one] as Vector
      const sign = isPositive[one] ? 1 : -1
      let margin = bias
      for (let index = 0; index < at.length; index++)
        margin += (weights[at[index] as number] as number) * (value[index] as number)
      const before = alpha[one] as number
      const gradient = sign * margin - 1 + slack * before
      const after = Math.max(0, before - gradient / ((norms[one] as number) + slack))
      if (after === before) continue
      alpha[one] = after
      const step = (after - before) * sign
      for (let index = 0; index < at.length; index++)
        weights[at[index] as number] =
          (weights[at[index] as number] as number) + step * (value[index] as number)
      bias += step
    }
  }
  return { weights, bias }
}
