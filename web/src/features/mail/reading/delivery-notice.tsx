import { CircleAlert, CircleHelp, Clock3, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDates } from '../../../ui/time.tsx'
import type { UnsentActions } from '../compose/use-unsent-actions.ts'
import type { Email } from '../folders.ts'

interface DeliveryNoticeProps {
  email: Email
  handlers: UnsentActions
  onCancelSend: () => void
}

/** Asks for confirmation, because recipients may get the email twice. */
const ResendButton = ({ email, handlers }: Omit<DeliveryNoticeProps, 'onCancelSend'>) => {
  const [asks, setAsks] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setAsks(true)}>
        It did not arrive: send it again
      </Button>
      <FormDialog
        open={asks}
        onClose={() => setAsks(false)}
        alert
        title="Send it again?"
        about="If it did arrive after all, those who have it get it twice. Asking one of them first makes it certain."
        action="Send it again"
        onSubmit={async () => {
          setAsks(false)
          await handlers.resend(email)
        }}
      />
    </>
  )
}

/** Delivery status of a sent email and its actions. */
export const DeliveryNotice = ({ email, handlers, onCancelSend }: DeliveryNoticeProps) => {
  const { dateTime } = useDates()
  const { delivery } = email
  if (delivery === null) return null
  switch (delivery.status) {
    case 'queued':
      return (
        <Notice tone={delivery.error === null ? 'accent' : 'warn'} icon={Clock3}>
          {delivery.error === null ? (
            <p>
              This e-mail waits to be sent{delivery.sendAt !== null && ` on ${dateTime(delivery.sendAt)}`}.
              You can undo it until then.
            </p>
          ) : (
            <p>
              <strong>It has not gone out yet, and is tried again by itself.</strong> {delivery.error}
            </p>
          )}
          <Button size="small" onClick={onCancelSend}>
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
          <span className="delivery-deeds">
            <Button size="small" onClick={() => void handlers.resend(email)}>
              Send it again as it is
            </Button>
            <Button size="small" kind="quiet" onClick={() => void handlers.discard(email)}>
              Discard it
            </Button>
            <LinkButton size="small" kind="quiet" href="/settings/mail-accounts">
              Mail accounts
            </LinkButton>
          </span>
        </Notice>
      )
    case 'uncertain':
      return (
        <Notice tone="warn" icon={CircleHelp}>
          <p>
            <strong>Nobody can tell whether this e-mail was sent.</strong>{' '}
            {delivery.error ?? 'The connection broke while it was handed over.'}
          </p>
          <p>It is kept under Sent, and not sent again by itself.</p>
          <span className="delivery-deeds">
            <Button size="small" onClick={() => void handlers.markSent(email)}>
              It did arrive
            </Button>
            <ResendButton email={email} handlers={handlers} />
            <Button size="small" kind="quiet" onClick={() => void handlers.discard(email)}>
              Discard it
            </Button>
          </span>
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
