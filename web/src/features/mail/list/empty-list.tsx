import { useQuery } from '@tanstack/react-query'
import { Archive, FilePen, Inbox, MailPlus, SearchX, Send, Trash2 } from 'lucide-react'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/notice.tsx'
import type { Folder } from '../folders.ts'
import type { UrlState } from '../url-state.ts'

const WORDS: Readonly<Record<Folder, readonly [typeof Inbox, title: string, about: string]>> = {
  inbox: [Inbox, 'Nothing new', 'All is read and put away. New mail comes in by itself.'],
  drafts: [FilePen, 'No drafts', 'What you begin to write is kept here until you send it.'],
  sent: [Send, 'Nothing sent yet', 'What you send is kept here, with what became of it.'],
  archive: [
    Archive,
    'Nothing archived',
    'Press e on an e-mail that you are done with, and it is put away here.',
  ],
  trash: [Trash2, 'The trash is empty', 'What you delete waits here until you delete it for good.'],
}

/** Explains an empty list and what to do. */
export const EmptyList = ({ urlState }: { urlState: UrlState }) => {
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
