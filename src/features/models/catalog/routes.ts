import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Models } from './catalog.ts'
import { ActiveModel, ModelChoice, ModelList } from './schema.ts'

const tags = ['AI']
const readAccess = { access: 'switched', scope: 'ai:read' } as const
const writeAccess = { access: 'switched', scope: 'ai:write' } as const

export const modelRoutes =
  (models: Models): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/ai-model',
      {
        config: readAccess,
        schema: {
          operationId: 'getAiModel',
          summary: 'Get the selected model',
          tags,
          response: { 200: ActiveModel },
        },
      },
      () => models.current(),
    )

    app.post(
      '/ai-model',
      {
        config: writeAccess,
        schema: {
          operationId: 'setAiModel',
          summary: 'Select the model',
          description:
            'The selection is stored. Without a key for its provider, the built-in engine answers, and each answer says so.',
          tags,
          body: ModelChoice,
          response: { 200: ActiveModel },
        },
      },
      (request) => models.choose(request.body.model),
    )

    app.get(
      '/ai/models',
      {
        config: readAccess,
        schema: {
          operationId: 'listAiModels',
          summary: 'List the four models and their status',
          tags,
          response: { 200: ModelList },
        },
      },
      async () => ({ models: await models.list(), nextCursor: null }),
    )
  }
