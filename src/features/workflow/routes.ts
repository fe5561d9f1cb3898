import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { ReadModelStatus } from './model-status.ts'
import { ModelInfo, N8nWorkflow, TemplateList, TemplatePath } from './schema.ts'
import type { Templates } from './templates/templates.ts'

const tags = ['Workflow']
const config = { access: 'switched', scope: 'workflow:read' } as const

export const workflowRoutes =
  ({
    modelStatus,
    templates,
  }: {
    modelStatus: ReadModelStatus
    templates: Templates
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/model-info',
      {
        config,
        schema: {
          operationId: 'getModelInfo',
          summary: 'Get the selected model',
          description: 'Without a key, the built-in engine answers.',
          tags,
          response: { 200: ModelInfo },
        },
      },
      async () => {
        const { allowed, ...status } = await modelStatus()
        return { ...status, allowed: [...allowed] }
      },
    )

    app.get(
      '/templates',
      {
        config,
        schema: {
          operationId: 'listWorkflowTemplates',
          summary: 'List workflow templates for n8n',
          description:
            'The templates contain the URL of this instance. Import one, then choose a header credential with a personal access token in each HTTP node.',
          tags,
          response: { 200: TemplateList },
        },
      },
      () => templates.list(),
    )

    app.get(
      '/templates/:id',
      {
        config,
        schema: {
          operationId: 'getWorkflowTemplate',
          summary: 'Get a workflow template for n8n',
          tags,
          params: TemplatePath,
          response: { 200: N8nWorkflow },
        },
      },
      (request) => templates.get(request.params.id),
    )
  }
