import { createHash } from 'node:crypto'
import type { Argument, Role } from '../../src/nlu/tagger/tagger.ts'
import { loadCases } from './data.ts'

/* Sentences with marked arguments, and the score of a tagger on them. */

export interface SlotSentence {
  language: 'en' | 'de'
  text: string
  source: string
  slots: readonly Argument[]
  /** Roles that the source does not mark in this sentence. */
  unannotated?: readonly Role[]
}

/** Sources whose licence allows a shipped model that is trained on them: MIT and CC BY. */
export const SHIPPED_SOURCES: ReadonlySet<string> = new Set([
  'ms-skills',
  'slurp',
  'nlu-eval',
  'home-assistant',
  'recognizers',
])

export const loadSlotSentences = (): SlotSentence[] => loadCases<SlotSentence>('slots', 'slots')

/** A quarter of the public sentences validates. The shipped model is not trained on them. */
export const isValidation = ({ text }: SlotSentence): boolean => {
  const digest = createHash('sha256').update(`validation ${text.toLowerCase()}`).digest()
  return digest.readUInt32LE(0) % 4 === 0
}

export interface Tally {
  right: number
  found: number
  wanted: number
}

/** The harmonic mean of precision and recall, in percent. */
export const f1 = ({ right, found, wanted }: Tally): number => (200 * right) / (found + wanted || 1)

/** Counts arguments whose role and both ends are right, by language and one further property. */
export const countSlots = (
  sentences: readonly SlotSentence[],
  tag: (text: string) => readonly Argument[],
  keysOf: (sentence: SlotSentence, role: Role) => readonly string[],
): Map<string, Tally> => {
  const tallies = new Map<string, Tally>()
  const add = (sentence: SlotSentence, role: Role, part: keyof Tally): void => {
    for (const key of keysOf(sentence, role)) {
      const tally = tallies.get(key) ?? { right: 0, found: 0, wanted: 0 }
      tally[part]++
      tallies.set(key, tally)
    }
  }
  for (const sentence of sentences) {
    for (const { role } of sentence.slots) add(sentence, role, 'wanted')
    for (const { role, start, end } of tag(sentence.text)) {
      const isRight = sentence.slots.some(
        (one) => one.role === role && one.start === start && one.end === end,
      )
      if (!isRight && sentence.unannotated?.includes(role)) continue
      add(sentence, role, 'found')
      if (isRight) add(sentence, role, 'right')
    }
  }
  return tallies
}
