import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { type Caller, hasScope, requireScope } from '../../platform/access/caller.ts'
import { read, write } from '../../platform/access/route-access.ts'
import { invalid } from '../../platform/errors.ts'
import { takesEvents } from '../../platform/http/responses.ts'
import { compileExceptBody } from '../../platform/http/validation.ts'
import type { Calendar } from './calendar.ts'
import type { Calendars } from './calendars/calendars.ts'
import { Event } from './event.ts'
import type { Events } from './events.ts'
import type { Export } from './export.ts'
import type { FindTime } from './find-time.ts'
import type { Import, OpenedFile } from './imports/import.ts'
import type { DescribeInvitation } from './invitations/card.ts'
import type { DetectMeetings } from './invitations/detection.ts'
import type { MailedEvents } from './invitations/from-email.ts'
import type { InvitingEvents } from './invitations/inviting-events.ts'
import type { Respond, RespondToEmail } from './invitations/respond.ts'
import {
  Answer,
  AnsweredEvent,
  DetectInput,
  Detection,
  FromEmail,
  InvitationCard,
  InvitationPath,
  MailedEvent,
} from './invitations/schema.ts'
import type { QuickEvents } from './quick.ts'
import type { Alarms } from './reminders.ts'
import {
  AlarmList,
  AlarmPath,
  BookingPath,
  CALENDAR_TYPE,
  CalendarFile,
  ChangeScope,
  EventChange,
  EventList,
  EventPath,
  EventsQuery,
  ExportQuery,
  FeedQuery,
  FindTimeInput,
  FoundTimes,
  FreeQuery,
  FreeSlots,
  ImportQuery,
  ImportReport,
  NewEvent,
  NewEventQuery,
  OneOccurrence,
  QuickEvent,
  QuickEventInput,
  QuickEventPreview,
  SavedEvent,
  Stats,
  StatsQuery,
  UpcomingQuery,
} from './schema.ts'

export const eventRoutes =
  ({
    events,
    inviting,
    quick,
  }: {
    events: Events
    inviting: InvitingEvents
    quick: QuickEvents
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    /** Nothing is sent without this parameter. */
    const writersFor = (caller: Caller, { sendInvitations = false }: { sendInvitations?: boolean }) => {
      if (!sendInvitations) return events
      requireScope(caller, 'mail:write')
      return inviting
    }

    app.get(
      '/events',
      {
        config: read('calendar'),
        schema: {
          operationId: 'listEvents',
          summary: 'List events',
          description:
            'Ordered by start. With `start` and `end`: events that overlap the window, with each occurrence of a series. Without them, a series is listed once. In a calendar of another account, private events have the title `Busy` and no details. Calendars with the role `freeBusy` are part of windows only, and their events cannot be read by `id`.',
          querystring: EventsQuery,
          response: { 200: EventList },
        },
      },
      (request) => events.list(request.user, request.query),
    )

    app.post(
      '/events',
      {
        config: { ...write('calendar'), idempotency: 'kept' },
        schema: {
          operationId: 'createEvent',
          summary: 'Create an event, or update the event of a booking',
          description:
            'Without `sendInvitations`, the attendees are stored and get no email. The email of an invitation leaves after ten seconds, from the mail account that `organizer` names, otherwise from your first one.',
          querystring: NewEventQuery,
          body: NewEvent,
          response: { 200: SavedEvent, 201: SavedEvent },
        },
      },
      async (request, reply) => {
        const { caller, user, query, body } = request
        const { made, event } = await writersFor(caller, query).create(user, body)
        reply.code(made ? 201 : 200).header('location', `/api/calendar/events/${event.id}`)
        return event
      },
    )

    app.post(
      '/quick',
      {
        config: { ...write('calendar'), idempotency: 'kept' },
        schema: {
          operationId: 'quickAddEvent',
          summary: 'Create an event from one line of text',
          description:
            'Accepts English and German. Start, end or length, recurrence, place, link, guests and reminders (“remind me 10 min before”) are extracted; the rest is the title. A day without an hour makes an all-day event. Email addresses are guests, and so are people whom exactly one contact is named after; a personal access token needs `mail:read` for the latter. Guests are stored and get no email without `sendInvitations`. A time in another time zone (“10am EST”) is converted. With `dryRun`, no event is created and the status is 200.',
          querystring: NewEventQuery,
          body: QuickEventInput,
          response: { 200: QuickEventPreview, 201: QuickEvent },
        },
      },
      async (request, reply) => {
        const { caller, user, query, body } = request
        const readsContacts = hasScope(caller, 'mail:read')
        if (body.dryRun) return quick.preview(user, body, readsContacts)
        const event = await quick.add(writersFor(caller, query), user, body, readsContacts)
        reply.code(201).header('location', `/api/calendar/events/${event.id}`)
        return event
      },
    )

    app.get(
      '/events/:id',
      {
        config: read('calendar'),
        schema: {
          operationId: 'getEvent',
          summary: 'Get an event, series, or occurrence',
          description:
            'A private event in a calendar of another account has the title `Busy` and no details. An event in a calendar with the role `freeBusy` answers 404.',
          params: EventPath,
          querystring: OneOccurrence,
          response: { 200: Event },
        },
      },
      (request) => events.get(request.user, request.params.id, request.query.occurrence),
    )

    app.patch(
      '/events/:id',
      {
        config: { ...write('calendar'), mayAnswer: [409] },
        schema: {
          operationId: 'updateEvent',
          summary: 'Update an event, or occurrences of a series',
          description:
            'With `scope=following`, the series ends before the occurrence and a new series starts there. The response is the new series.',
          params: EventPath,
          querystring: ChangeScope,
          body: EventChange,
          response: { 200: SavedEvent },
        },
      },
      ({ caller, user, params, query, body, ifMatch }) =>
        writersFor(caller, query).change(user, params.id, body, query, ifMatch),
    )

    app.delete(
      '/events/:id',
      {
        config: write('calendar'),
        schema: {
          operationId: 'deleteEvent',
          summary: 'Delete an event, or occurrences of a series',
          params: EventPath,
          querystring: ChangeScope,
          response: { 204: Type.Null() },
        },
      },
      ({ caller, user, params, query, ifMatch }) =>
        writersFor(caller, query).remove(user, params.id, query, ifMatch),
    )

    app.patch(
      '/events/by-bookingsvc/:bookingId',
      {
        config: { ...write('calendar'), mayAnswer: [409] },
        schema: {
          operationId: 'updateEventOfBooking',
          summary: 'Update the event of a booking',
          params: BookingPath,
          body: EventChange,
          response: { 200: SavedEvent },
        },
      },
      ({ user, params, body, ifMatch }) => events.changeBooking(user, params.bookingId, body, ifMatch),
    )
  }

/** Routes that answer questions about a period. */
export const periodRoutes =
  ({
    events,
    calendar,
    findTime,
  }: {
    events: Events
    calendar: Calendar
    findTime: FindTime
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/upcoming',
      {
        config: read('calendar'),
        schema: {
          operationId: 'listUpcomingEvents',
          summary: 'List current and upcoming events',
          description: 'Cancelled events are excluded.',
          querystring: UpcomingQuery,
          response: { 200: EventList },
        },
      },
      (request) => events.upcoming(request.user, request.query),
    )

    app.get(
      '/stats',
      {
        config: { ...read('calendar'), longReads: true },
        schema: {
          operationId: 'getCalendarStats',
          summary: 'Get calendar statistics',
          querystring: StatsQuery,
          response: { 200: Stats },
        },
      },
      (request) => calendar.stats(request.user, request.query),
    )

    app.get(
      '/free',
      {
        config: read('calendar'),
        schema: {
          operationId: 'listFreeSlots',
          summary: 'List free time slots within working hours',
          description: 'Each slot has the maximum length.',
          querystring: FreeQuery,
          response: { 200: FreeSlots },
        },
      },
      (request) => calendar.free(request.user, request.query),
    )

    app.post(
      '/find-time',
      {
        config: read('calendar'),
        schema: {
          operationId: 'findTime',
          summary: 'Find a time with other people',
          description:
            'Returns when you and the attendees work and are busy, side by side, and the next slots that are free for all. Only accounts that share a calendar with you are known, and only by the calendars that they share. Of their events, only the times are returned. Nothing is written.',
          body: FindTimeInput,
          response: { 200: FoundTimes },
        },
      },
      (request) => findTime(request.user, request.body),
    )
  }

const MAX_FILE_BYTES = 25 * 1024 * 1024

/** An Idempotency-Key requires a response that can be stored; a stream cannot. */
const acceptsProgress = ({ headers }: FastifyRequest): boolean =>
  takesEvents(headers) && headers['idempotency-key'] === undefined

const formatServerSentEvent = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

async function* streamProgress(
  first: ImportReport,
  rest: AsyncGenerator<ImportReport>,
): AsyncGenerator<string> {
  let last = first
  try {
    for await (const report of rest) {
      const { skipped: _, warnings: __, ...counts } = last
      yield formatServerSentEvent('progress', counts)
      last = report
    }
    yield formatServerSentEvent('done', last)
  } catch {
    const { skipped: _, warnings: __, ...counts } = last
    yield formatServerSentEvent('failed', {
      ...counts,
      detail:
        'The import stopped before the end of the file. Send the file again; imported events are not duplicated.',
    })
  }
}

export const calendarFileRoutes =
  (deps: {
    importing: Import
    exporting: Export
    calendars: Calendars
    zoneOf: (userId: number) => Promise<string>
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { importing, exporting } = deps

    const send = async (
      request: FastifyRequest,
      reply: FastifyReply,
      disposition: string,
      calendarId?: number,
    ): Promise<never> => {
      const userId = request.user
      const timezone = await deps.zoneOf(userId)
      const calendar =
        calendarId === undefined ? undefined : await deps.calendars.getReadable(userId, calendarId)
      reply
        .type(`${CALENDAR_TYPE}; charset=utf-8`)
        .header('content-disposition', `${disposition}; filename="factotum.ics"`)
        .header('cache-control', 'private, no-cache')
        .header('etag', await exporting.tag(userId, timezone, calendar))
      const text =
        calendar?.role === 'freeBusy'
          ? exporting.writeBusy(calendar, timezone)
          : exporting.write(calendar?.ownerId ?? userId, timezone, { calendar })
      return reply.send(Readable.from(text)) as never
    }

    app.get(
      '/export.ics',
      {
        config: { ...read('calendar'), mayAnswer: [304, 404] },
        schema: {
          operationId: 'exportCalendar',
          summary: 'Export the calendar as an iCalendar file',
          querystring: ExportQuery,
          response: { 200: { description: 'iCalendar', content: CalendarFile } },
        },
      },
      (request, reply) => send(request, reply, 'attachment', request.query.calendarId),
    )

    app.get(
      '/feed.ics',
      {
        config: { access: 'feed', purpose: 'calendar', scope: 'calendar:read', mayAnswer: [304, 404] },
        schema: {
          operationId: 'subscribeToCalendar',
          summary: 'Subscribe to the calendar',
          description:
            'Requires a feed token from the settings. Works in all calendar programs. A token for one calendar serves that calendar only; 404 if it was deleted or is no longer shared with you.',
          querystring: FeedQuery,
          response: { 200: { description: 'iCalendar', content: CalendarFile } },
        },
      },
      (request, reply) => {
        const { caller } = request
        const calendarId = caller.kind === 'feed' ? caller.calendarId : null
        return send(request, reply, 'inline', calendarId ?? undefined)
      },
    )

    // Only this route accepts calendar files, so the content type parser has its own scope.
    await app.register(async (files) => {
      const opened = new WeakMap<object, OpenedFile>()
      files.removeAllContentTypeParsers()
      files.addContentTypeParser(
        CALENDAR_TYPE,
        { parseAs: 'buffer', bodyLimit: MAX_FILE_BYTES },
        (_request, body, done) => done(null, body),
      )
      files.post(
        '/import',
        {
          config: {
            ...write('calendar'),
            idempotency: 'kept',
            async prepare(request) {
              const body = request.body as unknown
              if (!Buffer.isBuffer(body) || body.length === 0)
                throw invalid('The body is empty. Send an .ics file.')
              const { calendarId } = request.query as { calendarId?: number }
              opened.set(request, await importing.open(request.user, body, calendarId))
            },
          },
          bodyLimit: MAX_FILE_BYTES,
          schema: {
            operationId: 'importCalendar',
            summary: 'Import a calendar file',
            description:
              'Existing events are matched by UID and updated if the file has a later revision. With `Accept: text/event-stream`, the response streams `progress` events and ends with `done`, which contains the report.',
            querystring: ImportQuery,
            body: { content: CalendarFile },
            response: { 200: ImportReport },
          },
          validatorCompiler: compileExceptBody,
        },
        async (request, reply) => {
          const reports = importing.read(opened.get(request) as OpenedFile)
          // Run the first step before streaming, so that its error gets an HTTP status.
          const first = (await reports.next()).value as ImportReport
          if (acceptsProgress(request))
            return reply
              .type('text/event-stream')
              .header('cache-control', 'no-store')
              .send(Readable.from(streamProgress(first, reports)) as never)
          let last = first
          for await (const report of reports) last = report
          return last
        },
      )
    })
  }

export const alarmRoutes =
  (alarms: Alarms): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/events/:id/alarms',
      {
        config: read('calendar'),
        schema: {
          operationId: 'listEventAlarms',
          summary: 'List alarms of an event',
          description:
            'Lists alarms from a calendar file or server that cannot be expressed as `reminders`: at a fixed time, relative to the end, or after the start. They trigger the same notifications as `reminders`. For a series: the alarms of all its occurrences.',
          params: EventPath,
          response: { 200: AlarmList },
        },
      },
      async (request) => ({
        alarms: await alarms.list(request.user, request.params.id),
        nextCursor: null,
      }),
    )

    app.delete(
      '/events/:id/alarms/:alarmId',
      {
        config: write('calendar'),
        schema: {
          operationId: 'deleteEventAlarm',
          summary: 'Delete an alarm of an event',
          description:
            'For a series, deletes the alarm from all its occurrences. `If-Match` refers to the event. Setting `reminders` to an empty list deletes all alarms.',
          params: AlarmPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) => alarms.remove(user, params.id, params.alarmId, ifMatch),
    )
  }

const mailWriting = { ...write('calendar'), idempotency: 'kept' } as const

export const meetingMailRoutes =
  (rules: {
    detect: DetectMeetings
    fromEmail: MailedEvents['fromEmail']
    respond: Respond
    respondToEmail: RespondToEmail
    describeInvitation: DescribeInvitation
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { detect, fromEmail, respond, respondToEmail, describeInvitation } = rules

    app.post(
      '/detect',
      {
        config: read('calendar'),
        schema: {
          operationId: 'detectMeetings',
          summary: 'Detect meetings in a text',
          description:
            'Finds proposed meetings in English and German text with rules, without a language model. Each meeting has a confidence and the words that support it. Quoted text and signatures are ignored. Past events, bills and opening hours are not reported as meetings. Only the first 60,000 characters are read. Nothing is written.',
          body: DetectInput,
          response: { 200: Detection },
        },
      },
      (request) => detect(request.user, request.body),
    )

    app.post(
      '/events/from-email',
      {
        config: { ...mailWriting, mayAnswer: [404] },
        schema: {
          operationId: 'createEventFromEmail',
          summary: 'Create or update an event from an email',
          description: [
            'Reads the calendar part of an email (iTIP, RFC 5546). An invitation creates an event, a later revision updates it, and a cancellation cancels it. A reply updates the status of the attendee. A counter-proposal is returned as `proposal`. If the meeting already exists, its event is returned (200).',
            'An email can only do what its sender may do. It does not change events that were created here or that have another organizer. Attendees can reply only for themselves and cannot invite themselves (409 `meeting_refused`). The sender is the address of `From`, which is as reliable as the checks of your mail server.',
            'If there is no calendar part, meetings are detected in the text, as by `POST /api/calendar/detect`. The reference time is the date of the email, or now for a `text`. The meeting with the highest confidence becomes the event; `alternatives` lists the others. If there is none, the response is 400. `GET /api/actions` lists the new event, and `actionId` undoes it.',
            'The author of a `text` is unknown, so a `text` creates events and changes none. Nothing is sent: neither replies nor invitations. A personal access token also needs `mail:read` if there is an `emailId`.',
          ].join('\n\n'),
          body: FromEmail,
          response: { 200: MailedEvent, 201: MailedEvent },
        },
      },
      async (request, reply) => {
        if (request.body.emailId !== undefined) requireScope(request.caller, 'mail:read')
        const { made, event } = await fromEmail(request.user, request.body)
        reply.code(made ? 201 : 200).header('location', `/api/calendar/events/${event.id}`)
        return event
      },
    )

    app.get(
      '/invitations/:emailId',
      {
        config: read('calendar'),
        schema: {
          operationId: 'getMeetingInvitation',
          summary: 'Get the invitation in an email',
          description:
            'Returns the content of the calendar part of an email, its sender, and its effect on the calendar. Revisions and cancellations by the organizer and replies by attendees are applied when they arrive. `reason` says why an email was not applied. 404 if the email has no calendar part. A personal access token also needs `mail:read`.',
          params: InvitationPath,
          response: { 200: InvitationCard },
        },
      },
      async (request) => {
        requireScope(request.caller, 'mail:read')
        return describeInvitation(request.user, request.params.emailId)
      },
    )

    app.post(
      '/invitations/:emailId/respond',
      {
        config: mailWriting,
        schema: {
          operationId: 'respondToInvitation',
          summary: 'Respond to the invitation in an email',
          description:
            'Adds the event to the calendar, or updates it, and sends the response to the organizer, as `POST /api/calendar/events/{id}/respond` does. The response can be changed. A declined event is in the calendar with `busy` set to false. 409 says why no response is possible. A personal access token also needs `mail:write`.',
          params: InvitationPath,
          body: Answer,
          response: { 200: AnsweredEvent },
        },
      },
      async (request) => {
        requireScope(request.caller, 'mail:write')
        return respondToEmail(request.user, request.params.emailId, request.body)
      },
    )

    app.post(
      '/events/:id/respond',
      {
        config: mailWriting,
        schema: {
          operationId: 'respondToEvent',
          summary: 'Respond to an invitation by email',
          description: [
            'Sends the response to the organizer from the invited mail account and stores it in the event. The email leaves after ten seconds. Until then, `POST /api/emails/{emailId}/cancel-send` with the `emailId` of `reply` cancels it; the event keeps the response. With an `Idempotency-Key`, repeated requests send one email.',
            'A declined event stays in the calendar with `busy` set to false until you accept it. With `occurrence`, the response is for one occurrence of a series.',
            '409 says why no response is possible, or which account is missing. A personal access token also needs `mail:write`.',
          ].join('\n\n'),
          params: EventPath,
          querystring: OneOccurrence,
          body: Answer,
          response: { 200: AnsweredEvent },
        },
      },
      async (request) => {
        requireScope(request.caller, 'mail:write')
        return respond(request.user, request.params.id, request.body, request.query.occurrence)
      },
    )
  }
