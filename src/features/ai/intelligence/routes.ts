import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireScope } from '../../../platform/access/scopes.ts'
import { askerOf } from '../asker.ts'
import type { ModelName } from '../providers.ts'
import type { EmailIntelligence } from './intelligence.ts'
import { Analysis, AnalyzePath, AnalyzeQuery, Intelligence, IntelligenceWish } from './schema.ts'

const BY =
  'By the chosen model, which is given what the built-in engine found, and of which only what the mail bears out is told; without a key by that engine alone, in English and German. Mails that are tagged `private` are read by the engine, and leave the machine never.'

export const intelligenceRoutes =
  (intelligence: EmailIntelligence): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/ai/email-intelligence',
      {
        config: { access: 'switched', scope: 'ai:write', mayAnswer: [404, 429, 502, 504] },
        schema: {
          operationId: 'examineEmail',
          summary: 'What a mail is about, how urgent it is, what it wants',
          description: `${BY} Quoted history and the signature are cut off first. Every finding tells the words it was read from. Attempts to steer a model, and text that a person does not see, are told as insights. Nothing is kept. A personal access token also needs \`mail:read\` when there is an \`emailId\`.`,
          tags: ['AI'],
          body: IntelligenceWish,
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

    // With an Idempotency-Key the handler is in a transaction, and nobody should wait there for a model.
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
          summary: 'Analyse an e-mail and keep what was found',
          description: `${BY} The e-mail then has it as its \`analysis\`, and is found by its \`urgency\`. With \`apply\` what it asks of the reader is filed as tasks, which a personal access token also needs \`tasks:write\` for; \`GET /api/actions\` lists them, and they can be taken back.`,
          tags: ['Emails'],
          params: AnalyzePath,
          querystring: AnalyzeQuery,
          response: { 200: Analysis },
        },
      },
      (request) => {
        const found = read.get(request)
        if (!found) throw new Error('An e-mail is read before what was found is kept.')
        return intelligence.keep(found, request.query) as never
      },
    )
  }
