import type { Door, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import { createWebhooksPart } from './data-part.ts'
import { createDeliveries } from './deliveries.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { createWebhookOutbox } from './outbox.ts'
import { createSendOnce } from './outgoing.ts'
import { webhookRoutes } from './routes.ts'
import { createSending } from './sending.ts'
import { createTurn } from './turn.ts'
import { createWebhooks } from './webhooks.ts'

const PREFIX = '/api/settings/webhooks'

export const createWebhooksRoom = (
  { db, clock, random, log, sealer, changes, outbound }: Platform,
  { activity, timezone }: { activity: Activity; timezone: () => Promise<string> },
) => {
  const sendOnce = createSendOnce({ outbound, sealer, clock, log })
  const takeTurn = createTurn({ db, clock, random, log, activity, sendOnce })
  const sending = createSending({ db, clock, random, log, takeTurn })
  const { wake } = sending
  changes.accompany(createWebhookOutbox({ clock, random, wake }))
  const webhooks = createWebhooks({ db, clock, random, sealer, activity })
  const deliveries = createDeliveries({ db, clock, random, sendOnce, timezone, wake })
  const doors: Door[] = [
    { prefix: PREFIX, routes: webhookRoutes(webhooks) },
    { prefix: PREFIX, routes: deliveryRoutes(deliveries) },
  ]
  return { webhooks, deliveries, sending, part: createWebhooksPart({ sealer, random }), doors }
}
