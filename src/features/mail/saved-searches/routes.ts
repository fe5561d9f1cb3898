import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../../platform/access/route-access.ts'
import { Page } from '../../../platform/http/shapes.ts'
import type { SavedSearches } from './saved-searches.ts'
import { NewSavedSearch, SavedSearch, SavedSearchChange, SavedSearchList, SearchPath } from './schema.ts'

export const savedSearchRoutes =
  (searches: SavedSearches): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/saved-searches',
      {
        config: read('mail'),
        schema: {
          operationId: 'listSavedSearches',
          summary: 'List saved searches in order of creation',
          querystring: Page,
          response: { 200: SavedSearchList },
        },
      },
      (request) => searches.list(request.user, request.query),
    )

    app.post(
      '/saved-searches',
      {
        config: { ...write('mail'), idempotency: 'kept' },
        schema: {
          operationId: 'createSavedSearch',
          summary: 'Save a search under a name',
          description: '`q` has the syntax of `GET /api/threads`. The limit is 50 saved searches.',
          body: NewSavedSearch,
          response: { 201: SavedSearch },
        },
      },
      async (request, reply) => {
        const added = await searches.add(request.user, request.body)
        reply.code(201)
        return added
      },
    )

    app.patch(
      '/saved-searches/:id',
      {
        config: write('mail'),
        schema: {
          operationId: 'updateSavedSearch',
          summary: 'Rename or change a saved search',
          params: SearchPath,
          body: SavedSearchChange,
          response: { 200: SavedSearch },
        },
      },
      ({ user, params, body, headers }) => searches.change(user, params.id, body, headers['if-match']),
    )

    app.delete(
      '/saved-searches/:id',
      {
        config: write('mail'),
        schema: {
          operationId: 'deleteSavedSearch',
          summary: 'Delete a saved search',
          params: SearchPath,
          response: { 204: Type.Null() },
        },
      },
      async ({ user, params, headers }, reply) => {
        await searches.remove(user, params.id, headers['if-match'])
        return reply.code(204).send(null)
      },
    )
  }
