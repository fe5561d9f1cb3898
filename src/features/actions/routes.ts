import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Page } from '../../platform/http/shapes.ts'
import type { Actions } from './actions.ts'
import { Action, ActionList, ActionPath } from './schema.ts'

const tags = ['Actions']
/** No scope: a person decides what is taken back, never a token. */
const config = { access: 'switched' } as const

export const actionRoutes =
  (actions: Actions): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config,
        schema: {
          operationId: 'listActions',
          summary: 'What was done for you, the newest first',
          description: 'Plans, imports and what the assistant did; kept for 29 days.',
          tags,
          querystring: Page,
          response: { 200: ActionList },
        },
      },
      (request) => actions.list(request.query),
    )

    app.post(
      '/:id/undo',
      {
        config: { ...config, idempotency: 'kept' },
        schema: {
          operationId: 'undoAction',
          summary: 'Take back what was done for you',
          description:
            'Refused with the reason when something has been changed since. Personal access tokens do not reach it.',
          tags,
          params: ActionPath,
          response: { 200: Action },
        },
      },
      (request) => actions.undo(request.params.id),
    )
  }
