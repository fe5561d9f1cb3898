import { foldText, type Phrase, type WordQuery, wordsOf } from '../../../database/full-text/full-text.ts'
import type { FlagColumn, Folder } from '../../../database/tables/mail.ts'

export const FOLDERS: readonly Folder[] = ['inbox', 'sent', 'drafts', 'archive', 'trash', 'junk', 'other']

/** Filters in addition to words. `not` negates the filter. */
export type Filter = { not: boolean } & (
  | { kind: 'tag'; tag: string }
  | { kind: 'flag'; flag: FlagColumn; value: boolean }
  | { kind: 'attachment' | 'pinned' | 'snoozed'; value: boolean }
  | { kind: 'folder'; folder: Folder }
  | { kind: 'folderId'; ids: readonly number[] }
  /** Null stands for any mailing list. */
  | { kind: 'list'; list: string | null }
  | { kind: 'before' | 'after'; at: string }
)

/** A known operator with an invalid value. The term is searched as words. */
export interface SearchHint {
  term: string
  message: string
}

export interface Search {
  words: WordQuery
  filters: readonly Filter[]
  hints: readonly SearchHint[]
}

/** Normalizes a tag for comparison. */
export const tagKeyOf = (tag: string): string => foldText(tag).trim()

const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['from', 'sender'],
  ['to', 'recipients'],
  ['cc', 'recipients'],
  ['bcc', 'recipients'],
  ['subject', 'subject'],
])

/**
 * A term: optional minus, optional operator, and a quoted phrase or a word. Example: `-from:"Ann Lee"`. The
 * closing quote is optional.
 */
const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)(?:"|$)|(\S+))(\*?)/giu
const MAX_TERMS = 40
const MAX_LENGTH = 1_000

type State =
  | { kind: 'flag'; flag: FlagColumn; value: boolean }
  | { kind: 'pinned' | 'snoozed'; value: boolean }

const STATES: ReadonlyMap<string, State> = new Map<string, State>([
  ['unread', { kind: 'flag', flag: 'read', value: false }],
  ['read', { kind: 'flag', flag: 'read', value: true }],
  ['starred', { kind: 'flag', flag: 'starred', value: true }],
  ['unstarred', { kind: 'flag', flag: 'starred', value: false }],
  ['pinned', { kind: 'pinned', value: true }],
  ['snoozed', { kind: 'snoozed', value: true }],
])

/** Describes the syntax for callers of the API and for language models. */
export const SEARCH_SYNTAX =
  'Words, "phrases", prefix* and -excluded; `from:` `to:` `cc:` `subject:` `tag:` `list:` (`list:*` for all mailing lists) `is:unread|read|starred|pinned|snoozed` `has:attachment` `in:` `before:` `after:`'

/** Reads the values of operators that depend on the account. */
export interface SearchReaders {
  /** Returns the start of a day. Undefined for an invalid text. */
  readDay: (text: string) => string | undefined
  /** Returns the server folders with this name or path. */
  findFolderIds?: (name: string) => readonly number[]
}

/** The values of `in:` and `folder:`, without their quotes. */
export const findFolderNames = (input: string): string[] =>
  [...input.slice(0, MAX_LENGTH).matchAll(TERM)]
    .filter(([, , name]) => /^(?:in|folder)$/i.test(name ?? ''))
    .map(([, , , quoted, word]) => quoted ?? word ?? '')

export const findStandardFolder = (name: string): Folder | undefined => {
  const lowerCaseName = name.toLowerCase()
  return lowerCaseName === 'spam' ? 'junk' : FOLDERS.find((known) => known === lowerCaseName)
}

/** Returns undefined for an unknown operator or an invalid value. */
const parseFilter = (
  name: string,
  value: string,
  not: boolean,
  { readDay, findFolderIds }: SearchReaders,
): Filter | undefined => {
  const lowerCaseValue = value.toLowerCase()
  if (name === 'tag' || name === 'label')
    return value.trim() === '' ? undefined : { kind: 'tag', tag: tagKeyOf(value), not }
  if (name === 'list') {
    const list = lowerCaseValue.trim()
    return list === '' ? undefined : { kind: 'list', list: list === '*' ? null : list, not }
  }
  if (name === 'is') {
    const state = STATES.get(lowerCaseValue)
    return state && { ...state, not }
  }
  if (name === 'has')
    return /^attachments?$/.test(lowerCaseValue) ? { kind: 'attachment', value: true, not } : undefined
  if (name === 'folder' || name === 'in') {
    const folder = findStandardFolder(value)
    if (folder) return { kind: 'folder', folder, not }
    const ids = findFolderIds?.(value) ?? []
    return ids.length === 0 ? undefined : { kind: 'folderId', ids, not }
  }
  if (name === 'before' || name === 'after') {
    const at = readDay(value.replaceAll('/', '-'))
    return at === undefined ? undefined : { kind: name, at, not }
  }
  return undefined
}

const DATE_FORMATS =
  'Use a date such as 2026-03-01, a month, a year, today, yesterday, or a period such as 7d, 2w, 3m, 1y.'
const FOLDER_HINT = `Use one of ${FOLDERS.join(', ')}, or the name of a folder in quotes.`
const VALUE_HINTS: ReadonlyMap<string, string> = new Map([
  ['is', `Use one of ${[...STATES.keys()].join(', ')}.`],
  ['has', 'Use has:attachment.'],
  ['in', FOLDER_HINT],
  ['folder', FOLDER_HINT],
  ['before', DATE_FORMATS],
  ['after', DATE_FORMATS],
])

export const createHint = (operator: string, value: string): SearchHint | undefined => {
  const values = VALUE_HINTS.get(operator)
  return values === undefined
    ? undefined
    : { term: `${operator}:${value}`, message: `${operator}: does not accept “${value}”. ${values}` }
}

/** Whether `readSearch` would ignore some terms. */
export const hasTooManyTerms = (input: string): boolean => [...input.matchAll(TERM)].length > MAX_TERMS

/**
 * Parses a search. Nothing is an error: an unknown operator is treated as words. Returns null if the input
 * contains neither words nor filters.
 */
export const readSearch = (input: string, readers: SearchReaders): Search | null => {
  const all: Phrase[] = []
  const none: Phrase[] = []
  const filters: Filter[] = []
  const hints: SearchHint[] = []
  let count = 0
  for (const [, minus, name, quoted, word, star] of input.slice(0, MAX_LENGTH).matchAll(TERM)) {
    if (++count > MAX_TERMS) break
    const not = minus === '-'
    const operator = name?.toLowerCase() ?? ''
    const value = quoted ?? word ?? ''
    const filter = parseFilter(operator, value, not, readers)
    if (filter) {
      filters.push(filter)
      continue
    }
    const hint = createHint(operator, value)
    if (hint) hints.push(hint)
    const column = COLUMNS.get(operator)
    const words = wordsOf(column === undefined && operator !== '' ? `${operator} ${value}` : value)
    if (words.length === 0) continue
    const isPrefix = star === '*' || (quoted === undefined && value.endsWith('*'))
    ;(not ? none : all).push({ words, isPrefix, ...(column !== undefined && { column }) })
  }
  return all.length + none.length + filters.length === 0 ? null : { words: { all, none }, filters, hints }
}
