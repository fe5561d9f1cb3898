import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Models } from './models.ts'
import { ActiveModel, ModelChoice, ModelList } from './schema.ts'

const tags = ['AI']
const reading = { access: 'switched', scope: 'ai:read' } as const
const writing = { access: 'switched', scope: 'ai:write' } as const

export const modelRoutes =
  (models: Models): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/ai-model',
      {
        config: reading,
        schema: {
          operationId: 'getAiModel',
          summary: 'The model that answers',
          tags,
          response: { 200: ActiveModel },
        },
      },
      () => models.current(),
    )

    app.post(
      '/ai-model',
      {
        config: writing,
        schema: {
          operationId: 'setAiModel',
          summary: 'Choose the model that answers',
          description:
            'It stays chosen. Without a key for its provider the built-in engine answers, and says so.',
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
        config: reading,
        schema: {
          operationId: 'listAiModels',
          summary: 'The four models, and whether each can answer',
          tags,
          response: { 200: ModelList },
        },
      },
      async () => ({ models: await models.list(), nextCursor: null }),
    )
  }
