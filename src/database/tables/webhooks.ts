import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

export interface WebhookRow {
  id: string
  userId: number
  name: string
  url: string
  /** JSON: types of changes, or `*`. */
  events: string
  enabled: number
  /** Why it was turned off, when it was not the person who did. */
  disabledReason: string | null
  /** Sealed. */
  secret: string
  /** The one before, which signs as well until then. Sealed. */
  previousSecret: string | null
  previousSecretUntil: string | null
  /** How often sending has failed since it last succeeded. */
  failures: number
  failingSince: string | null
  pausedUntil: string | null
  /** Who is sending, alone, until then. */
  leaseOwner: string | null
  leaseUntil: string | null
  version: number
  createdAt: string
  updatedAt: string
}

export interface WebhookDeliveryRow {
  /** Their order. */
  id: Generated<number>
  /** The `webhook-id`: the same with every attempt. */
  messageId: string
  webhookId: string
  type: string
  /** What is sent, to the byte. */
  body: string
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
  /** Null unless it waits. */
  nextAttemptAt: string | null
  createdAt: string
  finishedAt: string | null
}

export interface WebhookAttemptRow {
  id: Generated<number>
  deliveryId: number
  at: string
  durationMs: number
  /** Null when there was no answer. */
  status: number | null
  error: string | null
  /** The beginning of the answer. */
  response: string | null
}

export interface WebhooksTables {
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
  webhook_attempts: WebhookAttemptRow
}

export const webhooksKeys: TableKeys<WebhooksTables> = {
  webhooks: ['id'],
  webhook_deliveries: ['id'],
  webhook_attempts: ['id'],
}
