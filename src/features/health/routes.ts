import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { anyone } from '../../platform/access/route-access.ts'
import { Nullable } from '../../platform/http/shapes.ts'
import type { Health } from './health.ts'

const Check = Type.Object(
  { ok: Type.Boolean({ examples: [true] }), detail: Type.Optional(Type.String({ examples: ['3 waiting'] })) },
  { title: 'Check' },
)

const HealthReport = Type.Object(
  {
    status: Type.Enum(['ok', 'down'], { type: 'string' }),
    version: Type.String({ examples: ['0.1.0'] }),
    uptimeSeconds: Type.Integer({ examples: [3600] }),
    database: Type.Object({
      engine: Type.Enum(['sqlite', 'postgres'], { type: 'string' }),
      ok: Type.Boolean({ examples: [true] }),
    }),
    checks: Type.Record(Type.String(), Check),
    backups: Type.Optional(
      Type.Object({
        lastProvenAt: Nullable(
          Type.String({
            format: 'date-time',
            examples: ['2026-03-01T03:02:00.000Z'],
            description: 'Time of the last backup that was proven restorable',
          }),
        ),
      }),
    ),
  },
  { title: 'Health' },
)

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
          tags: ['Health and statistics'],
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
