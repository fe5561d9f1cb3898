import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { anyScope } from '../../platform/access/route-access.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import { type Briefing, type BriefingNeeds, createBriefing } from './briefing.ts'
import { BriefingQuery, DailyBriefing } from './schema.ts'

const briefingRoutes =
  (briefing: Briefing): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/briefing',
      {
        config: { ...anyScope, longReads: true },
        schema: {
          operationId: 'getBriefing',
          summary: 'Get the daily briefing',
          description:
            'Events, conflicts, due tasks, emails waiting for a reply, and promises, as text and as structured data, in your timezone. A token sees what its scopes cover.',
          querystring: BriefingQuery,
          response: { 200: DailyBriefing },
        },
      },
      ({ caller, query }) => briefing.of(caller, query.date),
    )
  }

/** Stores nothing: all data comes from other features. */
export const createBriefingFeature = (platform: Platform, features: BriefingNeeds) => {
  const briefing = createBriefing(platform, features)
  const routes: FeatureRoutes[] = [{ prefix: '/api', plugin: briefingRoutes(briefing) }]
  return { briefing, routes }
}
