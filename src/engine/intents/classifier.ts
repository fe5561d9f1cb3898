import { type Linear, type PackedLinear, scoreLinear, unpackLinear } from '../learning/linear.ts'
import { type Network, type PackedNetwork, scoreNetwork, unpackNetwork } from '../learning/network.ts'
import { type Block, blocksOf } from './features.ts'
import { fineBlocksOf } from './fine-features.ts'
import { tokensOf } from './tokens.ts'

export interface PackedIntents extends PackedLinear {
  /** Whether the linear model has learnt the fine features too. */
  isFine?: boolean
  networks?: PackedNetwork[]
}

/** A linear model, and beside it, where there are any, networks that have learnt the same classes. */
export interface IntentModel extends Linear {
  isFine: boolean
  networks: readonly Network[]
}

export const unpackIntents = (packed: PackedIntents): IntentModel => ({
  ...unpackLinear(packed),
  isFine: packed.isFine ?? false,
  networks: (packed.networks ?? []).map(unpackNetwork),
})

/** What a logarithm of the networks is worth in margins of the linear model. */
const NETWORK_SHARE = 1 / 5

/**
 * What agrees adds up to more certainty than is due. So much is kept that shares are made of these scores as of the linear
 * model's own margins: by likelihood in cross-validation, the same sharpness is then best for both.
 */
const KEPT = 0.6

/** What a linear model sees of a sentence. */
export const featuresOf = (text: string, isFine: boolean): Block[] =>
  isFine ? [...blocksOf(text), ...fineBlocksOf(text)] : blocksOf(text)

export interface Judgement {
  /** The class with the highest score, by its place among the labels. */
  best: number
  scores: Float64Array
}

/** What a model makes of a sentence; `except` is a label that is left out of the choice. */
export const judgeIntent = (model: IntentModel, text: string, except?: string): Judgement => {
  const scores = scoreLinear(model, featuresOf(text, model.isFine))
  if (model.networks.length > 0) {
    const tokens = tokensOf(text)
    for (const network of model.networks)
      for (const [label, score] of scoreNetwork(network, tokens).entries())
        scores[label] = (scores[label] as number) + (score * NETWORK_SHARE) / model.networks.length
    for (let label = 0; label < scores.length; label++) scores[label] = (scores[label] as number) * KEPT
  }
  let best = -1
  for (let label = 0; label < scores.length; label++)
    if (model.labels[label] !== except && (best < 0 || (scores[label] as number) > (scores[best] as number)))
      best = label
  return { best, scores }
}
