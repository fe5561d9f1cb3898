import Type from 'typebox'
import type { ChangeName } from '../../platform/changes.ts'
import { Instant, NextCursor, Nullable, OpaqueId } from '../../platform/http/shapes.ts'

const EVERYTHING = '*'
export const TEST_TYPE = 'webhook.test'

/** `*` for all. */
export type EventChoice = ChangeName | typeof EVERYTHING

const NOTIFICATION: ChangeName = 'notification.created'

export const includes = (chosen: readonly string[], type: string): boolean =>
  chosen.includes(EVERYTHING) || chosen.includes(type)

export const includesNotifications = (chosen: readonly string[]): boolean => includes(chosen, NOTIFICATION)

const strict = { additionalProperties: false } as const

const url = Type.String({
  minLength: 1,
  maxLength: 2000,
  examples: ['https://example.org/hooks/factotum'],
  description: 'The URL that receives a POST for each event. Redirects are not followed',
})
const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['My automation'] })

const fields = {
  id: OpaqueId,
  name,
  url,
  enabled: Type.Boolean({ examples: [true] }),
  disabledReason: Nullable(Type.String({ description: 'The reason, if it was disabled automatically' })),
  failingSince: Nullable(Type.String({ format: 'date-time', description: 'Null while deliveries succeed' })),
  pausedUntil: Nullable(Type.String({ format: 'date-time', description: 'The time of the next attempt' })),
  previousSecretUntil: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Until then, requests are also signed with the previous secret',
    }),
  ),
  createdAt: Instant,
  updatedAt: Instant,
  version: Type.Integer({ examples: [1] }),
}

/** `published` are the event types that an endpoint can subscribe to. */
export const createWebhookSchemas = (published: readonly ChangeName[]) => {
  const events = Type.Array(Type.Enum([EVERYTHING, ...published]), {
    minItems: 1,
    maxItems: published.length + 1,
    description: 'The subscribed event types; `*` for all, including types added later',
    examples: [['task.created', 'task.completed']],
  })
  const { id, name, url, ...others } = fields
  const all = { id, name, url, events, ...others }
  const Webhook = Type.Object(all, { title: 'Webhook' })
  return {
    Webhook,
    WebhookWithSecret: Type.Object(
      {
        ...all,
        secret: Type.String({
          examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwK9d0cVYlYoA='],
          description: 'Only in this response',
        }),
      },
      { title: 'WebhookWithSecret' },
    ),
    WebhookList: Type.Object({ webhooks: Type.Array(Webhook), nextCursor: NextCursor }),
    NewWebhook: Type.Object({ url, events, name: Type.Optional(name) }, strict),
    WebhookChangeBody: Type.Object(
      {
        url: Type.Optional(url),
        events: Type.Optional(events),
        name: Type.Optional(name),
        enabled: Type.Optional(
          Type.Boolean({
            description: 'False: waiting deliveries fail. True: resets the failure state',
            examples: [true],
          }),
        ),
      },
      { ...strict, minProperties: 1 },
    ),
  }
}

const STATES = ['waiting', 'delivered', 'failed'] as const
const state = Type.Enum([...STATES])

const MESSAGE_ID = 'msg_q3vYw1y0T2uJf0b2nq8XVA'
const delivery = {
  id: Type.String({ examples: [MESSAGE_ID], description: 'The `webhook-id`, the same for every attempt' }),
  type: Type.String({ examples: ['task.created'] }),
  state,
  attempts: Type.Integer({ examples: [1], description: 'The number of attempts since it was last queued' }),
  nextAttemptAt: Nullable(Type.String({ format: 'date-time' })),
  createdAt: Instant,
  finishedAt: Nullable(Type.String({ format: 'date-time' })),
}
const Delivery = Type.Object(delivery, { title: 'WebhookDelivery' })
export const DeliveryList = Type.Object({ deliveries: Type.Array(Delivery), nextCursor: NextCursor })

const DeliveryAttempt = Type.Object(
  {
    at: Instant,
    durationMs: Type.Integer({ examples: [42] }),
    status: Nullable(
      Type.Integer({ examples: [204], description: 'The HTTP status; null if there was no response' }),
    ),
    error: Nullable(Type.String({ examples: ['The endpoint responded with 500.'] })),
    response: Nullable(Type.String({ description: 'The first characters of the response body' })),
  },
  { title: 'WebhookAttempt' },
)
export const WholeDelivery = Type.Object(
  {
    ...delivery,
    body: Type.String({
      description: 'The exact request body',
      examples: ['{"id":42,"type":"task.created"}'],
    }),
    tries: Type.Array(DeliveryAttempt, { description: 'The newest 50 attempts, oldest first' }),
  },
  { title: 'WebhookDeliveryDetail' },
)

export const DeliveryPath = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 100, examples: ['q3vYw1y0T2uJf0b2nq8XVA'] }),
    deliveryId: Type.String({ minLength: 1, maxLength: 100, examples: [MESSAGE_ID] }),
  },
  strict,
)
export const DeliveriesQuery = Type.Object(
  {
    state: Type.Optional(state),
    limit: Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      description: 'The maximum number of deliveries',
    }),
    cursor: Type.Optional(
      Type.String({
        maxLength: 1000,
        examples: ['WzQyXQ'],
        description: 'The `nextCursor` of the previous page',
      }),
    ),
  },
  strict,
)
export const Range = Type.Object(
  {
    from: Type.String({
      examples: ['2026-03-01T00:00:00Z'],
      maxLength: 40,
      description: 'Deliveries created at or after this time',
    }),
    to: Type.Optional(
      Type.String({
        examples: ['2026-03-02T00:00:00Z'],
        maxLength: 40,
        description: 'Deliveries created before this time',
      }),
    ),
    states: Type.Optional(
      Type.Array(state, {
        minItems: 1,
        maxItems: 3,
        description: 'By default, only failed deliveries',
        examples: [['failed']],
      }),
    ),
  },
  strict,
)
export const Redelivered = Type.Object({
  redelivered: Type.Integer({
    examples: [12],
    description: 'The number of deliveries that were queued again',
  }),
})
