/*
 * Trains a linear-chain conditional random field by stochastic gradient steps (AdaGrad). Where a source does not tell
 * the label of a word, the probability of all labels that it may have is maximized.
 */

export interface Sequence {
  /** Feature indices of each word. */
  features: readonly Uint32Array[]
  /** For each word, 1 for each label that it may have. */
  allowed: readonly Uint8Array[]
  weight: number
}

export interface Field {
  labels: number
  /** By feature and label. */
  emissions: Float32Array
  /** By label before and label. The label before the first word is `labels`. */
  transitions: Float32Array
}

export interface FieldOptions {
  features: number
  labels: number
  /** `before` is `labels` for the first word. */
  isPossible: (before: number, label: number) => boolean
  rounds: number
  rate: number
  decay: number
  random: () => number
  /** The share of features that are left out at random, so that words do not rely on one of them. */
  dropout: number
}

/** A transition that never happens. */
export const IMPOSSIBLE = -1e6

/** Returns the score of each label for one word. */
export const scoreWord = ({ labels, emissions }: Field, features: Uint32Array): Float64Array => {
  const scores = new Float64Array(labels)
  for (const feature of features)
    for (let label = 0, at = feature * labels; label < labels; label++, at++)
      scores[label] = (scores[label] as number) + (emissions[at] as number)
  return scores
}

/** Probabilities at each word, each scaled to the sum 1. */
interface Lattice {
  /** The probability of the label, given the words before it. */
  forward: Float64Array[]
  /** The probability of the words after it, given the label. */
  backward: Float64Array[]
}

const scale = (values: Float64Array): Float64Array => {
  let sum = 0
  for (const value of values) sum += value
  if (sum > 0) for (let at = 0; at < values.length; at++) values[at] = (values[at] as number) / sum
  return values
}

const walk = (chances: readonly Float64Array[], steps: Float64Array, labels: number): Lattice => {
  const length = chances.length
  const forward: Float64Array[] = []
  const backward: Float64Array[] = new Array(length)
  for (let at = 0; at < length; at++) {
    const values = new Float64Array(labels)
    const before = forward[at - 1]
    if (!before)
      for (let label = 0; label < labels; label++) values[label] = steps[labels * labels + label] as number
    else
      for (let from = 0; from < labels; from++) {
        const share = before[from] as number
        if (share > 0)
          for (let label = 0, slot = from * labels; label < labels; label++, slot++)
            values[label] = (values[label] as number) + share * (steps[slot] as number)
      }
    const chance = chances[at] as Float64Array
    for (let label = 0; label < labels; label++)
      values[label] = (values[label] as number) * (chance[label] as number)
    forward.push(scale(values))
  }
  for (let at = length - 1; at >= 0; at--) {
    const values = new Float64Array(labels)
    const after = backward[at + 1]
    if (!after) values.fill(1)
    else {
      const chance = chances[at + 1] as Float64Array
      for (let label = 0; label < labels; label++) {
        let sum = 0
        for (let to = 0, slot = label * labels; to < labels; to++, slot++)
          sum += (steps[slot] as number) * (chance[to] as number) * (after[to] as number)
        values[label] = sum
      }
    }
    backward[at] = scale(values)
  }
  return { forward, backward }
}

/** Adds the probability of each label at a word, and of each pair of labels before it, times `sign`. */
const count = (
  { forward, backward }: Lattice,
  chances: readonly Float64Array[],
  steps: Float64Array,
  at: number,
  sign: number,
  into: { words: Float64Array; pairs: Float64Array },
): void => {
  const labels = into.words.length
  const here = scale(
    (forward[at] as Float64Array).map(
      (value, label) => value * ((backward[at] as Float64Array)[label] as number),
    ),
  )
  for (let label = 0; label < labels; label++)
    into.words[label] = (into.words[label] as number) + sign * (here[label] as number)
  const before = forward[at - 1]
  if (!before) {
    for (let label = 0, slot = labels * labels; label < labels; label++, slot++)
      into.pairs[slot] = (into.pairs[slot] as number) + sign * (here[label] as number)
    return
  }
  const chance = chances[at] as Float64Array
  const after = backward[at] as Float64Array
  let sum = 0
  for (let from = 0; from < labels; from++)
    for (let label = 0, slot = from * labels; label < labels; label++, slot++)
      sum +=
        (before[from] as number) *
        (steps[slot] as number) *
        (chance[label] as number) *
        (after[label] as number)
  if (sum === 0) return
  for (let from = 0; from < labels; from++) {
    const share = (sign * (before[from] as number)) / sum
    if (share !== 0)
      for (let label = 0, slot = from * labels; label < labels; label++, slot++)
        into.pairs[slot] =
          (into.pairs[slot] as number) +
          share * (steps[slot] as number) * (chance[label] as number) * (after[label] as number)
  }
}

export const trainField = (sequences: readonly Sequence[], options: FieldOptions): Field => {
  const { features, labels, isPossible, rounds, rate, decay, random, dropout } = options
  const emissions = new Float32Array(features * labels)
  const emissionSquares = new Float32Array(features * labels).fill(1e-4)
  const transitions = new Float32Array((labels + 1) * labels)
  const transitionSquares = new Float32Array((labels + 1) * labels).fill(1e-4)
  for (let before = 0; before <= labels; before++)
    for (let label = 0; label < labels; label++)
      if (!isPossible(before, label)) transitions[before * labels + label] = IMPOSSIBLE
  const field = { labels, emissions, transitions }
  const order = sequences.map((_, index) => index)
  const pairs = new Float64Array(transitions.length)
  const sums = [emissions, transitions].map((values) => new Float64Array(values.length))
  const averaged = Math.ceil(rounds / 2)
  for (let round = 0; round < rounds; round++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1))
      ;[order[at], order[other]] = [order[other] as number, order[at] as number]
    }
    for (const index of order) {
      const { features: all, allowed, weight } = sequences[index] as Sequence
      const words = dropout > 0 ? all.map((found) => found.filter(() => random() >= dropout)) : all
      const free = words.map((found) => {
        const scores = scoreWord(field, found)
        const most = scores.reduce((a, b) => Math.max(a, b))
        return scores.map((score) => Math.exp(score - most))
      })
      const bound = free.map((chances, at) =>
        chances.map((chance, label) => chance * ((allowed[at] as Uint8Array)[label] as number)),
      )
      const steps = Float64Array.from(transitions, Math.exp)
      const [expected, wanted] = [walk(free, steps, labels), walk(bound, steps, labels)]
      pairs.fill(0)
      for (let at = 0; at < words.length; at++) {
        const gradient = { words: new Float64Array(labels), pairs }
        count(wanted, bound, steps, at, weight, gradient)
        count(expected, free, steps, at, -weight, gradient)
        for (const feature of words[at] as Uint32Array)
          for (let label = 0, slot = feature * labels; label < labels; label++, slot++) {
            const value = emissions[slot] as number
            const step = (gradient.words[label] as number) - decay * value
            if (Math.abs(step) < 1e-4) continue
            const squares = (emissionSquares[slot] as number) + step * step
            emissionSquares[slot] = squares
            emissions[slot] = value + (rate * step) / Math.sqrt(squares)
          }
      }
      for (let slot = 0; slot < pairs.length; slot++) {
        const value = transitions[slot] as number
        const step = (pairs[slot] as number) - decay * value
        if (value === IMPOSSIBLE || Math.abs(step) < 1e-4) continue
        const squares = (transitionSquares[slot] as number) + step * step
        transitionSquares[slot] = squares
        transitions[slot] = value + (rate * step) / Math.sqrt(squares)
      }
    }
    if (round >= rounds - averaged)
      for (const [index, values] of [emissions, transitions].entries()) {
        const sum = sums[index] as Float64Array
        for (let slot = 0; slot < values.length; slot++)
          sum[slot] = (sum[slot] as number) + (values[slot] as number) / averaged
      }
  }
  const [first, second] = sums.map((values) => Float32Array.from(values)) as [Float32Array, Float32Array]
  return { labels, emissions: first, transitions: second }
}
