import { readFileSync } from 'node:fs'
import type { Argument, Role } from '../../src/nlu/tagger/tagger.ts'
import type { SlotSentence } from '../nlu/slots.ts'

/* Training sentences with marked arguments from patterns, for what the public sources hardly have. */

/** A pattern is chosen as often as its weight says. */
interface Pattern {
  text: string
  weight: number
}

/** Patterns and fillings by language and name. */
const readPatterns = (): Map<string, Pattern[]> => {
  const lists = new Map<string, Pattern[]>()
  let list: Pattern[] = []
  for (const line of readFileSync(new URL('./slot-sentences.txt', import.meta.url), 'utf8').split('\n')) {
    const name = /^\[((?:en|de) \w+)\]$/.exec(line)?.[1]
    if (name) {
      list = []
      lists.set(name, list)
    } else if (line !== '' && !line.startsWith('# ')) {
      const [, weight, text] = /^(?:(\d+)\* )?(.*)$/.exec(line) as RegExpExecArray
      list.push({ text: text as string, weight: Number(weight ?? 1) })
    }
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
const ARTICLE = /^(?:the|my|a(?= quarter (?:to|past))|dem|den|die|das|der|meinem|meiner|meinen)\s+(?=\S)/iu
const WHEN: ReadonlySet<Role> = new Set(['date', 'time', 'start', 'end', 'recurrence', 'until'])
const PREPOSITION = /^(?:(?:on|at|in|am|im|um)\s+(?:the\s+)?)(?=\S)/iu

const withoutArticle = (slot: Argument): Argument => {
  const lead =
    (WHEN.has(slot.role) ? PREPOSITION.exec(slot.text)?.[0].length : 0) ||
    (BARE.has(slot.role) ? (ARTICLE.exec(slot.text)?.[0].length ?? 0) : 0)
  const isDotted = WHEN.has(slot.role) && /[ap]\.m\.$/i.test(slot.text)
  const end = slot.end - (isDotted ? 1 : 0)
  return { ...slot, start: slot.start + lead, end, text: slot.text.slice(lead, isDotted ? -1 : undefined) }
}

/** An optional part is left out. */
const OPTIONAL = 0.5
/** Sentences in lower case, in capitals, with a capital letter at the start, and with a full stop. */
const [LOWER, UPPER, FIRST, STOP] = [0.5, 0.02, 0.4, 0.2]

interface Filled {
  text: string
  slots: Argument[]
}

type Random = () => number

/**
 * Fills patterns: `<a|b>` is a choice, `<1..12>` a number, `(…)` optional, `{role}` or `{role:list}` an argument, and
 * `[list]` text of a list.
 */
const createFill = (random: Random): ((language: string, pattern: string) => Filled) => {
  const lists = readPatterns()
  const pickFrom = (name: string): string => {
    const list = lists.get(name)
    if (!list) throw new Error(`slot-sentences.txt has no list [${name}].`)
    let rest = random() * list.reduce((sum, { weight }) => sum + weight, 0)
    for (const { text, weight } of list) {
      rest -= weight
      if (rest < 0) return text
    }
    return (list.at(-1) as Pattern).text
  }
  const pickNumber = (first: string, last: string): string =>
    String(Math.floor(Number(first) + random() * (Number(last) - Number(first) + 1))).padStart(
      first.length,
      '0',
    )
  /** Chooses the innermost options first. */
  const choose = (pattern: string): string => {
    const group = /<([^<>()]*)>|\(([^<>()]*)\)/.exec(pattern)
    if (!group) return pattern
    const options = (group[1] ?? group[2] ?? '').split('|')
    const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(group[1] ?? '') ?? []
    const isLeftOut = group[1] === undefined && random() < OPTIONAL
    const option = isLeftOut ? '' : (options[Math.floor(random() * options.length)] as string)
    const chosen = first && last ? pickNumber(first, last) : option
    return choose(pattern.slice(0, group.index) + chosen + pattern.slice(group.index + group[0].length))
  }
  const fill = (language: string, pattern: string): Filled => {
    let text = ''
    const slots: Argument[] = []
    for (const part of choose(pattern)
      .replace(/ {2,}/g, ' ')
      .trim()
      .split(/(\{[\w:]+\}|\[\w+\])/)) {
      const [, role, kind, plain] = /^(?:\{(\w+)(?::(\w+))?\}|\[(\w+)\])$/.exec(part) ?? []
      const name = plain ?? kind ?? role
      if (name === undefined) {
        text += text === '' || text.endsWith(' ') ? part.trimStart() : part
        continue
      }
      const { text: inner, slots: pieces } = fill(language, pickFrom(`${language} ${name}`))
      const start = text.length
      text += inner
      const move = (one: Argument): Argument => ({ ...one, start: start + one.start, end: start + one.end })
      if (plain) slots.push(...pieces.map(move))
      // "{start:when}" marks a day and a time apart.
      else if (kind && pieces.length > 0)
        slots.push(...pieces.map((one) => ({ ...move(one), role: role as Role })))
      else slots.push({ role: role as Role, start, end: text.length, text: inner })
    }
    return { text, slots }
  }
  return fill
}

const changeCase = (text: string, random: Random): string => {
  const chance = random()
  if (chance < LOWER) return text.toLowerCase()
  if (chance < LOWER + UPPER && text.toUpperCase().length === text.length) return text.toUpperCase()
  return chance < LOWER + UPPER + FIRST ? text.charAt(0).toUpperCase() + text.slice(1) : text
}

export const generateSlotSentences = (count: number, random: Random): SlotSentence[] => {
  const fill = createFill(random)
  return Array.from({ length: count }, (_, index): SlotSentence => {
    const language = index % 3 === 2 ? 'de' : 'en'
    const { text, slots } = fill(language, '[frames]')
    const isOpen = /[\p{L}\p{N}]$/u.test(text)
    return {
      language,
      text: changeCase(text, random) + (isOpen && random() < STOP ? '.' : ''),
      source: 'generated',
      slots: slots.map(withoutArticle),
    }
  })
}
