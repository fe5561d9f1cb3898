import { readFileSync } from 'node:fs'
import { hash, type Linear, type PackedLinear, pair, scoreLinear, unpackLinear } from '../learning/linear.ts'
import {
  type Network,
  type PackedNetwork,
  scoreNetwork,
  type Token,
  unpackNetwork,
} from '../learning/network.ts'
import { type Block, blocksOf, fineBlocksOf } from './features.ts'
import { groupsOf, kindsOf, piecesOf, wordsOf } from './words.ts'

const [SHORTEST_PIECE, LONGEST_PIECE] = [3, 5]
const KIND = hash('k')
const [START, END] = ['^', '$'].map((mark): Token => ({ word: hash(mark), kinds: [], pieces: [] })) as [
  Token,
  Token,
]

/** Converts a sentence to network input: its words in order, between a start and an end token. */
export const tokensOf = (text: string): Token[] => [
  START,
  ...wordsOf(text).map((word) => ({
    word: hash(word),
    kinds: [...kindsOf(word), ...groupsOf(word)].map((kind) => pair(KIND, hash(kind))),
    pieces: [...new Set(piecesOf(word, SHORTEST_PIECE, LONGEST_PIECE).map(hash))],
  })),
  END,
]

export interface PackedIntents extends PackedLinear {
  /** True if the linear model was trained with the fine features as well. */
  isFine?: boolean
  networks?: PackedNetwork[]
}

/** A linear model, with optional networks trained on the same classes. */
export interface IntentModel extends Linear {
  isFine: boolean
  networks: readonly Network[]
}

export const unpackIntents = (packed: PackedIntents): IntentModel => ({
  ...unpackLinear(packed),
  isFine: packed.isFine ?? false,
  networks: (packed.networks ?? []).map(unpackNetwork),
})

/** Converts the networks' log scores to the scale of the linear model's margins. */
const NETWORK_SHARE = 1 / 5

/**
 * Scales the combined scores down, because models that agree overstate the certainty. In cross-validation,
 * this factor makes the same softmax sharpness optimal with and without networks.
 */
const SCORE_SCALE = 0.6

/** Extracts the features of the linear model. */
export const featuresOf = (text: string, isFine: boolean): Block[] =>
  isFine ? [...blocksOf(text), ...fineBlocksOf(text)] : blocksOf(text)

export interface Judgement {
  /** Index in `labels` of the class with the highest score. */
  best: number
  scores: Float64Array
}

/** Scores a sentence and picks the best class. `except` is a label that must not be picked. */
export const judgeIntent = (model: IntentModel, text: string, except?: string): Judgement => {
  const scores = scoreLinear(model, featuresOf(text, model.isFine))
  if (model.networks.length > 0) {
    const tokens = tokensOf(text)
    for (const network of model.networks)
      for (const [label, score] of scoreNetwork(network, tokens).entries())
        scores[label] = (scores[label] as number) + (score * NETWORK_SHARE) / model.networks.length
    for (let label = 0; label < scores.length; label++)
      scores[label] = (scores[label] as number) * SCORE_SCALE
  }
  let best = -1
  for (let label = 0; label < scores.length; label++)
    if (model.labels[label] !== except && (best < 0 || (scores[label] as number) > (scores[best] as number)))
      best = label
  return { best, scores }
}

const createModel = (file: URL): (() => IntentModel) => {
  let model: IntentModel | undefined
  return () => {
    model ??= unpackIntents(JSON.parse(readFileSync(file, 'utf8')) as PackedIntents)
    return model
  }
}

/**
 * The trained models. Each is loaded on first use, so that instances without assistant traffic save the
 * memory.
 */
export const MODELS = {
  hwu64: createModel(new URL('../models/hwu64.json', import.meta.url)),
  clinc150: createModel(new URL('../models/clinc150.json', import.meta.url)),
  slurp: createModel(new URL('../models/slurp.json', import.meta.url)),
}
