import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import { createWebhooksPart } from './data-part.ts'
import {
  createDeliveries,
  createSending,
  createSendOnce,
  createTurn,
  createWebhookOutbox,
} from './deliveries.ts'
import { deliveryRoutes, webhookRoutes } from './routes.ts'
import { createWebhooks } from './webhooks.ts'

const PREFIX = '/api/settings/webhooks'

export const createWebhooksFeature = (
  { db, clock, random, log, sealer, changes, outbound }: Platform,
  { activity, zoneOf }: { activity: Activity; zoneOf: (userId: number) => Promise<string> },
) => {
  const sendOnce = createSendOnce({ outbound, sealer, clock, log })
  const takeTurn = createTurn({ db, clock, random, log, activity, sendOnce })
  const sending = createSending({ db, clock, random, log, takeTurn })
  const { wake } = sending
  changes.accompany(createWebhookOutbox({ changes, clock, random, wake }))
  const webhooks = createWebhooks({ db, clock, random, sealer, activity })
  const deliveries = createDeliveries({ db, clock, random, sendOnce, zoneOf, wake })
  const routes: FeatureRoutes[] = [
    { prefix: PREFIX, plugin: webhookRoutes(webhooks, changes.published()) },
    { prefix: PREFIX, plugin: deliveryRoutes(deliveries) },
  ]
  return { webhooks, deliveries, sending, part: createWebhooksPart({ sealer, random }), routes }
}
