import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tokenIdOf } from '../../../platform/access/caller.ts'
import { UsageQuery, UsageReport } from './schema.ts'
import type { UsageTracker } from './usage.ts'

export const usageRoutes =
  (usage: UsageTracker): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/usage',
      {
        config: { access: 'switched', scope: 'ai:read' },
        schema: {
          operationId: 'getAiUsage',
          summary: 'Get AI usage and costs',
          description: 'A personal access token sees only its own usage.',
          tags: ['AI'],
          querystring: UsageQuery,
          response: { 200: UsageReport },
        },
      },
      (request) => usage.read(request.query.days, tokenIdOf(request.caller)) as never,
    )
  }
