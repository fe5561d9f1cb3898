import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { NextPage } from '../../../ui/loaded.tsx'
import { Failure, Skeleton } from '../../../ui/notice.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { type RowTarget, VirtualList } from '../../../ui/virtual-list.tsx'
import type { EmailSummary } from '../folders.ts'
import { hrefOf, type UrlState } from '../url-state.ts'
import type { EmailActions } from '../use-email-actions.ts'
import { folderOf } from '../use-emails.ts'
import { EmptyList } from './empty-list.tsx'
import { MailRow } from './mail-row.tsx'
import type { Selection } from './use-selection.ts'

/** Screens on which the page scrolls as a whole; the same width as in mail.css. */
const PAGE_SCROLLS = window.matchMedia('(max-width: 860px)')
const subscribe = (onChange: () => void) => {
  PAGE_SCROLLS.addEventListener('change', onChange)
  return () => PAGE_SCROLLS.removeEventListener('change', onChange)
}

/** Estimated heights; most rows have no tags. */
const ROW_HEIGHT = 94
const COMPACT_ROW_HEIGHT = 61

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
  isCompact: boolean
  target: RowTarget | null
}

export const MailList = (props: MailListProps) => {
  const { query, emails, hints, urlState, actions, selection, isCompact, target } = props
  const now = useNow()
  const dates = useDates()
  const pageScrolls = useSyncExternalStore(subscribe, () => PAGE_SCROLLS.matches)
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
      <VirtualList
        // The heights that were measured are those of one density.
        key={`${isCompact} ${pageScrolls}`}
        items={emails}
        hasMore={query.hasNextPage}
        estimatedHeight={isCompact ? COMPACT_ROW_HEIGHT : ROW_HEIGHT}
        scrollsIn={pageScrolls ? undefined : '.mail-scroll'}
        target={target}
        label="E-mails"
      >
        {(email, row) => (
          <MailRow
            key={email.id}
            row={row}
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
        )}
      </VirtualList>
      <NextPage query={query} label="Load older e-mails" busyLabel="Loading older e-mails" />
    </>
  )
}
