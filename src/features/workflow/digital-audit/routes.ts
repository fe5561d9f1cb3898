import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Audits } from './audits.ts'
import { AuditReport, AuditWish } from './schema.ts'

export const auditRoutes =
  (audits: Audits): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/digital-audit',
      {
        config: { access: 'switched', scope: 'workflow:write' },
        schema: {
          operationId: 'auditPage',
          summary: 'Audit a web page',
          description:
            'Real checks of the page: metadata, headings, accessibility, links, structured data, social cards, search engines, security, weight. Each finding has its evidence; the score is explained. Private addresses are never fetched. A page that cannot be had is a 400 `page_unavailable` that says which step failed.',
          tags: ['Workflow'],
          body: AuditWish,
          response: { 200: AuditReport },
        },
      },
      (request) => audits.audit(request.body),
    )
  }
