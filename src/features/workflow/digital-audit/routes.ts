import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'
import type { Asker } from '../../models/consultation.ts'
import type { ModelName } from '../../models/language-models.ts'
import { type AuditInput, auditInput, auditReport } from '../schema.ts'
import type { Audits } from './audits.ts'

/** Shared fields and helpers of routes that can ask a model. */
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
            'Checks metadata, headings, accessibility, links, structured data, social cards, search engines, security and page size. Each finding has its evidence, and the score is explained. If a model is configured, it rewrites the texts; scores, findings and evidence stay unchanged. Private addresses are never fetched. If the page cannot be fetched, returns 400 `page_unavailable` with the failed step.',
          tags: ['Workflow'],
          body: auditInput(model),
          response: { 200: auditReport(made) },
        },
      },
      (request, reply) => {
        const { model: wanted, ...input } = request.body as AuditInput & { model?: ModelName }
        return audits.audit(input, askerOf(request, reply, wanted)) as never
      },
    )
  }
