import { Check, Handshake, Mail } from 'lucide-react'
import { Link } from 'wouter'
import * as t from '#locale/assistant'
import * as commitments from '#locale/commitments'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Button } from '../../ui/button.tsx'
import { useDates } from '../../ui/time.tsx'
import { toQuoteState } from '../mail/quote-link.ts'
import { CardFrame, type CardProps, useCardAction, useItem } from './card-frame.tsx'

type CommitmentFields = Partial<Shape<'Commitment'>>

/** A commitment, with the button that closes it and the link to its email. */
export const CommitmentCard = ({ item, isEnabled }: CardProps) => {
  const client = useClient()
  const run = useCardAction()
  const { nearDue } = useDates()
  const path = { id: item.id }
  const load = () => unwrap(client.GET('/api/commitments/{id}', { params: { path } }))
  const { data: commitment, isGone } = useItem<CommitmentFields>(item, isEnabled, load)
  const {
    text = '',
    quote,
    direction,
    person,
    dueAt,
    dueDay,
    isOverdue,
    status = 'open',
    emailId,
  } = commitment
  const name = person?.name || person?.address
  const isOpen = status === 'open'
  const setStatus = (next: typeof status) =>
    unwrap(client.PATCH('/api/commitments/{id}', { params: { path }, body: { status: next } }))
  return (
    <CardFrame
      item={item}
      icon={Handshake}
      href="/promises"
      title={text}
      isGone={isGone}
      notes={[
        !isOpen && commitments.views[status],
        name && (direction === 'mine' ? commitments.to : commitments.from)(name),
        isOpen &&
          dueAt &&
          (isOverdue ? commitments.overdue : commitments.due)(nearDue(dueAt, dueDay, new Date())),
      ]}
    >
      {isOpen && (
        <Button
          kind="quiet"
          size="small"
          aria-label={commitments.markDone(text)}
          onClick={() =>
            void run({
              text: commitments.markedDone,
              work: () => setStatus('done'),
              undo: () => setStatus('open'),
            })
          }
        >
          <Check size={14} aria-hidden="true" />
          {t.cards.done}
        </Button>
      )}
      {emailId != null && (
        <Link
          href={`/mail/inbox/${emailId}`}
          state={quote === undefined ? null : toQuoteState(quote)}
          className="button"
          data-kind="quiet"
          data-size="small"
          data-shape="text"
        >
          <Mail size={14} aria-hidden="true" />
          {commitments.openEmail}
        </Link>
      )}
    </CardFrame>
  )
}
