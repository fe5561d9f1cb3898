import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AnalyzePath } from '../intelligence/schema.ts'
import { hasScope } from '../scopes.ts'
import { type Drafting, envelopeOf } from './drafting.ts'
import { ReplyDraft, ReplyWish } from './schema.ts'

export const replyRoutes =
  (drafting: Drafting): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/emails/:id/reply-draft',
      {
        config: { access: 'switched', scope: 'mail:read' },
        schema: {
          operationId: 'draftReply',
          summary: 'Draft an answer to an e-mail',
          description:
            'Greets who wrote it, in the language of the mail, takes up each question and request, and leaves a [gap] wherever only you know what to say: nothing is invented, kept or sent. When the mail asks for your time, it says whether you are free then, or proposes times that are free in your calendar; a personal access token needs `calendar:read` for that. Newsletters, automatic answers and no-reply addresses are not answered as if they were people: `answerable` is then false, and the text says why.',
          tags: ['Emails'],
          params: AnalyzePath,
          body: ReplyWish,
          response: { 200: ReplyDraft },
        },
      },
      async (request) => {
        const mail = await drafting.find({ emailId: request.params.id })
        const withCalendar = hasScope(request.caller, 'calendar:read')
        const draft = await drafting.draft(mail, request.body, { withCalendar })
        return { ...draft, ...envelopeOf(mail) }
      },
    )
  }
