import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../platform/access/caller.ts'
import { session } from '../../platform/access/route-access.ts'
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

const tags = ['Settings']
/** Routes that return a secret. The idempotency key prevents duplicates, but the response is never stored. */
const secretConfig = { ...session, secret: true, idempotency: 'held' } as const

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
          tags,
          querystring: Page,
          response: { 200: WebhookList },
        },
      },
      (request) => webhooks.list(sessionOf(request).userId, request.query),
    )

    app.post(
      '/',
      {
        config: secretConfig,
        schema: {
          operationId: 'createWebhook',
          summary: 'Create a webhook',
          description:
            'Requests are signed by the Standard Webhooks scheme. Delivery is at least once, in order if possible, with retries for a day. Only this response contains the secret.',
          tags,
          body: NewWebhook,
          response: { 201: WebhookWithSecret },
        },
      },
      async (request, reply) => {
        const added = await webhooks.add(sessionOf(request).userId, request.body, visitOf(request))
        reply.code(201).header('location', `/api/settings/webhooks/${added.id}`)
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
          tags,
          params: IdPath,
          response: { 200: Webhook },
        },
      },
      (request) => webhooks.get(sessionOf(request).userId, request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'updateWebhook',
          summary: 'Change, enable or disable a webhook',
          tags,
          params: IdPath,
          body: WebhookChangeBody,
          response: { 200: Webhook },
        },
      },
      (request) =>
        webhooks.change(
          sessionOf(request).userId,
          request.params.id,
          request.body,
          request.headers['if-match'],
          visitOf(request),
        ),
    )

    app.delete(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'deleteWebhook',
          summary: 'Delete a webhook and its deliveries',
          tags,
          params: IdPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await webhooks.remove(
          sessionOf(request).userId,
          request.params.id,
          request.headers['if-match'],
          visitOf(request),
        )
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/:id/rotate',
      {
        config: secretConfig,
        schema: {
          operationId: 'rotateWebhookSecret',
          summary: 'Rotate the secret of a webhook',
          description: 'Requests are signed with both secrets for a day, so that the receiver can switch.',
          tags,
          params: IdPath,
          response: { 200: WebhookWithSecret },
        },
      },
      (request) => webhooks.rotate(sessionOf(request).userId, request.params.id, visitOf(request)),
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
        config: session,
        schema: {
          operationId: 'listWebhookDeliveries',
          summary: 'List the deliveries of a webhook, newest first',
          description: 'Deliveries are kept for 30 days.',
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
        config: session,
        schema: {
          operationId: 'getWebhookDelivery',
          summary: 'Get a delivery with its body and attempts',
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
          summary: 'Redeliver one delivery',
          description: 'Uses the same `webhook-id`, so that receivers can detect the duplicate.',
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
          summary: 'Redeliver the deliveries of a period',
          tags,
          params: IdPath,
          body: Range,
          response: { 200: Redelivered },
        },
      },
      (request) => deliveries.redeliverAll(sessionOf(request).userId, request.params.id, request.body),
    )
  }
