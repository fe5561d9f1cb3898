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
          summary: 'What today is about',
          description:
            'Events and their conflicts, what is due, who waits for an answer, what was promised by whom; in words and in structure, in your time zone. A token hears what its scopes cover.',
          tags: ['Briefing'],
          querystring: BriefingQuery,
          response: { 200: DailyBriefing },
        },
      },
      (request) => briefing.of(request.caller, request.query.date),
    )
  }
