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

/** Smaller gradients change nothing. */
const LEAST_GRADIENT = 1e-3

const scale = (values: Float64Array, from: number, to: number): void => {
  let sum = 0
  for (let at = from; at < to; at++) sum += values[at] as number
  if (sum > 0) for (let at = from; at < to; at++) values[at] = (values[at] as number) / sum
}

/** Computes the probabilities of labels and of pairs of labels in sequences of limited length. */
class Lattice {
  private readonly forward: Float64Array
  private readonly backward: Float64Array
  private readonly labels: number
  /** The possible labels before each label. */
  private readonly origins: readonly Uint16Array[]

  constructor(labels: number, words: number, isPossible: FieldOptions['isPossible']) {
    this.labels = labels
    this.forward = new Float64Array(words * labels)
    this.backward = new Float64Array(words * labels)
    const all = Array.from({ length: labels }, (_, label) => label)
    this.origins = all.map((label) => Uint16Array.from(all.filter((before) => isPossible(before, label))))
  }

  /** Passes over the words in both directions. Each word is scaled to the sum 1. */
  walk(chances: Float64Array, steps: Float64Array, words: number): void {
    const { labels, forward, backward, origins } = this
    for (let label = 0; label < labels; label++)
      forward[label] = (steps[labels * labels + label] as number) * (chances[label] as number)
    scale(forward, 0, labels)
    for (let at = labels; at < words * labels; at += labels) {
      for (let label = 0; label < labels; label++) {
        let sum = 0
        for (const before of origins[label] as Uint16Array)
          sum += (forward[at - labels + before] as number) * (steps[before * labels + label] as number)
        forward[at + label] = sum * (chances[at + label] as number)
      }
      scale(forward, at, at + labels)
    }
    const last = (words - 1) * labels
    backward.fill(1, last, last + labels)
    for (let at = last - labels; at >= 0; at -= labels) {
      backward.fill(0, at, at + labels)
      for (let label = 0; label < labels; label++) {
        const share = (chances[at + labels + label] as number) * (backward[at + labels + label] as number)
        if (share > 0)
          for (const before of origins[label] as Uint16Array)
            backward[at + before] =
              (backward[at + before] as number) + share * (steps[before * labels + label] as number)
      }
      scale(backward, at, at + labels)
    }
  }

  /** Adds the probabilities, times `sign`, to those of words and of pairs. */
  count(
    steps: Float64Array,
    words: number,
    sign: number,
    into: { words: Float64Array; pairs: Float64Array },
  ): void {
    const { labels, forward, backward, origins } = this
    const here = new Float64Array(labels)
    for (let at = 0; at < words * labels; at += labels) {
      for (let label = 0; label < labels; label++)
        here[label] = (forward[at + label] as number) * (backward[at + label] as number)
      scale(here, 0, labels)
      for (let label = 0; label < labels; label++) {
        const share = sign * (here[label] as number)
        into.words[at + label] = (into.words[at + label] as number) + share
        if (Math.abs(share) < 1e-6) continue
        if (at === 0) {
          into.pairs[labels * labels + label] = (into.pairs[labels * labels + label] as number) + share
          continue
        }
        let sum = 0
        for (const before of origins[label] as Uint16Array)
          sum += (forward[at - labels + before] as number) * (steps[before * labels + label] as number)
        if (sum > 0)
          for (const before of origins[label] as Uint16Array) {
            const slot = before * labels + label
            into.pairs[slot] =
              (into.pairs[slot] as number) +
              (share * (forward[at - labels + before] as number) * (steps[slot] as number)) / sum
          }
      }
    }
  }
}

/** One parameter group with its running sums of squared gradients. */
const createStep =
  (values: Float32Array, { rate, decay }: FieldOptions) =>
  (squares: Float32Array, slot: number, gradient: number): void => {
    const value = values[slot] as number
    const step = gradient - decay * value
    const sum = (squares[slot] as number) + step * step
    squares[slot] = sum
    values[slot] = value + (rate * step) / Math.sqrt(sum)
  }

const shuffle = (order: number[], random: () => number): void => {
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[order[at], order[other]] = [order[other] as number, order[at] as number]
  }
}

/** Adds the scores of one word and returns them relative to the best one, as factors. */
const scoreWord = (
  { labels, emissions }: Field,
  features: Uint32Array,
  into: Float64Array,
  from: number,
): void => {
  into.fill(0, from, from + labels)
  for (const feature of features)
    for (let label = 0, slot = feature * labels; label < labels; label++, slot++)
      into[from + label] = (into[from + label] as number) + (emissions[slot] as number)
  let most = -Infinity
  for (let at = from; at < from + labels; at++) most = Math.max(most, into[at] as number)
  for (let at = from; at < from + labels; at++) into[at] = Math.exp((into[at] as number) - most)
}

/** Trains on the sequences and returns the mean of the weights in the second half of the rounds. */
export const trainField = (sequences: readonly Sequence[], options: FieldOptions): Field => {
  const { features, labels, isPossible, rounds, random, dropout } = options
  const emissions = new Float32Array(features * labels)
  const transitions = new Float32Array((labels + 1) * labels)
  const [emissionSquares, transitionSquares] = [emissions, transitions].map((values) =>
    new Float32Array(values.length).fill(1e-4),
  ) as [Float32Array, Float32Array]
  for (let before = 0; before <= labels; before++)
    for (let label = 0; label < labels; label++)
      if (!isPossible(before, label)) transitions[before * labels + label] = IMPOSSIBLE
  const field = { labels, emissions, transitions }
  const [stepEmission, stepTransition] = [createStep(emissions, options), createStep(transitions, options)]
  const longest = sequences.reduce((most, { features: words }) => Math.max(most, words.length), 0)
  const lattice = new Lattice(labels, longest, isPossible)
  const [free, bound] = [new Float64Array(longest * labels), new Float64Array(longest * labels)]
  const gradient = { words: new Float64Array(longest * labels), pairs: new Float64Array(transitions.length) }
  const steps = new Float64Array(transitions.length)
  const order = sequences.map((_, index) => index)
  const sums = [emissions, transitions].map((values) => new Float64Array(values.length))
  const averaged = Math.ceil(rounds / 2)
  const learn = ({ features: all, allowed, weight }: Sequence): void => {
    const words = dropout > 0 ? all.map((found) => found.filter(() => random() >= dropout)) : all
    for (const [at, found] of words.entries()) {
      scoreWord(field, found, free, at * labels)
      const flags = allowed[at] as Uint8Array
      for (let label = 0, slot = at * labels; label < labels; label++, slot++)
        bound[slot] = (free[slot] as number) * (flags[label] as number)
    }
    for (let slot = 0; slot < steps.length; slot++) steps[slot] = Math.exp(transitions[slot] as number)
    gradient.words.fill(0, 0, words.length * labels)
    gradient.pairs.fill(0)
    for (const [chances, sign] of [
      [bound, weight],
      [free, -weight],
    ] as const) {
      lattice.walk(chances, steps, words.length)
      lattice.count(steps, words.length, sign, gradient)
    }
    for (const [at, found] of words.entries())
      for (let label = 0; label < labels; label++) {
        const amount = gradient.words[at * labels + label] as number
        if (Math.abs(amount) >= LEAST_GRADIENT)
          for (const feature of found) stepEmission(emissionSquares, feature * labels + label, amount)
      }
    for (let slot = 0; slot < steps.length; slot++) {
      const amount = gradient.pairs[slot] as number
      if (Math.abs(amount) >= LEAST_GRADIENT) stepTransition(transitionSquares, slot, amount)
    }
  }
  for (let round = 0; round < rounds; round++) {
    shuffle(order, random)
    for (const index of order) {
      const sequence = sequences[index] as Sequence
      if (sequence.features.length > 0) learn(sequence)
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
