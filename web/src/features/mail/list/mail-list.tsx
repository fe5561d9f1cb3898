import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Failure, Skeleton } from '../../../ui/notice.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNow } from '../../../ui/use-now.ts'
import type { EmailSummary } from '../folders.ts'
import { hrefOf, type UrlState } from '../url-state.ts'
import type { EmailActions } from '../use-email-actions.ts'
import { folderOf } from '../use-emails.ts'
import { EmptyList } from './empty-list.tsx'
import { MailRow } from './mail-row.tsx'
import type { Selection } from './use-selection.ts'

/** Loads the next page when the end of the list is near. */
const useNearEnd = (onNear: () => void, isOn: boolean) => {
  const mark = useRef<HTMLDivElement>(null)
  const latest = useRef(onNear)
  latest.current = onNear
  useEffect(() => {
    if (!mark.current || !isOn) return
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) latest.current()
      },
      { rootMargin: '600px' },
    )
    watcher.observe(mark.current)
    return () => watcher.disconnect()
  }, [isOn])
  return mark
}

interface MailListProps {
  query: Pick<
    UseInfiniteQueryResult,
    | 'isPending'
    | 'isError'
    | 'error'
    | 'refetch'
    | 'hasNextPage'
    | 'isFetchingNextPage'
    | 'isFetchNextPageError'
    | 'fetchNextPage'
  >
  emails: readonly EmailSummary[]
  /** Search terms that the service did not understand. */
  hints: readonly { term: string; message: string }[]
  urlState: UrlState
  actions: EmailActions
  selection: Selection
  list: RefObject<HTMLUListElement | null>
}

export const MailList = ({ query, emails, hints, urlState, actions, selection, list }: MailListProps) => {
  const now = useNow()
  const dates = useDates()
  const goesOn = query.hasNextPage && !query.isFetchNextPageError
  const mark = useNearEnd(() => {
    if (!query.isFetchingNextPage) void query.fetchNextPage()
  }, goesOn && !query.isFetchingNextPage)
  if (query.isPending) return <Skeleton lines={9} />
  if (query.isError && emails.length === 0)
    return <Failure error={query.error} onRetry={() => void query.refetch()} />
  const hintList = hints.length > 0 && (
    <ul className="mail-hints" role="status">
      {hints.map(({ term, message }) => (
        <li key={term}>{message}</li>
      ))}
    </ul>
  )
  if (emails.length === 0 && !query.hasNextPage)
    return (
      <>
        {hintList}
        <EmptyList urlState={urlState} />
      </>
    )
  return (
    <>
      {hintList}
      <ul ref={list} className="mail-rows" aria-label="E-mails">
        {emails.map((email) => (
          <MailRow
            key={email.id}
            email={email}
            href={hrefOf({ ...urlState, open: email.id })}
            now={now}
            dates={dates}
            isOpen={urlState.open === email.id}
            isSelected={selection.has(email.id)}
            showsFolder={folderOf(urlState) === null}
            onSelect={(isSelected, isRange) => selection.set(email.id, isSelected, isRange)}
            onStar={() => void actions.star([email], !email.starred)}
          />
        ))}
      </ul>
      {query.isFetchNextPageError && (
        <Failure error={query.error} onRetry={() => void query.fetchNextPage()} />
      )}
      {goesOn && (
        <div ref={mark} className="mail-more">
          <Button
            size="small"
            kind="quiet"
            busy={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {query.isFetchingNextPage ? 'Loading older e-mails' : 'Load older e-mails'}
          </Button>
        </div>
      )}
    </>
  )
}
