import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../platform/access/visit.ts'
import { IdPath, Page } from '../../platform/http/shapes.ts'
import { NewWebhook, Webhook, WebhookChangeBody, WebhookList, WebhookWithSecret } from './schema.ts'
import type { Webhooks } from './webhooks.ts'

const tags = ['Settings']
const config = { access: 'session' } as const
/** Makes something secret: doubles are held off, the answer is kept nowhere. */
const making = { access: 'session', secret: true, idempotency: 'held' } as const

export const webhookRoutes =
  (webhooks: Webhooks): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config,
        schema: {
          operationId: 'listWebhooks',
          summary: 'Your webhooks',
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
        config: making,
        schema: {
          operationId: 'addWebhook',
          summary: 'Have an address told what happens',
          description:
            'Signed by the Standard Webhooks scheme, at least once, in order where that can be, for a day if need be. The secret is shown in this answer and never again.',
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
        config,
        schema: {
          operationId: 'getWebhook',
          summary: 'One webhook',
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
        config,
        schema: {
          operationId: 'changeWebhook',
          summary: 'Change a webhook, or turn it on or off',
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
        config,
        schema: {
          operationId: 'removeWebhook',
          summary: 'Remove a webhook with its deliveries',
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
        config: making,
        schema: {
          operationId: 'rotateWebhookSecret',
          summary: 'Give a webhook a new secret',
          description: 'For a day everything is signed with both, so that the receiver can change over.',
          tags,
          params: IdPath,
          response: { 200: WebhookWithSecret },
        },
      },
      (request) => webhooks.rotate(sessionOf(request).userId, request.params.id, visitOf(request)),
    )
  }
