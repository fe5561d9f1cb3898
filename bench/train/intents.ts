import type { RequestClass } from '../../src/nlu/intents/classifier.ts'
import { toBlocks } from '../../src/nlu/intents/classifier.ts'
import { toBusiness } from '../../src/nlu/intents/read.ts'
import {
  EVENT_LINES,
  GERMAN_LINES,
  MAIL_LINES,
  OUTSIDE_LINES,
  TASK_LINES,
} from '../../test/support/assistant-sentences.ts'
import { INTENT_SETS, type IntentSet, loadIntentSet, loadOwnRequests } from '../nlu/intents.ts'
import { classOf, loadAnnotatedRequests } from './annotated.ts'
import { createGermanSentences } from './german-sentences.ts'
import { trainLinear } from './linear.ts'

interface Sentence {
  text: string
  requestClass: RequestClass
}

/** Own sentences are few, so each counts several times. */
const OWN_REPEATS = 4
const ANNOTATED_REPEATS = 2

const SETTINGS = { cost: 0.4, rounds: 8, maxWeights: 80_000 }

/** Returns the requests of the tests with the kind of their tool. */
const loadTestedRequests = (): Sentence[] => [
  ...[...TASK_LINES, ...EVENT_LINES, ...MAIL_LINES, ...GERMAN_LINES].flatMap(([text, wanted]) =>
    wanted === undefined ? [] : [{ text, requestClass: toBusiness(wanted[0]) }],
  ),
  ...OUTSIDE_LINES.map((text) => ({ text, requestClass: 'outside' as const })),
]

/** Loads the training parts of all sets. A sentence that occurs in two sets counts once. */
const loadSentences = (): Sentence[] => {
  const found = new Map<string, Sentence>()
  for (const set of Object.keys(INTENT_SETS) as IntentSet[])
    for (const { text, requestClass, part } of loadIntentSet(set))
      if (part === 'train') found.set(`${requestClass} ${text.toLowerCase()}`, { text, requestClass })
  if (found.size === 0) throw new Error('No intent sets; EVALUATION_DATA names their folder.')
  // The public sets validate English, so all own English sentences train.
  const own = [
    ...loadOwnRequests('english'),
    ...loadOwnRequests('german').filter(({ part }) => part === 'train'),
    ...loadTestedRequests(),
  ]
  const annotated = loadAnnotatedRequests().flatMap((one): Sentence[] => {
    const requestClass = classOf(one)
    return requestClass && !one.isValidation ? [{ text: one.text, requestClass }] : []
  })
  return [
    ...found.values(),
    ...createGermanSentences(),
    ...Array.from({ length: OWN_REPEATS }, () => own).flat(),
    ...Array.from({ length: ANNOTATED_REPEATS }, () => annotated).flat(),
  ]
}

export const trainIntents = (): { json: string; note: string } => {
  const sentences = loadSentences()
  const packed = trainLinear(
    sentences.map(({ text, requestClass }) => ({ blocks: toBlocks(text), label: requestClass })),
    SETTINGS,
  )
  const origin =
    'Made by bench/train.ts from the training parts of HWU64 (CC BY 4.0), CLINC150 (CC BY 3.0), SLURP (text, CC BY 4.0) and sentences of the project.'
  return {
    json: `${JSON.stringify({ origin, ...packed }, null, 2)}\n`,
    note: `${sentences.length} sentences, ${packed.features} features`,
  }
}
