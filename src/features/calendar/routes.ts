import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { invalid } from '../../platform/errors.ts'
import { takesEvents } from '../../platform/http/responses.ts'
import type { Calendar } from './calendar.ts'
import { Event } from './event.ts'
import type { Events } from './events.ts'
import type { Export } from './exports/export.ts'
import type { Import, OpenedFile, ImportReport as Report } from './imports/import.ts'
import {
  BookingPath,
  CALENDAR_TYPE,
  CalendarFile,
  ChangeScope,
  EventChange,
  EventList,
  EventPath,
  EventsQuery,
  FeedQuery,
  FreeQuery,
  FreeSlots,
  ImportReport,
  NewEvent,
  OneOccurrence,
  SavedEvent,
  Stats,
  StatsQuery,
  UpcomingQuery,
} from './schema.ts'

const tags = ['Calendar']
const reading = { access: 'switched', scope: 'calendar:read' } as const
const writing = { access: 'switched', scope: 'calendar:write' } as const

export const calendarRoutes =
  ({ events, calendar }: { events: Events; calendar: Calendar }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/events',
      {
        config: reading,
        schema: {
          operationId: 'listEvents',
          summary: 'List events',
          description:
            'Ordered by start. With `start` and `end`: events that overlap the window, with each occurrence of a series. Without them, a series is listed once.',
          tags,
          querystring: EventsQuery,
          response: { 200: EventList },
        },
      },
      (request) => events.list(request.query),
    )

    app.post(
      '/events',
      {
        config: { ...writing, idempotency: 'kept' },
        schema: {
          operationId: 'createEvent',
          summary: 'Create an event, or update the event of a booking',
          tags,
          body: NewEvent,
          response: { 200: SavedEvent, 201: SavedEvent },
        },
      },
      async (request, reply) => {
        const { made, event } = await events.create(request.body)
        reply.code(made ? 201 : 200).header('location', `/api/calendar/events/${event.id}`)
        return event
      },
    )

    app.get(
      '/events/:id',
      {
        config: reading,
        schema: {
          operationId: 'getEvent',
          summary: 'Get an event, series, or occurrence',
          tags,
          params: EventPath,
          querystring: OneOccurrence,
          response: { 200: Event },
        },
      },
      (request) => events.get(request.params.id, request.query.occurrence),
    )

    app.patch(
      '/events/:id',
      {
        config: { ...writing, mayAnswer: [409] },
        schema: {
          operationId: 'changeEvent',
          summary: 'Update an event, or occurrences of a series',
          description:
            'With `scope=following`, the series ends before the occurrence and a new series starts there. The response is the new series.',
          tags,
          params: EventPath,
          querystring: ChangeScope,
          body: EventChange,
          response: { 200: SavedEvent },
        },
      },
      (request) => events.change(request.params.id, request.body, request.query, request.headers['if-match']),
    )

    app.delete(
      '/events/:id',
      {
        config: writing,
        schema: {
          operationId: 'deleteEvent',
          summary: 'Delete an event, or occurrences of a series',
          tags,
          params: EventPath,
          querystring: ChangeScope,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await events.remove(request.params.id, request.query, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )

    app.patch(
      '/events/by-bookingsvc/:bookingId',
      {
        config: { ...writing, mayAnswer: [409] },
        schema: {
          operationId: 'changeEventOfBooking',
          summary: 'Update the event of a booking',
          tags,
          params: BookingPath,
          body: EventChange,
          response: { 200: SavedEvent },
        },
      },
      (request) => events.changeBooking(request.params.bookingId, request.body, request.headers['if-match']),
    )

    app.get(
      '/upcoming',
      {
        config: reading,
        schema: {
          operationId: 'listUpcomingEvents',
          summary: 'List current and upcoming events',
          description: 'Cancelled events are excluded.',
          tags,
          querystring: UpcomingQuery,
          response: { 200: EventList },
        },
      },
      (request) => events.upcoming(request.query),
    )

    app.get(
      '/stats',
      {
        config: reading,
        schema: {
          operationId: 'getCalendarStats',
          summary: 'Get calendar statistics',
          tags,
          querystring: StatsQuery,
          response: { 200: Stats },
        },
      },
      (request) => calendar.stats(request.query),
    )

    app.get(
      '/free',
      {
        config: reading,
        schema: {
          operationId: 'listFreeSlots',
          summary: 'List free time slots within working hours',
          description: 'Each slot has the maximum length.',
          tags,
          querystring: FreeQuery,
          response: { 200: FreeSlots },
        },
      },
      (request) => calendar.free(request.query),
    )
  }

const MAX_FILE_BYTES = 25 * 1024 * 1024

/** An Idempotency-Key requires a response that can be stored; a stream cannot. */
const acceptsProgress = ({ headers }: FastifyRequest): boolean =>
  takesEvents(headers) && headers['idempotency-key'] === undefined

const formatServerSentEvent = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

async function* streamProgress(first: Report, rest: AsyncGenerator<Report>): AsyncGenerator<string> {
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
    timezone: () => Promise<string>
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { importing, exporting } = deps

    const send = async (reply: FastifyReply, disposition: string): Promise<never> => {
      const timezone = await deps.timezone()
      reply
        .type(`${CALENDAR_TYPE}; charset=utf-8`)
        .header('content-disposition', `${disposition}; filename="factotum.ics"`)
        .header('cache-control', 'private, no-cache')
        .header('etag', await exporting.tag(timezone))
      return reply.send(Readable.from(exporting.write(timezone))) as never
    }

    app.get(
      '/export.ics',
      {
        config: { access: 'switched', scope: 'calendar:read', mayAnswer: [304] },
        schema: {
          operationId: 'exportCalendar',
          summary: 'Export the calendar as an iCalendar file',
          tags,
          querystring: Type.Object({}, { additionalProperties: false }),
          response: { 200: { description: 'iCalendar', content: CalendarFile } },
        },
      },
      (_request, reply) => send(reply, 'attachment'),
    )

    app.get(
      '/feed.ics',
      {
        config: { access: 'feed', purpose: 'calendar', scope: 'calendar:read', mayAnswer: [304] },
        schema: {
          operationId: 'subscribeToCalendar',
          summary: 'Subscribe to the calendar',
          description: 'Requires a feed token from the settings. Works in all calendar programs.',
          tags,
          querystring: FeedQuery,
          response: { 200: { description: 'iCalendar', content: CalendarFile } },
        },
      },
      (_request, reply) => send(reply, 'inline'),
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
            access: 'switched',
            scope: 'calendar:write',
            idempotency: 'kept',
            async prepare(request) {
              const body = request.body as unknown
              if (!Buffer.isBuffer(body) || body.length === 0)
                throw invalid('The body is empty. Send an .ics file.')
              opened.set(request, await importing.open(body))
            },
          },
          bodyLimit: MAX_FILE_BYTES,
          schema: {
            operationId: 'importCalendar',
            summary: 'Import a calendar file',
            description:
              'Existing events are matched by UID and updated if the file has a later revision. With `Accept: text/event-stream`, the response streams `progress` events and ends with `done`, which contains the report.',
            tags,
            body: { content: CalendarFile },
            response: { 200: ImportReport },
          },
          validatorCompiler: () => () => true,
        },
        async (request, reply) => {
          const reports = importing.read(opened.get(request) as OpenedFile)
          // Run the first step before streaming, so that its error gets an HTTP status.
          const first = (await reports.next()).value as Report
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
