import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import type { Email, Folder } from './folders.ts'
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

type List = Shape<'EmailList'>
type Thread = Shape<'EmailThread'>

export type ListQuery = Pick<UrlState, 'folder' | 'folderId' | 'q' | 'here' | 'tag' | 'unread'>

/** Filters that identify one cached email list. */
export interface Listed {
  folder: Folder | null
  /** The folder of a mail account; null for lists over all accounts. */
  folderId: number | null
  q: string
  tag: string | null
  unread: boolean
}

/** A search spans all folders unless it is limited to the current one. */
export const folderOf = ({ folder, q, here }: ListQuery): Folder | null =>
  q.trim() === '' || here ? folder : null

const folderIdOf = ({ folderId, q, here }: ListQuery): number | null =>
  q.trim() === '' || here ? folderId : null

export const useEmailList = (query: ListQuery) => {
  const client = useClient()
  const { tag, unread } = query
  const q = query.q.trim()
  const folder = folderOf(query)
  const folderId = folderIdOf(query)
  return useInfiniteQuery({
    queryKey: [...KEYS.lists, { folder, folderId, q, tag, unread } satisfies Listed],
    queryFn: ({ pageParam }) =>
      unwrap(
        client.GET('/api/emails', {
          params: {
            query: {
              limit: 50,
              ...(pageParam !== null && { cursor: pageParam }),
              ...(folderId !== null ? { folderId } : folder !== null && { folder }),
              ...(q !== '' && { q }),
              ...(tag !== null && { tag }),
              ...(unread && { unread }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => getPollInterval(state.data),
  })
}

const getPollInterval = (data: InfiniteData<List | Thread> | undefined): number | false => {
  const pages = data?.pages ?? []
  if (pages.length > FEW_PAGES) return false
  const isSending = pages.some(({ emails }) => emails.some(({ delivery }) => delivery?.status === 'queued'))
  return isSending ? SENDING_POLL_MS : POLL_INTERVAL_MS
}

/** Finds an email in its conversation, if that is loaded. The list may not contain the open email. */
export const useFindLoadedEmail = () => {
  const queries = useQueryClient()
  return (id: number): Email | undefined =>
    queries
      .getQueryData<InfiniteData<Thread>>([...KEYS.threads, id])
      ?.pages.flatMap(({ emails }) => emails)
      .find((email) => email.id === id)
}

/** The conversation of an email. */
export const useThread = (id: number) => {
  const client = useClient()
  return useInfiniteQuery({
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
    refetchInterval: ({ state }) => getPollInterval(state.data),
  })
}

const MAX_COUNTED = 99
/** Folders with a badge: unread mail, or drafts. */
const COUNTED: readonly (readonly [Folder, { unread?: boolean }])[] = [
  ['inbox', { unread: true }],
  ['drafts', {}],
  ['archive', { unread: true }],
]

const countIn = async (client: Client, folder: Folder, filter: { unread?: boolean }): Promise<number> => {
  const { emails, nextCursor } = await unwrap(
    client.GET('/api/emails', { params: { query: { folder, limit: MAX_COUNTED, ...filter } } }),
  )
  return emails.length + (nextCursor === null ? 0 : 1)
}

/** Badge texts; empty for a folder without emails. */
export const useCounts = () => {
  const client = useClient()
  return useQuery({
    queryKey: KEYS.counts,
    queryFn: async (): Promise<Partial<Record<Folder, string>>> =>
      Object.fromEntries(
        await Promise.all(
          COUNTED.map(async ([folder, filter]) => {
            const count = await countIn(client, folder, filter)
            return [folder, count === 0 ? '' : count > MAX_COUNTED ? `${MAX_COUNTED}+` : String(count)]
          }),
        ),
      ),
    refetchInterval: POLL_INTERVAL_MS,
  })
}
