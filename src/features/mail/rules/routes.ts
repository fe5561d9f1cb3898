import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { type Caller, requireScope } from '../../../platform/access/caller.ts'
import { read, write } from '../../../platform/access/route-access.ts'
import { Page } from '../../../platform/http/shapes.ts'
import type { MailRules } from './rules.ts'
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
    /** A rule that creates tasks also requires the scope `tasks:write`. */
    const requireTasks = (caller: Caller, task: boolean | undefined): void => {
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
      ({ user, query }) => rules.list(user, query),
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
      async ({ body, caller, visit }, reply) => {
        requireTasks(caller, body.does.task)
        const added = await rules.add(body, { caller, visit })
        reply.header('location', `/api/mail-rules/${added.id}`)
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
      ({ user, params }) => rules.get(user, params.id),
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
      ({ params, body, ifMatch, caller, visit }) => {
        requireTasks(caller, body.does?.task)
        return rules.change(params.id, body, ifMatch, { caller, visit })
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
      ({ params, ifMatch, caller, visit }) => rules.remove(params.id, ifMatch, { caller, visit }),
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
      async ({ user, params, body, caller }) => {
        const { does } = await rules.get(user, params.id)
        requireTasks(caller, does.task)
        return run(user, params.id, body)
      },
    )
  }
