import { CircleAlert, CircleHelp, Clock3, TriangleAlert } from 'lucide-react'
import * as t from '#locale/mail'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { useDates } from '../../../ui/time.tsx'
import type { UnsentActions } from '../compose/use-unsent-actions.ts'
import type { Email } from '../folders.ts'

interface DeliveryNoticeProps {
  email: Email
  handlers: UnsentActions
  onCancelSend: () => void
}

/** Asks for confirmation, because recipients may get the email twice. */
const ResendButton = ({ email, handlers }: Omit<DeliveryNoticeProps, 'onCancelSend'>) => (
  <FormPopover
    trigger={<Button size="small">{t.sendAgain}</Button>}
    title={t.sendAgainTitle}
    about={t.sendAgainAbout}
    action={t.sendAgain}
    onSubmit={() => handlers.resend(email)}
  />
)

const DiscardButton = ({ email, handlers }: Omit<DeliveryNoticeProps, 'onCancelSend'>) => (
  <Button size="small" kind="quiet" onClick={() => void handlers.discard(email)}>
    {t.doNotSend}
  </Button>
)

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
            <p>{delivery.sendAt === null ? t.waitingToSend : t.scheduledFor(dateTime(delivery.sendAt))}</p>
          ) : (
            <p>
              <strong>{t.notSentYet}</strong> {delivery.error}
            </p>
          )}
          <Button size="small" onClick={onCancelSend}>
            {t.cancelAndEdit}
          </Button>
        </Notice>
      )
    case 'failed':
      return (
        <Notice tone="bad" icon={CircleAlert}>
          <p>
            <strong>{t.notSent}</strong> {delivery.error}
          </p>
          <p>{t.notSentAbout}</p>
          <span className="delivery-actions">
            <Button size="small" onClick={() => void handlers.resend(email)}>
              {t.sendAgain}
            </Button>
            <DiscardButton email={email} handlers={handlers} />
            <LinkButton size="small" kind="quiet" href="/settings/mail-accounts">
              {t.emailAccounts}
            </LinkButton>
          </span>
        </Notice>
      )
    case 'uncertain':
      return (
        <Notice tone="warn" icon={CircleHelp}>
          <p>
            <strong>{t.possiblySent}</strong> {t.connectionLost}
          </p>
          <p>{t.possiblySentAbout}</p>
          <span className="delivery-actions">
            <Button size="small" onClick={() => void handlers.markSent(email)}>
              {t.markAsSent}
            </Button>
            <ResendButton email={email} handlers={handlers} />
            <DiscardButton email={email} handlers={handlers} />
          </span>
        </Notice>
      )
    case 'sent':
      return delivery.error === null ? null : (
        <Notice tone="warn" icon={TriangleAlert}>
          <p>
            <strong>{t.notDeliveredToAll}</strong> {delivery.error}
          </p>
        </Notice>
      )
    default:
      return null
  }
}
