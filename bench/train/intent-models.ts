import { judgeIntent, type PackedIntents, unpackIntents } from '../../src/engine/intents/classifier.ts'
import type { PackedLinear } from '../../src/engine/learning/linear.ts'
import { packNetwork } from '../../src/engine/learning/network.ts'
import { loadLessons } from '../engine/data.ts'
import { type Sentence, type Settings, trainIntents } from './intents.ts'
import { type NetworkSettings, trainNetwork } from './network.ts'

const SETTINGS: Settings = { cost: 0.4, entries: 110_000, rounds: 8 }

const HWU_SETTINGS: Settings = { ...SETTINGS, entries: 150_000, isFine: true, isSettled: true }

const NETWORK = { size: 32, buckets: 4096, rounds: 12, batch: 32, rate: 0.003 }

/** Two that began from other dice err in other places. */
const NETWORKS: readonly NetworkSettings[] = [
  { ...NETWORK, filters: 48, seed: 1 },
  { ...NETWORK, filters: 64, seed: 2 },
]

/** JSON, for it is read faster than a module of that size. */
const fileOf = (origin: string, packed: PackedIntents): string =>
  `${JSON.stringify({ origin: `Made by bench/train.ts from ${origin}.`, ...packed }, null, 2)}\n`

const noteOf = (sentences: readonly Sentence[], { labels, features }: PackedLinear): string =>
  `${sentences.length} sentences, ${labels.split(' ').length} intents, ${features} features`

export const trainHwu = (): { json: string; note: string } => {
  const sentences = [
    ...loadLessons<Sentence>('intents-hwu64', 'train'),
    ...loadLessons<Sentence>('intents-hwu64', 'valid'),
  ]
  const packed = trainIntents(sentences, HWU_SETTINGS)
  const labels = packed.labels.split(' ')
  const networks = NETWORKS.map((settings) => packNetwork(trainNetwork(sentences, labels, settings)))
  const origin = 'the training and validation parts of HWU64 (NLU Evaluation Data, CC BY 4.0)'
  return {
    json: fileOf(origin, { ...packed, networks }),
    note: `${noteOf(sentences, packed)}, networks of ${networks[0]?.known} words and kinds`,
  }
}

/** From its own development part alone: many of its test sentences are among those of HWU64. */
export const trainSlurp = (): { json: string; note: string } => {
  const sentences = loadLessons<Sentence>('intents-slurp', 'devel')
  const packed = trainIntents(sentences, SETTINGS)
  return {
    json: fileOf('the development part of SLURP (text, CC BY 4.0)', packed),
    note: noteOf(sentences, packed),
  }
}

const OUTSIDE = 'oos'

/** How many of 100 sentences within the scope may be lost to find those outside it. */
const PRICE = 0.6

/**
 * How much the class of what is outside must be helped. Found on the validation part by a model that has not seen it;
 * the model that ships has learnt from both.
 */
const calibrate = (train: readonly Sentence[], valid: readonly Sentence[], settings: Settings): number => {
  const model = unpackIntents(trainIntents(train, settings))
  const leads = valid
    .filter(({ intent }) => intent !== OUTSIDE)
    .flatMap(({ text, intent }) => {
      const { best, scores } = judgeIntent(model, text, OUTSIDE)
      return model.labels[best] === intent
        ? [(scores[best] as number) - (scores[model.labels.indexOf(OUTSIDE)] as number)]
        : []
    })
    .sort((a, b) => a - b)
  return leads[Math.round((PRICE / 100) * valid.length)] ?? 0
}

export const trainClinc = (): { json: string; note: string } => {
  const [train, valid] = [
    loadLessons<Sentence>('intents-clinc150', 'train'),
    loadLessons<Sentence>('intents-clinc150', 'val'),
  ]
  const settings = { ...SETTINGS, entries: 160_000 }
  const help = calibrate(train, valid, settings)
  const sentences = [...train, ...valid]
  const packed = trainIntents(sentences, settings)
  const outside = packed.labels.split(' ').indexOf(OUTSIDE)
  const biases = packed.biases
    .split(' ')
    .map((bias, index) => (index === outside ? (Number(bias) + help).toFixed(4) : bias))
    .join(' ')
  const origin = 'the training and validation parts of CLINC150 (oos-eval, CC BY 3.0)'
  return {
    json: fileOf(origin, { ...packed, biases }),
    note: `${noteOf(sentences, packed)}, outside helped by ${help.toFixed(3)}`,
  }
}
