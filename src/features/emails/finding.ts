import type { Db } from '../../database/db.ts'
import type { FullText, WordQuery } from '../../database/full-text/full-text.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { readInstant } from '../../platform/time.ts'
import { excerptOf, type Highlight, highlightsOf, termsOf } from './highlights.ts'
import { type EmailFilter, type ListedEmail, listBestMatches, listEmails } from './list-store.ts'
import type { EmailQuery } from './schema.ts'
import { type Filter, readSearch, type Search, tagKeyOf } from './search.ts'
import { readTexts } from './store.ts'
import { summaryOf } from './view.ts'

/** How far into a text a match is looked for, to show it. */
const LOOKED_THROUGH = 20_000
/** Best matches are paged through no further than this. */
const DEEPEST = 1_000

const NOTHING = { emails: [], nextCursor: null }

const readDayIn =
  (timezone: string) =>
  (text: string): string | undefined => {
    const day = /^\d{4}$/.test(text) ? `${text}-01-01` : /^\d{4}-\d{2}$/.test(text) ? `${text}-01` : text
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
  /** In which a bare day is read. */
  timezone: () => Promise<string>
}

export type Finding = ReturnType<typeof createFinding>

/** Lists and searches. */
export const createFinding = ({ db, fullText, timezone }: FindingDeps) => {
  const understand = async (typed: string): Promise<Search | null> => {
    const needsZone = /\b(?:before|after):/i.test(typed)
    return readSearch(typed, readDayIn(needsZone ? await timezone() : 'UTC'))
  }

  /** Shows where the words are: in what the list shows, else, when asked, in the text. */
  const highlight = async (rows: readonly ListedEmail[], words: WordQuery, withExcerpts: boolean) => {
    const terms = termsOf(words)
    const shown = rows.map((row) => {
      const summary = summaryOf(row)
      return { ...summary, highlights: highlightsOf(summary, terms) }
    })
    if (!withExcerpts) return shown
    const dark = shown.filter(({ highlights }) => highlights.length === 0)
    if (terms.length === 0 || dark.length === 0) return shown
    const texts = await readTexts(
      db,
      dark.map(({ id }) => id),
      LOOKED_THROUGH,
    )
    const byId = new Map(texts.map(({ emailId, text }) => [emailId, text]))
    for (const email of dark) {
      const excerpt: Highlight | undefined = excerptOf(byId.get(email.id) ?? '', terms)
      if (excerpt) email.highlights.push(excerpt)
    }
    return shown
  }

  const listNewest = async (filter: EmailFilter, { limit, cursor }: EmailQuery) => {
    const before = readCursor(cursor, 'integer')?.[0]
    const rows = await listEmails(db, fullText, filter, { limit, before })
    return pageOf(rows, limit, (row) => [row.position])
  }

  const listBest = async (filter: EmailFilter & { words: WordQuery }, { limit, cursor }: EmailQuery) => {
    const skip = Math.min(Math.max(readCursor(cursor, 'text', 'integer')?.[1] ?? 0, 0), DEEPEST)
    const rows = await listBestMatches(db, fullText, filter, { limit, skip })
    const { page, nextCursor } = pageOf(rows, limit, () => ['best', skip + limit])
    return { page, nextCursor: skip + limit < DEEPEST ? nextCursor : null }
  }

  return {
    async list(query: EmailQuery) {
      const { q = '', accountId, threadId, urgency } = query
      const search = q.trim() === '' ? undefined : await understand(q)
      // Something was typed, but nothing in it could be looked for.
      if (search === null) return NOTHING
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
      return {
        emails: words === null ? page.map(summaryOf) : await highlight(page, words, query.excerpts ?? false),
        nextCursor,
      }
    },
  }
}
