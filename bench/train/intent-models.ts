import { judgeIntent, type PackedIntents, unpackIntents } from '../../src/nlu/intents/classifier.ts'
import type { PackedLinear } from '../../src/nlu/learning/linear.ts'
import { packNetwork } from '../../src/nlu/learning/network.ts'
import { loadTrainingCases } from '../nlu/data.ts'
import { type Sentence, type Settings, trainIntents } from './intents.ts'
import { type NetworkSettings, trainNetwork } from './network.ts'

const SETTINGS: Settings = { cost: 0.4, entries: 110_000, rounds: 8 }

const HWU_SETTINGS: Settings = { ...SETTINGS, entries: 150_000, isFine: true, isRetrained: true }

const NETWORK = { size: 32, buckets: 4096, rounds: 12, batch: 32, rate: 0.003 }

/** Two networks with different seeds make different errors. */
const NETWORKS: readonly NetworkSettings[] = [
  { ...NETWORK, filters: 48, seed: 1 },
  { ...NETWORK, filters: 64, seed: 2 },
]

/** Uses JSON, because it loads faster than a module of this size. */
const formatFile = (origin: string, packed: PackedIntents): string =>
  `${JSON.stringify({ origin: `Made by bench/train.ts from ${origin}.`, ...packed }, null, 2)}\n`

const formatNote = (sentences: readonly Sentence[], { labels, features }: PackedLinear): string =>
  `${sentences.length} sentences, ${labels.split(' ').length} intents, ${features} features`

export const trainHwu = (): { json: string; note: string } => {
  const sentences = [
    ...loadTrainingCases<Sentence>('intents-hwu64', 'train'),
    ...loadTrainingCases<Sentence>('intents-hwu64', 'valid'),
  ]
  const packed = trainIntents(sentences, HWU_SETTINGS)
  const labels = packed.labels.split(' ')
  const networks = NETWORKS.map((settings) => packNetwork(trainNetwork(sentences, labels, settings)))
  const origin = 'the training and validation parts of HWU64 (NLU Evaluation Data, CC BY 4.0)'
  return {
    json: formatFile(origin, { ...packed, networks }),
    note: `${formatNote(sentences, packed)}, networks of ${networks[0]?.known} words and kinds`,
  }
}

/** Trains on the development part alone, because many test sentences also occur in HWU64. */
export const trainSlurp = (): { json: string; note: string } => {
  const sentences = loadTrainingCases<Sentence>('intents-slurp', 'devel')
  const packed = trainIntents(sentences, SETTINGS)
  return {
    json: formatFile('the development part of SLURP (text, CC BY 4.0)', packed),
    note: formatNote(sentences, packed),
  }
}

const OUTSIDE = 'oos'

/** The percentage of in-scope sentences that may be lost to detect out-of-scope ones. */
const MAX_LOST_PERCENT = 0.6

/**
 * Finds the bias for the out-of-scope class. A model that was not trained on the validation part determines
 * it there. The shipped model is trained on both parts.
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
  return leads[Math.round((MAX_LOST_PERCENT / 100) * valid.length)] ?? 0
}

export const trainClinc = (): { json: string; note: string } => {
  const [train, valid] = [
    loadTrainingCases<Sentence>('intents-clinc150', 'train'),
    loadTrainingCases<Sentence>('intents-clinc150', 'val'),
  ]
  const settings = { ...SETTINGS, entries: 160_000 }
  const outsideBias = calibrate(train, valid, settings)
  const sentences = [...train, ...valid]
  const packed = trainIntents(sentences, settings)
  const outside = packed.labels.split(' ').indexOf(OUTSIDE)
  const biases = packed.biases
    .split(' ')
    .map((bias, index) => (index === outside ? (Number(bias) + outsideBias).toFixed(4) : bias))
    .join(' ')
  const origin = 'the training and validation parts of CLINC150 (oos-eval, CC BY 3.0)'
  return {
    json: formatFile(origin, { ...packed, biases }),
    note: `${formatNote(sentences, packed)}, out-of-scope bias ${outsideBias.toFixed(3)}`,
  }
}
