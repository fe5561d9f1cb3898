import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { userIdOf } from '../../../platform/access/caller.ts'
import { Page } from '../../../platform/http/shapes.ts'
import {
  MailTemplate,
  MailTemplateChange,
  MailTemplateList,
  NewMailTemplate,
  TemplatePath,
} from './schema.ts'
import type { MailTemplates } from './templates.ts'

const tags = ['Emails']
const reading = { access: 'switched', scope: 'mail:read' } as const
const writing = { access: 'switched', scope: 'mail:write' } as const

export const mailTemplateRoutes =
  (templates: MailTemplates): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/mail-templates',
      {
        config: reading,
        schema: {
          operationId: 'listMailTemplates',
          summary: 'List mail templates',
          tags,
          querystring: Page,
          response: { 200: MailTemplateList },
        },
      },
      (request) => templates.list(userIdOf(request.caller), request.query),
    )

    // With an Idempotency-Key, the handler runs in a transaction. Sanitize the HTML before.
    const prepared = new WeakMap<object, string>()
    app.post(
      '/mail-templates',
      {
        config: {
          ...writing,
          idempotency: 'kept',
          async prepare(request) {
            prepared.set(request, await templates.sanitise((request.body as NewMailTemplate).html))
          },
        },
        schema: {
          operationId: 'createMailTemplate',
          summary: 'Create a mail template',
          description: 'The limit is 500 templates.',
          tags,
          body: NewMailTemplate,
          response: { 201: MailTemplate },
        },
      },
      async (request, reply) => {
        const html = prepared.get(request) ?? (await templates.sanitise(request.body.html))
        const added = await templates.add(userIdOf(request.caller), request.body, html)
        reply.code(201).header('location', `/api/mail-templates/${added.id}`)
        return added
      },
    )

    app.get(
      '/mail-templates/:id',
      {
        config: reading,
        schema: {
          operationId: 'getMailTemplate',
          summary: 'Get a mail template',
          tags,
          params: TemplatePath,
          response: { 200: MailTemplate },
        },
      },
      (request) => templates.get(userIdOf(request.caller), request.params.id),
    )

    app.patch(
      '/mail-templates/:id',
      {
        config: writing,
        schema: {
          operationId: 'updateMailTemplate',
          summary: 'Change a mail template',
          tags,
          params: TemplatePath,
          body: MailTemplateChange,
          response: { 200: MailTemplate },
        },
      },
      ({ caller, params, body, headers }) =>
        templates.change(userIdOf(caller), params.id, body, headers['if-match']),
    )

    app.delete(
      '/mail-templates/:id',
      {
        config: writing,
        schema: {
          operationId: 'deleteMailTemplate',
          summary: 'Remove a mail template',
          tags,
          params: TemplatePath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await templates.remove(userIdOf(request.caller), request.params.id, request.headers['if-match'])
        return reply.code(204).send(null)
      },
    )
  }
