import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { Archive, FilePen, Inbox, MailPlus, SearchX, Send, Trash2 } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { NextPage } from '../../../ui/loaded.tsx'
import { Empty, Failure, Skeleton } from '../../../ui/notice.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { type RowTarget, VirtualList } from '../../../ui/virtual-list.tsx'
import type { EmailSummary, Folder } from '../folders.ts'
import { hrefOf, type UrlState } from '../url-state.ts'
import type { EmailActions } from '../use-email-actions.ts'
import { folderOf } from '../use-emails.ts'
import { MailRow } from './mail-row.tsx'
import type { Selection } from './use-selection.ts'

const WORDS: Readonly<Record<Folder, readonly [typeof Inbox, title: string, about: string]>> = {
  inbox: [Inbox, 'Nothing new', 'All is read and put away. New mail comes in by itself.'],
  drafts: [FilePen, 'No drafts', 'What you begin to write is kept here until you send it.'],
  sent: [Send, 'Nothing sent yet', 'What you send is kept here, with what became of it.'],
  archive: [
    Archive,
    'Nothing archived',
    'Press e on an e-mail that you are done with, and it is put away here.',
  ],
  trash: [Trash2, 'The trash is empty', 'Deleted emails stay here until you delete them permanently.'],
}

/** Explains an empty list and what to do. */
const EmptyList = ({ urlState }: { urlState: UrlState }) => {
  const accounts = useQuery(mailAccountsQuery(useClient())).data
  if (urlState.q.trim() !== '' || urlState.tag !== null || urlState.unread)
    return (
      <Empty icon={SearchX} title="No e-mail fits">
        <p>
          Look for fewer words, or take a filter away. The question mark shows what the search understands.
        </p>
      </Empty>
    )
  if (urlState.folder === 'inbox' && accounts?.length === 0)
    return (
      <Empty icon={MailPlus} title="No mail account yet">
        <p>Connect the mailbox you have. Its mail is fetched, the newest first, and stays where it is too.</p>
        <LinkButton kind="primary" href="/settings/mail-accounts">
          Add a mail account
        </LinkButton>
      </Empty>
    )
  const [icon, title, about] = WORDS[urlState.folder]
  return (
    <Empty icon={icon} title={title}>
      <p>{about}</p>
    </Empty>
  )
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
