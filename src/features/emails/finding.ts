import type { Db } from '../../database/db.ts'
import type { FullText, WordQuery } from '../../database/full-text/full-text.ts'
import { toWall } from '../../engine/time-zones.ts'
import type { Clock } from '../../platform/clock.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { readInstant } from '../../platform/time.ts'
import { excerptOf, type Highlight, highlightsOf, termsOf } from './highlights.ts'
import { createEmailLists, type EmailFilter, type FoundEmail } from './list-store.ts'
import type { EmailQuery } from './schema.ts'
import { type Filter, readSearch, type Search, type SearchHint, tagKeyOf } from './search.ts'
import { summaryTextOf } from './shown-email.ts'
import { readTexts } from './store.ts'

/** How far into a text a match is looked for, to show it. */
const LOOKED_THROUGH = 20_000
/** Best matches are paged through no further than this. */
const DEEPEST = 1_000

const answerOf = (
  emails: readonly string[],
  nextCursor: string | null,
  hints: readonly SearchHint[] = [],
): string => {
  const shownHints = hints.length > 0 ? `,"hints":${JSON.stringify(hints)}` : ''
  return `{"emails":[${emails.join()}],"nextCursor":${JSON.stringify(nextCursor)}${shownHints}}`
}

const DAY_MS = 86_400_000

/** “today”, “yesterday”, or how long ago: 7d, 2w, 3m, 1y. */
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

const filtersOf = ({ tag, folder, unread, starred }: EmailQuery): Filter[] => [
  ...(tag === undefined ? [] : [{ kind: 'tag', tag: tagKeyOf(tag), not: false } as const]),
  ...(folder === undefined ? [] : [{ kind: 'folder', folder, not: false } as const]),
  ...(unread === undefined ? [] : [{ kind: 'read', value: !unread, not: false } as const]),
  ...(starred === undefined ? [] : [{ kind: 'starred', value: starred, not: false } as const]),
]

export interface FindingDeps {
  db: Db
  fullText: FullText
  clock: Clock
  /** In which a bare day is read. */
  timezone: () => Promise<string>
}

export type Finding = ReturnType<typeof createFinding>

/** Lists and searches. */
export const createFinding = ({ db, fullText, clock, timezone }: FindingDeps) => {
  const lists = createEmailLists(fullText)

  const understand = async (typed: string): Promise<Search | null> => {
    const needsZone = /\b(?:before|after):/i.test(typed)
    return readSearch(typed, readDayIn(needsZone ? await timezone() : 'UTC', clock.now()))
  }

  /** Shows where the words are: in what the list shows, else, when asked, in the text. */
  const highlight = async (
    rows: readonly FoundEmail[],
    words: WordQuery,
    withExcerpts: boolean,
  ): Promise<string[]> => {
    const terms = termsOf(words)
    const found = rows.map((row) => ({ row, highlights: highlightsOf(row, terms) }))
    const dark = withExcerpts ? found.filter(({ highlights }) => highlights.length === 0) : []
    if (terms.length > 0 && dark.length > 0) {
      const ids = dark.map(({ row }) => row.id)
      const texts = await readTexts(db, ids, LOOKED_THROUGH)
      const byId = new Map(texts.map(({ emailId, text }) => [emailId, text]))
      for (const { row, highlights } of dark) {
        const excerpt: Highlight | undefined = excerptOf(byId.get(row.id) ?? '', terms)
        if (excerpt) highlights.push(excerpt)
      }
    }
    return found.map(({ row, highlights }) =>
      summaryTextOf(row, `,"highlights":${JSON.stringify(highlights)}`),
    )
  }

  const listNewest = async (filter: EmailFilter, { limit, cursor }: EmailQuery) => {
    const before = readCursor(cursor, 'integer')?.[0]
    const rows = await lists.listNewest(db, filter, { limit, before })
    return pageOf(rows, limit, (row) => [row.position])
  }

  const listBest = async (filter: EmailFilter & { words: WordQuery }, { limit, cursor }: EmailQuery) => {
    const skip = Math.min(Math.max(readCursor(cursor, 'text', 'integer')?.[1] ?? 0, 0), DEEPEST)
    const rows = await lists.listBest(db, filter, { limit, skip })
    const { page, nextCursor } = pageOf(rows, limit, () => ['best', skip + limit])
    return { page, nextCursor: skip + limit < DEEPEST ? nextCursor : null }
  }

  return {
    /** The answer's JSON. */
    async list(query: EmailQuery): Promise<string> {
      const { q = '', accountId, threadId, urgency } = query
      const search = q.trim() === '' ? undefined : await understand(q)
      // Something was typed, but nothing in it could be looked for.
      if (search === null) return answerOf([], null)
      const words = search && search.words.all.length + search.words.none.length > 0 ? search.words : null
      const filter = {
        accountId,
        threadId,
        urgency,
        words,
        filters: [...filtersOf(query), ...(search?.filters ?? [])],
      }
      const isRanked = query.sort === 'best' && words !== null && words.all.length > 0
      const { page, nextCursor } = isRanked
        ? await listBest({ ...filter, words }, query)
        : await listNewest(filter, query)
      const emails =
        words === null
          ? page.map((row) => summaryTextOf(row))
          : await highlight(page as FoundEmail[], words, query.excerpts ?? false)
      return answerOf(emails, nextCursor, search?.hints)
    },
  }
}
