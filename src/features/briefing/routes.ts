import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Briefing } from './briefing.ts'
import { BriefingQuery, DailyBriefing } from './schema.ts'

export const briefingRoutes =
  (briefing: Briefing): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/briefing',
      {
        config: { access: 'switched', scope: 'any' },
        schema: {
          operationId: 'getBriefing',
          summary: 'Get the daily briefing',
          description:
            'Events, conflicts, due tasks, emails waiting for a reply, and promises, as text and as structured data, in your timezone. A token sees what its scopes cover.',
          tags: ['Briefing'],
          querystring: BriefingQuery,
          response: { 200: DailyBriefing },
        },
      },
      (request) => briefing.of(request.caller, request.query.date),
    )
  }
