import { domainOf, readIntent, type Vote } from '../../src/nlu/intents/read.ts'
import { loadCases } from './data.ts'
import { INTENT_SETS, type IntentSet } from './intents.ts'
import type { F1 } from './smcalflow.ts'

const CONTEXT = { now: Date.parse('2026-02-25T10:30:00Z'), timezone: 'Europe/Berlin' }

/** A classifier without opinion, so that only the handwritten rules decide. */
export const NO_VOTE = (): Vote => ({
  domains: { mail: 0, event: 0, task: 0, date: 0, outside: 0 },
  intent: 'outside',
  share: 0,
  label: '',
})

/** An alarm may become a reminder or be rejected; both are correct. */
const isUnscored = (label: string): boolean => label.startsWith('alarm')

/** Scores whether the assistant acts on sentences in its scope, and only on these. */
export const scoreActions = (set: IntentSet, judge?: () => Vote): F1 => {
  const scores = { hit: 0, predicted: 0, expected: 0 }
  for (const { text, intent } of loadCases<{ text: string; intent: string }>(
    INTENT_SETS[set].folder,
    'test',
  )) {
    if (isUnscored(intent)) continue
    const expected = domainOf(intent) !== 'outside'
    const acts = readIntent(text, CONTEXT, judge).intents.length > 0
    if (acts) scores.predicted++
    if (expected) scores.expected++
    if (acts && expected) scores.hit++
  }
  return scores
}
