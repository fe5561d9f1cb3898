import type { RequestClass } from '../../src/nlu/intents/classifier.ts'
import { toBlocks } from '../../src/nlu/intents/classifier.ts'
import { toBusiness } from '../../src/nlu/intents/read.ts'
import { type Entry, type PackedLinear, packLinear } from '../../src/nlu/learning/linear.ts'
import {
  EVENT_LINES,
  GERMAN_LINES,
  MAIL_LINES,
  OUTSIDE_LINES,
  TASK_LINES,
} from '../../test/support/assistant-sentences.ts'
import { INTENT_SETS, type IntentSet, loadIntentSet, loadOwnRequests } from '../nlu/intents.ts'
import { createGermanSentences } from './german-sentences.ts'
import { trainSvm, type Vector } from './svm.ts'

interface Sentence {
  text: string
  requestClass: RequestClass
}

/** Features of a single sentence do not generalize. */
const MIN_COUNT = 2

/** Own sentences are few, so each counts several times. */
const OWN_REPEATS = 4

/** The number of weights to keep, by importance. */
const MAX_WEIGHTS = 40_000

const COST = 0.4
const ROUNDS = 8

/** Returns the requests of the tests with the kind of their tool. */
const loadTestedRequests = (): Sentence[] => [
  ...[...TASK_LINES, ...EVENT_LINES, ...MAIL_LINES, ...GERMAN_LINES].flatMap(([text, wanted]) =>
    wanted === undefined ? [] : [{ text, requestClass: toBusiness(wanted[0]) }],
  ),
  ...OUTSIDE_LINES.map((text) => ({ text, requestClass: 'outside' as const })),
]

/** Loads the training parts of all sets. A sentence that occurs in two sets counts once. */
const loadSentences = (): Sentence[] => {
  const found = new Map<string, Sentence>()
  for (const set of Object.keys(INTENT_SETS) as IntentSet[])
    for (const { text, requestClass, part } of loadIntentSet(set))
      if (part === 'train') found.set(`${requestClass} ${text.toLowerCase()}`, { text, requestClass })
  if (found.size === 0) throw new Error('No intent sets; EVALUATION_DATA names their folder.')
  // The public sets validate English, so all own English sentences train.
  const own = [
    ...loadOwnRequests('english'),
    ...loadOwnRequests('german').filter(({ part }) => part === 'train'),
    ...loadTestedRequests(),
  ]
  return [
    ...found.values(),
    ...createGermanSentences(),
    ...Array.from({ length: OWN_REPEATS }, () => own).flat(),
  ]
}

/** Trains one-versus-rest classifiers over the features of the sentences. */
const train = (sentences: readonly Sentence[]): PackedLinear => {
  const labels = [...new Set(sentences.map(({ requestClass }) => requestClass))].sort()
  const texts = sentences.map(({ text }) => toBlocks(text))
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
  const trained = labels.map((label, index) =>
    trainSvm(
      vectors,
      sentences.map(({ requestClass }) => requestClass === label),
      { size: known.length, cost: COST, rounds: ROUNDS, seed: index + 1 },
    ),
  )
  // The importance of a weight is its effect on the sentences with its feature. Rare features count less.
  const getImportance = (column: number, weight: number): number =>
    Math.abs(weight) *
    (rarities[column] as number) *
    Math.log(1 + (counts.get(known[column] as number) as number))
  const all = trained.flatMap(({ weights }) =>
    Array.from(weights, (weight, column) => getImportance(column, weight)),
  )
  const least = Float64Array.from(all).sort()[Math.max(0, all.length - MAX_WEIGHTS)] ?? 0
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

export const trainIntents = (): { json: string; note: string } => {
  const sentences = loadSentences()
  const packed = train(sentences)
  const origin =
    'Made by bench/train.ts from the training parts of HWU64 (CC BY 4.0), CLINC150 (CC BY 3.0), SLURP (text, CC BY 4.0) and sentences of the project.'
  return {
    json: `${JSON.stringify({ origin, ...packed }, null, 2)}\n`,
    note: `${sentences.length} sentences, ${packed.features} features`,
  }
}
