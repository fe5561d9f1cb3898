import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { jsonText, resourceText } from '../../platform/http/json-text.ts'
import type { Calendar } from './calendar.ts'
import type { Events } from './events.ts'
import {
  BookingPath,
  ChangeScope,
  Event,
  EventChange,
  EventList,
  EventPath,
  EventsQuery,
  FreeQuery,
  FreeSlots,
  NewEvent,
  OneOccurrence,
  SavedEvent,
  Stats,
  StatsQuery,
  UpcomingQuery,
} from './schema.ts'
import type { Shown } from './shown-event.ts'

const tags = ['Calendar']
const reading = { access: 'switched', scope: 'calendar:read' } as const
const writing = { access: 'switched', scope: 'calendar:write' } as const

const answer = <T>({ text, ...resource }: Shown): T => resourceText<T>(text, resource)

export const calendarRoutes =
  ({ events, calendar }: { events: Events; calendar: Calendar }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/events',
      {
        config: reading,
        schema: {
          operationId: 'listEvents',
          summary: 'Events, by when they start',
          description:
            'With `start` and `end`: what overlaps the window, each occurrence of a series by itself. Otherwise a series is listed once.',
          tags,
          querystring: EventsQuery,
          response: { 200: EventList },
        },
      },
      async (request) => jsonText(await events.list(request.query)),
    )

    app.post(
      '/events',
      {
        config: { ...writing, idempotency: 'kept' },
        schema: {
          operationId: 'createEvent',
          summary: 'Create an event, or change the one that has this booking',
          tags,
          body: NewEvent,
          response: { 200: SavedEvent, 201: SavedEvent },
        },
      },
      async (request, reply) => {
        const { made, event } = await events.create(request.body)
        reply.code(made ? 201 : 200).header('location', `/api/calendar/events/${event.id}`)
        return answer(event)
      },
    )

    app.get(
      '/events/:id',
      {
        config: reading,
        schema: {
          operationId: 'getEvent',
          summary: 'One event, series, or occurrence of a series',
          tags,
          params: EventPath,
          querystring: OneOccurrence,
          response: { 200: Event },
        },
      },
      async (request) => answer(await events.get(request.params.id, request.query.occurrence)),
    )

    app.patch(
      '/events/:id',
      {
        config: { ...writing, mayAnswer: [409] },
        schema: {
          operationId: 'changeEvent',
          summary: 'Change an event, or occurrences of a series',
          description:
            'With `scope=following` the series ends before the occurrence, and another goes on from there: it is the one that is answered.',
          tags,
          params: EventPath,
          querystring: ChangeScope,
          body: EventChange,
          response: { 200: SavedEvent },
        },
      },
      async (request) =>
        answer(
          await events.change(request.params.id, request.body, request.query, request.headers['if-match']),
        ),
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
          summary: 'Change the event of a booking',
          tags,
          params: BookingPath,
          body: EventChange,
          response: { 200: SavedEvent },
        },
      },
      async (request) =>
        answer(
          await events.changeBooking(request.params.bookingId, request.body, request.headers['if-match']),
        ),
    )

    app.get(
      '/upcoming',
      {
        config: reading,
        schema: {
          operationId: 'listUpcomingEvents',
          summary: 'What is on now or comes next',
          description: 'Without what was cancelled.',
          tags,
          querystring: UpcomingQuery,
          response: { 200: EventList },
        },
      },
      async (request) => jsonText(await events.upcoming(request.query)),
    )

    app.get(
      '/stats',
      {
        config: reading,
        schema: {
          operationId: 'getCalendarStats',
          summary: 'What a stretch of the calendar is made of',
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
          summary: 'Free time within working hours',
          description: 'Each slot is as long as it can be.',
          tags,
          querystring: FreeQuery,
          response: { 200: FreeSlots },
        },
      },
      (request) => calendar.free(request.query),
    )
  }
