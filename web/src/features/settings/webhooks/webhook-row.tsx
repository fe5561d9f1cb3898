import { ListChecks, PencilLine, Power, RefreshCw, Send, Trash2, Webhook as WebhookIcon } from 'lucide-react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/webhooks'
import type { Shape } from '../../../api/client.ts'
import { Tag } from '../../../ui/card.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Row } from '../../../ui/rows.tsx'
import { Time } from '../../../ui/time.tsx'
import { listEvents } from './event-choice.tsx'

export type WebhookAction = 'deliveries' | 'test' | 'edit' | 'rotate' | 'switch' | 'remove'

type Webhook = Shape<'Webhook'>

const StateTag = ({ webhook }: { webhook: Webhook }) => {
  if (!webhook.enabled)
    return <Tag tone={webhook.disabledReason === null ? 'plain' : 'bad'}>{t.statuses.off}</Tag>
  return webhook.failingSince === null ? (
    <Tag tone="good">{t.statuses.on}</Tag>
  ) : (
    <Tag tone="warn">{t.statuses.failing}</Tag>
  )
}

const FailingSince = ({ at }: { at: string }) => (
  <span>
    <RichText text={t.failingSince} tags={{ time: () => <Time at={at} /> }} />
  </span>
)

export const WebhookRow = ({
  webhook,
  onAction,
}: {
  webhook: Webhook
  onAction: (action: WebhookAction) => void
}) => (
  <Row
    icon={WebhookIcon}
    title={webhook.name}
    tags={<StateTag webhook={webhook} />}
    actions={
      <RowMenu
        label={t.actionsFor(webhook.name)}
        actions={[
          { label: t.deliveries, icon: ListChecks, onSelect: () => onAction('deliveries') },
          { label: t.sendTest, icon: Send, onSelect: () => onAction('test') },
          { label: common.edit, icon: PencilLine, onSelect: () => onAction('edit') },
          { label: t.newSecret, icon: RefreshCw, onSelect: () => onAction('rotate') },
          {
            label: webhook.enabled ? t.turnOff : t.turnOn,
            icon: Power,
            onSelect: () => onAction('switch'),
          },
          { label: common.remove, icon: Trash2, onSelect: () => onAction('remove') },
        ]}
      />
    }
  >
    <p className="row-notes">
      <code>{webhook.url}</code>
    </p>
    <p className="row-notes">
      <span>{listEvents(webhook.events)}</span>
      {webhook.failingSince !== null && <FailingSince at={webhook.failingSince} />}
      {webhook.disabledReason !== null && <span>{t.turnedOffBecause(webhook.disabledReason)}</span>}
    </p>
  </Row>
)
