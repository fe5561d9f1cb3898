import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'
import { read, write } from '../../platform/access/route-access.ts'
import type { Models } from '../models/catalog.ts'
import type { Asker } from '../models/consultation.ts'
import type { ModelName } from '../models/language-models.ts'
import type { Audits } from './audits.ts'
import {
  type AuditInput,
  auditInput,
  auditReport,
  ModelInfo,
  N8nWorkflow,
  TemplateList,
  TemplatePath,
} from './schema.ts'
import type { Templates } from './templates.ts'

/** Reads the status of the selected model. */
export type ReadModelStatus = Models['current']

export const workflowRoutes =
  (modelStatus: ReadModelStatus, templates: Templates): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/model-info',
      {
        config: read('workflow'),
        schema: {
          operationId: 'getModelInfo',
          summary: 'Get the selected model',
          description: 'Without a key, the built-in engine answers.',
          response: { 200: ModelInfo },
        },
      },
      (request) => modelStatus(request.user),
    )

    app.get(
      '/templates',
      {
        config: read('workflow'),
        schema: {
          operationId: 'listWorkflowTemplates',
          summary: 'List workflow templates for n8n',
          description:
            'The templates contain the URL of this instance. Import one, then choose a header credential with a personal access token in each HTTP node.',
          response: { 200: TemplateList },
        },
      },
      (request) => templates.list(request.user),
    )

    app.get(
      '/templates/:id',
      {
        config: read('workflow'),
        schema: {
          operationId: 'getWorkflowTemplate',
          summary: 'Get a workflow template for n8n',
          params: TemplatePath,
          response: { 200: N8nWorkflow },
        },
      },
      (request) => templates.get(request.user, request.params.id),
    )
  }

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
        config: { ...write('workflow'), mayAnswer: [429, 502, 504] },
        schema: {
          operationId: 'auditPage',
          summary: 'Audit a web page',
          description:
            'Checks metadata, headings, accessibility, links, structured data, social cards, search engines, security and page size. Each finding has its evidence, and the score is explained. If a model is configured, it rewrites the texts; scores, findings and evidence stay unchanged. Private addresses are never fetched. The texts are in the language of the account, or in English without an account. If the page cannot be fetched, returns 400 `page_unavailable` with the failed step.',
          body: auditInput(model),
          response: { 200: auditReport(made) },
        },
      },
      (request, reply) => {
        const { model: wanted, ...input } = request.body as AuditInput & { model?: ModelName }
        return audits.audit(input, askerOf(request, reply, wanted), request.user) as never
      },
    )
  }
