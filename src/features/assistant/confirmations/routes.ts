import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdPath } from '../../../platform/http/shapes.ts'
import type { PendingActions } from './confirmations.ts'
import { ActionEdit, Confirmation, WaitingAction, WaitingList, WaitingQuery } from './schema.ts'

const tags = ['AI']
/** Has no scope, so personal access tokens can neither list nor decide actions. */
const config = { access: 'switched' } as const
/** In open mode, a client on the same machine needs no token. It must not confirm or edit its own action. */
const decisionAccess = { access: 'session', mayAnswer: [409] } as const

export const actionRoutes =
  (pendingActions: PendingActions): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config,
        schema: {
          operationId: 'listWaitingActions',
          summary: 'List actions that wait for confirmation',
          description:
            'Newest first. Decided actions are kept for 30 days. A pending action expires after one day.',
          tags,
          querystring: WaitingQuery,
          response: { 200: WaitingList },
        },
      },
      (request) => pendingActions.list(request.query) as never,
    )

    app.get(
      '/:id',
      {
        config,
        schema: {
          operationId: 'getWaitingAction',
          summary: 'Get an action',
          tags,
          params: IdPath,
          response: { 200: WaitingAction },
        },
      },
      (request) => pendingActions.get(request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: decisionAccess,
        schema: {
          operationId: 'editWaitingAction',
          summary: 'Edit the input of an action',
          description: 'Requires a session of the account that owns the action, also in open mode.',
          tags,
          params: IdPath,
          body: ActionEdit,
          response: { 200: WaitingAction },
        },
      },
      ({ params, body, caller, headers }) =>
        pendingActions.edit(params.id, body.input, caller, headers['if-match']),
    )

    app.post(
      '/:id/confirm',
      {
        config: { access: 'session', idempotency: 'noted', mayAnswer: [412] },
        schema: {
          operationId: 'confirmWaitingAction',
          summary: 'Confirm an action',
          description:
            'Runs the action once with its `input`, or with the `input` of the request body. Requires a session of the account that owns the action, also in open mode: personal access tokens and MCP clients cannot confirm. Returns 409 if the event, task or email has changed since. With `If-Match`, runs only the given version.',
          tags,
          params: IdPath,
          body: Confirmation,
          response: { 200: WaitingAction },
        },
      },
      ({ params, body, caller, headers }) =>
        pendingActions.confirm(params.id, body?.input, caller, headers['if-match']),
    )

    app.post(
      '/:id/reject',
      {
        config: { ...config, mayAnswer: [409, 412] },
        schema: {
          operationId: 'rejectWaitingAction',
          summary: 'Reject an action',
          tags,
          params: IdPath,
          response: { 200: WaitingAction },
        },
      },
      ({ params, headers }) => pendingActions.reject(params.id, headers['if-match']),
    )
  }
