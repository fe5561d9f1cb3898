import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { requireScope, visitOf } from '../../../platform/access/caller.ts'
import { read, write } from '../../../platform/access/route-access.ts'
import { Page } from '../../../platform/http/shapes.ts'
import type { MailRules, Requester } from './rules.ts'
import {
  MailRule,
  MailRuleChange,
  MailRuleList,
  NewMailRule,
  RulePath,
  RunBody,
  RunResponse,
} from './schema.ts'

const creating = { ...write('mail'), idempotency: 'kept' } as const

export interface MailRuleService {
  rules: MailRules
  run: (userId: number, id: number, input: RunBody) => Promise<RunResponse>
}

export const mailRuleRoutes =
  ({ rules, run }: MailRuleService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const toRequester = (request: FastifyRequest): Requester => ({
      caller: request.caller,
      visit: visitOf(request),
    })
    /** A rule that creates tasks also requires the scope `tasks:write`. */
    const requireTasks = ({ caller }: FastifyRequest, task: boolean | undefined): void => {
      if (task) requireScope(caller, 'tasks:write')
    }

    app.get(
      '/mail-rules',
      {
        config: read('mail'),
        schema: {
          operationId: 'listMailRules',
          summary: 'List mail rules in the order in which they are applied',
          description: 'Rules are applied in the order of creation.',
          querystring: Page,
          response: { 200: MailRuleList },
        },
      },
      (request) => rules.list(request.user, request.query),
    )

    app.post(
      '/mail-rules',
      {
        config: creating,
        schema: {
          operationId: 'createMailRule',
          summary: 'Create a mail rule',
          description:
            'The rule applies to new mail in the inbox. For existing mail, use `POST /api/mail-rules/{id}/run`. The limit is 100 rules. A rule that creates tasks also requires the token scope `tasks:write`.',
          body: NewMailRule,
          response: { 201: MailRule },
        },
      },
      async (request, reply) => {
        requireTasks(request, request.body.does.task)
        const added = await rules.add(request.body, toRequester(request))
        reply.code(201).header('location', `/api/mail-rules/${added.id}`)
        return added
      },
    )

    app.get(
      '/mail-rules/:id',
      {
        config: read('mail'),
        schema: {
          operationId: 'getMailRule',
          summary: 'Get a mail rule',
          params: RulePath,
          response: { 200: MailRule },
        },
      },
      (request) => rules.get(request.user, request.params.id),
    )

    app.patch(
      '/mail-rules/:id',
      {
        config: write('mail'),
        schema: {
          operationId: 'updateMailRule',
          summary: 'Change, enable or disable a mail rule',
          params: RulePath,
          body: MailRuleChange,
          response: { 200: MailRule },
        },
      },
      (request) => {
        requireTasks(request, request.body.does?.task)
        const { params, body, headers } = request
        return rules.change(params.id, body, headers['if-match'], toRequester(request))
      },
    )

    app.delete(
      '/mail-rules/:id',
      {
        config: write('mail'),
        schema: {
          operationId: 'deleteMailRule',
          summary: 'Remove a mail rule',
          description: 'Does not undo the changes that the rule made.',
          params: RulePath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await rules.remove(request.params.id, request.headers['if-match'], toRequester(request))
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/mail-rules/:id/run',
      {
        config: creating,
        schema: {
          operationId: 'runMailRule',
          summary: 'Apply a mail rule to the existing mail in the inbox',
          description:
            'Works for disabled rules, too. Changes the newest 500 matching emails in one transaction. `dryRun` only counts. `POST /api/actions/{id}/undo` reverts the changes.',
          params: RulePath,
          body: RunBody,
          response: { 200: RunResponse },
        },
      },
      async (request) => {
        const userId = request.user
        const { does } = await rules.get(userId, request.params.id)
        requireTasks(request, does.task)
        return run(userId, request.params.id, request.body)
      },
    )
  }
