import { readTimes } from '../../src/nlu/dates/read.ts'
import { requestScore } from '../../src/nlu/mail/analysis.ts'
import { formsOf } from '../../src/nlu/mail/request-features.ts'
import { trainLogistic } from '../train/logistic.ts'
import { loadCases } from './data.ts'

interface Sentence {
  text: string
  intent: number
}

const NOW = Date.parse('2001-05-15T09:00:00Z')

const isRequest = (text: string): boolean => requestScore(text, readTimes(text, { now: NOW })) > 0

/** The rule that the model replaced: a sentence is a request if it has a known request form. */
export const isRequestByRule = (text: string): boolean =>
  formsOf(text, []).some((form) =>
    [
      'please',
      'canyou',
      'letmeknow',
      'lets',
      'needtoyou',
      'callme',
      'imp',
      'possible',
      'suggest',
      'you?',
    ].includes(form),
  )

/** Trains the baseline on the same training part. Returns undefined if the data is missing. */
export const trainLogisticRequests = (): ((text: string) => boolean) | undefined => {
  const sentences = loadCases<Sentence>('email-intent', 'train')
  if (sentences.length === 0) return undefined
  const judge = trainLogistic(sentences.map(({ text, intent }) => ({ text, intent: String(intent) })))
  return (text) => judge(text) === '1'
}

export const scoreRequests = (judge = isRequest): { f1: number; accuracy: number; of: number } => {
  const sentences = loadCases<Sentence>('email-intent', 'test')
  let [hit, predicted, expected, right] = [0, 0, 0, 0]
  for (const { text, intent } of sentences) {
    const found = judge(text)
    if (found) predicted++
    if (intent === 1) expected++
    if (found && intent === 1) hit++
    if (found === (intent === 1)) right++
  }
  return { f1: (2 * hit) / (predicted + expected), accuracy: right / sentences.length, of: sentences.length }
}
