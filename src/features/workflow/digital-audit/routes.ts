import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'
import type { Asker } from '../../ai/consulting.ts'
import type { ModelName } from '../../ai/providers.ts'
import type { Audits } from './audits.ts'
import { type AuditWish, auditReport, auditWish } from './schema.ts'

/** How this room's answers say what made them, and who asks: as everywhere where a model may be asked. */
export interface AiAnswers {
  made: TProperties
  model: TProperties
  askerOf: (request: FastifyRequest, reply: FastifyReply, model?: ModelName) => Asker
}

export const auditRoutes =
  (audits: Audits, { made, model, askerOf }: AiAnswers): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/digital-audit',
      {
        config: { access: 'switched', scope: 'workflow:write', mayAnswer: [429, 502, 504] },
        schema: {
          operationId: 'auditPage',
          summary: 'Audit a web page',
          description:
            'Real checks of the page: metadata, headings, accessibility, links, structured data, social cards, search engines, security, weight. Each finding has its evidence; the score is explained. The chosen model puts it into words where there is one; scores, findings and evidence stay those of the checks. Private addresses are never fetched. A page that cannot be had is a 400 `page_unavailable` that says which step failed.',
          tags: ['Workflow'],
          body: auditWish(model),
          response: { 200: auditReport(made) },
        },
      },
      (request, reply) => {
        const { model: wanted, ...wish } = request.body as AuditWish & { model?: ModelName }
        return audits.audit(wish, askerOf(request, reply, wanted)) as never
      },
    )
  }
