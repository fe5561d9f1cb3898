import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireScope } from '../scopes.ts'
import type { EmailIntelligence } from './intelligence.ts'
import { Analysis, AnalyzePath, AnalyzeQuery, Intelligence, IntelligenceWish } from './schema.ts'

const LOCAL =
  'By the engine that is built in, in English and German: nothing leaves the machine, so mails that are tagged `private` are read too.'

export const intelligenceRoutes =
  (intelligence: EmailIntelligence): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/ai/email-intelligence',
      {
        config: { access: 'switched', scope: 'ai:write' },
        schema: {
          operationId: 'examineEmail',
          summary: 'What a mail is about, how urgent it is, what it wants',
          description: `${LOCAL} Quoted history and the signature are cut off first. Every finding tells the words it was read from. Attempts to steer a model, and text that a person does not see, are told as insights. Nothing is kept. A personal access token also needs \`mail:read\` when there is an \`emailId\`.`,
          tags: ['AI'],
          body: IntelligenceWish,
          response: { 200: Intelligence },
        },
      },
      (request) => {
        if (request.body.emailId !== undefined) requireScope(request.caller, 'mail:read')
        return intelligence.examine(request.body)
      },
    )

    app.post(
      '/emails/:id/analyze',
      {
        config: { access: 'switched', scope: 'mail:write', idempotency: 'kept' },
        schema: {
          operationId: 'analyzeEmail',
          summary: 'Analyse an e-mail and keep what was found',
          description: `${LOCAL} The e-mail then has it as its \`analysis\`, and is found by its \`urgency\`. With \`apply\` what it asks of the reader is filed as tasks, which a personal access token also needs \`tasks:write\` for; \`GET /api/actions\` lists them, and they can be taken back.`,
          tags: ['Emails'],
          params: AnalyzePath,
          querystring: AnalyzeQuery,
          response: { 200: Analysis },
        },
      },
      (request) => {
        if (request.query.apply) requireScope(request.caller, 'tasks:write')
        return intelligence.analyze(request.params.id, request.query)
      },
    )
  }
