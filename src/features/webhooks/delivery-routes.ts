import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sessionOf } from '../../platform/access/visit.ts'
import { IdPath } from '../../platform/http/shapes.ts'
import type { Deliveries } from './deliveries.ts'
import { DeliveriesQuery, DeliveryList, DeliveryPath, Range, Redelivered, WholeDelivery } from './schema.ts'

const tags = ['Settings']
const config = { access: 'session' } as const
const sending = { access: 'session', idempotency: 'kept' } as const

export const deliveryRoutes =
  (deliveries: Deliveries): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/:id/test',
      {
        config: { ...config, idempotency: 'noted' },
        schema: {
          operationId: 'testWebhook',
          summary: 'Send a test event and see how it goes',
          description: 'Sent at once and once: `webhook.test`.',
          tags,
          params: IdPath,
          response: { 200: WholeDelivery },
        },
      },
      (request) => deliveries.test(sessionOf(request).userId, request.params.id),
    )

    app.get(
      '/:id/deliveries',
      {
        config,
        schema: {
          operationId: 'listWebhookDeliveries',
          summary: 'What a webhook was told, the newest first',
          description: 'Kept for 30 days.',
          tags,
          params: IdPath,
          querystring: DeliveriesQuery,
          response: { 200: DeliveryList },
        },
      },
      (request) => deliveries.list(sessionOf(request).userId, request.params.id, request.query),
    )

    app.get(
      '/:id/deliveries/:deliveryId',
      {
        config,
        schema: {
          operationId: 'getWebhookDelivery',
          summary: 'One delivery with its body and every attempt',
          tags,
          params: DeliveryPath,
          response: { 200: WholeDelivery },
        },
      },
      (request) => deliveries.get(sessionOf(request).userId, request.params.id, request.params.deliveryId),
    )

    app.post(
      '/:id/deliveries/:deliveryId/redeliver',
      {
        config: sending,
        schema: {
          operationId: 'redeliverWebhookDelivery',
          summary: 'Send one delivery again',
          description: 'With the same `webhook-id`, so that a receiver that checks ids sees it once.',
          tags,
          params: DeliveryPath,
          response: { 200: WholeDelivery },
        },
      },
      (request) =>
        deliveries.redeliver(sessionOf(request).userId, request.params.id, request.params.deliveryId),
    )

    app.post(
      '/:id/redeliver',
      {
        config: sending,
        schema: {
          operationId: 'redeliverWebhookDeliveries',
          summary: 'Send again what was made in a stretch of time',
          tags,
          params: IdPath,
          body: Range,
          response: { 200: Redelivered },
        },
      },
      (request) => deliveries.redeliverAll(sessionOf(request).userId, request.params.id, request.body),
    )
  }
