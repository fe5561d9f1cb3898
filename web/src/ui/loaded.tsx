import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Failure, Skeleton } from './notice.tsx'

interface LoadedProps<T> {
  query: UseQueryResult<T>
  lines?: number
  children: (data: T) => ReactNode
}

/** Renders a skeleton, then the data, or the error with a retry button. */
export const Loaded = <T,>({ query, lines = 3, children }: LoadedProps<T>) => {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <Skeleton lines={lines} />
}

interface LoadedListProps<P, T> {
  query: UseInfiniteQueryResult<InfiniteData<P>>
  itemsOf: (page: P) => readonly T[]
  empty: ReactNode
  children: (items: readonly T[]) => ReactNode
}

export const LoadedList = <P, T>({ query, itemsOf, empty, children }: LoadedListProps<P, T>) => {
  if (query.data === undefined)
    return query.isError ? (
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton lines={4} />
    )
  const items = query.data.pages.flatMap(itemsOf)
  if (items.length === 0 && !query.hasNextPage) return empty
  return (
    <>
      {items.length > 0 && children(items)}
      {query.isFetchNextPageError && (
        <Failure error={query.error} onRetry={() => void query.fetchNextPage()} />
      )}
      {query.hasNextPage && !query.isFetchNextPageError && (
        <div className="load-more">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </>
  )
}
