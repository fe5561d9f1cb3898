import { Archive, MailMinus, Newspaper, Rows3, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../../ui/button.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { type Email, nameOf } from '../folders.ts'
import { UnsubscribeDialog } from './unsubscribe-dialog.tsx'
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
  const name = listName || nameOf(email.from)
  const list: MailingListRef = { emailId: email.id, listId, name }
  const unsubscription = data?.unsubscribed ?? null
  const hasUnsubscribed = isUnsubscribed(unsubscription)
  return (
    <section className="list-notice" aria-label="Mailing list">
      <Newspaper size={15} aria-hidden="true" />
      <p>
        From the mailing list <strong>{name}</strong>.{' '}
        {hasUnsubscribed ? (
          <UnsubscriptionStatus unsubscription={unsubscription} />
        ) : (
          data?.refusal !== null && data?.refusal
        )}
      </p>
      {!hasUnsubscribed && data?.refusal === null && (
        <Button size="small" onClick={() => setIsAsked(true)}>
          Unsubscribe
        </Button>
      )}
      <RowMenu
        label={`More for the mailing list ${name}`}
        actions={[
          {
            label: 'Archive all its mails',
            icon: Archive,
            onSelect: () => void listActions.move(list, 'archive'),
          },
          {
            label: 'Move all to the trash',
            icon: Trash2,
            onSelect: () => void listActions.move(list, 'trash'),
          },
          ...(hasUnsubscribed
            ? [{ label: 'Unsubscribe again', icon: MailMinus, onSelect: () => setIsAsked(true) }]
            : []),
          { label: 'All mailing lists', icon: Rows3, onSelect: () => navigate('/mail/lists') },
        ]}
      />
      <UnsubscribeDialog list={isAsked ? list : null} onClose={() => setIsAsked(false)} />
    </section>
  )
}
