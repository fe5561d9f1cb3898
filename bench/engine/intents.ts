import { type IntentModel, judgeIntent } from '../../src/engine/intents/classifier.ts'
import { MODELS } from '../../src/engine/intents/models.ts'
import { trainLogistic } from '../train/logistic.ts'
import { loadCases, type Rate, rate } from './data.ts'

interface Sentence {
  text: string
  intent: string
}

const OUTSIDE = 'oos'

/** Which parts of each set a model may learn from. */
export const INTENT_SETS = {
  hwu64: { folder: 'intents-hwu64', learnt: ['train', 'valid'] },
  clinc150: { folder: 'intents-clinc150', learnt: ['train', 'val'] },
  slurp: { folder: 'intents-slurp', learnt: ['devel'] },
} as const

export type IntentSet = keyof typeof INTENT_SETS

export interface IntentScores {
  within: Rate
  /** How much of what belongs to no class is found, where a set has such sentences. */
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

/** By the model that ships. */
export const scoreIntents = (set: IntentSet): IntentScores => scoreModel(set, MODELS[set]())

/** By its linear part alone; undefined where it has no other. */
export const scoreLinearPart = (set: IntentSet): IntentScores | undefined => {
  const model = MODELS[set]()
  return model.networks.length > 0 ? scoreModel(set, { ...model, networks: [] }) : undefined
}

const learntFrom = (set: IntentSet): Sentence[] =>
  INTENT_SETS[set].learnt.flatMap((part) => loadCases<Sentence>(INTENT_SETS[set].folder, part))

/** Logistic regression over TF-IDF, learnt now from the same sentences; undefined where they are not at hand. */
export const scoreTextbook = (set: IntentSet): IntentScores | undefined => {
  const sentences = learntFrom(set)
  return sentences.length > 0 ? score(set, trainLogistic(sentences)) : undefined
}
