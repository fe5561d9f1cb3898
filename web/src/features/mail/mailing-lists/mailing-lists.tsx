import { Archive, MailMinus, Newspaper, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import * as mailTexts from '#locale/mail'
import * as t from '#locale/subscriptions'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { ListCard } from '../../../ui/list-card.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Time } from '../../../ui/time.tsx'
import { UnsubscribePopover } from './unsubscribe-popover.tsx'
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
  if (unread === 0) return t.allRead
  return unread === emails ? t.noneRead : t.unreadShare(Math.round((100 * unread) / emails))
}

interface ListRowProps {
  list: MailingList
  onUnsubscribe: (list: MailingListRef, anchor: Element | null) => void
}

const ListRow = ({ list, onUnsubscribe }: ListRowProps) => {
  const rowActions = useRef<HTMLDivElement>(null)
  const listActions = useMailingListActions()
  const name = nameOf(list)
  const named: MailingListRef = { emailId: list.lastEmailId, listId: list.id, name }
  const unsubscription = isUnsubscribed(list.unsubscribed) ? list.unsubscribed : null
  const hasUnsubscribed = unsubscription !== null
  const unsubscribe = () => onUnsubscribe(named, rowActions.current)
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
          <span>{t.emailCount(list.emails)}</span>
          <span>{unreadOf(list)}</span>
          <span>
            <RichText text={t.lastReceived} tags={{ time: () => <Time at={list.lastReceivedAt} /> }} />
          </span>
          <span>{list.from.address}</span>
        </p>
        {unsubscription && (
          <p className="list-left">
            <UnsubscriptionStatus unsubscription={unsubscription} />
          </p>
        )}
        {list.unread > 0 && (
          <span className="list-share" aria-hidden="true">
            <span style={{ width: `${(100 * list.unread) / list.emails}%` }} />
          </span>
        )}
      </div>
      <div ref={rowActions} className="row-actions">
        {!hasUnsubscribed && list.unsubscribe !== null && (
          <Button size="small" aria-label={t.unsubscribeFrom(name)} onClick={unsubscribe}>
            {t.unsubscribe}
          </Button>
        )}
        <RowMenu
          label={t.actionsFor(name)}
          actions={[
            {
              label: t.archiveAll,
              icon: Archive,
              onSelect: () => void listActions.move(named, 'archive'),
            },
            {
              label: t.deleteAll,
              icon: Trash2,
              onSelect: () => void listActions.move(named, 'trash'),
            },
            ...(hasUnsubscribed
              ? [{ label: t.unsubscribeAgain, icon: MailMinus, onSelect: unsubscribe }]
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
  const [anchor, setAnchor] = useState<Element | null>(null)
  const unsubscribe: ListRowProps['onUnsubscribe'] = (list, beside) => {
    setUnsubscribing(list)
    setAnchor(beside)
  }
  return (
    <Page
      title={mailTexts.subscriptions}
      within={mailTexts.mail}
      about={t.about}
      above={
        <Link href="/mail" className="back">
          {mailTexts.folders.inbox}
        </Link>
      }
    >
      <ListCard
        id="mailing-lists"
        title={t.yourSubscriptions}
        query={query}
        itemsOf={({ mailingLists }) => mailingLists}
        empty={{ icon: Newspaper, title: t.noSubscriptions, about: t.noSubscriptionsAbout }}
      >
        {(list) => <ListRow key={list.id} list={list} onUnsubscribe={unsubscribe} />}
      </ListCard>
      <UnsubscribePopover list={unsubscribing} anchor={anchor} onClose={() => setUnsubscribing(null)} />
    </Page>
  )
}
