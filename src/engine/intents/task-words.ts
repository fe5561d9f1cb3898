import type { ToolArguments } from './vocabulary.ts'

export type Priority = NonNullable<ToolArguments['create_task']['priority']>

export const PRIORITIES: Readonly<Record<string, Priority>> = {
  urgent: 'urgent',
  top: 'urgent',
  highest: 'urgent',
  critical: 'urgent',
  dringend: 'urgent',
  höchste: 'urgent',
  höchster: 'urgent',
  high: 'high',
  important: 'high',
  hoch: 'high',
  hohe: 'high',
  hoher: 'high',
  wichtig: 'high',
  normal: 'normal',
  medium: 'normal',
  mittel: 'normal',
  mittlere: 'normal',
  mittlerer: 'normal',
  low: 'low',
  lowest: 'low',
  niedrig: 'low',
  niedrige: 'low',
  niedriger: 'low',
}
export const LEVEL = Object.keys(PRIORITIES).join('|')
const PRIORITY = new RegExp(
  `[,;]?\\s*(?:\\b(?:with|at|as|mit|and|make it|it'?s|it is|set (?:it )?to)\\s+)?(?:a\\s+)?(?:\\b(${LEVEL})[- ]?(?:priority|prio|priorität)\\b|\\b(?:priority|prio|priorität)\\s*(?:is|:|of|=|to|auf)?\\s*(${LEVEL})\\b|,\\s*(urgent|important|dringend|wichtig)\\b(?=\\s*[.,!]?$)|\\((urgent|important|high|low|dringend)\\))`,
  'iu',
)

export const priorityIn = (text: string): { priority: Priority; from: number; to: number } | undefined => {
  const match = PRIORITY.exec(text)
  const word = match && (match[1] ?? match[2] ?? match[3] ?? match[4])
  return match && word
    ? {
        priority: PRIORITIES[word.toLowerCase()] as Priority,
        from: match.index,
        to: match.index + match[0].length,
      }
    : undefined
}

const LIST =
  /\b(?:(?:on|to|onto|in|into|auf|zu)\s+(?:my|the|our|a|die|meine|unsere|der|meiner|unserer)|zur|(?:to|onto|on|auf)(?=\s+(?:shopping|groceries|grocery|packing|wish|to-?do|reading|einkaufs?)[ -]?list))\s+(?:(?:([\p{L}][\p{L}' -]{0,30}?)[ -]?)?(?:list|liste)|tasks|to-?dos|aufgaben|todos)\b/iu
const TODO = /^(?:to-?do|to do|task|tasks|aufgaben|todo)s?-?$/iu

/** "einkaufs" of "Einkaufsliste" is "einkauf". */
export const listName = (words: string | undefined): string | undefined => {
  const name = words
    ?.trim()
    .replace(/-$/u, '')
    .toLowerCase()
    .replace(/^(?:einkauf|geburtstag|arbeit|urlaub)s$/u, (word) => word.slice(0, -1))
  return name && !TODO.test(name) && !/^(?:of )?my$/u.test(name) ? name : undefined
}

export const listIn = (text: string): { name?: string; from: number; to: number } | undefined => {
  const match = LIST.exec(text)
  if (!match) return undefined
  const name = listName(match[1])
  return { ...(name ? { name } : {}), from: match.index, to: match.index + match[0].length }
}
