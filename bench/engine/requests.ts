import { readTimes } from '../../src/engine/dates/read.ts'
import { formsOf } from '../../src/engine/mail/request-features.ts'
import { requestScore } from '../../src/engine/mail/requests.ts'
import { trainLogistic } from '../train/logistic.ts'
import { loadCases } from './data.ts'

interface Sentence {
  text: string
  intent: number
}

const NOW = Date.parse('2001-05-15T09:00:00Z')

const isRequest = (text: string): boolean => requestScore(text, readTimes(text, { now: NOW })) > 0

/** What the model replaced: a sentence asks when it has one of the forms of asking. */
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

/** The textbook's way, learnt from the same training part; undefined where that is not at hand. */
export const textbookRequests = (): ((text: string) => boolean) | undefined => {
  const sentences = loadCases<Sentence>('email-intent', 'train')
  if (sentences.length === 0) return undefined
  const judge = trainLogistic(sentences.map(({ text, intent }) => ({ text, intent: String(intent) })))
  return (text) => judge(text) === '1'
}

export const scoreRequests = (judge = isRequest): { f1: number; accuracy: number; of: number } => {
  const sentences = loadCases<Sentence>('email-intent', 'test')
  let [hit, said, wanted, right] = [0, 0, 0, 0]
  for (const { text, intent } of sentences) {
    const found = judge(text)
    if (found) said++
    if (intent === 1) wanted++
    if (found && intent === 1) hit++
    if (found === (intent === 1)) right++
  }
  return { f1: (2 * hit) / (said + wanted), accuracy: right / sentences.length, of: sentences.length }
}
