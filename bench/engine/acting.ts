import { domainOf, type Vote } from '../../src/engine/intents/committee.ts'
import { readIntent } from '../../src/engine/intents/read.ts'
import { loadCases } from './data.ts'
import { INTENT_SETS, type IntentSet } from './intents.ts'
import type { F1 } from './smcalflow.ts'

const CONTEXT = { now: Date.parse('2026-02-25T10:30:00Z'), timezone: 'Europe/Berlin' }

/** Models that have nothing to say: what is left are the forms of words that are written by hand. */
export const SILENT = (): Vote => ({
  domains: { mail: 0, event: 0, task: 0, date: 0, outside: 0 },
  wish: 'outside',
  share: 0,
  label: '',
})

/** An alarm may be set as a reminder or refused; either is right. */
const isOpen = (label: string): boolean => label.startsWith('alarm')

/** Whether the assistant does something for the sentences that are its business, and for no others. */
export const scoreActing = (set: IntentSet, judge?: () => Vote): F1 => {
  const scores = { hit: 0, said: 0, wanted: 0 }
  for (const { text, intent } of loadCases<{ text: string; intent: string }>(
    INTENT_SETS[set].folder,
    'test',
  )) {
    if (isOpen(intent)) continue
    const wanted = domainOf(intent) !== 'outside'
    const acts = readIntent(text, CONTEXT, judge).intents.length > 0
    if (acts) scores.said++
    if (wanted) scores.wanted++
    if (acts && wanted) scores.hit++
  }
  return scores
}
