import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { hasScope, requireScope } from '../../../platform/access/caller.ts'
import { askerOf } from '../../models/consultation.ts'
import { AnalyzePath } from '../schema.ts'
import { type ReplyDrafter, toEnvelope } from './reply-drafts.ts'
import { EmailResponse, ReplyDraft, ReplyDraftInput, ResponseDraftInput } from './schema.ts'

const BY =
  'Uses the selected model together with the findings and the draft of the built-in engine. Without a key, and for emails tagged `private`, uses the built-in engine alone. Dates, amounts and addresses that appear neither in the email, nor in your instructions, nor in your calendar are marked as `[check: …]` and listed in `gaps`.'

export const replyRoutes =
  (replyDrafter: ReplyDrafter): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/emails/:id/reply-draft',
      {
        config: { access: 'switched', scope: 'mail:read', mayAnswer: [429, 502, 504] },
        schema: {
          operationId: 'draftReply',
          summary: 'Draft a reply to an email',
          description: `${BY} The draft greets the sender in the language of the email, answers each question and request, and leaves a [gap] for everything that only you know. Nothing is invented, stored or sent. If the email asks for your time, the draft says whether you are free or proposes free slots of your calendar; a personal access token needs \`calendar:read\` for that. Newsletters, automatic replies and no-reply addresses get no reply: \`answerable\` is then false, and the text explains why.`,
          tags: ['Emails'],
          params: AnalyzePath,
          body: ReplyDraftInput,
          response: { 200: ReplyDraft },
        },
      },
      async (request, reply) => {
        const mail = await replyDrafter.find({ emailId: request.params.id })
        const withCalendar = hasScope(request.caller, 'calendar:read')
        const asker = askerOf(request, reply)
        const draft = await replyDrafter.draft(mail, request.body ?? {}, { withCalendar, asker })
        return { ...draft, ...toEnvelope(mail) } as never
      },
    )
  }

/** Reply drafts for external automations. */
export const responseRoutes =
  (replyDrafter: ReplyDrafter): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/email-response',
      {
        config: { access: 'switched', scope: 'workflow:write', mayAnswer: [404, 429, 502, 504] },
        schema: {
          operationId: 'writeEmailResponse',
          summary: 'Draft a reply to any email',
          description: `${BY} Like \`POST /api/emails/{id}/reply-draft\`, but also for emails that are not stored here. Nothing is sent. Before an automation sends the draft, it should check that \`answerable\` is true and \`gaps\` is empty. A personal access token also needs \`mail:read\` for an \`emailId\`, and \`calendar:read\` for free slots.`,
          tags: ['Workflow'],
          body: ResponseDraftInput,
          response: { 200: EmailResponse },
        },
      },
      async (request, reply) => {
        const { tone, instructions, language, model, ...given } = request.body
        if (given.emailId !== undefined) requireScope(request.caller, 'mail:read')
        const mail = await replyDrafter.find(given)
        const input = { tone, instructions, language, model }
        const withCalendar = hasScope(request.caller, 'calendar:read')
        return replyDrafter.draft(mail, input as ReplyDraftInput, {
          withCalendar,
          asker: askerOf(request, reply),
        }) as never
      },
    )
  }
