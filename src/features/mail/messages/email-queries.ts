import type { Db } from '../../../database/db.ts'
import {
  type FullText,
  foldText,
  placedWords,
  type WordQuery,
} from '../../../database/full-text/full-text.ts'
import { positionOf } from '../../../database/positions.ts'
import { FLAG_COLUMNS, type Folder } from '../../../database/tables/mail.ts'
import { accountTally, readTally } from '../../../database/tallies.ts'
import { pageOf, readCursor } from '../../../platform/http/etag.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readInstant } from '../../../platform/time.ts'
import { toWall } from '../../../recurrence/time-zones.ts'
import type { BriefedMail, MailSource, Person, Span } from '../../briefing/sources.ts'
import type { EmailsReader } from '../../dashboard/dashboard.ts'
import type { EmailHistory, HistoryReader } from '../../dashboard/history.ts'
import { findFolder, listFoldersOf } from '../folders/repository.ts'
import { type EmailFlags, type EmailSummary, SUMMARY_COLUMNS, showIn, toSummaries } from './email.ts'
import {
  type BriefedRow,
  createEmailLists,
  type EmailFilter,
  hasJunk,
  isListedPlace,
  listAnswers,
  listRecent,
  toListPosition,
} from './email-list-repository.ts'
import { readTexts, TALLY, UNREAD_TALLY, URGENT_TALLY } from './email-repository.ts'
import {
  countForBadges,
  countReceived,
  countSnoozed,
  countTraffic,
  measureReplies,
} from './email-statistics-repository.ts'
import type { EmailCounts, EmailList, EmailQuery, Highlight } from './schema.ts'
import {
  type Filter,
  findFolderNames,
  findStandardFolder,
  readSearch,
  SEARCH_SYNTAX,
  type Search,
  tagKeyOf,
} from './search.ts'

interface Term {
  word: string
  isPrefix: boolean
  /** Null matches any column. */
  column: string | null
}

type Range = Highlight['ranges'][number]

const MAX_RANGES = 20

/** Returns the single words of a search. */
const termsOf = ({ all }: WordQuery): Term[] =>
  all.flatMap(({ words, isPrefix, column = null }) =>
    words.map((word, index) => ({ word, isPrefix: isPrefix && index === words.length - 1, column })),
  )

const NOT_ASCII = /[^\0-\x7f]/
const isLetter = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 97 && code <= 122)

/** Searches ASCII text without folding each word, which would be many times slower. Most mail is ASCII. */
const findInAscii = (text: string, { word, isPrefix }: Term, found: (range: Range) => void): void => {
  let count = 0
  for (
    let at = text.indexOf(word);
    at >= 0 && count < MAX_RANGES;
    at = text.indexOf(word, at + word.length)
  ) {
    let end = at + word.length
    const isBegin = at === 0 || !isLetter(text.charCodeAt(at - 1))
    const isEnd = end === text.length || !isLetter(text.charCodeAt(end))
    if (!isBegin || !(isEnd || isPrefix)) continue
    while (isPrefix && end < text.length && isLetter(text.charCodeAt(end))) end++
    found({ start: at, end })
    count++
  }
}

const findInAny = (text: string, terms: readonly Term[]): Range[] => {
  const ranges: Range[] = []
  for (const { word, start, end } of placedWords(text)) {
    if (!terms.some((term) => (term.isPrefix ? word.startsWith(term.word) : word === term.word))) continue
    const last = ranges.at(-1)
    // Merge adjacent characters of a script without spaces into one range.
    if (last && last.end === start) last.end = end
    else ranges.push({ start, end })
    if (ranges.length >= MAX_RANGES) break
  }
  return ranges
}

const findRanges = (text: string, terms: readonly Term[]): Range[] => {
  if (NOT_ASCII.test(text)) return findInAny(text, terms)
  const ranges: Range[] = []
  const lower = text.toLowerCase()
  for (const term of terms) findInAscii(lower, term, (range) => ranges.push(range))
  return ranges.sort((a, b) => a.start - b.start)
}

const isFor = (term: Term, column: string): boolean => term.column === null || term.column === column

const FIELDS = ['subject', 'from.name', 'from.address', 'snippet'] as const
const COLUMNS = ['subject', 'sender', 'sender', 'body'] as const

/** Finds the words in the listed fields of an email. Joins the fields to search them in one pass. */
const findHighlights = ({ subject, from, snippet }: EmailSummary, terms: readonly Term[]): Highlight[] => {
  const texts = [subject, from?.name ?? '', from?.address ?? '', snippet]
  const joined = texts.join('\n')
  if (NOT_ASCII.test(joined))
    return texts.flatMap((text, index) => {
      const ranges = findRanges(
        text,
        terms.filter((term) => isFor(term, COLUMNS[index] as string)),
      )
      return ranges.length === 0 ? [] : [{ field: FIELDS[index] as Highlight['field'], ranges }]
    })
  const lower = joined.toLowerCase()
  const ranges: Range[][] = [[], [], [], []]
  for (const term of terms)
    findInAscii(lower, term, ({ start, end }) => {
      let index = 0
      let offset = 0
      while (start > offset + (texts[index] as string).length) offset += (texts[index++] as string).length + 1
      if (isFor(term, COLUMNS[index] as string))
        ranges[index]?.push({ start: start - offset, end: end - offset })
    })
  return ranges.flatMap((found, index) =>
    found.length === 0
      ? []
      : [{ field: FIELDS[index] as Highlight['field'], ranges: found.sort((a, b) => a.start - b.start) }],
  )
}

const AROUND = 80

/** Returns the part of a long text around the first match, or undefined without a match. */
const findExcerpt = (text: string, terms: readonly Term[]): Highlight | undefined => {
  const wanted = terms.filter((term) => isFor(term, 'body'))
  const [first] = findRanges(text, wanted)
  if (!first) return undefined
  const start = Math.max(0, text.lastIndexOf(' ', Math.max(0, first.start - AROUND)) + 1)
  const excerpt = text
    .slice(start, first.end + AROUND)
    .replace(/\s/g, ' ')
    .toWellFormed()
  return { field: 'text', ranges: findRanges(excerpt, wanted), excerpt }
}

/** The number of characters of a text in which matches are highlighted. */
const MAX_SEARCHED_LENGTH = 20_000
/** Folders of an account that a search compares with a name. */
const MAX_FOLDERS = 5_000
/** The maximum offset when paging through the best matches. */
const MAX_OFFSET = 1_000

const DAY_MS = 86_400_000

/** Parses “today”, “yesterday” or a relative date: 7d, 2w, 3m, 1y. */
const readRelativeDay = (text: string, today: number): string | undefined => {
  const [, count, unit] = /^(\d{1,4})([dwmy])$/i.exec(text) ?? []
  const word = text.toLowerCase()
  const date = new Date(today)
  if (word === 'yesterday') date.setTime(today - DAY_MS)
  else if (unit?.toLowerCase() === 'd') date.setTime(today - Number(count) * DAY_MS)
  else if (unit?.toLowerCase() === 'w') date.setTime(today - Number(count) * 7 * DAY_MS)
  else if (unit?.toLowerCase() === 'm') date.setUTCMonth(date.getUTCMonth() - Number(count))
  else if (unit?.toLowerCase() === 'y') date.setUTCFullYear(date.getUTCFullYear() - Number(count))
  else if (word !== 'today') return undefined
  return date.toISOString().slice(0, 10)
}

const readDayIn =
  (timezone: string, now: Date) =>
  (text: string): string | undefined => {
    const relative = readRelativeDay(text, toWall(now.getTime(), timezone))
    const full = /^\d{4}$/.test(text) ? `${text}-01-01` : /^\d{4}-\d{2}$/.test(text) ? `${text}-01` : text
    const day = relative ?? full
    try {
      return readInstant('q', day, timezone)
    } catch {
      return undefined
    }
  }

/** The filters that lists of emails and of threads share. */
type FilterQuery = Omit<EmailQuery, 'limit' | 'cursor' | 'sort' | 'excerpts'>

const filtersOf = ({ tag, folder, folderId, unread, pinned, snoozed, ...query }: FilterQuery): Filter[] => {
  const flags: Partial<EmailFlags> = { ...query, ...(unread !== undefined && { read: !unread }) }
  return [
    ...(tag === undefined ? [] : [{ kind: 'tag', tag: tagKeyOf(tag), not: false } as const]),
    ...(folder === undefined ? [] : [{ kind: 'folder', folder, not: false } as const]),
    ...(folderId === undefined ? [] : [{ kind: 'folderId', ids: [folderId], not: false } as const]),
    ...(pinned === undefined ? [] : [{ kind: 'pinned', value: pinned, not: false } as const]),
    ...(snoozed === undefined ? [] : [{ kind: 'snoozed', value: snoozed, not: false } as const]),
    ...FLAG_COLUMNS.flatMap((flag) => {
      const value = flags[flag]
      return value === undefined ? [] : [{ kind: 'flag', flag, value, not: false } as const]
    }),
  ]
}

/** Finds server folders by the name or the path in a search. Reads them only if the search names one. */
const createFolderFinder = async (
  db: Db,
  userId: number,
  typed: string,
): Promise<(name: string) => readonly number[]> => {
  const names = findFolderNames(typed).filter((name) => !findStandardFolder(name))
  if (names.length === 0) return () => []
  const folders = await listFoldersOf(db, userId, {
    accountId: undefined,
    after: undefined,
    limit: MAX_FOLDERS,
  })
  return (name) => {
    const key = foldText(name).trim()
    return folders
      .filter((folder) => foldText(folder.name) === key || foldText(folder.path) === key)
      .map(({ id }) => id)
  }
}

/** A list over all folders leaves out junk mail, unless it asks for folders or for one conversation. */
const spansFolders = ({ threadId }: FilterQuery, filters: readonly Filter[]): boolean =>
  threadId === undefined && !filters.some(({ kind }) => kind === 'folder' || kind === 'folderId')

/** Finds the inbox that a list shows. Undefined for other lists, and if the list asks for snoozed emails. */
const findInbox = async (
  db: Db,
  userId: number,
  { threadId }: FilterQuery,
  filters: readonly Filter[],
): Promise<EmailFilter['inbox']> => {
  if (threadId !== undefined || filters.some((each) => each.kind === 'snoozed' && each.value !== each.not))
    return undefined
  if (filters.some((each) => each.kind === 'folder' && each.folder === 'inbox' && !each.not))
    return { accountId: undefined }
  const [id, ...others] = filters.flatMap((each) => (each.kind === 'folderId' && !each.not ? each.ids : []))
  if (id === undefined || others.length > 0) return undefined
  const folder = await findFolder(db, userId, id)
  return folder?.use === 'inbox' ? { accountId: folder.accountId } : undefined
}

export type Finding = ReturnType<typeof createFinding>

/** Lists and searches emails. `zoneOf` returns the time zone of an account, for dates without a time. */
export const createFinding = (
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  { fullText, zoneOf }: { fullText: FullText; zoneOf: (userId: number) => Promise<string> },
) => {
  const lists = createEmailLists(fullText, SUMMARY_COLUMNS)

  const parseQuery = async (userId: number, typed: string): Promise<Search | null> => {
    const needsZone = /\b(?:before|after):/i.test(typed)
    return readSearch(typed, {
      readDay: readDayIn(needsZone ? await zoneOf(userId) : 'UTC', clock.now()),
      findFolderIds: await createFolderFinder(db, userId, typed),
    })
  }

  /** Reads the filters and the search of a list. Returns null if the search contains no searchable words. */
  const readFilter = async (
    userId: number,
    query: FilterQuery,
  ): Promise<{ filter: EmailFilter; hints: Pick<EmailList, 'hints'> } | null> => {
    const { q = '', accountId, threadId, urgency } = query
    const search = q.trim() === '' ? undefined : await parseQuery(userId, q)
    if (search === null) return null
    const words = search && search.words.all.length + search.words.none.length > 0 ? search.words : null
    const filters = [...filtersOf(query), ...(search?.filters ?? [])]
    const withoutJunk = spansFolders(query, filters) && (await hasJunk(db, userId))
    const inbox = await findInbox(db, userId, query, filters)
    return {
      filter: { userId, accountId, threadId, urgency, words, filters, withoutJunk, inbox },
      hints: search && search.hints.length > 0 ? { hints: [...search.hints] } : {},
    }
  }

  /**
   * Adds highlights to the listed fields. If these do not match and `withExcerpts` is set, adds an excerpt.
   */
  const highlight = async (
    emails: readonly EmailSummary[],
    words: WordQuery,
    withExcerpts: boolean,
  ): Promise<EmailList['emails']> => {
    const terms = termsOf(words)
    const found = emails.map((email) => ({ ...email, highlights: findHighlights(email, terms) }))
    const unmatched = withExcerpts ? found.filter(({ highlights }) => highlights.length === 0) : []
    if (terms.length > 0 && unmatched.length > 0) {
      const ids = unmatched.map(({ id }) => id)
      const texts = await readTexts(db, ids, MAX_SEARCHED_LENGTH)
      const byId = new Map(texts.map(({ emailId, text }) => [emailId, text]))
      for (const { id, highlights } of unmatched) {
        const excerpt = findExcerpt(byId.get(id) ?? '', terms)
        if (excerpt) highlights.push(excerpt)
      }
    }
    return found
  }

  const listNewest = async (filter: EmailFilter, { limit, cursor }: EmailQuery) => {
    const before = readCursor(cursor, 'integer')?.[0]
    const rows = await lists.listNewest(db, filter, { limit, before })
    return pageOf(rows, limit, (row) => [toListPosition(row, filter)])
  }

  const listBest = async (filter: EmailFilter & { words: WordQuery }, { limit, cursor }: EmailQuery) => {
    const skip = Math.min(Math.max(readCursor(cursor, 'text', 'integer')?.[1] ?? 0, 0), MAX_OFFSET)
    const rows = await lists.listBest(db, filter, { limit, skip })
    const { page, nextCursor } = pageOf(rows, limit, () => ['best', skip + limit])
    return { page, nextCursor: skip + limit < MAX_OFFSET ? nextCursor : null }
  }

  return {
    syntax: SEARCH_SYNTAX,

    readFilter,
    highlight,

    count: (userId: number): Promise<EmailCounts> => countForBadges(db, userId),

    async list(userId: number, query: EmailQuery): Promise<EmailList> {
      const read = await readFilter(userId, query)
      if (read === null) return { emails: [], nextCursor: null }
      const { filter, hints } = read
      const { words } = filter
      const isRanked = query.sort === 'best' && words !== null && words.all.length > 0
      const { page, nextCursor } = isRanked
        ? await listBest({ ...filter, words }, query)
        : await listNewest(filter, query)
      const isListed = isListedPlace(filter)
      const emails = toSummaries(page).map((email) => showIn(email, isListed))
      return {
        emails: words === null ? emails : await highlight(emails, words, query.excerpts ?? false),
        nextCursor,
        ...hints,
      }
    },
  }
}

const MAX_TEXT_LENGTH = 8_000

const toBriefedMail = ({ fromName, fromAddress, to, cc, analysis, ...row }: BriefedRow): BriefedMail => ({
  ...row,
  from: { name: fromName, address: fromAddress },
  to: JSON.parse(to) as Person[],
  cc: JSON.parse(cc) as Person[],
  analysis: analysis === null ? null : (JSON.parse(analysis) as unknown),
})

/** Lists recent mail for the briefing from indexes. Texts are read only on request. */
export const createBriefedMail = (db: Db): MailSource => {
  const recent = async (
    userId: number,
    folders: readonly Folder[],
    span: Span,
    limit: number,
  ): Promise<BriefedMail[]> => {
    const [from, below] = [positionOf(span.from), positionOf(span.until)]
    const pages: BriefedRow[] = []
    for (const folder of folders)
      pages.push(...(await listRecent(db, userId, { folder, from, below, limit })))
    return pages
      .sort((a, b) => b.position - a.position)
      .slice(0, limit)
      .map(toBriefedMail)
  }
  return {
    received: (userId, span, limit) => recent(userId, ['inbox', 'archive', 'other'], span, limit),
    async lastAnswers(userId, threadIds) {
      const last = new Map<number, number>()
      if (threadIds.length === 0) return last
      for (const { threadId, position } of await listAnswers(db, userId, threadIds))
        last.set(threadId, Math.max(position, last.get(threadId) ?? 0))
      return last
    },
    async texts(ids) {
      const rows = await readTexts(db, ids, MAX_TEXT_LENGTH)
      return new Map(rows.map(({ emailId, text }) => [emailId, text]))
    },
  }
}

/** Counts mail for the dashboard, from tallies and the index ranges of the days. */
export const createEmailFigures =
  (db: Db): EmailsReader =>
  async (userId, { today, days }) => {
    const [receivedToday = 0, ...perDay] = await countReceived(
      db,
      userId,
      [today, ...days].map(({ start, end }) => ({ from: positionOf(start), below: positionOf(end) })),
    )
    const snoozed = await countSnoozed(db, userId)
    return {
      figures: {
        total: await readTally(db, accountTally(TALLY, userId)),
        unread: (await readTally(db, accountTally(UNREAD_TALLY, userId))) - snoozed.unread,
        urgent: (await readTally(db, accountTally(URGENT_TALLY, userId))) - snoozed.urgent,
        receivedToday,
      },
      perDay,
    }
  }

const MINUTE_MS = 60_000

/** Counts mail for the history, and measures how long replies took. */
export const createEmailHistory =
  (db: Db): HistoryReader<EmailHistory> =>
  async (userId, intervals) => {
    const ranges = intervals.map(({ start, end }) => ({ from: positionOf(start), below: positionOf(end) }))
    const traffic = await countTraffic(db, userId, ranges)
    const answers = await measureReplies(db, userId, ranges)
    return traffic.map(({ received, sent }, index) => {
      const { replies = 0, medianMs = null } = answers[index] ?? {}
      return {
        received,
        sent,
        answered: replies,
        medianReplyMinutes: medianMs === null ? null : Math.round(medianMs / MINUTE_MS),
      }
    })
  }
