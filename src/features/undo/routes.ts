import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { person } from '../../platform/access/route-access.ts'
import { Instant, NextCursor, Nullable, Page } from '../../platform/http/shapes.ts'
import type { Actions } from './journal.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [12] })

const Action = Type.Object(
  {
    id: Id,
    kind: Type.String({ examples: ['tasks.planned'] }),
    summary: Type.String({ examples: ['Planned 3 tasks in 5 blocks'] }),
    at: Instant,
    undoneAt: Nullable(Instant),
  },
  { title: 'Action' },
)
const ActionPath = Type.Object({ id: Id }, { additionalProperties: false })
const ActionList = Type.Object(
  { actions: Type.Array(Action), nextCursor: NextCursor },
  { title: 'ActionList' },
)

export const actionRoutes =
  (actions: Actions): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: person,
        schema: {
          operationId: 'listActions',
          summary: 'List automatic changes',
          description:
            'Newest first. Includes plans, imports and changes of the assistant, and is kept for 29 days.',
          querystring: Page,
          response: { 200: ActionList },
        },
      },
      ({ user, query }) => actions.list(user, query),
    )

    app.post(
      '/:id/undo',
      {
        config: { ...person, idempotency: 'kept' },
        schema: {
          operationId: 'undoAction',
          summary: 'Undo an automatic change',
          description:
            'Returns 409 with the reason if the result has been changed since. Not available to personal access tokens.',
          params: ActionPath,
          response: { 200: Action },
        },
      },
      ({ user, params }) => actions.undo(user, params.id),
    )
  }
