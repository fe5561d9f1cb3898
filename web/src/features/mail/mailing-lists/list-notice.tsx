import { Archive, MailMinus, Newspaper, Rows3, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import * as t from '#locale/subscriptions'
import { Button } from '../../../ui/button.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { type Email, nameOf } from '../folders.ts'
import { UnsubscribePopover } from './unsubscribe-popover.tsx'
import { UnsubscriptionStatus } from './unsubscription-status.tsx'
import {
  isUnsubscribed,
  type MailingListRef,
  useMailingListActions,
  useUnsubscribeOptions,
} from './use-mailing-lists.ts'
import './mailing-lists.css'

type ListMail = Email & { mailingList: NonNullable<Email['mailingList']> }

export const isListMail = (email: Email): email is ListMail =>
  email.mailingList !== null && email.mailingList.unsubscribe !== null

/** Names the mailing list of an email and offers to unsubscribe. */
export const ListNotice = ({ email }: { email: ListMail }) => {
  const { id: listId, name: listName } = email.mailingList
  const { data } = useUnsubscribeOptions(email.id)
  const listActions = useMailingListActions()
  const [, navigate] = useLocation()
  const [isAsked, setIsAsked] = useState(false)
  const section = useRef<HTMLElement>(null)
  const name = listName || nameOf(email.from)
  const list: MailingListRef = { emailId: email.id, listId, name }
  const unsubscription = data?.unsubscribed ?? null
  const hasUnsubscribed = isUnsubscribed(unsubscription)
  return (
    <section ref={section} className="list-notice" aria-label={t.subscription}>
      <Newspaper size={15} aria-hidden="true" />
      <div>
        <p>
          <RichText text={t.fromSubscription} tags={{ name: () => <strong>{name}</strong> }} />
        </p>
        {hasUnsubscribed ? (
          <p>
            <UnsubscriptionStatus unsubscription={unsubscription} />
          </p>
        ) : (
          data?.refusalCode && <p>{t.refusals[data.refusalCode]}</p>
        )}
      </div>
      {!hasUnsubscribed && data?.refusalCode === null && (
        <Button size="small" onClick={() => setIsAsked(true)}>
          {t.unsubscribe}
        </Button>
      )}
      <RowMenu
        label={t.moreActionsFor(name)}
        actions={[
          {
            label: t.archiveAll,
            icon: Archive,
            onSelect: () => void listActions.move(list, 'archive'),
          },
          {
            label: t.deleteAll,
            icon: Trash2,
            onSelect: () => void listActions.move(list, 'trash'),
          },
          ...(hasUnsubscribed
            ? [{ label: t.unsubscribeAgain, icon: MailMinus, onSelect: () => setIsAsked(true) }]
            : []),
          { label: t.allSubscriptions, icon: Rows3, onSelect: () => navigate('/mail/lists') },
        ]}
      />
      <UnsubscribePopover list={isAsked ? list : null} anchor={section} onClose={() => setIsAsked(false)} />
    </section>
  )
}
