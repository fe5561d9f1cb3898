import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Caller, covers, type Scope } from '../../../platform/access/caller.ts'
import { forbidden } from '../../../platform/errors.ts'
import { resourceText } from '../../../platform/http/json-text.ts'
import { EventPath, OneOccurrence } from '../schema.ts'
import type { Shown } from '../shown-event.ts'
import { Detection, DetectWish } from './detect-schema.ts'
import type { Detecting } from './detecting.ts'
import type { MailedEvents } from './from-email.ts'
import type { DescribeInvitation } from './invitation-card.ts'
import type { Respond } from './respond.ts'
import { Answer, AnsweredEvent, FromEmail, InvitationCard, InvitationPath, MailedEvent } from './schema.ts'

const tags = ['Calendar']
const writing = { access: 'switched', scope: 'calendar:write', idempotency: 'kept' } as const

/** A token for the calendar alone neither reads mail nor sends it. */
const requireMail = (caller: Caller, scope: Scope): void => {
  if (caller.kind === 'token' && !covers(caller.scopes, scope))
    throw forbidden(`This token lacks the scope ${scope}.`, 'insufficient_scope')
}

const answer = <T>({ text, ...resource }: Shown): T => resourceText<T>(text, resource)

export const meetingMailRoutes =
  (rules: {
    detect: Detecting
    fromEmail: MailedEvents['fromEmail']
    respond: Respond
    describeInvitation: DescribeInvitation
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { detect, fromEmail, respond, describeInvitation } = rules

    app.post(
      '/detect',
      {
        config: { access: 'switched', scope: 'calendar:read' },
        schema: {
          operationId: 'detectMeetings',
          summary: 'Find the meetings that a text proposes',
          description:
            'By the words alone, in English and German, without any model: each meeting with how sure it is, and the words it was read from. What is quoted or signed is not looked at, nor are past events, bills and opening hours taken for meetings. Beyond 60,000 characters a text is not read. Nothing is written.',
          tags,
          body: DetectWish,
          response: { 200: Detection },
        },
      },
      (request) => detect(request.body),
    )

    app.post(
      '/events/from-email',
      {
        config: { ...writing, mayAnswer: [404] },
        schema: {
          operationId: 'createEventFromEmail',
          summary: 'Take over what a mail says about a meeting',
          description: [
            'Reads the calendar part of an e-mail (iTIP, RFC 5546): an invitation becomes an event, a later revision changes it, a cancellation cancels it, an answer from someone invited is noted beside their name, and other times they ask for are told as `proposal`. The same meeting again is the same event (200).',
            'A mail may do no more than its sender may: what was made here, and what another organizer called, is not changed by it, and nobody answers for someone else or invites themselves (409 `meeting_refused`). Who a mail is from is taken from its `From`, which is as true as your mail server’s checks.',
            'Without a calendar part the prose is read, as `POST /api/calendar/detect` reads it: an e-mail as of the day it was written, a `text` as of now. Of several meetings the surest is taken, and the others are told as `alternatives`. What proposes none is a 400. It is listed at `GET /api/actions`, and `actionId` takes it back.',
            'As nobody knows who wrote a `text`, it makes events and changes none. Nothing is sent: neither answers, nor invitations to the attendees of events of your own. A personal access token also needs `mail:read` when there is an `emailId`.',
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

    app.get(
      '/invitations/:emailId',
      {
        config: { access: 'switched', scope: 'calendar:read' },
        schema: {
          operationId: 'getMeetingInvitation',
          summary: 'Get the invitation in an e-mail',
          description:
            'What the calendar part of an e-mail says, who sent it, and what became of it. An organizer’s later revision or cancellation of an event in the calendar, and an attendee’s reply to an event you organize, are applied as they arrive; `reason` says why another mail is not. 404 for an e-mail without a calendar part. A personal access token also needs `mail:read`.',
          tags,
          params: InvitationPath,
          response: { 200: InvitationCard },
        },
      },
      async (request) => {
        requireMail(request.caller, 'mail:read')
        return describeInvitation(request.params.emailId)
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
