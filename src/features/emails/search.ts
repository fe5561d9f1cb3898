import type { Phrase, WordQuery } from '../../database/full-text/full-text.ts'
import { foldText, wordsOf } from '../../database/full-text/words.ts'
import type { Folder } from '../../database/tables/mail.ts'

export const FOLDERS: readonly Folder[] = ['inbox', 'sent', 'drafts', 'archive', 'trash']

/** What a list may be narrowed by, besides words. `not` turns it round. */
export type Filter = { not: boolean } & (
  | { kind: 'tag'; tag: string }
  | { kind: 'read' | 'starred' | 'attachment'; value: boolean }
  | { kind: 'folder'; folder: Folder }
  | { kind: 'list'; list: string }
  | { kind: 'before' | 'after'; at: string }
)

/** A term with a known operator and a value that the operator does not take. It is searched for as words. */
export interface SearchHint {
  term: string
  message: string
}

export interface Search {
  words: WordQuery
  filters: readonly Filter[]
  hints: readonly SearchHint[]
}

/** How tags are compared. */
export const tagKeyOf = (tag: string): string => foldText(tag).trim()

const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['from', 'sender'],
  ['to', 'recipients'],
  ['cc', 'recipients'],
  ['bcc', 'recipients'],
  ['subject', 'subject'],
])

/** A minus, a name with a colon, a phrase in quotes or a word: `-from:"Ann Lee"`. A quote need not be closed. */
const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)(?:"|$)|(\S+))(\*?)/giu
const MOST_TERMS = 40
const LONGEST = 1_000

const STATES: ReadonlyMap<string, { kind: 'read' | 'starred'; value: boolean }> = new Map([
  ['unread', { kind: 'read', value: false }],
  ['read', { kind: 'read', value: true }],
  ['starred', { kind: 'starred', value: true }],
  ['unstarred', { kind: 'starred', value: false }],
])

/** What an operator asks for; undefined when it is none, or its value is none of its. */
const filterOf = (
  name: string,
  value: string,
  not: boolean,
  readDay: (text: string) => string | undefined,
): Filter | undefined => {
  const given = value.toLowerCase()
  if (name === 'tag' || name === 'label')
    return value.trim() === '' ? undefined : { kind: 'tag', tag: tagKeyOf(value), not }
  if (name === 'list') return given.trim() === '' ? undefined : { kind: 'list', list: given.trim(), not }
  if (name === 'is') {
    const state = STATES.get(given)
    return state && { ...state, not }
  }
  if (name === 'has')
    return /^attachments?$/.test(given) ? { kind: 'attachment', value: true, not } : undefined
  if (name === 'folder' || name === 'in') {
    const folder = FOLDERS.find((known) => known === given)
    return folder && { kind: 'folder', folder, not }
  }
  if (name === 'before' || name === 'after') {
    const at = readDay(value.replaceAll('/', '-'))
    return at === undefined ? undefined : { kind: name, at, not }
  }
  return undefined
}

const DAYS = 'Use a day such as 2026-03-01, a month, a year, today, yesterday, or 7d, 2w, 3m, 1y for “ago”.'
const VALUES: ReadonlyMap<string, string> = new Map([
  ['is', `Use one of ${[...STATES.keys()].join(', ')}.`],
  ['has', 'Use has:attachment.'],
  ['in', `Use one of ${FOLDERS.join(', ')}.`],
  ['folder', `Use one of ${FOLDERS.join(', ')}.`],
  ['before', DAYS],
  ['after', DAYS],
])

const hintFor = (operator: string, value: string): SearchHint | undefined => {
  const values = VALUES.get(operator)
  return values === undefined
    ? undefined
    : { term: `${operator}:${value}`, message: `${operator}: does not take “${value}”. ${values}` }
}

/** Whether some of it would not be looked for. */
export const hasTooManyTerms = (typed: string): boolean => [...typed.matchAll(TERM)].length > MOST_TERMS

/**
 * Reads what was typed into a search. Nothing is an error: what is no operator is words, and what has no words in it
 * asks for nothing. Null when nothing was asked for at all.
 */
export const readSearch = (typed: string, readDay: (text: string) => string | undefined): Search | null => {
  const all: Phrase[] = []
  const none: Phrase[] = []
  const filters: Filter[] = []
  const hints: SearchHint[] = []
  let count = 0
  for (const [, minus, name, quoted, word, star] of typed.slice(0, LONGEST).matchAll(TERM)) {
    if (++count > MOST_TERMS) break
    const not = minus === '-'
    const operator = name?.toLowerCase() ?? ''
    const value = quoted ?? word ?? ''
    const filter = filterOf(operator, value, not, readDay)
    if (filter) {
      filters.push(filter)
      continue
    }
    const hint = hintFor(operator, value)
    if (hint) hints.push(hint)
    const column = COLUMNS.get(operator)
    const words = wordsOf(column === undefined && operator !== '' ? `${operator} ${value}` : value)
    if (words.length === 0) continue
    const isPrefix = star === '*' || (quoted === undefined && value.endsWith('*'))
    ;(not ? none : all).push({ words, isPrefix, ...(column !== undefined && { column }) })
  }
  return all.length + none.length + filters.length === 0 ? null : { words: { all, none }, filters, hints }
}
