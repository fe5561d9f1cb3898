import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { requireScope } from '../../../platform/access/scopes.ts'
import { visitOf } from '../../../platform/access/visit.ts'
import { Page } from '../../../platform/http/shapes.ts'
import type { Asker, MailRules } from './rules.ts'
import {
  MailRule,
  MailRuleChange,
  MailRuleList,
  NewMailRule,
  RulePath,
  RunAnswer,
  RunBody,
} from './schema.ts'

const tags = ['Emails']
const reading = { access: 'switched', scope: 'mail:read' } as const
const writing = { access: 'switched', scope: 'mail:write' } as const
const making = { ...writing, idempotency: 'kept' } as const

export interface MailRuleDesk {
  rules: MailRules
  run: (id: number, wish: RunBody) => Promise<RunAnswer>
}

export const mailRuleRoutes =
  ({ rules, run }: MailRuleDesk): FastifyPluginAsyncTypebox =>
  async (app) => {
    const askerOf = (request: FastifyRequest): Asker => ({ caller: request.caller, visit: visitOf(request) })
    /** What makes tasks is for those who may. */
    const requireTasks = ({ caller }: FastifyRequest, task: boolean | undefined): void => {
      if (task) requireScope(caller, 'tasks:write')
    }

    app.get(
      '/mail-rules',
      {
        config: reading,
        schema: {
          operationId: 'listMailRules',
          summary: 'Mail rules, in the order in which they are applied',
          description: 'That is the order in which they were made.',
          tags,
          querystring: Page,
          response: { 200: MailRuleList },
        },
      },
      (request) => rules.list(request.query),
    )

    app.post(
      '/mail-rules',
      {
        config: making,
        schema: {
          operationId: 'addMailRule',
          summary: 'Have mail that arrives and fits filed by itself',
          description:
            'Mail that comes into the inbox from now on; `POST /api/mail-rules/{id}/run` is for what lies there already. 100 rules at most. One that makes tasks asks of a token `tasks:write` as well.',
          tags,
          body: NewMailRule,
          response: { 201: MailRule },
        },
      },
      async (request, reply) => {
        requireTasks(request, request.body.does.task)
        const added = await rules.add(request.body, askerOf(request))
        reply.code(201).header('location', `/api/mail-rules/${added.id}`)
        return added
      },
    )

    app.get(
      '/mail-rules/:id',
      {
        config: reading,
        schema: {
          operationId: 'getMailRule',
          summary: 'One mail rule',
          tags,
          params: RulePath,
          response: { 200: MailRule },
        },
      },
      (request) => rules.get(request.params.id),
    )

    app.patch(
      '/mail-rules/:id',
      {
        config: writing,
        schema: {
          operationId: 'changeMailRule',
          summary: 'Change a mail rule, or turn it on or off',
          tags,
          params: RulePath,
          body: MailRuleChange,
          response: { 200: MailRule },
        },
      },
      (request) => {
        requireTasks(request, request.body.does?.task)
        const { params, body, headers } = request
        return rules.change(params.id, body, headers['if-match'], askerOf(request))
      },
    )

    app.delete(
      '/mail-rules/:id',
      {
        config: writing,
        schema: {
          operationId: 'removeMailRule',
          summary: 'Remove a mail rule',
          description: 'What it did stays as it is.',
          tags,
          params: RulePath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await rules.remove(request.params.id, request.headers['if-match'], askerOf(request))
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/mail-rules/:id/run',
      {
        config: making,
        schema: {
          operationId: 'runMailRule',
          summary: 'Apply a mail rule to what lies in the inbox already',
          description:
            'Also one that is turned off. To the newest 500 that fit, all at once or none; `dryRun` only counts. `POST /api/actions/{id}/undo` takes it back.',
          tags,
          params: RulePath,
          body: RunBody,
          response: { 200: RunAnswer },
        },
      },
      async (request) => {
        const { does } = await rules.get(request.params.id)
        requireTasks(request, does.task)
        return run(request.params.id, request.body)
      },
    )
  }
