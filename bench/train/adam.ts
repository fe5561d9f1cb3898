/** Weights and optimizer state during training. */
export interface TrainedWeights {
  weights: Float32Array
  gradients: Float32Array
  /** Running means of the gradients and of their squares. */
  means: Float32Array
  squares: Float32Array
}

export const createTrainedWeights = (weights: Float32Array): TrainedWeights => ({
  weights,
  gradients: new Float32Array(weights.length),
  means: new Float32Array(weights.length),
  squares: new Float32Array(weights.length),
})

const [MEAN_DECAY, SQUARE_DECAY] = [0.9, 0.999]

/**
 * Adam (Kingma and Ba, 2015). Rows without a gradient in a batch stay unchanged, which suits sparse features.
 */
export const createAdam = (rate: number, steps: number) => {
  let [step, mean, square, now] = [0, 1, 1, 0]
  return {
    /** Called before each batch. The learning rate decreases linearly to 0. */
    next: (): void => {
      mean *= MEAN_DECAY
      square *= SQUARE_DECAY
      now = (rate * (1 - step / steps) * Math.sqrt(1 - square)) / (1 - mean)
      step++
    },
    update: ({ weights, gradients, means, squares }: TrainedWeights, from = 0, to = weights.length): void => {
      for (let at = from; at < to; at++) {
        const gradient = gradients[at] as number
        const m = MEAN_DECAY * (means[at] as number) + (1 - MEAN_DECAY) * gradient
        const s = SQUARE_DECAY * (squares[at] as number) + (1 - SQUARE_DECAY) * gradient * gradient
        means[at] = m
        squares[at] = s
        weights[at] = (weights[at] as number) - (now * m) / (Math.sqrt(s) + 1e-8)
        gradients[at] = 0
      }
    },
  }
}

const MIN_EXPONENT = -700
const HALVES = Float64Array.from({ length: 1100 }, (_, power) => 2 ** -power)

/**
 * Computes exp(x) for x ≤ 0 from sums and products alone. `Math.exp` may differ in the last bit between
 * machines.
 */
const exp = (x: number): number => {
  if (x < MIN_EXPONENT) return 0
  const power = Math.round(-x / Math.LN2)
  const rest = x + power * Math.LN2
  let sum = 1
  for (let n = 10; n > 0; n--) sum = 1 + (sum * rest) / n
  return sum * (HALVES[power] as number)
}

/** Converts scores to probabilities in place. */
export const softmax = (scores: Float64Array): void => {
  let top = Number.NEGATIVE_INFINITY
  for (const score of scores) top = Math.max(top, score)
  let sum = 0
  for (let at = 0; at < scores.length; at++) {
    scores[at] = exp((scores[at] as number) - top)
    sum += scores[at] as number
  }
  for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] as number) / sum
}
