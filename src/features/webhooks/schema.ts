import Type from 'typebox'
import { Instant, NextCursor, Nullable, OpaqueId } from '../../platform/http/shapes.ts'
import { EVENT_TYPES, EVERYTHING } from './event-types.ts'

const strict = { additionalProperties: false } as const

const url = Type.String({
  minLength: 1,
  maxLength: 2000,
  examples: ['https://example.org/hooks/factotum'],
  description: 'Where it is told, by POST. Redirects are not followed',
})
const events = Type.Array(Type.Enum([EVERYTHING, ...EVENT_TYPES]), {
  minItems: 1,
  maxItems: EVENT_TYPES.length + 1,
  description: 'Of what it is told; `*` for everything, also what is added later',
  examples: [['task.created', 'task.completed']],
})
const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['My automation'] })

const fields = {
  id: OpaqueId,
  name,
  url,
  events,
  enabled: Type.Boolean({ examples: [true] }),
  disabledReason: Nullable(
    Type.String({ description: 'Why it was turned off, when you did not do it yourself' }),
  ),
  failingSince: Nullable(Type.String({ format: 'date-time', description: 'Null while deliveries succeed' })),
  pausedUntil: Nullable(Type.String({ format: 'date-time', description: 'When it is tried again' })),
  previousSecretUntil: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Until then the secret before the last rotation signs too',
    }),
  ),
  createdAt: Instant,
  updatedAt: Instant,
  version: Type.Integer({ examples: [1] }),
}

export const Webhook = Type.Object(fields, { title: 'Webhook' })
export const WebhookWithSecret = Type.Object(
  {
    ...fields,
    secret: Type.String({
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwK9d0cVYlYoA='],
      description: 'Shown here and never again',
    }),
  },
  { title: 'WebhookWithSecret' },
)
export const WebhookList = Type.Object({ webhooks: Type.Array(Webhook), nextCursor: NextCursor })

export const NewWebhook = Type.Object({ url, events, name: Type.Optional(name) }, strict)
export const WebhookChangeBody = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    name: Type.Optional(name),
    enabled: Type.Optional(
      Type.Boolean({ description: 'Off: what waits is given up. On: begins anew', examples: [true] }),
    ),
  },
  { ...strict, minProperties: 1 },
)

const STATES = ['waiting', 'delivered', 'failed'] as const
const state = Type.Enum([...STATES])

const MESSAGE_ID = 'msg_q3vYw1y0T2uJf0b2nq8XVA'
const delivery = {
  id: Type.String({ examples: [MESSAGE_ID], description: 'The `webhook-id`, the same with every attempt' }),
  type: Type.String({ examples: ['task.created'] }),
  state,
  attempts: Type.Integer({ examples: [1], description: 'Since it was last put on its way' }),
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
    status: Nullable(Type.Integer({ examples: [204], description: 'Null when there was no answer' })),
    error: Nullable(Type.String({ examples: ['It answered with 500.'] })),
    response: Nullable(Type.String({ description: 'The beginning of the answer' })),
  },
  { title: 'WebhookAttempt' },
)
export const WholeDelivery = Type.Object(
  {
    ...delivery,
    body: Type.String({
      description: 'What was sent, to the byte',
      examples: ['{"id":42,"type":"task.created"}'],
    }),
    tries: Type.Array(DeliveryAttempt, { description: 'The newest 50, the oldest of them first' }),
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
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many at most' }),
    cursor: Type.Optional(
      Type.String({ maxLength: 1000, examples: ['WzQyXQ'], description: '`nextCursor` of the page before' }),
    ),
  },
  strict,
)
export const Range = Type.Object(
  {
    from: Type.String({
      examples: ['2026-03-01T00:00:00Z'],
      maxLength: 40,
      description: 'What was made from then on',
    }),
    to: Type.Optional(
      Type.String({ examples: ['2026-03-02T00:00:00Z'], maxLength: 40, description: 'And before then' }),
    ),
    states: Type.Optional(
      Type.Array(state, {
        minItems: 1,
        maxItems: 3,
        description: 'Failed ones unless told',
        examples: [['failed']],
      }),
    ),
  },
  strict,
)
export const Redelivered = Type.Object({
  redelivered: Type.Integer({ examples: [12], description: 'How many are on their way again' }),
})
