import { readFileSync } from 'node:fs'
import type { Argument, Role } from '../../src/nlu/tagger/tagger.ts'
import type { SlotSentence } from '../nlu/slots.ts'

/* Training sentences with marked arguments from patterns, for what the public sources hardly have. */

/** Patterns and fillings by language and name. */
const readPatterns = (): Map<string, string[]> => {
  const lists = new Map<string, string[]>()
  let list: string[] = []
  for (const line of readFileSync(new URL('./slot-sentences.txt', import.meta.url), 'utf8').split('\n')) {
    const name = /^\[(.+)\]$/.exec(line)?.[1]
    if (name) {
      list = []
      lists.set(name, list)
    } else if (line !== '' && !line.startsWith('#')) list.push(line)
  }
  return lists
}

/** Roles whose articles and prepositions are outside of them, as in the public sources. */
const BARE: ReadonlySet<Role> = new Set([
  'date',
  'time',
  'start',
  'end',
  'duration',
  'until',
  'person',
  'place',
  'list',
])
const LEADING = /^(?:the|a|an|am|dem|den|die|das|meinem|meiner)\s+(?=\S)/iu

const withoutArticle = (slot: Argument): Argument => {
  const lead = BARE.has(slot.role) ? (LEADING.exec(slot.text)?.[0].length ?? 0) : 0
  return { ...slot, start: slot.start + lead, text: slot.text.slice(lead) }
}

/** Half of the sentences are in lower case. */
const LOWER_CASE = 0.5
/** An optional part is left out. */
const OPTIONAL = 0.5

export const generateSlotSentences = (count: number, random: () => number): SlotSentence[] => {
  const lists = readPatterns()
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  /** Chooses the innermost options first. */
  const choose = (pattern: string): string => {
    const group = /<([^<>()]*)>|\(([^<>()]*)\)/.exec(pattern)
    if (!group) return pattern
    const options = (group[1] ?? group[2] ?? '').split('|')
    const chosen = group[1] === undefined && random() < OPTIONAL ? '' : pick(options)
    return choose(pattern.slice(0, group.index) + chosen + pattern.slice(group.index + group[0].length))
  }
  const fill = (language: string, pattern: string): { text: string; slots: Argument[] } => {
    let text = ''
    const slots: Argument[] = []
    for (const part of pattern
      .replace(/ {2,}/g, ' ')
      .trim()
      .split(/(\{[\w:]+\})/)) {
      const [, role, kind] = /^\{(\w+)(?::(\w+))?\}$/.exec(part) ?? []
      if (!role) {
        text += part
        continue
      }
      const filling = pick(lists.get(`${language} ${kind ?? role}`) as string[])
      const { text: inner, slots: pieces } = fill(language, filling)
      const start = text.length
      text += inner
      // "{start:when}" marks a day and a time apart. Persons in a condition belong to it.
      if (kind !== undefined && pieces.length > 0 && role !== 'condition')
        slots.push(
          ...pieces.map((one) => ({
            ...one,
            role: role as Role,
            start: start + one.start,
            end: start + one.end,
          })),
        )
      else slots.push({ role: role as Role, start, end: text.length, text: inner })
    }
    return { text, slots }
  }
  return Array.from({ length: count }, (_, index): SlotSentence => {
    const language = index % 2 === 0 ? 'en' : 'de'
    const { text, slots } = fill(language, choose(pick(lists.get(`${language} frames`) as string[])))
    return {
      language,
      text: random() < LOWER_CASE ? text.toLowerCase() : text,
      source: 'generated',
      slots: slots.map(withoutArticle),
    }
  })
}
