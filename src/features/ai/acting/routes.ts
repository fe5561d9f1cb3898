import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdPath } from '../../../platform/http/shapes.ts'
import { ActionEdit, Confirmation, WaitingAction, WaitingList, WaitingQuery } from './schema.ts'
import type { Waiting } from './waiting.ts'

const tags = ['AI']
/** No scope: no personal access token sees or decides on actions. */
const config = { access: 'switched' } as const
/** A client on the same machine needs no token in open mode, and must not confirm or rewrite its own action. */
const deciding = { access: 'session', mayAnswer: [409] } as const

export const waitingRoutes =
  (waiting: Waiting): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config,
        schema: {
          operationId: 'listWaitingActions',
          summary: 'What the assistant wants to do and waits for you to allow',
          description:
            'The latest first; those that were decided are kept for 30 days. An action waits for a day.',
          tags,
          querystring: WaitingQuery,
          response: { 200: WaitingList },
        },
      },
      (request) => waiting.list(request.query) as never,
    )

    app.get(
      '/:id',
      {
        config,
        schema: {
          operationId: 'getWaitingAction',
          summary: 'One action',
          tags,
          params: IdPath,
          response: { 200: WaitingAction },
        },
      },
      (request) => waiting.get(request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: deciding,
        schema: {
          operationId: 'editWaitingAction',
          summary: 'Change what an action will do',
          description: 'Needs a session of the account that the action belongs to, in open mode too.',
          tags,
          params: IdPath,
          body: ActionEdit,
          response: { 200: WaitingAction },
        },
      },
      ({ params, body, caller, headers }) => waiting.edit(params.id, body.input, caller, headers['if-match']),
    )

    app.post(
      '/:id/confirm',
      {
        config: { access: 'session', idempotency: 'noted', mayAnswer: [412] },
        schema: {
          operationId: 'confirmWaitingAction',
          summary: 'Let the assistant do it',
          description:
            'Does exactly what `input` shows, once. With an `input` in the body that is done instead. Needs a session of the account that the action belongs to, in open mode too: no personal access token and no MCP client can confirm. Refused (409) when its event, task or e-mail was changed since. With `If-Match` only in the version you have seen.',
          tags,
          params: IdPath,
          body: Confirmation,
          response: { 200: WaitingAction },
        },
      },
      ({ params, body, caller, headers }) =>
        waiting.confirm(params.id, body?.input, caller, headers['if-match']),
    )

    app.post(
      '/:id/reject',
      {
        config: { ...config, mayAnswer: [409, 412] },
        schema: {
          operationId: 'rejectWaitingAction',
          summary: 'Do not let the assistant do it',
          tags,
          params: IdPath,
          response: { 200: WaitingAction },
        },
      },
      ({ params, headers }) => waiting.reject(params.id, headers['if-match']),
    )
  }
