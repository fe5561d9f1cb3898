import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { FullText, WordQuery } from '../../../database/full-text/full-text.ts'
import { filterOnly, filterOnlyText } from '../../../database/planner.ts'
import { positionOf } from '../../../database/positions.ts'
import { prepare } from '../../../database/prepared.ts'
import { type Folder, RARE_FLAG } from '../../../database/tables/mail.ts'
import type { Tables } from '../../../database/tables.ts'
import type { MainPlace } from '../folders/places.ts'
import type { EmailRecord } from './email-repository.ts'
import type { Filter } from './search.ts'

export interface EmailFilter {
  userId: number
  accountId?: string | undefined
  threadId?: number | undefined
  urgency?: string | undefined
  filters: readonly Filter[]
  /** Leaves out junk mail. */
  withoutJunk?: boolean
  /**
   * Set for the inbox, of one mail account or of all. Snoozed emails are left out. Returned emails of any folder are
   * listed at the time of their return.
   */
  inbox?: { accountId: string | undefined } | undefined
  words: WordQuery | null
}

type Query = SelectQueryBuilder<Tables, 'emails', object>
type Conditions = ExpressionBuilder<Tables, 'emails'>

/** The column that provides the position. Filters by position are checked before the email row is read. */
type PlaceIn = 'emails.position' | 'email_words.rowid'

/** A position is a bigint, because SQLite's word index does not use a REAL as a bound. */
const toPosition = (position: number): number => BigInt(position) as unknown as number

/** A query can exclude words without searching any. */
const hasSearchWords = ({ words }: EmailFilter): boolean => words !== null && words.all.length > 0

const isRare = (filter: Filter): boolean =>
  (filter.kind === 'flag' && filter.flag === RARE_FLAG) ||
  filter.kind === 'pinned' ||
  filter.kind === 'snoozed'

/** Few emails have a rare mark, so a list of them uses only its index. */
const usesRareIndex = (filter: EmailFilter): boolean =>
  !hasSearchWords(filter) &&
  filter.filters.some((each) => isRare(each) && 'value' in each && each.value === !each.not)

/** Writes the values of partial indexes as literals. With a parameter, the planner cannot match the index. */
const toFlagValue = ({ value, not }: { value: boolean; not: boolean }) => sql.lit(value === not ? 0 : 1)

type FolderFilter = Filter & { kind: 'folder' | 'folderId' }

const isFolderFilter = (filter: Filter): filter is FolderFilter =>
  filter.kind === 'folder' || filter.kind === 'folderId'

const matchOne = <T>(values: readonly T[]) =>
  values.length === 1 ? sql`= ${values[0]}` : sql`in (${sql.join(values)})`

/** The value of an email or of one of its other folders must be one of these. */
const matchFolder = (filter: FolderFilter) =>
  filter.kind === 'folder' ? matchOne([filter.folder]) : matchOne(filter.ids)

/** Without the index of the folder, so that another one leads. */
const isInMainFolder = (row: Conditions, filter: FolderFilter) =>
  filter.kind === 'folder'
    ? sql<boolean>`${filterOnlyText('emails.folder')} ${matchFolder(filter)}`
    : row.and([
        row('emails.folderId', 'is not', null),
        sql<boolean>`${filterOnly('emails.folderId')} ${matchFolder(filter)}`,
      ])

const isInOtherFolder = (row: Conditions, filter: FolderFilter, userId: number) =>
  row.and([
    row('emails.otherFolders', 'is not', null),
    row.exists(
      row
        .selectFrom('email_folders')
        .select(sql.lit(1).as('one'))
        .where('email_folders.userId', '=', userId)
        .where('email_folders.emailId', '=', sql.ref<number>('emails.id'))
        .where(sql<boolean>`${sql.ref(`email_folders.${filter.kind}`)} ${matchFolder(filter)}`),
    ),
  ])

type TimeFilter = Filter & { kind: 'before' | 'after' }

const isTimeFilter = (filter: Filter): filter is TimeFilter =>
  filter.kind === 'before' || filter.kind === 'after'

const toTimeComparison = ({ kind, not }: TimeFilter) => ((kind === 'before') === not ? '>=' : '<')

const conditionOf = (
  row: Conditions,
  filter: Filter,
  { userId, place }: { userId: number; place: PlaceIn },
) => {
  const { not } = filter
  switch (filter.kind) {
    case 'tag': {
      const tagged = row.exists(
        row
          .selectFrom('email_tags')
          .select(sql.lit(1).as('one'))
          .where('email_tags.userId', '=', userId)
          .where('tag', '=', filter.tag)
          .where('email_tags.position', '=', sql.ref<number>(place)),
      )
      return not ? row.not(tagged) : tagged
    }
    case 'flag':
      return row(`emails.${filter.flag}`, '=', toFlagValue(filter))
    case 'attachment':
      return row('emails.hasAttachments', '=', toFlagValue(filter))
    case 'pinned':
      return row('emails.pinned', '=', toFlagValue(filter))
    case 'snoozed':
      return row('emails.snoozedUntil', filter.value === not ? 'is' : 'is not', null)
    case 'folder':
    case 'folderId': {
      const placed = row.or([isInMainFolder(row, filter), isInOtherFolder(row, filter, userId)])
      return not ? row.not(placed) : placed
    }
    case 'list': {
      if (filter.list === null) return row('emails.listId', not ? 'is' : 'is not', null)
      // A search joins each match by its position. The index of lists would read the whole list for each match.
      const column = place === 'emails.position' ? 'emails.listId' : filterOnlyText<string>('emails.listId')
      const listed = row(column, not ? '!=' : '=', filter.list)
      return not ? row.or([row('emails.listId', 'is', null), listed]) : listed
    }
    case 'before':
    case 'after':
      return row('emails.position', toTimeComparison(filter), toPosition(positionOf(filter.at)))
  }
}

const narrow = (
  query: Query,
  filter: EmailFilter,
  { leader, place = 'emails.position' }: { leader?: Filter | undefined; place?: PlaceIn } = {},
): Query => {
  const { userId, accountId, threadId, urgency, filters } = filter
  let narrowed = query.where('emails.userId', '=', userId)
  if (accountId !== undefined)
    narrowed = narrowed.where(
      usesRareIndex(filter) ? filterOnlyText<string>('emails.accountId') : 'emails.accountId',
      '=',
      accountId,
    )
  if (threadId !== undefined) narrowed = narrowed.where('emails.threadId', '=', threadId)
  if (urgency !== undefined) narrowed = narrowed.where('emails.urgency', '=', urgency)
  if (filter.inbox) {
    narrowed = narrowed.where('emails.snoozedUntil', 'is', null)
    // A search is in the order of the dates.
    if (filter.words === null) narrowed = narrowed.where('emails.returnedPosition', 'is', null)
  }
  if (filter.withoutJunk) narrowed = narrowed.where(filterOnlyText<string>('emails.folder'), '!=', 'junk')
  for (const each of filters)
    if (each !== leader) narrowed = narrowed.where((row) => conditionOf(row, each, { userId, place }))
  return narrowed
}

type WordFilter = EmailFilter & { words: WordQuery }

const ROWID = sql<number>`email_words.rowid`

/** Selects the matches of the words in the index, within the time bounds of the filter. */
const selectWords = (
  db: Db,
  fullText: FullText,
  { userId, words, filters }: WordFilter,
  before: number | undefined,
) =>
  filters.filter(isTimeFilter).reduce(
    (query, each) => query.where(ROWID, toTimeComparison(each), toPosition(positionOf(each.at))),
    db
      .selectFrom('email_words')
      .where(fullText.matches(userId, words))
      .$if(before !== undefined, (query) => query.where(ROWID, '<', toPosition(before as number))),
  )

/**
 * Selects emails that match the words, newest first. The query walks the word index backwards in time and
 * stops when the page is full. A very common word therefore costs no more than a rare one.
 */
const selectByWords = (db: Db, fullText: FullText, filter: WordFilter, before?: number): Query => {
  // The cross join fixes SQLite's join order.
  const query = selectWords(db, fullText, filter, before)
    .crossJoin('emails')
    .whereRef('emails.position', '=', 'email_words.rowid')
  return narrow(query as unknown as Query, filter, { place: 'email_words.rowid' })
}

/** A filter that matches at most this many emails is rare. */
const MAX_RARE = 1_000

/** Filters with an index, each alone. */
const listIndexed = ({ userId, accountId, threadId, urgency, filters }: EmailFilter): EmailFilter[] => {
  const alone = { userId, filters: [], words: null }
  return [
    ...(threadId === undefined ? [] : [{ ...alone, threadId }]),
    ...filters
      .filter((each) => !isTimeFilter(each))
      .filter((each) => ('value' in each ? each.value !== each.not : !each.not))
      .map((each) => ({ ...alone, filters: [each] })),
    ...(urgency === undefined ? [] : [{ ...alone, urgency }]),
    ...(accountId === undefined ? [] : [{ ...alone, accountId }]),
  ]
}

/** Finds the positions of all emails that match the first rare filter. Undefined if every filter matches many. */
const findRarePositions = async (db: Db, filter: EmailFilter): Promise<number[] | undefined> => {
  for (const alone of listIndexed(filter)) {
    const rows: { position: number }[] = []
    for (const query of selectFiltered(db, alone, undefined))
      rows.push(
        ...(await query
          .select('emails.position')
          .limit(MAX_RARE + 1)
          .execute()),
      )
    if (rows.length <= MAX_RARE) return rows.map(({ position }) => position)
  }
  return undefined
}

/**
 * Selects emails that match the words, newest first. If few emails match a filter, other matches are skipped without reading
 * their email.
 */
const selectMatches = async (
  db: Db,
  fullText: FullText,
  filter: WordFilter,
  before?: number,
): Promise<Query> => {
  const positions = await findRarePositions(db, filter)
  const matches = selectByWords(db, fullText, filter, before)
  return positions === undefined ? matches : matches.where(fullText.isAmong(positions))
}

/** Whether the word index alone decides which emails match. */
const isByWordsOnly = ({ accountId, threadId, urgency, filters }: EmailFilter): boolean =>
  accountId === undefined && threadId === undefined && urgency === undefined && filters.every(isTimeFilter)

/**
 * Selects a page of emails that match the words, newest first. The limit is inside: PostgreSQL underestimates the matches
 * of an account among many others, and would read all emails of the account otherwise.
 */
const selectPageByWords = (
  db: Db,
  fullText: FullText,
  filter: WordFilter,
  { limit, before }: { limit: number; before: number | undefined },
): Query => {
  const { userId } = filter
  let hits = selectWords(db, fullText, filter, before).select(ROWID.as('position'))
  if (filter.withoutJunk)
    hits = hits.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('emails')
            .select(sql.lit(1).as('one'))
            .where('emails.position', '=', ROWID)
            .where('emails.userId', '=', userId)
            .where('emails.folder', '=', 'junk'),
        ),
      ),
    )
  return db
    .selectFrom(hits.orderBy(ROWID, 'desc').limit(limit).as('hits'))
    .crossJoin('emails')
    .whereRef('emails.position', '=', 'hits.position')
    .where('emails.userId', '=', userId)
    .orderBy('hits.position', 'desc') as unknown as Query
}

/** Orders a list by one of its positions, the newest first, and starts it below `before`. */
const listBelow = (
  query: Query,
  column: 'emails.position' | 'emails.returnedPosition' | 'email_tags.position' | 'email_folders.position',
  before: number | undefined,
): Query => {
  const position = column as 'emails.position'
  const ordered = query.orderBy(position, 'desc')
  return before === undefined ? ordered : ordered.where(position, '<', toPosition(before))
}

/** Selects emails by the first tag. The cross join makes SQLite use the tag index, which is in list order. */
const selectTagged = (db: Db, userId: number, tag: string): Query =>
  db
    .selectFrom('email_tags')
    .crossJoin('emails')
    .whereRef('emails.position', '=', 'email_tags.position')
    .where('email_tags.userId', '=', userId)
    .where('email_tags.tag', '=', tag) as unknown as Query

type PositiveTag = Filter & { kind: 'tag' }

const findLeadingTag = (filter: EmailFilter): PositiveTag | undefined =>
  usesRareIndex(filter)
    ? undefined
    : filter.filters.find((each): each is PositiveTag => each.kind === 'tag' && !each.not)

/**
 * The folder whose index the list reads: the inbox, or the first one. Undefined if another index has fewer emails.
 */
const findLeadingFolder = (filter: EmailFilter): FolderFilter | undefined => {
  if (usesRareIndex(filter) || filter.threadId !== undefined) return undefined
  const folders = filter.filters.filter((each) => isFolderFilter(each)).filter(({ not }) => !not)
  return (
    folders.find((each) => each.kind === 'folder' && each.folder === 'inbox') ??
    (filter.inbox && folders.find(({ kind }) => kind === 'folderId')) ??
    folders[0]
  )
}

const hasMainFolder = (filter: FolderFilter) =>
  sql<boolean>`${sql.ref(`emails.${filter.kind}`)} ${matchFolder(filter)}`

/** Selects the emails that have the folder besides their main one. The cross join fixes SQLite's join order. */
const selectInOtherFolder = (db: Db, filter: EmailFilter, leader: FolderFilter): Query => {
  const query = db
    .selectFrom('email_folders')
    .crossJoin('emails')
    .whereRef('emails.id', '=', 'email_folders.emailId')
    .where('email_folders.userId', '=', filter.userId)
    .where(sql<boolean>`${sql.ref(`email_folders.${leader.kind}`)} ${matchFolder(leader)}`)
  return narrow(query as unknown as Query, filter, { leader })
}

/** One query for each folder, because each reads a range of the index in its order. */
const splitFolders = (filter: FolderFilter): FolderFilter[] =>
  filter.kind === 'folder' ? [filter] : filter.ids.map((id) => ({ ...filter, ids: [id] }))

/**
 * Selects the emails that match the filters, newest first. A folder needs further queries, for emails that have another
 * main folder. The inbox is always the main folder.
 */
const selectFiltered = (db: Db, filter: EmailFilter, before: number | undefined): Query[] => {
  const tag = findLeadingTag(filter)
  if (tag) {
    const tagged = narrow(selectTagged(db, filter.userId, tag.tag), filter, { leader: tag })
    return [listBelow(tagged, 'email_tags.position', before)]
  }
  const leader = findLeadingFolder(filter)
  const all = narrow(listBelow(db.selectFrom('emails'), 'emails.position', before), filter, { leader })
  if (!leader) return [all]
  const main = all.where(hasMainFolder(leader))
  if (filter.inbox || (leader.kind === 'folder' && leader.folder === 'inbox')) return [main]
  const others = splitFolders(leader).map((each) => selectInOtherFolder(db, filter, each))
  return [main, ...others.map((query) => listBelow(query, 'email_folders.position', before))]
}

const selectNewest = async (
  db: Db,
  fullText: FullText,
  filter: EmailFilter,
  before: number | undefined,
): Promise<Query[]> => {
  const { words } = filter
  if (words !== null && hasSearchWords(filter)) {
    const matches = await selectMatches(db, fullText, { ...filter, words }, before)
    return [matches.orderBy(ROWID, 'desc')]
  }
  const filtered = selectFiltered(db, filter, before)
  if (words === null) return filtered
  const lacks = fullText.lacks(fullText.textOfAny(words.none), sql.ref('emails.position'))
  return filtered.map((query) => query.where(lacks))
}

/** Returned emails are listed in the inbox, whatever their folder is. */
const withoutPlace = ({
  inbox,
  accountId = inbox?.accountId,
  filters,
  ...filter
}: EmailFilter): EmailFilter => ({
  ...filter,
  accountId,
  filters: filters.filter((each) => each.not || !isFolderFilter(each)),
})

/** Selects the returned emails of an inbox, the latest return first. */
const selectReturned = (db: Db, filter: EmailFilter, before: number | undefined): Query => {
  const returned = db.selectFrom('emails').where('emails.returnedPosition', 'is not', null)
  return narrow(listBelow(returned, 'emails.returnedPosition', before), withoutPlace(filter))
}

/** Whether a place of an email is the one that the list shows. */
export const isListedPlace = ({ filters }: Pick<EmailFilter, 'filters'>) => {
  const opened = filters.find((each): each is FolderFilter => isFolderFilter(each) && !each.not)
  return (place: MainPlace): boolean => opened === undefined || matchesPlace(place, opened)
}

export const matchesPlace = ({ id, role }: MainPlace, filter: FolderFilter): boolean =>
  filter.kind === 'folder' ? role === filter.folder : id !== null && filter.ids.includes(id)

/** The position of an email in the list: of its return in the inbox, or of its date. */
export const toListPosition = (
  { position, returnedPosition }: Pick<EmailRecord, 'position' | 'returnedPosition'>,
  { inbox, words }: Pick<EmailFilter, 'inbox' | 'words'>,
): number => (inbox && words === null ? (returnedPosition ?? position) : position)

/**
 * Only this many of the newest matches are ranked. Older matches do not improve the ranking of common words.
 */
const MAX_RANKED = 5_000

const selectJunk = prepare<{ userId: number }, { id: number }>((db, values) =>
  db
    .selectFrom('emails')
    .select('id')
    .where('userId', '=', values.userId)
    .where('folder', '=', 'junk')
    .limit(1),
)

/** Whether the account has junk mail. */
export const hasJunk = async (db: Db, userId: number): Promise<boolean> =>
  (await selectJunk(db, { userId })).length > 0

/** Lists emails with these columns and their position. */
export const createEmailLists = <C extends keyof EmailRecord>(fullText: FullText, names: readonly C[]) => {
  type Row = Pick<EmailRecord, C | 'position' | 'returnedPosition'>
  // One fragment for all columns, because 26 single columns make building the query 3 times as expensive: 65 µs
  // instead of 18 µs. The alias belongs to the last column.
  const others = [...new Set<string>([...names, 'returnedPosition'])]
    .filter((name) => name !== 'position')
    .map((name) => `"emails"."${name}", `)
  const columns = sql.raw<number>(`${others.join('')}"emails"."position"`).as('position')
  return {
    /** Lists emails before the list position `before`, newest first, with one more than `limit` if there are more. */
    listNewest: async (
      db: Db,
      filter: EmailFilter,
      { limit, before }: { limit: number; before: number | undefined },
    ): Promise<Row[]> => {
      const { words } = filter
      const page = { limit: limit + 1, before }
      const queries =
        words !== null && hasSearchWords(filter) && isByWordsOnly(filter)
          ? [selectPageByWords(db, fullText, { ...filter, words }, page)]
          : (await selectNewest(db, fullText, filter, before)).map((query) => query.limit(page.limit))
      if (filter.inbox && words === null) queries.push(selectReturned(db, filter, before).limit(page.limit))
      const parts: Row[][] = []
      const readParts = async (): Promise<void> => {
        for (const query of queries) {
          const rows = (await query.select(columns).execute()) as unknown as Row[]
          if (rows.length > 0) parts.push(rows)
        }
      }
      if (words !== null && hasSearchWords(filter)) await fullText.runSearch(db, words, readParts)
      else await readParts()
      const [rows = [], ...more] = parts
      if (more.length === 0) return rows
      const byPosition = new Map(parts.flat().map((row) => [row.position, row]))
      return [...byPosition.values()]
        .sort((one, other) => toListPosition(other, filter) - toListPosition(one, filter))
        .slice(0, page.limit)
    },

    /** Lists the best matches, starting at `skip`. */
    listBest: async (
      db: Db,
      filter: WordFilter,
      { limit, skip }: { limit: number; skip: number },
    ): Promise<Row[]> => {
      const hits = (await selectMatches(db, fullText, filter))
        .select('emails.position')
        .select(fullText.rank(fullText.textOf(filter.words)).as('rank'))
        .orderBy(ROWID, 'desc')
        .limit(MAX_RANKED)
      const best = db
        .selectFrom(hits.as('hit'))
        .selectAll('hit')
        .orderBy('hit.rank')
        .orderBy('hit.position', 'desc')
        .limit(limit + 1)
        .offset(skip)
      // Only the emails of the page are read.
      return (await db
        .selectFrom(best.as('best'))
        .crossJoin('emails')
        .select(columns)
        .whereRef('emails.position', '=', 'best.position')
        .where('emails.userId', '=', filter.userId)
        .orderBy('best.rank')
        .orderBy('best.position', 'desc')
        .execute()) as unknown as Row[]
    },
  }
}

const BRIEFED = [
  'id',
  'threadId',
  'position',
  'folder',
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
export const listRecent = (
  db: Db,
  userId: number,
  { folder, from, below, limit }: { folder: Folder; from: number; below: number; limit: number },
): Promise<BriefedRow[]> =>
  db
    .selectFrom('emails')
    .select(BRIEFED)
    .where('userId', '=', userId)
    .where('folder', '=', folder)
    .where('position', '>=', from)
    .where('position', '<', below)
    .where('snoozedUntil', 'is', null)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()

const MAX_ANSWERS = 2_000

/** Lists sent emails of some threads. Failed and cancelled ones do not count as a reply. */
export const listAnswers = (
  db: Db,
  userId: number,
  threadIds: readonly number[],
): Promise<{ threadId: number; position: number }[]> =>
  db
    .selectFrom('emails')
    .select(['threadId', 'position'])
    .where('userId', '=', userId)
    .where('threadId', 'in', threadIds)
    .where((row) =>
      row.or([
        row('folder', '=', 'sent'),
        isInOtherFolder(row, { kind: 'folder', folder: 'sent', not: false }, userId),
      ]),
    )
    .where((row) =>
      row.or([row('deliveryStatus', 'is', null), row('deliveryStatus', 'not in', ['failed', 'cancelled'])]),
    )
    .limit(sql.lit(MAX_ANSWERS))
    .execute()
