import { readTimes } from '../../src/engine/dates/read.ts'
import { packWeights } from '../../src/engine/learning/weights.ts'
import { eachFeature, formsOf } from '../../src/engine/mail/request-features.ts'
import { loadLessons } from '../engine/data.ts'
import { trainSvm, type Vector } from './svm.ts'

interface Sentence {
  text: string
  intent: number
}

/** The mails are of 2001; only that a time is named counts. */
const NOW = Date.parse('2001-05-15T09:00:00Z')

/** What hardly occurs says nothing that holds elsewhere. */
const RARE = 3

/** Features numbered from 0, without the rare ones. */
const dense = (vectors: readonly Vector[]): { vectors: Vector[]; features: number[] } => {
  const counts = new Map<number, number>()
  for (const { at } of vectors) for (const feature of at) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const features = [...counts].filter(([, count]) => count >= RARE).map(([feature]) => feature)
  const places = new Map(features.map((feature, index) => [feature, index]))
  return {
    features,
    vectors: vectors.map(({ at, value }) => {
      const kept = at.flatMap((feature, index) => {
        const place = places.get(feature)
        return place === undefined ? [] : [[place, value[index] as number] as const]
      })
      return { at: kept.map(([place]) => place), value: kept.map(([, amount]) => amount) }
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
  const sentences = loadLessons<Sentence>('email-intent', 'train')
  const { vectors, features } = dense(sentences.map(({ text }) => vectorOf(text)))
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
