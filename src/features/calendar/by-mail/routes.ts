import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Caller, covers, type Scope } from '../../../platform/access/caller.ts'
import { forbidden } from '../../../platform/errors.ts'
import { resourceText } from '../../../platform/http/json-text.ts'
import type { Shown } from '../events.ts'
import { EventPath, OneOccurrence } from '../schema.ts'
import type { MailedEvents } from './from-email.ts'
import type { Respond } from './respond.ts'
import { Answer, AnsweredEvent, FromEmail, MailedEvent } from './schema.ts'

const tags = ['Calendar']
const writing = { access: 'switched', scope: 'calendar:write', idempotency: 'kept' } as const

/** A token for the calendar alone neither reads mail nor sends it. */
const requireMail = (caller: Caller, scope: Scope): void => {
  if (caller.kind === 'token' && !covers(caller.scopes, scope))
    throw forbidden(`This token lacks the scope ${scope}.`, 'insufficient_scope')
}

const answer = <T>({ text, ...resource }: Shown): T => resourceText<T>(text, resource)

export const meetingMailRoutes =
  ({ fromEmail, respond }: { fromEmail: MailedEvents; respond: Respond }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/events/from-email',
      {
        config: writing,
        schema: {
          operationId: 'createEventFromEmail',
          summary: 'Take over what a mail says about a meeting',
          description: [
            'Reads the calendar part of an e-mail (iTIP, RFC 5546): an invitation becomes an event, a later revision changes it, a cancellation cancels it, an answer from someone invited is noted beside their name, and other times they ask for are told as `proposal`. The same meeting again is the same event (200).',
            'A mail may do no more than its sender may: what was made here, and what another organizer called, is not changed by it, and nobody answers for someone else or invites themselves (409 `meeting_refused`). Who a mail is from is taken from its `From`, which is as true as your mail server’s checks.',
            'A `text` is read when it has a calendar in it; as nobody knows who wrote it, it makes events and changes none. Meetings are not read out of prose yet (409 `not_configured`): send what was found as `meeting`. Nothing is sent: neither answers, nor invitations to the attendees of events of your own. A personal access token also needs `mail:read` when there is an `emailId`.',
          ].join('\n\n'),
          tags,
          body: FromEmail,
          response: { 200: MailedEvent, 201: MailedEvent },
        },
      },
      async (request, reply) => {
        if (request.body.emailId !== undefined) requireMail(request.caller, 'mail:read')
        const { made, event } = await fromEmail(request.body)
        reply.code(made ? 201 : 200).header('location', `/api/calendar/events/${event.id}`)
        return answer(event)
      },
    )

    app.post(
      '/events/:id/respond',
      {
        config: writing,
        schema: {
          operationId: 'respondToEvent',
          summary: 'Answer an invitation by mail',
          description: [
            'Sends the answer to the organizer, from the mail account that was invited, and notes it in the event. It goes out as any mail does: in ten seconds, and until then `POST /api/emails/{emailId}/cancel-send` with the `emailId` of `reply` takes the mail back (the event keeps the answer; give another to change it). With an `Idempotency-Key` it is sent once, however often this is called.',
            'What is declined stays in the calendar, with your answer beside your name, and takes up no time (`busy` is false) until you accept after all. With `occurrence` one occurrence of a series is answered alone.',
            '409 says why there is nothing to answer, or which account is missing. A personal access token also needs `mail:write`.',
          ].join('\n\n'),
          tags,
          params: EventPath,
          querystring: OneOccurrence,
          body: Answer,
          response: { 200: AnsweredEvent },
        },
      },
      async (request) => {
        requireMail(request.caller, 'mail:write')
        return answer(await respond(request.params.id, request.body, request.query.occurrence))
      },
    )
  }
