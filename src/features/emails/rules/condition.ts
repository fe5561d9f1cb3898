import { type Entry, matchesEntry } from '../../../database/full-text/matching.ts'
import { invalidField } from '../../../platform/errors.ts'
import { type Filter, hasTooManyTerms, readSearch, type Search } from '../search.ts'

/** What is asked of mail that arrives, besides its words. */
type Asked = { not: boolean } & (
  | { kind: 'tag'; tag: string }
  | { kind: 'attachment'; value: boolean }
  | { kind: 'list'; list: string }
)

export interface Condition extends Search {
  filters: readonly Asked[]
}

/** Mail that arrives, as far as a condition asks. */
export interface Arriving {
  entry: Entry
  tagKeys: readonly string[]
  hasAttachments: boolean
  listId: string | null
}

const isAsked = (filter: Filter): filter is Asked =>
  filter.kind === 'tag' || filter.kind === 'attachment' || filter.kind === 'list'

const REFUSED: Readonly<Record<Exclude<Filter['kind'], Asked['kind']>, string>> = {
  read: 'is:',
  starred: 'is:',
  folder: 'in:',
  before: 'before:',
  after: 'after:',
}

/** Whatever is meant for a day is refused. */
const readDay = (text: string): string => text

/** Reads what a rule asks for, in the words of a search; refuses what cannot be asked of mail that arrives. */
export const readCondition = (q: string): Condition => {
  if (hasTooManyTerms(q))
    throw invalidField('q', 'asks for too many things at once: make several rules of it')
  const search = readSearch(q, readDay)
  if (!search) throw invalidField('q', 'asks for nothing: name a sender, a word or anything else')
  const refused = search.filters.find((filter) => !isAsked(filter))
  if (refused)
    throw invalidField(
      'q',
      `cannot ask by ${REFUSED[refused.kind as keyof typeof REFUSED]} of mail that is just arriving`,
    )
  const [hint] = search.hints
  if (hint) throw invalidField('q', `cannot be read: ${hint.message}`)
  return search as Condition
}

/** Of a rule that is kept; null where it cannot be read, as one from elsewhere may be. */
export const conditionOf = (q: string): Condition | null => {
  try {
    return readCondition(q)
  } catch {
    return null
  }
}

const holds = (filter: Asked, mail: Arriving): boolean => {
  switch (filter.kind) {
    case 'tag':
      return mail.tagKeys.includes(filter.tag)
    case 'attachment':
      return mail.hasAttachments === filter.value
    case 'list':
      return mail.listId === filter.list
  }
}

/** Whether the search would find it, were it there already. */
export const fits = ({ words, filters }: Condition, mail: Arriving): boolean =>
  filters.every((filter) => holds(filter, mail) !== filter.not) && matchesEntry(mail.entry, words)
