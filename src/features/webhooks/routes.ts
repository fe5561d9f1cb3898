import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { secretSession, session } from '../../platform/access/route-access.ts'
import type { ChangeName } from '../../platform/changes.ts'
import { IdPath, Page } from '../../platform/http/shapes.ts'
import type { Deliveries } from './deliveries.ts'
import {
  createWebhookSchemas,
  DeliveriesQuery,
  DeliveryList,
  DeliveryPath,
  Range,
  Redelivered,
  WholeDelivery,
} from './schema.ts'
import type { Webhooks } from './webhooks.ts'

export const webhookRoutes =
  (webhooks: Webhooks, published: readonly ChangeName[]): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { Webhook, WebhookWithSecret, WebhookList, NewWebhook, WebhookChangeBody } =
      createWebhookSchemas(published)

    app.get(
      '/',
      {
        config: session,
        schema: {
          operationId: 'listWebhooks',
          summary: 'List your webhooks',
          querystring: Page,
          response: { 200: WebhookList },
        },
      },
      ({ user, query }) => webhooks.list(user, query),
    )

    app.post(
      '/',
      {
        config: secretSession,
        schema: {
          operationId: 'createWebhook',
          summary: 'Create a webhook',
          description:
            'Requests are signed by the Standard Webhooks scheme. Delivery is at least once, in order if possible, with retries for a day. Only this response contains the secret.',
          body: NewWebhook,
          response: { 201: WebhookWithSecret },
        },
      },
      async ({ user, body, visit }, reply) => {
        const added = await webhooks.add(user, body, visit)
        reply.header('location', `/api/settings/webhooks/${added.id}`)
        return added
      },
    )

    app.get(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'getWebhook',
          summary: 'Get a webhook',
          params: IdPath,
          response: { 200: Webhook },
        },
      },
      ({ user, params }) => webhooks.get(user, params.id),
    )

    app.patch(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'updateWebhook',
          summary: 'Change, enable or disable a webhook',
          params: IdPath,
          body: WebhookChangeBody,
          response: { 200: Webhook },
        },
      },
      ({ user, params, body, visit, ifMatch }) => webhooks.change(user, params.id, body, ifMatch, visit),
    )

    app.delete(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'deleteWebhook',
          summary: 'Delete a webhook and its deliveries',
          params: IdPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, visit, ifMatch }) => webhooks.remove(user, params.id, ifMatch, visit),
    )

    app.post(
      '/:id/rotate',
      {
        config: secretSession,
        schema: {
          operationId: 'rotateWebhookSecret',
          summary: 'Rotate the secret of a webhook',
          description: 'Requests are signed with both secrets for a day, so that the receiver can switch.',
          params: IdPath,
          response: { 200: WebhookWithSecret },
        },
      },
      ({ user, params, visit }) => webhooks.rotate(user, params.id, visit),
    )
  }

const sending = { ...session, idempotency: 'kept' } as const

export const deliveryRoutes =
  (deliveries: Deliveries): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/:id/test',
      {
        config: { ...session, idempotency: 'noted' },
        schema: {
          operationId: 'testWebhook',
          summary: 'Send a test event',
          description: 'Sends `webhook.test` immediately, without retries, and returns the result.',
          params: IdPath,
          response: { 200: WholeDelivery },
        },
      },
      ({ user, params }) => deliveries.test(user, params.id),
    )

    app.get(
      '/:id/deliveries',
      {
        config: session,
        schema: {
          operationId: 'listWebhookDeliveries',
          summary: 'List the deliveries of a webhook, newest first',
          description: 'Deliveries are kept for 30 days.',
          params: IdPath,
          querystring: DeliveriesQuery,
          response: { 200: DeliveryList },
        },
      },
      ({ user, params, query }) => deliveries.list(user, params.id, query),
    )

    app.get(
      '/:id/deliveries/:deliveryId',
      {
        config: session,
        schema: {
          operationId: 'getWebhookDelivery',
          summary: 'Get a delivery with its body and attempts',
          params: DeliveryPath,
          response: { 200: WholeDelivery },
        },
      },
      ({ user, params }) => deliveries.get(user, params.id, params.deliveryId),
    )

    app.post(
      '/:id/deliveries/:deliveryId/redeliver',
      {
        config: sending,
        schema: {
          operationId: 'redeliverWebhookDelivery',
          summary: 'Redeliver one delivery',
          description: 'Uses the same `webhook-id`, so that receivers can detect the duplicate.',
          params: DeliveryPath,
          response: { 200: WholeDelivery },
        },
      },
      ({ user, params }) => deliveries.redeliver(user, params.id, params.deliveryId),
    )

    app.post(
      '/:id/redeliver',
      {
        config: sending,
        schema: {
          operationId: 'redeliverWebhookDeliveries',
          summary: 'Redeliver the deliveries of a period',
          params: IdPath,
          body: Range,
          response: { 200: Redelivered },
        },
      },
      ({ user, params, body }) => deliveries.redeliverAll(user, params.id, body),
    )
  }
