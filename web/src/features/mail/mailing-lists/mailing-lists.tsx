import { Archive, MailMinus, Newspaper, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Time } from '../../../ui/time.tsx'
import { UnsubscribeDialog } from './unsubscribe-dialog.tsx'
import { UnsubscriptionStatus } from './unsubscription-status.tsx'
import {
  isUnsubscribed,
  type MailingList,
  type MailingListRef,
  useMailingListActions,
  useMailingLists,
} from './use-mailing-lists.ts'
import './mailing-lists.css'

const nameOf = ({ name, from, id }: MailingList): string => name || from.name || from.address || id

const unreadOf = ({ emails, unread }: MailingList): string => {
  if (unread === 0) return 'all read'
  return unread === emails ? 'none read' : `${Math.round((100 * unread) / emails)} % unread`
}

const ListRow = ({
  list,
  onUnsubscribe,
}: {
  list: MailingList
  onUnsubscribe: (list: MailingListRef) => void
}) => {
  const listActions = useMailingListActions()
  const name = nameOf(list)
  const named: MailingListRef = { emailId: list.lastEmailId, listId: list.id, name }
  const unsubscription = isUnsubscribed(list.unsubscribed) ? list.unsubscribed : null
  const hasUnsubscribed = unsubscription !== null
  return (
    <li data-wraps={!hasUnsubscribed}>
      <span className="row-icon">
        <Newspaper size={18} aria-hidden="true" />
      </span>
      <div className="row-main">
        <p className="row-title">
          <Link className="row-words" href={`/mail/inbox/${list.lastEmailId}`}>
            {name}
          </Link>
        </p>
        <p className="row-notes">
          <span>{list.emails === 1 ? '1 mail' : `${list.emails} mails`}</span>
          <span>{unreadOf(list)}</span>
          <span>
            last <Time at={list.lastReceivedAt} />
          </span>
          <span>{list.from.address}</span>
        </p>
        {unsubscription && (
          <p className="list-left">
            <UnsubscriptionStatus unsubscription={unsubscription} />
          </p>
        )}
        <span className="list-share" aria-hidden="true">
          <span style={{ width: `${(100 * list.unread) / list.emails}%` }} />
        </span>
      </div>
      <div className="row-actions">
        {!hasUnsubscribed && list.unsubscribe !== null && (
          <Button size="small" aria-label={`Unsubscribe from ${name}`} onClick={() => onUnsubscribe(named)}>
            Unsubscribe
          </Button>
        )}
        <RowMenu
          label={`Actions for ${name}`}
          actions={[
            {
              label: 'Archive all its mails',
              icon: Archive,
              onSelect: () => void listActions.move(named, 'archive'),
            },
            {
              label: 'Move all to the trash',
              icon: Trash2,
              onSelect: () => void listActions.move(named, 'trash'),
            },
            ...(hasUnsubscribed
              ? [{ label: 'Unsubscribe again', icon: MailMinus, onSelect: () => onUnsubscribe(named) }]
              : []),
          ]}
        />
      </div>
    </li>
  )
}

/** Mailing lists by volume, with an unsubscribe action for each. */
export const MailingLists = () => {
  const query = useMailingLists()
  const [unsubscribing, setUnsubscribing] = useState<MailingListRef | null>(null)
  return (
    <Page
      title="Mailing lists"
      within="Mail"
      about="Those that wrote to you in the last 90 days, those that write most first."
      above={
        <Link href="/mail" className="back">
          All mail
        </Link>
      }
    >
      <Card id="mailing-lists" title="Your lists">
        <LoadedList
          query={query}
          itemsOf={({ mailingLists }) => mailingLists}
          empty={
            <Empty icon={Newspaper} title="No mailing lists">
              <p>Newsletters and other mails that say how to unsubscribe are listed here as they come.</p>
            </Empty>
          }
        >
          {(lists) => (
            <ul className="rows">
              {lists.map((list) => (
                <ListRow key={list.id} list={list} onUnsubscribe={setUnsubscribing} />
              ))}
            </ul>
          )}
        </LoadedList>
      </Card>
      <UnsubscribeDialog list={unsubscribing} onClose={() => setUnsubscribing(null)} />
    </Page>
  )
}
