import type { TimeExpression } from '../dates/read.ts'
import { unpackWeights } from '../learning/weights.ts'
import { REQUEST_MODEL } from '../models/requests.ts'
import { eachFeature, formsOf } from './request-features.ts'

/** German is not in what the model has learnt: its forms are told by hand. */
const GERMAN =
  /\b(?:bitte|könnten sie|könntest du|können sie|kannst du|würden sie|würdest du|hätten sie|hättest du|lass(?:t|en)? (?:uns|sie)|gib(?:t|en)? (?:mir|uns) bescheid|melde(?:n|t)? (?:dich|sie sich)|ich brauche|wir (?:müssen|sollten|brauchen)|schick(?:e|en|t)?|denk(?:e|t|en)? (?:daran|bitte)|wollen wir|sollen wir)\b|^(?:haben|hast|sind|bist|wann|wäre|passt|ist|gibt|wer|wo|was|wie)\b[^.]{0,300}\?/i

const weightOf = unpackWeights(REQUEST_MODEL.packed)

/**
 * How surely a sentence asks its reader for something, proposes something or promises something for a time: above 0 it
 * does. Linear in the features; see bench/train.
 */
export const requestScore = (sentence: string, times: readonly TimeExpression[]): number => {
  let score = REQUEST_MODEL.bias
  eachFeature(sentence, formsOf(sentence, times), (feature, value) => {
    score += weightOf(feature) * value
  })
  if (GERMAN.test(sentence.slice(0, 600))) score += 1
  return score
}
