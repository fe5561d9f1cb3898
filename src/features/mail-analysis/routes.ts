import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { hasScope, requireScope } from '../../platform/access/caller.ts'
import { read, write } from '../../platform/access/route-access.ts'
import { askerOf } from '../models/consultation.ts'
import type { ModelName } from '../models/language-models.ts'
import type { EmailIntelligence } from './analysis-service.ts'
import { type ReplyDrafter, toEnvelope } from './reply-drafts.ts'
import { AddedReservations, ReservationInput, ReservationList } from './reservation-schema.ts'
import type { ReservationFiling } from './reservations.ts'
import {
  Analysis,
  AnalyzePath,
  AnalyzeQuery,
  EmailResponse,
  Intelligence,
  MailAnalysisInput,
  ReplyDraft,
  ReplyDraftInput,
  ResponseDraftInput,
} from './schema.ts'

const ANALYSIS_METHOD =
  'Uses the selected model together with the findings of the built-in engine. Claims of the model that the email does not support are removed. Without a key, uses the built-in engine alone, in English and German. Emails tagged `private` are analysed only by the built-in engine and never sent to a model.'

export const intelligenceRoutes =
  (intelligence: EmailIntelligence): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/ai/email-intelligence',
      {
        config: { ...write('ai'), mayAnswer: [404, 429, 502, 504] },
        schema: {
          operationId: 'previewEmailAnalysis',
          summary: 'Analyse an email without storing the result',
          description: `${ANALYSIS_METHOD} Quoted history and the signature are ignored. Every finding quotes its source in the text. Prompt injections and invisible characters are reported as insights. Nothing is stored. A personal access token also needs \`mail:read\` for an \`emailId\`.`,
          body: MailAnalysisInput,
          response: { 200: Intelligence },
        },
      },
      (request, reply) => {
        if (request.body.emailId !== undefined) requireScope(request.caller, 'mail:read')
        return intelligence.examine(
          request.user,
          request.body,
          askerOf(request, reply, request.body.model as ModelName | undefined),
        ) as never
      },
    )

    // With an Idempotency-Key, the handler runs in a transaction, which must not wait for a model.
    const prepared = new WeakMap<object, Awaited<ReturnType<EmailIntelligence['read']>>>()
    app.post(
      '/emails/:id/analyze',
      {
        config: {
          ...write('mail'),
          idempotency: 'kept' as const,
          mayAnswer: [429, 502, 504],
          async prepare(request, reply) {
            const { id } = request.params as { id: number }
            const { apply, model } = request.query as { apply?: boolean; model?: ModelName }
            if (apply) requireScope(request.caller, 'tasks:write')
            prepared.set(request, await intelligence.read(request.user, id, askerOf(request, reply, model)))
          },
        },
        schema: {
          operationId: 'analyzeEmail',
          summary: 'Analyse an email and store the result',
          description: `${ANALYSIS_METHOD} The result is stored as \`analysis\` of the email, and the email can be filtered by \`urgency\`. With \`apply\`, requests to the reader are created as tasks, and reservations are added as by \`POST /api/emails/{id}/reservations\`. A personal access token also needs \`tasks:write\` for that, and \`calendar:write\` for events. \`GET /api/actions\` lists what was created, and it can be undone.`,
          params: AnalyzePath,
          querystring: AnalyzeQuery,
          response: { 200: Analysis },
        },
      },
      (request) => {
        const found = prepared.get(request)
        if (!found) throw new Error('The email must be analysed before the result is stored.')
        const { apply } = request.query
        const events = hasScope(request.caller, 'calendar:write')
        return intelligence.keep(request.user, found, { apply, events }) as never
      },
    )
  }

export const reservationRoutes =
  (filing: ReservationFiling): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/emails/:id/reservations',
      {
        config: read('mail'),
        schema: {
          operationId: 'listReservations',
          summary: 'List the reservations in an email',
          description:
            'Finds trips, stays, events, parcels, orders and invoices, without a language model. Structured data (schema.org) counts first, then calendar files, then the text without quoted history. `state` compares each one with your calendar and tasks. An email with signs of phishing has none. Nothing is stored. A personal access token also needs `calendar:read` and `tasks:read`.',
          params: AnalyzePath,
          response: { 200: ReservationList },
        },
      },
      (request) => {
        requireScope(request.caller, 'calendar:read')
        requireScope(request.caller, 'tasks:read')
        return filing.list(request.user, request.params.id) as never
      },
    )

    // With an Idempotency-Key, the handler runs in a transaction, which must not read the message.
    const prepared = new WeakMap<object, Awaited<ReturnType<ReservationFiling['read']>>>()
    app.post(
      '/emails/:id/reservations',
      {
        config: {
          ...write('calendar'),
          idempotency: 'kept' as const,
          async prepare(request) {
            requireScope(request.caller, 'mail:read')
            requireScope(request.caller, 'tasks:write')
            const { id } = request.params as { id: number }
            prepared.set(request, await filing.read(request.user, id))
          },
        },
        schema: {
          operationId: 'addReservations',
          summary: 'Add the reservations in an email',
          description:
            'Trips, stays and events become events with the local times of both ends. Parcels and invoices become tasks that are due on the day of delivery or payment. A reservation that was added before is updated: a new time moves the event, a cancellation cancels it, a delivery completes the task. Calling it again changes nothing. `actionIds` undo it. A personal access token also needs `mail:read` and `tasks:write`.',
          params: AnalyzePath,
          body: ReservationInput,
          response: { 200: AddedReservations },
        },
      },
      (request) => {
        const found = prepared.get(request)
        if (!found) throw new Error('The email must be read before its reservations are added.')
        return filing.add(request.user, found, request.body.ids) as never
      },
    )
  }

const DRAFT_METHOD =
  'Uses the selected model together with the findings and the draft of the built-in engine. Without a key, and for emails tagged `private`, uses the built-in engine alone. Dates, amounts and addresses that appear neither in the email, nor in your instructions, nor in your calendar are marked as `[check: …]` and listed in `gaps`.'

export const replyRoutes =
  (replyDrafter: ReplyDrafter): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/emails/:id/reply-draft',
      {
        config: { ...read('mail'), mayAnswer: [429, 502, 504] },
        schema: {
          operationId: 'draftReply',
          summary: 'Draft a reply to an email',
          description: `${DRAFT_METHOD} The draft greets the sender in the language of the email, answers each question and request, and leaves a [gap] for everything that only you know. Nothing is invented, stored or sent. If the email asks for your time, the draft says whether you are free or proposes free slots of your calendar; a personal access token needs \`calendar:read\` for that. Phishing, demands for payment, advertising, automatic mail and no-reply addresses get no reply: \`answerable\` is then false, \`reason\` says why, and \`text\` is empty. A proposed time is accepted only if its day, hour and zone are certain.`,
          params: AnalyzePath,
          body: ReplyDraftInput,
          response: { 200: ReplyDraft },
        },
      },
      async (request, reply) => {
        const mail = await replyDrafter.find(request.user, { emailId: request.params.id })
        const withCalendar = hasScope(request.caller, 'calendar:read')
        const asker = askerOf(request, reply)
        const draft = await replyDrafter.draft(mail, request.body ?? {}, {
          userId: request.user,
          withCalendar,
          asker,
        })
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
        config: { ...write('workflow'), mayAnswer: [404, 429, 502, 504] },
        schema: {
          operationId: 'draftEmailResponse',
          summary: 'Draft a reply to any email',
          description: `${DRAFT_METHOD} Like \`POST /api/emails/{id}/reply-draft\`, but also for emails that are not stored here. Nothing is sent. Before an automation sends the draft, it should check that \`answerable\` is true and \`gaps\` is empty. A personal access token also needs \`mail:read\` for an \`emailId\`, and \`calendar:read\` for free slots.`,
          body: ResponseDraftInput,
          response: { 200: EmailResponse },
        },
      },
      async (request, reply) => {
        const { tone, instructions, language, model, ...given } = request.body
        if (given.emailId !== undefined) requireScope(request.caller, 'mail:read')
        const mail = await replyDrafter.find(request.user, given)
        const input = { tone, instructions, language, model }
        const withCalendar = hasScope(request.caller, 'calendar:read')
        return replyDrafter.draft(mail, input as ReplyDraftInput, {
          userId: request.user,
          withCalendar,
          asker: askerOf(request, reply),
        }) as never
      },
    )
  }
