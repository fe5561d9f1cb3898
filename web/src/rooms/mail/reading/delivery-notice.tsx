import { CircleAlert, CircleHelp, Clock3, TriangleAlert } from 'lucide-react'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { Email } from '../folders.ts'

interface DeliveryNoticeProps {
  email: Email
  onTakeBack: () => void
  onSendAgain: () => void
}

/** What became of an e-mail that was sent from here, and what can be done about it. */
export const DeliveryNotice = ({ email, onTakeBack, onSendAgain }: DeliveryNoticeProps) => {
  const { delivery } = email
  if (delivery === null) return null
  switch (delivery.status) {
    case 'queued':
      return (
        <Notice tone={delivery.error === null ? 'accent' : 'warn'} icon={Clock3}>
          {delivery.error === null ? (
            <p>This e-mail waits to be sent.</p>
          ) : (
            <p>
              <strong>It has not gone out yet, and is tried again by itself.</strong> {delivery.error}
            </p>
          )}
          <Button size="small" onClick={onTakeBack}>
            Take it back and edit
          </Button>
        </Notice>
      )
    case 'failed':
      return (
        <Notice tone="bad" icon={CircleAlert}>
          <p>
            <strong>This e-mail was not sent.</strong> {delivery.error}
          </p>
          <p>Correct what is wrong, for instance the address, and send it again; or test the account.</p>
          <LinkButton size="small" href="/settings/mail-accounts">
            Mail accounts
          </LinkButton>
        </Notice>
      )
    case 'uncertain':
      return (
        <Notice tone="warn" icon={CircleHelp}>
          <p>
            <strong>Nobody can tell whether this e-mail was sent.</strong>{' '}
            {delivery.error ?? 'The connection broke while it was handed over.'}
          </p>
          <p>It is kept under Sent. If it did arrive, there is nothing to do.</p>
          <Button size="small" onClick={onSendAgain}>
            It did not arrive: send it again
          </Button>
        </Notice>
      )
    case 'sent':
      return delivery.error === null ? null : (
        <Notice tone="warn" icon={TriangleAlert}>
          <p>
            <strong>Not everybody got this e-mail.</strong> {delivery.error}
          </p>
        </Notice>
      )
    default:
      return null
  }
}
