import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'

interface Page {
  nextCursor: string | null
}

/** An infinite query over a cursor-paginated collection. */
export const usePaged = <P extends Page>(
  queryKey: readonly unknown[],
  read: (query: { cursor?: string }) => Promise<P>,
): UseInfiniteQueryResult<InfiniteData<P>> =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
