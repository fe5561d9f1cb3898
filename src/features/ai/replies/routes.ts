import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { hasScope, requireScope } from '../../../platform/access/scopes.ts'
import { askerOf } from '../asker.ts'
import { AnalyzePath } from '../intelligence/schema.ts'
import { type Drafting, envelopeOf } from './drafting.ts'
import { EmailResponse, ReplyDraft, ReplyWish, ResponseWish } from './schema.ts'

const BY =
  'By the chosen model, which is given what the built-in engine found and what it would write; without a key, and for mails that are tagged `private`, by that engine alone. Dates, amounts and addresses in what a model wrote that neither the mail nor you nor your calendar told are marked as `[check: …]`, and are among the `gaps`.'

export const replyRoutes =
  (drafting: Drafting): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/emails/:id/reply-draft',
      {
        config: { access: 'switched', scope: 'mail:read', mayAnswer: [429, 502, 504] },
        schema: {
          operationId: 'draftReply',
          summary: 'Draft an answer to an e-mail',
          description: `${BY} Greets who wrote it, in the language of the mail, takes up each question and request, and leaves a [gap] wherever only you know what to say: nothing is invented, kept or sent. When the mail asks for your time, it says whether you are free then, or proposes times that are free in your calendar; a personal access token needs \`calendar:read\` for that. Newsletters, automatic answers and no-reply addresses are not answered as if they were people: \`answerable\` is then false, and the text says why.`,
          tags: ['Emails'],
          params: AnalyzePath,
          body: ReplyWish,
          response: { 200: ReplyDraft },
        },
      },
      async (request, reply) => {
        const mail = await drafting.find({ emailId: request.params.id })
        const withCalendar = hasScope(request.caller, 'calendar:read')
        const asker = askerOf(request, reply)
        const draft = await drafting.draft(mail, request.body ?? {}, { withCalendar, asker })
        return { ...draft, ...envelopeOf(mail) } as never
      },
    )
  }

/** Answers to mails for automations that are run elsewhere. */
export const responseRoutes =
  (drafting: Drafting): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/email-response',
      {
        config: { access: 'switched', scope: 'workflow:write', mayAnswer: [404, 429, 502, 504] },
        schema: {
          operationId: 'writeEmailResponse',
          summary: 'Write an answer to a mail',
          description: `${BY} As \`POST /api/emails/{id}/reply-draft\` does, also to a mail that is not kept here. Nothing is sent. An automation that sends it should first make sure that \`answerable\` is true and \`gaps\` is empty. A personal access token also needs \`mail:read\` when there is an \`emailId\`, and \`calendar:read\` for times that are free.`,
          tags: ['Workflow'],
          body: ResponseWish,
          response: { 200: EmailResponse },
        },
      },
      async (request, reply) => {
        const { tone, instructions, language, model, ...given } = request.body
        if (given.emailId !== undefined) requireScope(request.caller, 'mail:read')
        const mail = await drafting.find(given)
        const wish = { tone, instructions, language, model }
        const withCalendar = hasScope(request.caller, 'calendar:read')
        return drafting.draft(mail, wish as ReplyWish, {
          withCalendar,
          asker: askerOf(request, reply),
        }) as never
      },
    )
  }
