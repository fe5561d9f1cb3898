import { featuresOf, type PackedIntents } from '../../src/nlu/intents/classifier.ts'
import { type Entry, packLinear } from '../../src/nlu/learning/linear.ts'
import { type Trained, trainSvm, type Vector } from './svm.ts'

export interface Sentence {
  text: string
  intent: string
}

/** Features of a single sentence do not generalize. */
const MIN_COUNT = 2

export interface Settings {
  cost: number
  /** The number of weights to keep, by importance. */
  entries: number
  rounds: number
  /** Adds the fine features. */
  isFine?: boolean
  /** Trains again on the kept features alone, so that they compensate for the removed ones. */
  isRetrained?: boolean
}

const keepFeatures = ({ at, value }: Vector, isKept: (column: number) => boolean): Vector => ({
  at: at.filter(isKept),
  value: value.filter((_, index) => isKept(at[index] as number)),
})

/** Trains one-versus-rest classifiers over the features of the sentences. */
export const trainIntents = (
  sentences: readonly Sentence[],
  { cost, entries: most, rounds, isFine = false, isRetrained = false }: Settings,
): PackedIntents => {
  const labels = [...new Set(sentences.map(({ intent }) => intent))].sort()
  const texts = sentences.map(({ text }) => featuresOf(text, isFine))
  const counts = new Map<number, number>()
  for (const blocks of texts)
    for (const { features } of blocks)
      for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const known = [...counts].filter(([, count]) => count >= MIN_COUNT).map(([feature]) => feature)
  const indices = new Map(known.map((feature, index) => [feature, index]))
  const rarities = known.map(
    (feature) => Math.log((1 + sentences.length) / (1 + (counts.get(feature) as number))) + 1,
  )
  const vectors = texts.map((blocks): Vector => {
    const [at, value]: [number[], number[]] = [[], []]
    for (const { features, weight } of blocks) {
      const found = [...features].flatMap((feature) => indices.get(feature) ?? [])
      const norm = Math.sqrt(found.reduce((sum, column) => sum + (rarities[column] as number) ** 2, 0)) || 1
      for (const column of found) {
        at.push(column)
        value.push(((rarities[column] as number) * weight) / norm)
      }
    }
    return { at, value }
  })
  const learn = (label: string, index: number, from: readonly Vector[]): Trained =>
    trainSvm(
      from,
      sentences.map(({ intent }) => intent === label),
      { size: known.length, cost, rounds, seed: index + 1 },
    )
  const trained = labels.map((label, index) => learn(label, index, vectors))
  // The importance of a weight: its effect on the scores of the sentences with its feature. Rare features
  // count less.
  const getImportance = (column: number, weight: number): number =>
    Math.abs(weight) *
    (rarities[column] as number) *
    Math.log(1 + (counts.get(known[column] as number) as number))
  const all: number[] = []
  for (const { weights } of trained)
    for (let column = 0; column < known.length; column++)
      if (weights[column] !== 0) all.push(getImportance(column, weights[column] as number))
  const sorted = Float64Array.from(all).sort()
  const least = sorted[Math.max(0, sorted.length - most)] ?? 0
  const pruned = trained.map(({ weights, bias }, index): Trained => {
    const isKept = (column: number): boolean =>
      weights[column] !== 0 && getImportance(column, weights[column] as number) >= least
    return isRetrained
      ? learn(
          labels[index] as string,
          index,
          vectors.map((vector) => keepFeatures(vector, isKept)),
        )
      : { weights: weights.map((weight, column) => (isKept(column) ? weight : 0)), bias }
  })
  const entries = known.map(
    (feature, column): Entry => ({
      feature,
      rarity: rarities[column] as number,
      weights: pruned.flatMap(({ weights }, label) =>
        weights[column] === 0 ? [] : [[label, weights[column] as number] as const],
      ),
    }),
  )
  return {
    ...(isFine ? { isFine } : {}),
    ...packLinear(
      labels,
      pruned.map(({ bias }) => bias),
      entries.filter(({ weights }) => weights.length > 0),
    ),
  }
}
