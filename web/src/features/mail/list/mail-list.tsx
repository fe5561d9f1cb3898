import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { AlarmClock, MailPlus, SearchX, Star } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import * as t from '#locale/mail'
import * as later from '#locale/mail-later'
import type { Shape } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { NextPage } from '../../../ui/loaded.tsx'
import { Empty, Failure, Skeleton } from '../../../ui/notice.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNow } from '../../../ui/use-now.ts'
import type { Selection } from '../../../ui/use-selection.ts'
import { type RowTarget, VirtualList } from '../../../ui/virtual-list.tsx'
import { FOLDER_ICONS } from '../folders.ts'
import type { Thread } from '../threads.ts'
import { hrefOf, type UrlState } from '../url-state.ts'
import { scopeOf } from '../use-emails.ts'
import type { RowHandlers } from './mail-row.tsx'
import { MemoMailRow, useStableHandlers } from './memo-row.tsx'

type MailAccount = Shape<'MailAccount'>

/** An account that has never finished a sync. Its folders only seem to be empty. */
const isFirstSync = ({ enabled, sync }: MailAccount): boolean =>
  enabled && sync.lastSyncAt === null && (sync.status === 'waiting' || sync.status === 'syncing')

const sumProgress = (accounts: readonly MailAccount[]): { stored: number; total: number } => ({
  stored: accounts.reduce((sum, { sync }) => sum + sync.progress.stored, 0),
  total: accounts.reduce((sum, { sync }) => sum + sync.progress.total, 0),
})

/** Explains an empty list and what to do. */
const EmptyList = ({ urlState }: { urlState: UrlState }) => {
  const accounts = useQuery(mailAccountsQuery(useClient())).data
  if (urlState.q.trim() !== '' || urlState.tag !== null || urlState.unread)
    return <Empty icon={SearchX} title={t.noEmailsFound} about={t.noEmailsFoundAbout} />
  if (urlState.folder === 'inbox' && accounts?.length === 0)
    return (
      <Empty icon={MailPlus} title={t.noAccount}>
        <p>{t.noAccountAbout}</p>
        <LinkButton kind="primary" href="/settings/mail-accounts">
          {t.addAccount}
        </LinkButton>
      </Empty>
    )
  if (urlState.snoozed)
    return <Empty icon={AlarmClock} title={later.noSnoozed} about={later.noSnoozedAbout} />
  if (urlState.starred) return <Empty icon={Star} title={t.noStarred} about={t.noStarredAbout} />
  const syncing = accounts?.filter(isFirstSync) ?? []
  if (syncing.length > 0)
    return (
      <Empty icon={MailPlus} title={t.firstSync}>
        <p role="status">{t.firstSyncProgress(sumProgress(syncing))}</p>
      </Empty>
    )
  const { title, about } = t.emptyFolders[urlState.folder]
  return <Empty icon={FOLDER_ICONS[urlState.folder]} title={title} about={about} />
}

/** Lists over several folders name the folder. The inbox also lists returned emails of other folders. */
const isOtherFolder = ({ folder }: Thread, urlState: UrlState): boolean => {
  const scope = scopeOf(urlState)
  return scope === null || (scope.folder === 'inbox' && folder !== 'inbox')
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

/** Heights of the rows, as in mail.css. Rows are higher on touch screens. */
const ROW_HEIGHT = 94
const COMPACT_ROW_HEIGHT = 40
const TOUCH_ROW_HEIGHT = 64

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
  threads: readonly Thread[]
  /** The number of pinned threads at the beginning. */
  pinnedCount: number
  opened: Thread | undefined
  /** Search terms that the service did not understand. */
  hints: readonly SearchHint[]
  urlState: UrlState
  handlers: RowHandlers
  selection: Selection<Thread>
  isCompact: boolean
  target: RowTarget | null
}

export const MailList = (props: MailListProps) => {
  const { query, threads, pinnedCount, opened, hints, urlState, handlers, selection, isCompact, target } =
    props
  const stableHandlers = useStableHandlers(handlers)
  const now = useNow()
  const dates = useDates()
  const pageScrolls = useSyncExternalStore(subscribe, () => PAGE_SCROLLS.matches)
  if (query.isPending) return <Skeleton lines={9} />
  if (query.isError && threads.length === 0)
    return <Failure error={query.error} onRetry={() => void query.refetch()} />
  const hintList = hints.length > 0 && (
    <ul className="mail-hints" role="status">
      {hints.map((hint) => (
        <li key={hint.term}>{describeHint(hint)}</li>
      ))}
    </ul>
  )
  if (threads.length === 0 && !query.hasNextPage)
    return (
      <>
        {hintList}
        <EmptyList urlState={urlState} />
      </>
    )
  const headingAt = (index: number): string | undefined => {
    if (pinnedCount === 0) return undefined
    return index === 0 ? later.pinned : index === pinnedCount ? later.otherEmails : undefined
  }
  return (
    <>
      {hintList}
      <VirtualList
        // The heights that were measured are those of one density.
        key={`${isCompact} ${pageScrolls}`}
        items={threads}
        hasMore={query.hasNextPage}
        estimatedHeight={!isCompact ? ROW_HEIGHT : pageScrolls ? TOUCH_ROW_HEIGHT : COMPACT_ROW_HEIGHT}
        scrollsIn={pageScrolls ? undefined : '.mail-scroll'}
        target={target}
        label={t.emails}
      >
        {(thread, row) => (
          <MemoMailRow
            key={thread.id}
            row={row}
            thread={thread}
            href={hrefOf({ ...urlState, open: thread.emailId })}
            now={now}
            dates={dates}
            isOpen={thread.id === opened?.id}
            isSelected={selection.has(thread.id)}
            showsFolder={isOtherFolder(thread, urlState)}
            heading={headingAt(row['data-index'])}
            q={urlState.q}
            handlers={stableHandlers}
          />
        )}
      </VirtualList>
      <NextPage query={query} label={t.loadOlder} busyLabel={t.loadingOlder} />
    </>
  )
}
