import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { userIdOf } from '../../../platform/access/caller.ts'
import { Page } from '../../../platform/http/shapes.ts'
import type { SavedSearches } from './saved-searches.ts'
import { NewSavedSearch, SavedSearch, SavedSearchChange, SavedSearchList, SearchPath } from './schema.ts'

const tags = ['Emails']
const reading = { access: 'switched', scope: 'mail:read' } as const
const writing = { access: 'switched', scope: 'mail:write' } as const

export const savedSearchRoutes =
  (searches: SavedSearches): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/saved-searches',
      {
        config: reading,
        schema: {
          operationId: 'listSavedSearches',
          summary: 'List saved searches in order of creation',
          tags,
          querystring: Page,
          response: { 200: SavedSearchList },
        },
      },
      (request) => searches.list(userIdOf(request.caller), request.query),
    )

    app.post(
      '/saved-searches',
      {
        config: { ...writing, idempotency: 'kept' },
        schema: {
          operationId: 'createSavedSearch',
          summary: 'Save a search under a name',
          description: '`q` has the syntax of `GET /api/threads`. The limit is 50 saved searches.',
          tags,
          body: NewSavedSearch,
          response: { 201: SavedSearch },
        },
      },
      async (request, reply) => {
        const added = await searches.add(userIdOf(request.caller), request.body)
        reply.code(201)
        return added
      },
    )

    app.patch(
      '/saved-searches/:id',
      {
        config: writing,
        schema: {
          operationId: 'updateSavedSearch',
          summary: 'Rename or change a saved search',
          tags,
          params: SearchPath,
          body: SavedSearchChange,
          response: { 200: SavedSearch },
        },
      },
      ({ caller, params, body, headers }) =>
        searches.change(userIdOf(caller), params.id, body, headers['if-match']),
    )

    app.delete(
      '/saved-searches/:id',
      {
        config: writing,
        schema: {
          operationId: 'deleteSavedSearch',
          summary: 'Delete a saved search',
          tags,
          params: SearchPath,
          response: { 204: Type.Null() },
        },
      },
      async ({ caller, params, headers }, reply) => {
        await searches.remove(userIdOf(caller), params.id, headers['if-match'])
        return reply.code(204).send(null)
      },
    )
  }
