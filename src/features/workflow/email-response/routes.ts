import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Caller, covers, type Scope } from '../../../platform/access/caller.ts'
import { forbidden } from '../../../platform/errors.ts'
import type { Drafting } from '../../ai/replies/drafting.ts'
import { EmailResponse, ResponseWish } from './schema.ts'

const has = (caller: Caller, scope: Scope): boolean => caller.kind !== 'token' || covers(caller.scopes, scope)

export const emailResponseRoutes =
  (drafting: Drafting): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/email-response',
      {
        config: { access: 'switched', scope: 'workflow:write' },
        schema: {
          operationId: 'writeEmailResponse',
          summary: 'Write an answer to a mail',
          description:
            'As `POST /api/emails/{id}/reply-draft` does, also to a mail that is not kept here. Nothing is sent. An automation that sends it should first make sure that `answerable` is true and `gaps` is empty. A personal access token also needs `mail:read` when there is an `emailId`, and `calendar:read` for times that are free.',
          tags: ['Workflow'],
          body: ResponseWish,
          response: { 200: EmailResponse },
        },
      },
      async (request) => {
        const { tone, instructions, language, ...given } = request.body
        if (given.emailId !== undefined && !has(request.caller, 'mail:read'))
          throw forbidden('This token lacks the scope mail:read.', 'insufficient_scope')
        const mail = await drafting.find(given)
        return drafting.draft(
          mail,
          {
            ...(tone !== undefined && { tone: tone as 'formal' | 'friendly' | 'brief' }),
            ...(instructions !== undefined && { instructions }),
            ...(language !== undefined && { language }),
          },
          { withCalendar: has(request.caller, 'calendar:read') },
        )
      },
    )
  }
