/** Weights while they are learnt. */
export interface Learning {
  weights: Float32Array
  slopes: Float32Array
  /** Running means of the slopes and of their squares. */
  means: Float32Array
  squares: Float32Array
}

export const createLearning = (weights: Float32Array): Learning => ({
  weights,
  slopes: new Float32Array(weights.length),
  means: new Float32Array(weights.length),
  squares: new Float32Array(weights.length),
})

const [MEAN_KEPT, SQUARE_KEPT] = [0.9, 0.999]

/** Adam (Kingma and Ba, 2015). Rows that had no part in a batch are left alone, which is what sparse features want. */
export const createAdam = (rate: number, steps: number) => {
  let [step, mean, square, now] = [0, 1, 1, 0]
  return {
    /** Before each batch: the rate falls in a straight line to nothing. */
    next: (): void => {
      mean *= MEAN_KEPT
      square *= SQUARE_KEPT
      now = (rate * (1 - step / steps) * Math.sqrt(1 - square)) / (1 - mean)
      step++
    },
    move: ({ weights, slopes, means, squares }: Learning, from = 0, to = weights.length): void => {
      for (let at = from; at < to; at++) {
        const slope = slopes[at] as number
        const m = MEAN_KEPT * (means[at] as number) + (1 - MEAN_KEPT) * slope
        const s = SQUARE_KEPT * (squares[at] as number) + (1 - SQUARE_KEPT) * slope * slope
        means[at] = m
        squares[at] = s
        weights[at] = (weights[at] as number) - (now * m) / (Math.sqrt(s) + 1e-8)
        slopes[at] = 0
      }
    },
  }
}

const LEAST = -700
const HALVES = Float64Array.from({ length: 1100 }, (_, power) => 2 ** -power)

/** Of what is not above 0, made of sums and products alone: the language promises no machine the same last bit of its own. */
const exp = (x: number): number => {
  if (x < LEAST) return 0
  const power = Math.round(-x / Math.LN2)
  const rest = x + power * Math.LN2
  let sum = 1
  for (let n = 10; n > 0; n--) sum = 1 + (sum * rest) / n
  return sum * (HALVES[power] as number)
}

/** Scores made into shares, in their place. */
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
