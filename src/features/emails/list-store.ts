import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { FullText, WordQuery } from '../../database/full-text/full-text.ts'
import { positionOf } from '../../database/positions.ts'
import { prepare } from '../../database/prepared.ts'
import type { Tables } from '../../database/tables.ts'
import type { Filter } from './search.ts'
import type { EmailRecord } from './store.ts'

/** What a list shows of each. */
const LISTED = [
  'emails.id',
  'emails.threadId',
  'emails.position',
  'emails.mailingList',
  'emails.unreadable',
  'emails.shown',
] as const
/** And what a search looks for its words in, to show where they are. */
const FOUND = [
  ...LISTED,
  'emails.subject',
  'emails.fromName',
  'emails.fromAddress',
  'emails.snippet',
] as const

export type ListedEmail = Pick<
  EmailRecord,
  'id' | 'threadId' | 'position' | 'mailingList' | 'unreadable' | 'shown'
>
export type FoundEmail = ListedEmail & Pick<EmailRecord, 'subject' | 'fromName' | 'fromAddress' | 'snippet'>

export interface EmailFilter {
  accountId?: string | undefined
  threadId?: number | undefined
  urgency?: string | undefined
  filters: readonly Filter[]
  words: WordQuery | null
}

/** What differs from one list to the next of its kind; `valueN` is what the Nth filter is about. */
interface Parameters {
  accountId: string
  threadId: number
  urgency: string
  /** A place: as a whole number, for a REAL is no bound to SQLite's index of words. */
  before: bigint
  words: string
  lacking: string
  limit: number
  skip: number
  [value: `value${number}`]: string | bigint
}
type Given = { [name in keyof Parameters]?: Parameters[name] | undefined }
type Parameter = <K extends keyof Parameters & string>(name: K) => Parameters[K]

type Query = SelectQueryBuilder<Tables, 'emails', object>
type Conditions = ExpressionBuilder<Tables, 'emails'>

/** The filter with what it is about left out: two of one kind need the same SQL. */
type FilterKind = { not: boolean; kind: Filter['kind']; value?: boolean }
interface ListKind {
  asked: ReadonlySet<string>
  filters: readonly FilterKind[]
}

const kindOf = ({ not, ...filter }: Filter): FilterKind => ({
  ...{ not, kind: filter.kind },
  ...('value' in filter && { value: filter.value }),
})

const givenIn = (filter: Filter): string | bigint | undefined => {
  switch (filter.kind) {
    case 'tag':
      return filter.tag
    case 'folder':
      return filter.folder
    case 'list':
      return filter.list
    case 'before':
    case 'after':
      return BigInt(positionOf(filter.at))
    default:
      return undefined
  }
}

/** Where a list has an e-mail's place from: what can be told by the place alone is asked before the e-mail is read. */
type PlaceIn = 'emails.position' | 'email_words.rowid'

/** E-mails with a star are few: where they are asked for, nothing else leads to them. */
const leadsByStar = ({ asked, filters }: ListKind): boolean =>
  !asked.has('words') && filters.some(({ kind, not, value }) => kind === 'starred' && value === !not)

/** A column that SQLite is not to look for an index of. */
const aside = <T>(column: string) => sql<T>`cast(${sql.ref(column)} as text)`

/** The values of partial indexes are written out: a parameter would hide from the planner that one fits. */
const conditionOf = (
  row: Conditions,
  { kind, not, value }: FilterKind,
  given: unknown,
  { place, byStar }: { place: PlaceIn; byStar: boolean },
) => {
  const flag = sql.lit(value === not ? 0 : 1)
  switch (kind) {
    case 'tag': {
      const tagged = row.exists(
        row
          .selectFrom('email_tags')
          .select(sql.lit(1).as('one'))
          .where('tag', '=', given as string)
          .where('email_tags.position', '=', sql.ref<number>(place)),
      )
      return not ? row.not(tagged) : tagged
    }
    case 'read':
      return row('emails.read', '=', flag)
    case 'starred':
      return row('emails.starred', '=', flag)
    case 'attachment':
      return row('emails.hasAttachments', '=', flag)
    case 'folder':
      return row(byStar ? aside('emails.folder') : 'emails.folder', not ? '!=' : '=', given as 'inbox')
    case 'list': {
      const listed = row('emails.listId', not ? '!=' : '=', given as string)
      return not ? row.or([row('emails.listId', 'is', null), listed]) : listed
    }
    case 'before':
      return row('emails.position', not ? '>=' : '<', given as number)
    case 'after':
      return row('emails.position', not ? '<' : '>=', given as number)
  }
}

const narrow = (
  query: Query,
  list: ListKind,
  parameter: Parameter,
  { leader, place = 'emails.position' }: { leader?: number; place?: PlaceIn } = {},
): Query => {
  const { asked, filters } = list
  const byStar = leadsByStar(list)
  let narrowed = query
  if (asked.has('accountId'))
    narrowed = narrowed.where(
      byStar ? aside<string>('emails.accountId') : 'emails.accountId',
      '=',
      parameter('accountId'),
    )
  for (const name of ['threadId', 'urgency'] as const)
    if (asked.has(name)) narrowed = narrowed.where(`emails.${name}`, '=', parameter(name))
  for (const [index, filter] of filters.entries())
    if (index !== leader)
      narrowed = narrowed.where((row) =>
        conditionOf(row, filter, parameter(`value${index}`), { place, byStar }),
      )
  return narrowed
}

/**
 * E-mails that have these words, from the newest: the index of words is walked backwards in time and left as soon as
 * the page is full, so that a word which a million e-mails have costs no more than one that a hundred have.
 */
const selectByWords = (db: Db, fullText: FullText, list: ListKind, parameter: Parameter): Query => {
  // A cross join keeps the order in which SQLite is to go about it.
  let query = db
    .selectFrom('email_words')
    .crossJoin('emails')
    .whereRef('emails.position', '=', 'email_words.rowid')
    .where(fullText.matches(parameter('words')))
  if (list.asked.has('before')) query = query.where(sql`email_words.rowid`, '<', parameter('before'))
  // The index of words keeps to the bounds in time as well.
  for (const [index, { kind, not }] of list.filters.entries())
    if (kind === 'before' || kind === 'after') {
      const isBelow = (kind === 'before') !== not
      query = query.where(sql`email_words.rowid`, isBelow ? '<' : '>=', parameter(`value${index}`))
    }
  return narrow(query as unknown as Query, list, parameter, { place: 'email_words.rowid' })
}

const selectAll = (db: Db, { asked }: ListKind, parameter: Parameter): Query => {
  const all = db.selectFrom('emails')
  return (
    asked.has('before') ? all.where('emails.position', '<', parameter('before') as unknown as number) : all
  ) as Query
}

/** The first tag leads: it has an index of its own, in the order of the list, which a cross join makes SQLite go by. */
const selectTagged = (db: Db, leader: number, { asked }: ListKind, parameter: Parameter): Query => {
  const tagged = db
    .selectFrom('email_tags')
    .crossJoin('emails')
    .whereRef('emails.position', '=', 'email_tags.position')
    .where('email_tags.tag', '=', parameter(`value${leader}`) as string)
  return (asked.has('before')
    ? tagged.where('email_tags.position', '<', parameter('before') as unknown as number)
    : tagged) as unknown as Query
}

const prepareNewest = (fullText: FullText, list: ListKind) =>
  prepare<Parameters, ListedEmail>((db, parameter) => {
    if (list.asked.has('words'))
      return selectByWords(db, fullText, list, parameter)
        .select(FOUND)
        .orderBy(sql`email_words.rowid`, 'desc')
        .limit(parameter('limit'))
    const tag = leadsByStar(list) ? -1 : list.filters.findIndex(({ kind, not }) => kind === 'tag' && !not)
    const query = tag < 0 ? selectAll(db, list, parameter) : selectTagged(db, tag, list, parameter)
    const narrowed = narrow(query, list, parameter, { leader: tag })
    const isLacking = list.asked.has('lacking')
    return (
      isLacking ? narrowed.where(fullText.lacks(parameter('lacking'), sql.ref('emails.position'))) : narrowed
    )
      .select(isLacking ? FOUND : LISTED)
      .orderBy((tag < 0 ? 'emails.position' : 'email_tags.position') as 'emails.position', 'desc')
      .limit(parameter('limit'))
  })

/** No more hits than this are ranked, the newest: what everyone writes of is ranked no better by older ones. */
const MOST_RANKED = 5_000

const prepareBest = (fullText: FullText, list: ListKind) =>
  prepare<Parameters, ListedEmail>((db, parameter) =>
    db
      .selectFrom(
        selectByWords(db, fullText, list, parameter)
          .select(FOUND)
          .select(fullText.rank(parameter('words')).as('rank'))
          .orderBy(sql`email_words.rowid`, 'desc')
          .limit(MOST_RANKED)
          .as('hit'),
      )
      .selectAll('hit')
      .orderBy('hit.rank')
      .orderBy('hit.position', 'desc')
      .limit(parameter('limit'))
      .offset(parameter('skip')),
  )

/** Filters can be combined without end: what comes after so many kinds is prepared each time. */
const KINDS_KEPT = 200

/** Reads lists; the SQL of each kind is made once. */
export const createEmailLists = (fullText: FullText) => {
  const kept = new Map<string, ReturnType<typeof prepareNewest>>()
  const read = (
    db: Db,
    prepareList: typeof prepareNewest,
    filter: EmailFilter,
    page: Given,
  ): Promise<ListedEmail[]> => {
    const { accountId, threadId, urgency, filters, words } = filter
    const given: Given = { accountId, threadId, urgency, ...page }
    if (words !== null && words.all.length > 0) given.words = fullText.textOf(words)
    else if (words !== null) given.lacking = fullText.textOfAny(words.none)
    const asked = Object.keys(given).filter((name) => given[name as keyof Given] !== undefined)
    const kinds = filters.map(kindOf)
    const name = JSON.stringify([asked, kinds])
    const list = kept.get(name) ?? prepareList(fullText, { asked: new Set(asked), filters: kinds })
    if (kept.size < KINDS_KEPT) kept.set(name, list)
    for (const [index, each] of filters.entries()) given[`value${index}`] = givenIn(each)
    return list(db, given as Parameters)
  }
  return {
    /** From the newest on, those older than the place `before`. */
    listNewest: (db: Db, filter: EmailFilter, page: { limit: number; before: number | undefined }) =>
      read(db, prepareNewest, filter, {
        limit: page.limit + 1,
        before: page.before === undefined ? undefined : BigInt(page.before),
      }),
    /** The best matches first, from `skip` on. */
    listBest: (
      db: Db,
      filter: EmailFilter & { words: WordQuery },
      page: { limit: number; skip: number },
    ): Promise<ListedEmail[]> => read(db, prepareBest, filter, { limit: page.limit + 1, skip: page.skip }),
  }
}
