import { readTimes } from '../../src/nlu/dates/read.ts'
import { packWeights } from '../../src/nlu/learning/linear.ts'
import { eachFeature, formsOf } from '../../src/nlu/mail/request-features.ts'
import { loadTrainingCases } from '../nlu/data.ts'
import { trainSvm, type Vector } from './svm.ts'

interface Sentence {
  text: string
  intent: number
}

/** The emails are from 2001. Only the presence of a time matters. */
const NOW = Date.parse('2001-05-15T09:00:00Z')

/** Rare features do not generalize. */
const MIN_COUNT = 3

/** Numbers the features from 0 and removes the rare ones. */
const compactFeatures = (vectors: readonly Vector[]): { vectors: Vector[]; features: number[] } => {
  const counts = new Map<number, number>()
  for (const { at } of vectors) for (const feature of at) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const features = [...counts].filter(([, count]) => count >= MIN_COUNT).map(([feature]) => feature)
  const indices = new Map(features.map((feature, index) => [feature, index]))
  return {
    features,
    vectors: vectors.map(({ at, value }) => {
      const remaining = at.flatMap((feature, index) => {
        const column = indices.get(feature)
        return column === undefined ? [] : [[column, value[index] as number] as const]
      })
      return { at: remaining.map(([column]) => column), value: remaining.map(([, amount]) => amount) }
    }),
  }
}

const vectorOf = (text: string): Vector => {
  const counts = new Map<number, number>()
  eachFeature(text, formsOf(text, readTimes(text, { now: NOW })), (feature, value) => {
    counts.set(feature >>> 0, (counts.get(feature >>> 0) ?? 0) + value)
  })
  return { at: [...counts.keys()], value: [...counts.values()] }
}

export const trainRequests = (): { module: string; note: string } => {
  const sentences = loadTrainingCases<Sentence>('email-intent', 'train')
  const { vectors, features } = compactFeatures(sentences.map(({ text }) => vectorOf(text)))
  const { weights, bias } = trainSvm(
    vectors,
    sentences.map(({ intent }) => intent === 1),
    { size: features.length, cost: 0.2, rounds: 30, seed: 1 },
  )
  const packed = packWeights(new Map(features.map((feature, index) => [feature, weights[index] as number])))
  return {
    module: `/** Made by bench/train.ts from the training part of EmailIntentDataSet (Parakweet Labs, Apache-2.0). */
export const REQUEST_MODEL = {
  bias: ${bias},
  packed: {
    scale: ${packed.scale},
    features:
      '${packed.features}',
    weights:
      '${packed.weights}',
  },
}
`,
    note: `${sentences.length} sentences, ${features.length} features`,
  }
}
