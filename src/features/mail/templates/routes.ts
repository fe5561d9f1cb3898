import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../../platform/access/route-access.ts'
import { Page } from '../../../platform/http/shapes.ts'
import {
  MailTemplate,
  MailTemplateChange,
  MailTemplateList,
  NewMailTemplate,
  TemplatePath,
} from './schema.ts'
import type { MailTemplates } from './templates.ts'

export const mailTemplateRoutes =
  (templates: MailTemplates): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/mail-templates',
      {
        config: read('mail'),
        schema: {
          operationId: 'listMailTemplates',
          summary: 'List mail templates',
          querystring: Page,
          response: { 200: MailTemplateList },
        },
      },
      (request) => templates.list(request.user, request.query),
    )

    // With an Idempotency-Key, the handler runs in a transaction. Sanitize the HTML before.
    const prepared = new WeakMap<object, string>()
    app.post(
      '/mail-templates',
      {
        config: {
          ...write('mail'),
          idempotency: 'kept',
          async prepare(request) {
            prepared.set(request, await templates.sanitize((request.body as NewMailTemplate).html))
          },
        },
        schema: {
          operationId: 'createMailTemplate',
          summary: 'Create a mail template',
          description: 'The limit is 500 templates.',
          body: NewMailTemplate,
          response: { 201: MailTemplate },
        },
      },
      async (request, reply) => {
        const added = await templates.add(request.user, request.body, prepared.get(request) as string)
        reply.code(201).header('location', `/api/mail-templates/${added.id}`)
        return added
      },
    )

    app.get(
      '/mail-templates/:id',
      {
        config: read('mail'),
        schema: {
          operationId: 'getMailTemplate',
          summary: 'Get a mail template',
          params: TemplatePath,
          response: { 200: MailTemplate },
        },
      },
      (request) => templates.get(request.user, request.params.id),
    )

    app.patch(
      '/mail-templates/:id',
      {
        config: write('mail'),
        schema: {
          operationId: 'updateMailTemplate',
          summary: 'Change a mail template',
          params: TemplatePath,
          body: MailTemplateChange,
          response: { 200: MailTemplate },
        },
      },
      ({ user, params, body, headers }) => templates.change(user, params.id, body, headers['if-match']),
    )

    app.delete(
      '/mail-templates/:id',
      {
        config: write('mail'),
        schema: {
          operationId: 'deleteMailTemplate',
          summary: 'Remove a mail template',
          params: TemplatePath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await templates.remove(request.user, request.params.id, request.headers['if-match'])
        return reply.code(204).send(null)
      },
    )
  }
