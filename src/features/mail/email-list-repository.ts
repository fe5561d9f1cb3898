import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { FullText, WordQuery } from '../../database/full-text/full-text.ts'
import { positionOf } from '../../database/positions.ts'
import { prepare } from '../../database/prepared.ts'
import { type FlagColumn, type Folder, RARE_FLAG } from '../../database/tables/mail.ts'
import type { Tables } from '../../database/tables.ts'
import type { EmailRecord } from './email-repository.ts'
import type { Filter } from './search.ts'

export interface EmailFilter {
  accountId?: string | undefined
  threadId?: number | undefined
  urgency?: string | undefined
  filters: readonly Filter[]
  words: WordQuery | null
}

/** The parameters of a list query. `valueN` is the value of the Nth filter. */
interface Parameters {
  accountId: string
  threadId: number
  urgency: string
  /** A position. It is a bigint, because SQLite's word index does not use a REAL as a bound. */
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

/** A filter without its value. Filters of the same kind share the same SQL. */
type FilterKind = { not: boolean; kind: Filter['kind']; flag?: FlagColumn; value?: boolean }
interface ListKind {
  asked: ReadonlySet<string>
  filters: readonly FilterKind[]
}

const toFilterKind = ({ not, ...filter }: Filter): FilterKind => ({
  not,
  kind: filter.kind,
  ...('flag' in filter && { flag: filter.flag }),
  ...('value' in filter && { value: filter.value }),
})

const toParameter = (filter: Filter): string | bigint | undefined => {
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

/** The column that provides the position. Filters by position are checked before the email row is read. */
type PlaceIn = 'emails.position' | 'email_words.rowid'

/** Few emails have the rare flag, so a list of them uses only its index. */
const usesRareIndex = ({ asked, filters }: ListKind): boolean =>
  !asked.has('words') && filters.some(({ flag, not, value }) => flag === RARE_FLAG && value === !not)

/** Keeps SQLite from using an index of this column. */
const withoutIndex = <T>(column: string) => sql<T>`cast(${sql.ref(column)} as text)`

/** Writes the values of partial indexes as literals. With a parameter, the planner cannot match the index. */
const conditionOf = (
  row: Conditions,
  { kind, flag, not, value }: FilterKind,
  given: unknown,
  { place, byRareFlag }: { place: PlaceIn; byRareFlag: boolean },
) => {
  const wanted = sql.lit(value === not ? 0 : 1)
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
    case 'flag':
      return row(`emails.${flag as FlagColumn}`, '=', wanted)
    case 'attachment':
      return row('emails.hasAttachments', '=', wanted)
    case 'folder':
      return row(
        byRareFlag ? withoutIndex('emails.folder') : 'emails.folder',
        not ? '!=' : '=',
        given as 'inbox',
      )
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
  const byRareFlag = usesRareIndex(list)
  let narrowed = query
  if (asked.has('accountId'))
    narrowed = narrowed.where(
      byRareFlag ? withoutIndex<string>('emails.accountId') : 'emails.accountId',
      '=',
      parameter('accountId'),
    )
  for (const name of ['threadId', 'urgency'] as const)
    if (asked.has(name)) narrowed = narrowed.where(`emails.${name}`, '=', parameter(name))
  for (const [index, filter] of filters.entries())
    if (index !== leader)
      narrowed = narrowed.where((row) =>
        conditionOf(row, filter, parameter(`value${index}`), { place, byRareFlag }),
      )
  return narrowed
}

/**
 * Selects emails that match the words, newest first. The query walks the word index backwards in time and
 * stops when the page is full. A very common word therefore costs no more than a rare one.
 */
const selectByWords = (db: Db, fullText: FullText, list: ListKind, parameter: Parameter): Query => {
  // The cross join fixes SQLite's join order.
  let query = db
    .selectFrom('email_words')
    .crossJoin('emails')
    .whereRef('emails.position', '=', 'email_words.rowid')
    .where(fullText.matches(parameter('words')))
  if (list.asked.has('before')) query = query.where(sql`email_words.rowid`, '<', parameter('before'))
  // Apply the time bounds to the word index too.
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

/** Selects emails by the first tag. The cross join makes SQLite use the tag index, which is in list order. */
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

interface ListStatement extends ListKind {
  fullText: FullText
  /** The columns to read, with their table. */
  columns: readonly `emails.${keyof EmailRecord}`[]
}
type ListedRow = Partial<EmailRecord> & Pick<EmailRecord, 'position'>

const prepareNewest = ({ fullText, columns, ...list }: ListStatement) =>
  prepare<Parameters, ListedRow>((db, parameter) => {
    if (list.asked.has('words'))
      return selectByWords(db, fullText, list, parameter)
        .select('emails.position')
        .select(columns)
        .orderBy(sql`email_words.rowid`, 'desc')
        .limit(parameter('limit'))
    const tag = usesRareIndex(list) ? -1 : list.filters.findIndex(({ kind, not }) => kind === 'tag' && !not)
    const query = tag < 0 ? selectAll(db, list, parameter) : selectTagged(db, tag, list, parameter)
    const narrowed = narrow(query, list, parameter, { leader: tag })
    return (
      list.asked.has('lacking')
        ? narrowed.where(fullText.lacks(parameter('lacking'), sql.ref('emails.position')))
        : narrowed
    )
      .select('emails.position')
      .select(columns)
      .orderBy((tag < 0 ? 'emails.position' : 'email_tags.position') as 'emails.position', 'desc')
      .limit(parameter('limit'))
  })

/**
 * Only this many of the newest matches are ranked. Older matches do not improve the ranking of common words.
 */
const MOST_RANKED = 5_000

const prepareBest = ({ fullText, columns, ...list }: ListStatement) =>
  prepare<Parameters, ListedRow>((db, parameter) =>
    db
      .selectFrom(
        selectByWords(db, fullText, list, parameter)
          .select('emails.position')
          .select(columns)
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

/** The number of prepared statements kept. Further filter combinations are prepared with each query. */
const STATEMENTS_KEPT = 200

/** Lists emails with these columns and their position. Each combination of filters is prepared once. */
export const createEmailLists = <C extends keyof EmailRecord>(fullText: FullText, names: readonly C[]) => {
  type Row = Pick<EmailRecord, C | 'position'>
  const columns = names.map((name) => `emails.${name}` as const)
  const kept = new Map<string, ReturnType<typeof prepareNewest>>()
  const read = async (
    db: Db,
    prepareList: typeof prepareNewest,
    filter: EmailFilter,
    page: Given,
  ): Promise<Row[]> => {
    const { accountId, threadId, urgency, filters, words } = filter
    const given: Given = { accountId, threadId, urgency, ...page }
    if (words !== null && words.all.length > 0) given.words = fullText.textOf(words)
    else if (words !== null) given.lacking = fullText.textOfAny(words.none)
    const asked = Object.keys(given).filter((name) => given[name as keyof Given] !== undefined)
    const kinds = filters.map(toFilterKind)
    const name = JSON.stringify([asked, kinds])
    const list = kept.get(name) ?? prepareList({ fullText, columns, asked: new Set(asked), filters: kinds })
    if (kept.size < STATEMENTS_KEPT) kept.set(name, list)
    for (const [index, each] of filters.entries()) given[`value${index}`] = toParameter(each)
    return (await list(db, given as Parameters)) as Row[]
  }
  return {
    /** Lists emails older than the position `before`, newest first. */
    listNewest: (db: Db, filter: EmailFilter, page: { limit: number; before: number | undefined }) =>
      read(db, prepareNewest, filter, {
        limit: page.limit + 1,
        before: page.before === undefined ? undefined : BigInt(page.before),
      }),
    /** Lists the best matches, starting at `skip`. */
    listBest: (
      db: Db,
      filter: EmailFilter & { words: WordQuery },
      page: { limit: number; skip: number },
    ): Promise<Row[]> => read(db, prepareBest, filter, { limit: page.limit + 1, skip: page.skip }),
  }
}

const BRIEFED = [
  'id',
  'threadId',
  'position',
  'fromName',
  'fromAddress',
  'to',
  'cc',
  'subject',
  'date',
  'createdAt',
  'analysis',
] as const
export type BriefedRow = Pick<EmailRecord, (typeof BRIEFED)[number]>

/** Lists the newest emails of a folder between two positions. */
export const listRecent = prepare<{ folder: Folder; from: number; below: number; limit: number }, BriefedRow>(
  (db, parameter) =>
    db
      .selectFrom('emails')
      .select(BRIEFED)
      .where('folder', '=', parameter('folder'))
      .where('position', '>=', parameter('from'))
      .where('position', '<', parameter('below'))
      .orderBy('position', 'desc')
      .limit(parameter('limit')),
)

const MOST_ANSWERS = 2_000

/** Lists sent emails of some threads. Failed and cancelled ones do not count as a reply. */
export const listAnswers = (
  db: Db,
  threadIds: readonly number[],
): Promise<{ threadId: number; position: number }[]> =>
  db
    .selectFrom('emails')
    .select(['threadId', 'position'])
    .where('threadId', 'in', threadIds)
    .where('folder', '=', 'sent')
    .where((row) =>
      row.or([row('deliveryStatus', 'is', null), row('deliveryStatus', 'not in', ['failed', 'cancelled'])]),
    )
    .limit(sql.lit(MOST_ANSWERS))
    .execute()
