import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { MailPlus, SearchX } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import * as t from '#locale/mail'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { NextPage } from '../../../ui/loaded.tsx'
import { Empty, Failure, Skeleton } from '../../../ui/notice.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { type RowTarget, VirtualList } from '../../../ui/virtual-list.tsx'
import { type EmailSummary, FOLDER_ICONS } from '../folders.ts'
import { hrefOf, type UrlState } from '../url-state.ts'
import type { EmailActions } from '../use-email-actions.ts'
import { folderOf } from '../use-emails.ts'
import { MailRow } from './mail-row.tsx'
import type { Selection } from './use-selection.ts'

/** Explains an empty list and what to do. */
const EmptyList = ({ urlState }: { urlState: UrlState }) => {
  const accounts = useQuery(mailAccountsQuery(useClient())).data
  if (urlState.q.trim() !== '' || urlState.tag !== null || urlState.unread)
    return (
      <Empty icon={SearchX} title={t.noEmailsFound}>
        <p>{t.noEmailsFoundAbout}</p>
      </Empty>
    )
  if (urlState.folder === 'inbox' && accounts?.length === 0)
    return (
      <Empty icon={MailPlus} title={t.noAccount}>
        <p>{t.noAccountAbout}</p>
        <LinkButton kind="primary" href="/settings/mail-accounts">
          {t.addAccount}
        </LinkButton>
      </Empty>
    )
  const { title, about } = t.emptyFolders[urlState.folder]
  return (
    <Empty icon={FOLDER_ICONS[urlState.folder]} title={title}>
      <p>{about}</p>
    </Empty>
  )
}

interface SearchHint {
  term: string
  message: string
}

/** The message of the server is English, so it is used only for operators that the console does not know. */
const describeHint = ({ term, message }: SearchHint): string => {
  const [operator = ''] = term.split(':', 1)
  return Object.hasOwn(t.searchHints, operator)
    ? t.searchHints[operator as keyof typeof t.searchHints](term.slice(operator.length + 1))
    : message
}

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
  hints: readonly SearchHint[]
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
      {hints.map((hint) => (
        <li key={hint.term}>{describeHint(hint)}</li>
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
        label={t.emails}
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
      <NextPage query={query} label={t.loadOlder} busyLabel={t.loadingOlder} />
    </>
  )
}
