import { type Linear, scoreLinear } from '../learning/linear.ts'
import { blocksOf } from './features.ts'

export interface Judgement {
  /** The class with the highest score, by its place among the labels. */
  best: number
  scores: Float64Array
}

/** What a model makes of a sentence; `except` is a label that is left out of the choice. */
export const judgeIntent = (model: Linear, text: string, except?: string): Judgement => {
  const scores = scoreLinear(model, blocksOf(text))
  let best = -1
  for (let label = 0; label < scores.length; label++)
    if (model.labels[label] !== except && (best < 0 || (scores[label] as number) > (scores[best] as number)))
      best = label
  return { best, scores }
}
