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
import { LeftWords } from './left-words.tsx'
import { UnsubscribeDialog } from './unsubscribe-dialog.tsx'
import {
  isLeft,
  type ListNamed,
  type MailingList,
  useListDeeds,
  useMailingLists,
} from './use-mailing-lists.ts'
import './mailing-lists.css'

const nameOf = ({ name, from, id }: MailingList): string => name || from.name || from.address || id

const unreadOf = ({ emails, unread }: MailingList): string => {
  if (unread === 0) return 'all read'
  return unread === emails ? 'none read' : `${Math.round((100 * unread) / emails)} % unread`
}

const ListRow = ({ list, onLeave }: { list: MailingList; onLeave: (list: ListNamed) => void }) => {
  const deeds = useListDeeds()
  const name = nameOf(list)
  const named: ListNamed = { emailId: list.lastEmailId, listId: list.id, name }
  const left = isLeft(list.unsubscribed) ? list.unsubscribed : null
  const hasLeft = left !== null
  return (
    <li data-wraps={!hasLeft}>
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
        {left && (
          <p className="list-left">
            <LeftWords left={left} />
          </p>
        )}
        <span className="list-share" aria-hidden="true">
          <span style={{ width: `${(100 * list.unread) / list.emails}%` }} />
        </span>
      </div>
      <div className="row-actions">
        {!hasLeft && list.unsubscribe !== null && (
          <Button size="small" aria-label={`Unsubscribe from ${name}`} onClick={() => onLeave(named)}>
            Unsubscribe
          </Button>
        )}
        <RowMenu
          label={`Actions for ${name}`}
          actions={[
            {
              label: 'Archive all its mails',
              icon: Archive,
              onSelect: () => void deeds.move(named, 'archive'),
            },
            { label: 'Move all to the trash', icon: Trash2, onSelect: () => void deeds.move(named, 'trash') },
            ...(hasLeft
              ? [{ label: 'Unsubscribe again', icon: MailMinus, onSelect: () => onLeave(named) }]
              : []),
          ]}
        />
      </div>
    </li>
  )
}

/** The mailing lists that write, those that write most first, with the way out of each. */
export const MailingLists = () => {
  const query = useMailingLists()
  const [leaving, setLeaving] = useState<ListNamed | null>(null)
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
                <ListRow key={list.id} list={list} onLeave={setLeaving} />
              ))}
            </ul>
          )}
        </LoadedList>
      </Card>
      <UnsubscribeDialog list={leaving} onClose={() => setLeaving(null)} />
    </Page>
  )
}
