import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireScope } from '../../platform/access/caller.ts'
import { askerOf } from '../models/consultation.ts'
import type { ModelName } from '../models/language-models.ts'
import type { EmailIntelligence } from './analysis-service.ts'
import { Analysis, AnalyzePath, AnalyzeQuery, Intelligence, MailAnalysisInput } from './schema.ts'

const BY =
  'Uses the selected model together with the findings of the built-in engine. Claims of the model that the email does not support are removed. Without a key, uses the built-in engine alone, in English and German. Emails tagged `private` are analysed only by the built-in engine and never sent to a model.'

export const intelligenceRoutes =
  (intelligence: EmailIntelligence): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/ai/email-intelligence',
      {
        config: { access: 'switched', scope: 'ai:write', mayAnswer: [404, 429, 502, 504] },
        schema: {
          operationId: 'examineEmail',
          summary: 'Analyse an email without storing the result',
          description: `${BY} Quoted history and the signature are ignored. Every finding quotes its source in the text. Prompt injections and hidden text are reported as insights. Nothing is stored. A personal access token also needs \`mail:read\` for an \`emailId\`.`,
          tags: ['AI'],
          body: MailAnalysisInput,
          response: { 200: Intelligence },
        },
      },
      (request, reply) => {
        if (request.body.emailId !== undefined) requireScope(request.caller, 'mail:read')
        return intelligence.examine(
          request.body,
          askerOf(request, reply, request.body.model as ModelName | undefined),
        ) as never
      },
    )

    // With an Idempotency-Key, the handler runs in a transaction, which must not wait for a model.
    const read = new WeakMap<object, Awaited<ReturnType<EmailIntelligence['read']>>>()
    app.post(
      '/emails/:id/analyze',
      {
        config: {
          ...({ access: 'switched', scope: 'mail:write', idempotency: 'kept' } as const),
          mayAnswer: [429, 502, 504],
          async prepare(request, reply) {
            const { id } = request.params as { id: number }
            const { apply, model } = request.query as { apply?: boolean; model?: ModelName }
            if (apply) requireScope(request.caller, 'tasks:write')
            read.set(request, await intelligence.read(id, askerOf(request, reply, model)))
          },
        },
        schema: {
          operationId: 'analyzeEmail',
          summary: 'Analyse an email and store the result',
          description: `${BY} The result is stored as \`analysis\` of the email, and the email can be filtered by \`urgency\`. With \`apply\`, requests to the reader are created as tasks; a personal access token also needs \`tasks:write\` for that. \`GET /api/actions\` lists the created tasks, and they can be undone.`,
          tags: ['Emails'],
          params: AnalyzePath,
          querystring: AnalyzeQuery,
          response: { 200: Analysis },
        },
      },
      (request) => {
        const found = read.get(request)
        if (!found) throw new Error('The email must be analysed before the result is stored.')
        return intelligence.keep(found, request.query) as never
      },
    )
  }
