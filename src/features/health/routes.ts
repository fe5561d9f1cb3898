import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { anyone } from '../../platform/access/route-access.ts'
import { type Health, HealthReport } from './health.ts'

export const healthRoutes =
  (health: Health): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/health',
      {
        config: { ...anyone, whileDraining: true },
        schema: {
          operationId: 'getHealth',
          summary: 'Get the health of the service',
          description:
            'Returns 503 with the same body if the database does not respond, if the disk rejects writes (see `checks`), or during shutdown. A failed check `blobStorage` does not change the status.',
          response: { 200: HealthReport, 503: HealthReport },
        },
      },
      async (_request, reply) => {
        const report = await health.report()
        reply.code(report.status === 'ok' ? 200 : 503)
        return report
      },
    )
  }
