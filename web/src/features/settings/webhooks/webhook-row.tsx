import { ListChecks, PencilLine, Power, RefreshCw, Send, Trash2, Webhook as WebhookIcon } from 'lucide-react'
import type { Shape } from '../../../api/client.ts'
import { Tag } from '../../../ui/card.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Time } from '../../../ui/time.tsx'
import { inWords } from './event-choice.tsx'

export type WebhookAction = 'deliveries' | 'test' | 'change' | 'rotate' | 'switch' | 'remove'

type Webhook = Shape<'Webhook'>

const StateTag = ({ webhook }: { webhook: Webhook }) => {
  if (!webhook.enabled) return <Tag tone={webhook.disabledReason === null ? 'plain' : 'bad'}>Off</Tag>
  return webhook.failingSince === null ? <Tag tone="good">On</Tag> : <Tag tone="warn">Failing</Tag>
}

export const WebhookRow = ({
  webhook,
  onAction,
}: {
  webhook: Webhook
  onAction: (action: WebhookAction) => void
}) => (
  <li>
    <span className="row-icon">
      <WebhookIcon size={18} aria-hidden="true" />
    </span>
    <div className="row-main">
      <p className="row-title">
        {webhook.name}
        <StateTag webhook={webhook} />
      </p>
      <p className="row-notes">
        <code>{webhook.url}</code>
      </p>
      <p className="row-notes">
        <span>{inWords(webhook.events)}</span>
        {webhook.failingSince !== null && (
          <span>
            failing since <Time at={webhook.failingSince} />
          </span>
        )}
        {webhook.disabledReason !== null && <span>Turned off: {webhook.disabledReason}</span>}
      </p>
    </div>
    <div className="row-actions">
      <RowMenu
        label={`Actions for ${webhook.name}`}
        actions={[
          { label: 'Deliveries', icon: ListChecks, onSelect: () => onAction('deliveries') },
          { label: 'Send a test', icon: Send, onSelect: () => onAction('test') },
          { label: 'Change', icon: PencilLine, onSelect: () => onAction('change') },
          { label: 'Give it a new secret', icon: RefreshCw, onSelect: () => onAction('rotate') },
          {
            label: webhook.enabled ? 'Turn off' : 'Turn on',
            icon: Power,
            onSelect: () => onAction('switch'),
          },
          { label: 'Remove', icon: Trash2, onSelect: () => onAction('remove') },
        ]}
      />
    </div>
  </li>
)
