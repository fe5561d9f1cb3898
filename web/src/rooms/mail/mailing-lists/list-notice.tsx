import { Archive, MailMinus, Newspaper, Rows3, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../../ui/button.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { type Email, nameOf } from '../folders.ts'
import { LeftWords } from './left-words.tsx'
import { UnsubscribeDialog } from './unsubscribe-dialog.tsx'
import { isLeft, type ListNamed, useListDeeds, useWaysOut } from './use-mailing-lists.ts'
import './mailing-lists.css'

type ListMail = Email & { mailingList: NonNullable<Email['mailingList']> }

export const isListMail = (email: Email): email is ListMail =>
  email.mailingList !== null && email.mailingList.unsubscribe !== null

/** Above a mail that came by a list: which one, and the way out. */
export const ListNotice = ({ email }: { email: ListMail }) => {
  const { id: listId, name: told } = email.mailingList
  const { data } = useWaysOut(email.id)
  const deeds = useListDeeds()
  const [, navigate] = useLocation()
  const [isAsked, setIsAsked] = useState(false)
  const name = told || nameOf(email.from)
  const list: ListNamed = { emailId: email.id, listId, name }
  const left = data?.unsubscribed ?? null
  const hasLeft = isLeft(left)
  return (
    <section className="list-notice" aria-label="Mailing list">
      <Newspaper size={15} aria-hidden="true" />
      <p>
        From the mailing list <strong>{name}</strong>.{' '}
        {hasLeft ? <LeftWords left={left} /> : data?.refusal !== null && data?.refusal}
      </p>
      {!hasLeft && data?.refusal === null && (
        <Button size="small" onClick={() => setIsAsked(true)}>
          Unsubscribe
        </Button>
      )}
      <RowMenu
        label={`More for the mailing list ${name}`}
        actions={[
          { label: 'Archive all its mails', icon: Archive, onSelect: () => void deeds.move(list, 'archive') },
          { label: 'Move all to the trash', icon: Trash2, onSelect: () => void deeds.move(list, 'trash') },
          ...(hasLeft
            ? [{ label: 'Unsubscribe again', icon: MailMinus, onSelect: () => setIsAsked(true) }]
            : []),
          { label: 'All mailing lists', icon: Rows3, onSelect: () => navigate('/mail/lists') },
        ]}
      />
      <UnsubscribeDialog list={isAsked ? list : null} onClose={() => setIsAsked(false)} />
    </section>
  )
}
