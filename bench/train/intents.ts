import { featuresOf, type PackedIntents } from '../../src/engine/intents/classifier.ts'
import { type Entry, packLinear } from '../../src/engine/learning/linear.ts'
import { type Trained, trainSvm, type Vector } from './svm.ts'

export interface Sentence {
  text: string
  intent: string
}

/** What occurs in one sentence alone says nothing about another. */
const RARE = 2

export interface Settings {
  cost: number
  /** How many weights are kept: those that say most. */
  entries: number
  rounds: number
  /** Whether it learns the fine features too. */
  isFine?: boolean
  /** Whether it learns once more from what is kept alone, so that this makes up for what is not. */
  isSettled?: boolean
}

const only = ({ at, value }: Vector, isKept: (place: number) => boolean): Vector => ({
  at: at.filter(isKept),
  value: value.filter((_, index) => isKept(at[index] as number)),
})

/** One class against all others, for each class, over the features of the sentences. */
export const trainIntents = (
  sentences: readonly Sentence[],
  { cost, entries: most, rounds, isFine = false, isSettled = false }: Settings,
): PackedIntents => {
  const labels = [...new Set(sentences.map(({ intent }) => intent))].sort()
  const texts = sentences.map(({ text }) => featuresOf(text, isFine))
  const counts = new Map<number, number>()
  for (const blocks of texts)
    for (const { features } of blocks)
      for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const known = [...counts].filter(([, count]) => count >= RARE).map(([feature]) => feature)
  const places = new Map(known.map((feature, index) => [feature, index]))
  const rarities = known.map(
    (feature) => Math.log((1 + sentences.length) / (1 + (counts.get(feature) as number))) + 1,
  )
  const vectors = texts.map((blocks): Vector => {
    const [at, value]: [number[], number[]] = [[], []]
    for (const { features, weight } of blocks) {
      const found = [...features].flatMap((feature) => places.get(feature) ?? [])
      const norm = Math.sqrt(found.reduce((sum, place) => sum + (rarities[place] as number) ** 2, 0)) || 1
      for (const place of found) {
        at.push(place)
        value.push(((rarities[place] as number) * weight) / norm)
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
  // How much a weight moves the scores of the sentences that have its feature, rare features counting less.
  const worth = (place: number, weight: number): number =>
    Math.abs(weight) *
    (rarities[place] as number) *
    Math.log(1 + (counts.get(known[place] as number) as number))
  const all: number[] = []
  for (const { weights } of trained)
    for (let place = 0; place < known.length; place++)
      if (weights[place] !== 0) all.push(worth(place, weights[place] as number))
  const sorted = Float64Array.from(all).sort()
  const least = sorted[Math.max(0, sorted.length - most)] ?? 0
  const kept = trained.map(({ weights, bias }, index): Trained => {
    const isKept = (place: number): boolean =>
      weights[place] !== 0 && worth(place, weights[place] as number) >= least
    return isSettled
      ? learn(
          labels[index] as string,
          index,
          vectors.map((vector) => only(vector, isKept)),
        )
      : { weights: weights.map((weight, place) => (isKept(place) ? weight : 0)), bias }
  })
  const entries = known.map(
    (feature, place): Entry => ({
      feature,
      rarity: rarities[place] as number,
      weights: kept.flatMap(({ weights }, label) =>
        weights[place] === 0 ? [] : [[label, weights[place] as number] as const],
      ),
    }),
  )
  return {
    ...(isFine ? { isFine } : {}),
    ...packLinear(
      labels,
      kept.map(({ bias }) => bias),
      entries.filter(({ weights }) => weights.length > 0),
    ),
  }
}
