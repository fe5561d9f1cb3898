import { infiniteQueryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import type { EmailPages, Listed, Scope, ThreadPages } from './email-cache.ts'
import type { Email, Folder } from './folders.ts'
import { toPrefixSearch } from './search-words.ts'
import type { Thread } from './threads.ts'
import type { UrlState } from './url-state.ts'

export const KEYS = {
  all: ['emails'],
  lists: ['emails', 'list'],
  threads: ['emails', 'thread'],
  counts: ['emails', 'counts'],
  folders: ['emails', 'folders'],
} as const

const POLL_INTERVAL_MS = 60_000
const SENDING_POLL_MS = 5_000
/** With more pages loaded, polling would refetch too much. */
const FEW_PAGES = 2

export type ListQuery = Pick<
  UrlState,
  'folder' | 'folderId' | 'q' | 'here' | 'tag' | 'unread' | 'starred' | 'snoozed'
>

/** A search spans all folders unless it is limited to the current one. So do starred and snoozed mail. */
export const scopeOf = ({ folder, folderId, q, here, starred, snoozed }: ListQuery): Scope | null =>
  !starred && !snoozed && (q.trim() === '' || here) ? { folder, folderId } : null

/** The inbox lists pinned threads first. A search lists all by time. */
export const hasPinnedPart = (query: ListQuery): boolean =>
  scopeOf(query)?.folder === 'inbox' && query.q.trim() === ''

/** The first page fills a screen. The next ones are larger, for fast scrolling. */
const FIRST_PAGE = 50
const NEXT_PAGE = 100
/** The most entries of one page. */
const MAX_PAGE_SIZE = 200

/** Null lists pinned and other threads together. */
export const useThreadList = (query: ListQuery, pinned: boolean | null, isEnabled = true) => {
  const client = useClient()
  const queries = useQueryClient()
  const { tag, unread, starred, snoozed } = query
  const q = toPrefixSearch(query.q)
  const { folder, folderId } = scopeOf(query) ?? { folder: null, folderId: null }
  const queryKey = [
    ...KEYS.lists,
    { folder, folderId, q, tag, unread, starred, snoozed, pinned } satisfies Listed,
  ]
  const fetchPage = (cursor: string | null, limit: number) =>
    unwrap(
      client.GET('/api/threads', {
        params: {
          query: {
            limit,
            ...(cursor !== null && { cursor }),
            ...(folderId !== null ? { folderId } : folder !== null && { folder }),
            ...(q !== '' && { q, excerpts: true }),
            ...(tag !== null && { tag }),
            ...(unread && { unread }),
            ...(starred && { starred }),
            ...(snoozed && { snoozed }),
            ...(pinned !== null && { pinned }),
          },
        },
      }),
    )
  return useInfiniteQuery({
    queryKey,
    enabled: isEnabled,
    /** A refetch of a long list reads only its beginning. The pages after it stay as they are. */
    queryFn: async ({ pageParam }) => {
      const cached = queries.getQueryData<ThreadPages>(queryKey)
      const index = cached?.pageParams.indexOf(pageParam) ?? -1
      const page = cached?.pages[index]
      if (!cached || !page || cached.pages.length <= FEW_PAGES)
        return fetchPage(pageParam, pageParam === null ? FIRST_PAGE : NEXT_PAGE)
      if (index > 0) return page
      const newest = await fetchPage(null, MAX_PAGE_SIZE)
      const oldest = page.threads.at(-1)?.date ?? ''
      return {
        ...newest,
        threads: newest.threads.filter(({ date }) => date >= oldest),
        nextCursor: page.nextCursor,
      }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? []
      return getPollInterval(
        pages.length,
        pages.some(({ threads }) => threads.some(isQueued)),
      )
    },
  })
}

const isQueued = ({ delivery }: Pick<Email, 'delivery'>): boolean => delivery?.status === 'queued'

const getPollInterval = (pageCount: number, isSending: boolean): number | false => {
  if (pageCount > FEW_PAGES) return false
  return isSending ? SENDING_POLL_MS : POLL_INTERVAL_MS
}

/** Lists each thread once. One that moved to the top may still be on its former page. */
export const listThreads = (data: ThreadPages | undefined, gone: ReadonlySet<number>): readonly Thread[] => {
  const seen = new Set(gone)
  const threads: Thread[] = []
  for (const page of data?.pages ?? [])
    for (const thread of page.threads) {
      if (seen.has(thread.id)) continue
      seen.add(thread.id)
      threads.push(thread)
    }
  return threads
}

/** Finds an email in its thread, if that is loaded. The list may not contain the open email. */
export const useFindLoadedEmail = () => {
  const queries = useQueryClient()
  return (id: number): Email | undefined =>
    queries
      .getQueryData<EmailPages>([...KEYS.threads, id])
      ?.pages.flatMap(({ emails }) => emails)
      .find((email) => email.id === id)
}

const threadQuery = (client: Client, id: number) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.threads, id],
    queryFn: ({ pageParam }) =>
      unwrap(
        client.GET('/api/emails/{id}/thread', {
          params: {
            path: { id },
            query: { limit: 200, ...(pageParam !== null && { cursor: pageParam }) },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? []
      return getPollInterval(
        pages.length,
        pages.some(({ emails }) => emails.some(isQueued)),
      )
    },
  })

/** The thread of an email. */
export const useThread = (id: number) => useInfiniteQuery(threadQuery(useClient(), id))

/** Loads a thread before it is rendered. A failed load is repeated when it is rendered. */
export const usePrefetchThread = () => {
  const client = useClient()
  const queries = useQueryClient()
  return (id: number): void => void queries.prefetchInfiniteQuery(threadQuery(client, id))
}

const MAX_COUNTED = 99

const toBadge = (count: number): string =>
  count === 0 ? '' : count > MAX_COUNTED ? `${MAX_COUNTED}+` : String(count)

/** Badge texts; empty for a folder without emails. */
export const useCounts = () => {
  const client = useClient()
  return useQuery({
    queryKey: KEYS.counts,
    queryFn: async (): Promise<Partial<Record<Folder | 'snoozed', string>>> => {
      const counts = await unwrap(client.GET('/api/emails/counts'))
      return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, toBadge(count)]))
    },
    refetchInterval: POLL_INTERVAL_MS,
  })
}
