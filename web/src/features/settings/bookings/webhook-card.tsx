import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import type { Shape } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'

/** Webhook address for the booking provider. */
export const WebhookCard = ({ settings }: { settings: Shape<'BookingSettings'> }) => {
  const address = `${window.location.origin}/api/bookingsvc/webhook`
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(address)
    setIsCopied(true)
  }
  return (
    <Card
      id="booking-webhook"
      title="Notices"
      about="With this address in the provider’s webhook settings, and the same secret there and here, changes arrive at once."
      aside={
        settings.webhookConfigured ? (
          <Tag tone="good">Secret saved</Tag>
        ) : (
          <Tag tone="warn">No secret yet</Tag>
        )
      }
    >
      <div className="booking-line">
        <code>{address}</code>
        <Button size="small" onClick={() => void copy()}>
          {isCopied ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
          {isCopied ? 'Copied' : 'Copy the address'}
        </Button>
      </div>
    </Card>
  )
}
