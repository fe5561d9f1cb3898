import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { FullText, WordQuery } from '../../database/full-text/full-text.ts'
import { positionOf } from '../../database/positions.ts'
import type { Tables } from '../../database/tables.ts'
import type { Filter } from './search.ts'
import type { EmailRecord } from './store.ts'

/** What a list shows of each: no bodies. */
const SHOWN = [
  'emails.id',
  'emails.position',
  'emails.accountId',
  'emails.messageId',
  'emails.threadId',
  'emails.folder',
  'emails.fromName',
  'emails.fromAddress',
  'emails.to',
  'emails.cc',
  'emails.subject',
  'emails.snippet',
  'emails.date',
  'emails.tags',
  'emails.read',
  'emails.starred',
  'emails.attachments',
  'emails.analysis',
  'emails.deliveryStatus',
  'emails.deliveryError',
  'emails.createdAt',
  'emails.updatedAt',
] as const

export type ListedEmail = Pick<
  EmailRecord,
  (typeof SHOWN)[number] extends `emails.${infer Column}` ? Column & keyof EmailRecord : never
>

export interface EmailFilter {
  accountId?: string | undefined
  threadId?: number | undefined
  urgency?: string | undefined
  filters: readonly Filter[]
  words: WordQuery | null
}

type Query = SelectQueryBuilder<Tables, 'emails', object>
type Conditions = ExpressionBuilder<Tables, 'emails'>

/** The values of partial indexes are written out: a parameter would hide from the planner that one fits. */
const conditionOf = (row: Conditions, filter: Filter) => {
  switch (filter.kind) {
    case 'tag': {
      const tagged = row.exists(
        row
          .selectFrom('email_tags')
          .select(sql.lit(1).as('one'))
          .where('tag', '=', filter.tag)
          .whereRef('email_tags.position', '=', 'emails.position'),
      )
      return filter.not ? row.not(tagged) : tagged
    }
    case 'read':
      return row('emails.read', '=', sql.lit(filter.value !== filter.not ? 1 : 0))
    case 'starred':
      return row('emails.starred', '=', sql.lit(filter.value !== filter.not ? 1 : 0))
    case 'attachment':
      return row('emails.hasAttachments', '=', sql.lit(filter.value !== filter.not ? 1 : 0))
    case 'folder':
      return row('emails.folder', filter.not ? '!=' : '=', filter.folder)
    case 'before':
      return row('emails.position', filter.not ? '>=' : '<', positionOf(filter.at))
    case 'after':
      return row('emails.position', filter.not ? '<' : '>=', positionOf(filter.at))
  }
}

const narrow = (
  query: Query,
  { accountId, threadId, urgency }: EmailFilter,
  filters: readonly Filter[],
): Query => {
  let narrowed = query
  if (accountId !== undefined) narrowed = narrowed.where('emails.accountId', '=', accountId)
  if (threadId !== undefined) narrowed = narrowed.where('emails.threadId', '=', threadId)
  if (urgency !== undefined) narrowed = narrowed.where('emails.urgency', '=', urgency)
  for (const filter of filters) narrowed = narrowed.where((row) => conditionOf(row, filter))
  return narrowed
}

interface Page {
  limit: number
  /** Only what is older than this place. */
  before: number | undefined
}

/** The bounds in time that a search has, for the index of words to keep to as well. */
const boundsOf = (filters: readonly Filter[], before: number | undefined) => {
  const below = [
    before,
    ...filters.map((each) =>
      each.kind === (each.not ? 'after' : 'before') ? positionOf((each as { at: string }).at) : undefined,
    ),
  ]
  const from = filters.map((each) =>
    each.kind === (each.not ? 'before' : 'after') ? positionOf((each as { at: string }).at) : undefined,
  )
  const numbers = (values: (number | undefined)[]): number[] => values.filter((value) => value !== undefined)
  return { below: numbers(below), from: numbers(from) }
}

/**
 * E-mails that have these words, from the newest: the index of words is walked backwards in time and left as soon as
 * the page is full, so that a word which a million e-mails have costs no more than one that a hundred have.
 */
const selectByWords = (db: Db, fullText: FullText, words: WordQuery, filter: EmailFilter, page: Page) => {
  const { below, from } = boundsOf(filter.filters, page.before)
  // As whole numbers: a REAL is no bound to SQLite's index of words.
  const bounds = [
    ...below.map((place) => sql<boolean>`email_words.rowid < ${BigInt(place)}`),
    ...from.map((place) => sql<boolean>`email_words.rowid >= ${BigInt(place)}`),
  ]
  // A cross join keeps the order in which SQLite is to go about it.
  let query = db
    .selectFrom('email_words')
    .crossJoin('emails')
    .whereRef('emails.position', '=', 'email_words.rowid')
    .where(fullText.matches(words))
  for (const bound of bounds) query = query.where(bound)
  return narrow(query as unknown as Query, filter, filter.filters)
}

export const listEmails = (
  db: Db,
  fullText: FullText,
  filter: EmailFilter,
  page: Page,
): Promise<ListedEmail[]> => {
  const { filters, words } = filter
  if (words !== null && words.all.length > 0)
    return selectByWords(db, fullText, words, filter, page)
      .select(SHOWN)
      .orderBy(sql`email_words.rowid`, 'desc')
      .limit(page.limit + 1)
      .execute()
  const tag = filters.find((each) => each.kind === 'tag' && !each.not)
  const query = tag?.kind === 'tag' ? selectTagged(db, tag.tag, page) : selectAll(db, page)
  const narrowed = narrow(
    query,
    filter,
    filters.filter((each) => each !== tag),
  )
  return (words === null ? narrowed : narrowed.where(fullText.lacks(words.none, sql.ref('emails.position'))))
    .select(SHOWN)
    .orderBy((tag ? 'email_tags.position' : 'emails.position') as 'emails.position', 'desc')
    .limit(page.limit + 1)
    .execute()
}

const selectAll = (db: Db, { before }: Page): Query => {
  const all = db.selectFrom('emails')
  return (before === undefined ? all : all.where('emails.position', '<', before)) as Query
}

/** The first tag leads: it has an index of its own, in the order of the list, which a cross join makes SQLite go by. */
const selectTagged = (db: Db, tag: string, { before }: Page): Query => {
  const tagged = db
    .selectFrom('email_tags')
    .crossJoin('emails')
    .whereRef('emails.position', '=', 'email_tags.position')
    .where('email_tags.tag', '=', tag)
  return (before === undefined
    ? tagged
    : tagged.where('email_tags.position', '<', before)) as unknown as Query
}

/** No more hits than this are ranked, the newest: what everyone writes of is ranked no better by older ones. */
const MOST_RANKED = 5_000

/** The best matches first, from `skip` on. */
export const listBestMatches = (
  db: Db,
  fullText: FullText,
  filter: EmailFilter & { words: WordQuery },
  page: { limit: number; skip: number },
): Promise<ListedEmail[]> =>
  db
    .selectFrom(
      selectByWords(db, fullText, filter.words, filter, { limit: 0, before: undefined })
        .select(SHOWN)
        .select(fullText.rank(filter.words).as('rank'))
        .orderBy(sql`email_words.rowid`, 'desc')
        .limit(MOST_RANKED)
        .as('hit'),
    )
    .selectAll('hit')
    .orderBy('hit.rank')
    .orderBy('hit.position', 'desc')
    .limit(page.limit + 1)
    .offset(page.skip)
    .execute()
