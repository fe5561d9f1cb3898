import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import { createSendOnce } from './attempt.ts'
import { createWebhooksPart } from './data-part.ts'
import { createDeliveries } from './deliveries.ts'
import { createWebhookOutbox } from './outbox.ts'
import { deliveryRoutes, webhookRoutes } from './routes.ts'
import { createSending, createTurn } from './sender.ts'
import { createWebhooks } from './webhooks.ts'

const PREFIX = '/api/settings/webhooks'

export const createWebhooksFeature = (
  platform: Platform,
  { activity, zoneOf }: { activity: Activity; zoneOf: (userId: number) => Promise<string> },
) => {
  const { changes } = platform
  const sendOnce = createSendOnce(platform)
  const sending = createSending(platform, createTurn(platform, { activity, sendOnce }))
  const { wake } = sending
  changes.accompany(createWebhookOutbox(platform, wake))
  const webhooks = createWebhooks(platform, activity)
  const deliveries = createDeliveries(platform, { sendOnce, zoneOf, wake })
  const routes: FeatureRoutes[] = [
    { prefix: PREFIX, plugin: webhookRoutes(webhooks, changes.published()) },
    { prefix: PREFIX, plugin: deliveryRoutes(deliveries) },
  ]
  return { webhooks, deliveries, sending, part: createWebhooksPart(platform), routes }
}
