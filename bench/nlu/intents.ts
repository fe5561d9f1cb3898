import { type IntentModel, judgeIntent, MODELS } from '../../src/nlu/intents/classifier.ts'
import { trainLogistic } from '../train/logistic.ts'
import { loadCases, type Rate, rate } from './data.ts'

interface Sentence {
  text: string
  intent: string
}

const OUTSIDE = 'oos'

/** The parts of each set that a model may be trained on. */
export const INTENT_SETS = {
  hwu64: { folder: 'intents-hwu64', trainingParts: ['train', 'valid'] },
  clinc150: { folder: 'intents-clinc150', trainingParts: ['train', 'val'] },
  slurp: { folder: 'intents-slurp', trainingParts: ['devel'] },
} as const

export type IntentSet = keyof typeof INTENT_SETS

export interface IntentScores {
  within: Rate
  /** The recall of out-of-scope sentences, if the set has any. */
  outside: Rate
}

const score = (set: IntentSet, judge: (text: string) => string): IntentScores => {
  const cases = loadCases<Sentence>(INTENT_SETS[set].folder, 'test')
  const isRight = ({ text, intent }: Sentence): boolean => judge(text) === intent
  return {
    within: rate(
      cases.filter(({ intent }) => intent !== OUTSIDE),
      isRight,
    ),
    outside: rate(
      cases.filter(({ intent }) => intent === OUTSIDE),
      isRight,
    ),
  }
}

const scoreModel = (set: IntentSet, model: IntentModel): IntentScores =>
  score(set, (text) => model.labels[judgeIntent(model, text).best] as string)

/** Scores the shipped model. */
export const scoreIntents = (set: IntentSet): IntentScores => scoreModel(set, MODELS[set]())

/** Scores the linear part of the model alone. Returns undefined if it has no other part. */
export const scoreLinearPart = (set: IntentSet): IntentScores | undefined => {
  const model = MODELS[set]()
  return model.networks.length > 0 ? scoreModel(set, { ...model, networks: [] }) : undefined
}

const loadTrainingSentences = (set: IntentSet): Sentence[] =>
  INTENT_SETS[set].trainingParts.flatMap((part) => loadCases<Sentence>(INTENT_SETS[set].folder, part))

/**
 * Trains and scores logistic regression over TF-IDF on the same sentences. Returns undefined if the data is
 * missing.
 */
export const scoreLogistic = (set: IntentSet): IntentScores | undefined => {
  const sentences = loadTrainingSentences(set)
  return sentences.length > 0 ? score(set, trainLogistic(sentences)) : undefined
}
