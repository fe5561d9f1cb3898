import { isWrite, readIntent, toBusiness } from '../../src/nlu/intents/read.ts'
import type { LabelledRequest } from './intents.ts'
import type { F1 } from './smcalflow.ts'

const CONTEXT = { now: Date.parse('2026-02-25T10:30:00Z'), timezone: 'Europe/Berlin' }

export interface ActingScores {
  /** Whether the assistant acts on requests of its business, and only on these. */
  acting: F1
  /** Requests of its business that are read as the right kind. */
  kind: { right: number; of: number }
  /** Sentences outside the business that would change something without a question. */
  writes: { right: number; of: number }
  wrong: string[]
}

/** A question for a missing argument counts as acting. */
export const scoreActing = (requests: readonly LabelledRequest[]): ActingScores => {
  const acting = { hit: 0, predicted: 0, expected: 0 }
  const [kind, writes] = [
    { right: 0, of: 0 },
    { right: 0, of: 0 },
  ]
  const wrong: string[] = []
  for (const { text, requestClass } of requests) {
    const { intents, abstained } = readIntent(text, CONTEXT)
    const acts = intents.length > 0 || abstained.some(({ reason }) => reason === 'incomplete')
    const isOurs = requestClass !== 'outside'
    if (acts) acting.predicted++
    if (acts !== isOurs) wrong.push(`${requestClass}: ${text}`)
    if (isOurs) {
      acting.expected++
      kind.of++
      if (acts) acting.hit++
      if (intents.some(({ tool }) => toBusiness(tool) === requestClass)) kind.right++
      else if (acts) wrong.push(`${requestClass} → ${intents[0]?.tool ?? abstained[0]?.detail}: ${text}`)
    } else {
      writes.of++
      if (intents.some(({ tool, doubts = [] }) => isWrite(tool) && doubts.length === 0)) {
        writes.right++
        wrong.push(`writes ${intents[0]?.tool}: ${text}`)
      }
    }
  }
  return { acting, kind, writes, wrong }
}
