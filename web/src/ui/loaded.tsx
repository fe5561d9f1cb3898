import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import * as t from '#locale/ui'
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

export interface LoadedListProps<P, T> {
  /** A list with pages, or a list that one response holds. */
  query: UseInfiniteQueryResult<InfiniteData<P>> | UseQueryResult<P>
  itemsOf: (page: P) => readonly T[]
  empty: ReactNode
  /** For a list with content below it, which could not be reached if the list grew while scrolling. */
  needsClick?: boolean
  children: (items: readonly T[]) => ReactNode
}

export const LoadedList = <P, T>(props: LoadedListProps<P, T>) => {
  const { query, itemsOf, empty, needsClick = false, children } = props
  if (query.data === undefined)
    return query.isError ? (
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton lines={4} />
    )
  if (!('hasNextPage' in query)) {
    const items = itemsOf(query.data)
    return items.length === 0 ? empty : children(items)
  }
  const items = query.data.pages.flatMap(itemsOf)
  if (items.length === 0 && !query.hasNextPage) return empty
  return (
    <>
      {items.length > 0 && children(items)}
      <NextPage query={query} needsClick={needsClick} label={t.loadMore} busyLabel={t.loadMore} />
    </>
  )
}

interface NextPageProps {
  query: Pick<
    UseInfiniteQueryResult,
    'error' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
  needsClick?: boolean
  label: string
  busyLabel: string
}

/** The end of a list: loads the next page when it comes near, or on click. */
export const NextPage = ({ query, needsClick = false, label, busyLabel }: NextPageProps) => {
  const { error, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  const fetchNextPage = () => void query.fetchNextPage()
  const mark = useNearEnd(() => query.fetchNextPage(), !needsClick && !isFetchingNextPage)
  if (isFetchNextPageError) return <Failure error={error} onRetry={fetchNextPage} />
  if (!hasNextPage) return null
  return (
    <div ref={mark} className="load-more">
      <Button busy={isFetchingNextPage} onClick={fetchNextPage}>
        {isFetchingNextPage ? busyLabel : label}
      </Button>
    </div>
  )
}

/** About a screen. The second margin applies if the list scrolls in an element of its own. */
const NEAR = '800px'

/** Calls `onNear` when the marked element is near. */
const useNearEnd = (onNear: () => Promise<unknown>, isOn: boolean) => {
  const [mark, setMark] = useState<HTMLElement | null>(null)
  const latest = useRef(onNear)
  latest.current = onNear
  useEffect(() => {
    if (!mark || !isOn) return
    let isActive = true
    const observer = new IntersectionObserver(
      async ([entry]) => {
        if (!entry?.isIntersecting) return
        await latest.current()
        if (!isActive) return
        // After a fast scroll the mark is still in view, which the observer does not report again.
        observer.unobserve(mark)
        observer.observe(mark)
      },
      { rootMargin: NEAR, scrollMargin: NEAR },
    )
    observer.observe(mark)
    return () => {
      isActive = false
      observer.disconnect()
    }
  }, [mark, isOn])
  return setMark
}
