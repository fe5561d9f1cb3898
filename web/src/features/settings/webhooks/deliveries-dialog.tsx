import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/webhooks'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Row, RowList } from '../../../ui/rows.tsx'
import { Time } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { useAmounts } from '../billing/amounts.ts'
import { describeAttemptError } from './attempt-error.ts'

type Delivery = Shape<'WebhookDelivery'>

const POLL_INTERVAL_MS = 3_000
const TONES = { waiting: 'warn', delivered: 'good', failed: 'bad' } as const

const deliveriesKey = (id: string) => ['webhooks', id, 'deliveries']

/** Request body and all attempts. */
const Details = ({ webhookId, id }: { webhookId: string; id: string }) => {
  const client = useClient()
  const { duration } = useAmounts()
  const params = { path: { id: webhookId, deliveryId: id } }
  const query = useQuery({
    queryKey: [...deliveriesKey(webhookId), id],
    queryFn: () => unwrap(client.GET('/api/settings/webhooks/{id}/deliveries/{deliveryId}', { params })),
    refetchInterval: POLL_INTERVAL_MS,
  })
  return (
    <Loaded query={query} lines={2}>
      {({ body, tries }) => (
        <div className="delivery-details">
          <ul aria-label={t.attempts}>
            {tries.map((attempt) => {
              const error = describeAttemptError(attempt)
              return (
                <li key={attempt.at}>
                  <RichText
                    text={t.attempt({
                      status: attempt.status === null ? t.noResponse : String(attempt.status),
                      duration: duration(attempt.durationMs, 'millisecond'),
                    })}
                    tags={{ time: () => <Time at={attempt.at} /> }}
                  />
                  {error !== null && <> · {error}</>}
                </li>
              )
            })}
          </ul>
          <pre>{body}</pre>
        </div>
      )}
    </Loaded>
  )
}

const DeliveryRow = ({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) => {
  const client = useClient()
  const changed = useRefetch(deliveriesKey(webhookId))
  const notify = useNotify()
  const [isOpen, setIsOpen] = useState(false)
  const redeliver = async () => {
    const params = { path: { id: webhookId, deliveryId: delivery.id } }
    await unwrap(
      client.POST('/api/settings/webhooks/{id}/deliveries/{deliveryId}/redeliver', { params }),
    ).then(
      () => notify(t.redelivering),
      () => notify(t.redeliverFailed, { failed: true }),
    )
    await changed()
  }
  return (
    <Row
      data-wraps="true"
      title={delivery.type}
      tags={<Tag tone={TONES[delivery.state]}>{t.deliveryStates[delivery.state]}</Tag>}
      actions={
        <>
          <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? t.hideDetails : t.details}
          </Button>
          <Button size="small" onClick={() => void redeliver()}>
            <RotateCw size={14} aria-hidden="true" />
            {t.redeliver}
          </Button>
        </>
      }
    >
      <p className="row-notes">
        <Time at={delivery.createdAt} />
        <span>{t.attemptCount(delivery.attempts)}</span>
      </p>
      {isOpen && <Details webhookId={webhookId} id={delivery.id} />}
    </Row>
  )
}

const Deliveries = ({ id }: { id: string }) => {
  const client = useClient()
  const query = usePaged(deliveriesKey(id), (page) =>
    unwrap(
      client.GET('/api/settings/webhooks/{id}/deliveries', {
        params: { path: { id }, query: { limit: 20, ...page } },
      }),
    ),
  )
  return (
    <RowList query={query} itemsOf={({ deliveries }) => deliveries} empty={<p>{t.noDeliveries}</p>}>
      {(delivery) => <DeliveryRow key={delivery.id} webhookId={id} delivery={delivery} />}
    </RowList>
  )
}

export const DeliveriesDialog = ({
  webhook,
  onClose,
}: {
  /** Null closes the dialog. */
  webhook: Shape<'Webhook'> | null
  onClose: () => void
}) => {
  const displayed = useLastValue(webhook)
  return (
    <Dialog
      open={webhook !== null}
      onClose={onClose}
      title={t.deliveriesTo(displayed?.name ?? '')}
      about={t.deliveriesAbout}
      size="large"
    >
      {displayed && <Deliveries id={displayed.id} />}
    </Dialog>
  )
}
