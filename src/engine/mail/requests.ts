import type { TimeExpression } from '../dates/read.ts'
import { unpackWeights } from '../learning/weights.ts'
import { REQUEST_MODEL } from '../models/requests.ts'
import { eachFeature, formsOf } from './request-features.ts'

/** German is not in what the model has learnt: its forms are told by hand. */
const GERMAN =
  /\b(?:bitte|könnten sie|könntest du|können sie|kannst du|würden sie|würdest du|hätten sie|hättest du|lass(?:t|en)? (?:uns|sie)|gib(?:t|en)? (?:mir|uns) bescheid|melde(?:n|t)? (?:dich|sie sich)|ich (?:brauche|bräuchte|benötige)|bräuchten? (?:ich|wir)|benötigen? (?:ich|wir)|brauche ich|wir (?:müssen|sollten|brauchen|bräuchten|benötigen)|(?:mir|uns) fehl(?:t|en) noch|bitte(?:n)? (?:ich|wir) (?:um|sie|dich)|teilen sie (?:mir|uns)|ruf(?:en|t)? (?:mich|uns|sie (?:mich|uns))|sag(?:en|t)? (?:mir|uns|sie (?:mir|uns))|schick(?:e|en|t)?|denk(?:e|t|en)? (?:daran|bitte)|wollen wir|sollen wir|fordern (?:wir )?sie|reichen sie|füllen sie|nicht vergessen)\b|(?<![a-zß-ÿ])überweisen sie\b|^(?:haben|hast|sind|bist|wann|wäre|passt|ist|gibt|wer|wo|was|wie)\b[^.]{0,300}\?/i

/** Plain in its words, and not in what the model has learnt: "need the slides by noon", "kindly revert". */
const PLAIN =
  /^(?:also[, ]+)?(?:(?:i |we )?need (?:the|your|an?|this|that|those|these|updated)\b[^.?!]{0,80}\b(?:by|today|tomorrow|asap|before|tonight|now)\b|kindly [a-z]+)/i

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
  if (PLAIN.test(sentence.slice(0, 200))) score += 1
  return score
}

const PAYMENT =
  /\b(?:please|kindly|bitte)\b[^.?!]{0,60}(?<![a-zß-ÿ])(?:pay|settle|remit|transfer|arrange (?:the )?payment|make (?:the )?payment|update your payment|payment (?:by|within|no later)|überweisen|begleichen|bezahlen|zahlen|ausgleichen)\b/i

/** An invoice comes from a machine, and is still the reader's to pay. */
export const asksForPayment = (sentence: string): boolean => PAYMENT.test(sentence.slice(0, 600))
