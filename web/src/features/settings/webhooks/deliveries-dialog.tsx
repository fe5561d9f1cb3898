import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded, LoadedList } from '../../../ui/loaded.tsx'
import { Time } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'

type Delivery = Shape<'WebhookDelivery'>

const POLL_INTERVAL_MS = 3_000
const STATE_STYLES = {
  waiting: { tone: 'warn', label: 'Waiting' },
  delivered: { tone: 'good', label: 'Delivered' },
  failed: { tone: 'bad', label: 'Failed' },
} as const

const deliveriesKey = (id: string) => ['webhooks', id, 'deliveries']

/** Request body and all attempts. */
const Details = ({ webhookId, id }: { webhookId: string; id: string }) => {
  const client = useClient()
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
          <ul aria-label="Attempts">
            {tries.map((attempt) => (
              <li key={attempt.at}>
                <Time at={attempt.at} />: {attempt.status ?? 'no answer'}, {attempt.durationMs} ms
                {attempt.error !== null && <> · {attempt.error}</>}
              </li>
            ))}
          </ul>
          <pre>{body}</pre>
        </div>
      )}
    </Loaded>
  )
}

const DeliveryRow = ({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [isOpen, setIsOpen] = useState(false)
  const { tone, label } = STATE_STYLES[delivery.state]
  const redeliver = async () => {
    const params = { path: { id: webhookId, deliveryId: delivery.id } }
    await unwrap(
      client.POST('/api/settings/webhooks/{id}/deliveries/{deliveryId}/redeliver', { params }),
    ).then(
      () => notify('It is on its way again.'),
      () => notify('It could not be sent again.'),
    )
    await queries.invalidateQueries({ queryKey: deliveriesKey(webhookId) })
  }
  return (
    <li data-wraps="true">
      <div className="row-main">
        <p className="row-title">
          {delivery.type}
          <Tag tone={tone}>{label}</Tag>
        </p>
        <p className="row-notes">
          <Time at={delivery.createdAt} />
          <span>
            {delivery.attempts} {delivery.attempts === 1 ? 'attempt' : 'attempts'}
          </span>
        </p>
        {isOpen && <Details webhookId={webhookId} id={delivery.id} />}
      </div>
      <div className="row-actions">
        <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Less' : 'Details'}
        </Button>
        <Button size="small" onClick={() => void redeliver()}>
          <RotateCw size={14} aria-hidden="true" />
          Send again
        </Button>
      </div>
    </li>
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
    <LoadedList
      query={query}
      itemsOf={({ deliveries }) => deliveries}
      empty={<p>Nothing has been sent yet.</p>}
    >
      {(deliveries) => (
        <ul className="rows">
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} webhookId={id} delivery={delivery} />
          ))}
        </ul>
      )}
    </LoadedList>
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
      title={`Deliveries to “${displayed?.name ?? ''}”`}
      about="The newest first; kept for 30 days."
      size="large"
    >
      {displayed && <Deliveries id={displayed.id} />}
    </Dialog>
  )
}
