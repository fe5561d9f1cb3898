import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Caller, covers, type Scope } from '../../../platform/access/caller.ts'
import { forbidden } from '../../../platform/errors.ts'
import { EventPath, OneOccurrence } from '../schema.ts'
import type { DescribeInvitation, DetectMeetings } from './detection.ts'
import type { MailedEvents } from './from-email.ts'
import type { Respond } from './respond.ts'
import {
  Answer,
  AnsweredEvent,
  DetectInput,
  Detection,
  FromEmail,
  InvitationCard,
  InvitationPath,
  MailedEvent,
} from './schema.ts'

const tags = ['Calendar']
const writing = { access: 'switched', scope: 'calendar:write', idempotency: 'kept' } as const

/** A token with only a calendar scope must neither read nor send email. */
const requireMail = (caller: Caller, scope: Scope): void => {
  if (caller.kind === 'token' && !covers(caller.scopes, scope))
    throw forbidden(`This token lacks the scope ${scope}.`, 'insufficient_scope')
}

export const meetingMailRoutes =
  (rules: {
    detect: DetectMeetings
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
          summary: 'Detect meetings in a text',
          description:
            'Finds proposed meetings in English and German text with rules, without a language model. Each meeting has a confidence and the words that support it. Quoted text and signatures are ignored. Past events, bills and opening hours are not reported as meetings. Only the first 60,000 characters are read. Nothing is written.',
          tags,
          body: DetectInput,
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
          summary: 'Create or update an event from an email',
          description: [
            'Reads the calendar part of an email (iTIP, RFC 5546). An invitation creates an event, a later revision updates it, and a cancellation cancels it. A reply updates the status of the attendee. A counter-proposal is returned as `proposal`. If the meeting already exists, its event is returned (200).',
            'An email can only do what its sender may do. It does not change events that were created here or that have another organizer. Attendees can reply only for themselves and cannot invite themselves (409 `meeting_refused`). The sender is the address of `From`, which is as reliable as the checks of your mail server.',
            'If there is no calendar part, meetings are detected in the text, as by `POST /api/calendar/detect`. The reference time is the date of the email, or now for a `text`. The meeting with the highest confidence becomes the event; `alternatives` lists the others. If there is none, the response is 400. `GET /api/actions` lists the new event, and `actionId` undoes it.',
            'The author of a `text` is unknown, so a `text` creates events and changes none. Nothing is sent: neither replies nor invitations. A personal access token also needs `mail:read` if there is an `emailId`.',
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
        return event
      },
    )

    app.get(
      '/invitations/:emailId',
      {
        config: { access: 'switched', scope: 'calendar:read' },
        schema: {
          operationId: 'getMeetingInvitation',
          summary: 'Get the invitation in an email',
          description:
            'Returns the content of the calendar part of an email, its sender, and its effect on the calendar. Revisions and cancellations by the organizer and replies by attendees are applied when they arrive. `reason` says why an email was not applied. 404 if the email has no calendar part. A personal access token also needs `mail:read`.',
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
          summary: 'Respond to an invitation by email',
          description: [
            'Sends the response to the organizer from the invited mail account and stores it in the event. The email leaves after ten seconds. Until then, `POST /api/emails/{emailId}/cancel-send` with the `emailId` of `reply` cancels it; the event keeps the response. With an `Idempotency-Key`, repeated requests send one email.',
            'A declined event stays in the calendar with `busy` set to false until you accept it. With `occurrence`, the response is for one occurrence of a series.',
            '409 says why no response is possible, or which account is missing. A personal access token also needs `mail:write`.',
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
        return respond(request.params.id, request.body, request.query.occurrence)
      },
    )
  }
