import { type Entry, type PackedLinear, packLinear } from '../../src/nlu/learning/linear.ts'
import type { Block } from '../../src/nlu/learning/texts.ts'
import { trainSvm, type Vector } from './svm.ts'

export interface Example {
  blocks: readonly Block[]
  label: string
}

export interface LinearSettings {
  cost: number
  rounds: number
  /** The number of weights to keep, by importance. */
  maxWeights: number
}

/** Features of a single example do not generalize. */
const MIN_COUNT = 2

/** Trains one-versus-rest classifiers over the features of the examples. */
export const trainLinear = (
  examples: readonly Example[],
  { cost, rounds, maxWeights }: LinearSettings,
): PackedLinear => {
  const labels = [...new Set(examples.map(({ label }) => label))].sort()
  const counts = new Map<number, number>()
  for (const { blocks } of examples)
    for (const { features } of blocks)
      for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const known = [...counts].filter(([, count]) => count >= MIN_COUNT).map(([feature]) => feature)
  const indices = new Map(known.map((feature, index) => [feature, index]))
  const rarities = known.map(
    (feature) => Math.log((1 + examples.length) / (1 + (counts.get(feature) as number))) + 1,
  )
  const vectors = examples.map(({ blocks }): Vector => {
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
  const trained = labels.map((label, index) =>
    trainSvm(
      vectors,
      examples.map((example) => example.label === label),
      { size: known.length, cost, rounds, seed: index + 1 },
    ),
  )
  // The importance of a weight is its effect on the examples with its feature. Rare features count less.
  const getImportance = (column: number, weight: number): number =>
    Math.abs(weight) *
    (rarities[column] as number) *
    Math.log(1 + (counts.get(known[column] as number) as number))
  const all = trained.flatMap(({ weights }) =>
    Array.from(weights, (weight, column) => getImportance(column, weight)),
  )
  const least = Float64Array.from(all).sort()[Math.max(0, all.length - maxWeights)] ?? 0
  const entries = known.map(
    (feature, column): Entry => ({
      feature,
      rarity: rarities[column] as number,
      weights: trained.flatMap(({ weights }, label) =>
        weights[column] !== 0 && getImportance(column, weights[column] as number) >= least
          ? [[label, weights[column] as number] as const]
          : [],
      ),
    }),
  )
  return packLinear(
    labels,
    trained.map(({ bias }) => bias),
    entries.filter(({ weights }) => weights.length > 0),
  )
}
