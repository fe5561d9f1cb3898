import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tokenIdOf } from '../../../platform/access/caller.ts'
import { UsageQuery, UsageReport } from './schema.ts'
import type { UsageBook } from './usage.ts'

export const usageRoutes =
  (usage: UsageBook): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/usage',
      {
        config: { access: 'switched', scope: 'ai:read' },
        schema: {
          operationId: 'getAiUsage',
          summary: 'What was asked of the models, and what it cost',
          description: 'A personal access token sees what was asked with it.',
          tags: ['AI'],
          querystring: UsageQuery,
          response: { 200: UsageReport },
        },
      },
      (request) => usage.read(request.query.days, tokenIdOf(request.caller)) as never,
    )
  }
