import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../../platform/access/route-access.ts'
import type { Calendars } from './calendars.ts'
import {
  CalendarChange,
  CalendarList,
  CalendarPath,
  CalendarRemoval,
  CalendarResource,
  CalendarsQuery,
  NewCalendar,
} from './schema.ts'

export const calendarRoutes =
  (calendars: Calendars): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: read('calendar'),
        schema: {
          operationId: 'listCalendars',
          summary: 'List calendars',
          description:
            'Your own calendars, those of your calendar accounts, and those that others share with you.',
          querystring: CalendarsQuery,
          response: { 200: CalendarList },
        },
      },
      (request) => calendars.list(request.user, request.query),
    )

    app.post(
      '/',
      {
        config: { ...write('calendar'), idempotency: 'kept', mayAnswer: [409] },
        schema: {
          operationId: 'createCalendar',
          summary: 'Create a calendar',
          description: 'An account has 100 calendars at most (409).',
          body: NewCalendar,
          response: { 201: CalendarResource },
        },
      },
      (request) => calendars.create(request.user, request.body),
    )

    app.get(
      '/:id',
      {
        config: read('calendar'),
        schema: {
          operationId: 'getCalendar',
          summary: 'Get a calendar',
          params: CalendarPath,
          response: { 200: CalendarResource },
        },
      },
      (request) => calendars.get(request.user, request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: { ...write('calendar'), mayAnswer: [409] },
        schema: {
          operationId: 'updateCalendar',
          summary: 'Update a calendar',
          params: CalendarPath,
          body: CalendarChange,
          response: { 200: CalendarResource },
        },
      },
      ({ user, params, body, ifMatch }) => calendars.change(user, params.id, body, ifMatch),
    )

    app.delete(
      '/:id',
      {
        config: { ...write('calendar'), mayAnswer: [409] },
        schema: {
          operationId: 'deleteCalendar',
          summary: 'Delete a calendar',
          description:
            'Its events move to the default calendar, or are deleted. The default calendar and calendars of calendar accounts cannot be deleted (409).',
          params: CalendarPath,
          querystring: CalendarRemoval,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, query, ifMatch }) => calendars.remove(user, params.id, query.events, ifMatch),
    )
  }
