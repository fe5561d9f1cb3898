import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../../platform/access/caller.ts'
import { session } from '../../../platform/access/route-access.ts'
import { IdPath, Page } from '../../../platform/http/shapes.ts'
import type { CalendarAccounts } from './accounts.ts'
import type { ConnectionTest } from './connection-test.ts'
import {
  CalendarAccount,
  CalendarAccountChange,
  CalendarAccountList,
  CalendarAccountRemoval,
  CalendarTest,
  NewCalendarAccount,
  UnreadableObjectList,
  UnreadableObjectPath,
} from './schema.ts'

const CALENDAR_TYPE = 'text/calendar'

const base = '/api/settings/calendar-accounts'

interface RouteDeps {
  accounts: CalendarAccounts
  connectionTest: ConnectionTest
}

export const calendarAccountRoutes =
  ({ accounts, connectionTest }: RouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: session,
        schema: {
          operationId: 'listCalendarAccounts',
          summary: 'List calendar accounts with their sync status',
          querystring: Page,
          response: { 200: CalendarAccountList },
        },
      },
      (request) => accounts.list(sessionOf(request).userId, request.query),
    )

    app.post(
      '/',
      {
        config: { ...session, idempotency: 'kept' },
        schema: {
          operationId: 'createCalendarAccount',
          summary: 'Add a calendar account',
          description:
            'Adds a CalDAV server, which is synced in both directions, or a published calendar file, which is read-only. The first server receives new events from now on. The password and the URL of a file are encrypted and never returned.',
          body: NewCalendarAccount,
          response: { 201: CalendarAccount },
        },
      },
      async (request, reply) => {
        const added = await accounts.add(sessionOf(request).userId, request.body, visitOf(request))
        reply.code(201).header('location', `${base}/${added.id}`)
        return added
      },
    )

    app.post(
      '/test',
      {
        config: session,
        schema: {
          operationId: 'testNewCalendarAccount',
          summary: 'Test a calendar account before saving it',
          description:
            'Returns the calendars of the account, or the step that failed with its cause and a remedy.',
          body: NewCalendarAccount,
          response: { 200: CalendarTest },
        },
      },
      (request) => connectionTest.test(sessionOf(request).userId, request.body),
    )

    app.get(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'getCalendarAccount',
          summary: 'Get a calendar account',
          params: IdPath,
          response: { 200: CalendarAccount },
        },
      },
      (request) => accounts.get(sessionOf(request).userId, request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: { ...session, mayAnswer: [409] },
        schema: {
          operationId: 'updateCalendarAccount',
          summary: 'Update a calendar account or its followed calendars',
          params: IdPath,
          body: CalendarAccountChange,
          response: { 200: CalendarAccount },
        },
      },
      (request) =>
        accounts.change(
          sessionOf(request).userId,
          request.params.id,
          request.body,
          visitOf(request),
          request.headers['if-match'],
        ),
    )

    app.delete(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'deleteCalendarAccount',
          summary: 'Delete a calendar account',
          description: 'Events on the server are not changed.',
          params: IdPath,
          querystring: CalendarAccountRemoval,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { userId } = sessionOf(request)
        const { events } = request.query
        await accounts.remove(
          userId,
          request.params.id,
          events,
          visitOf(request),
          request.headers['if-match'],
        )
        reply.code(204)
        return null
      },
    )
  }

/** Routes for the sync of an account and for what it could not read. */
export const calendarSyncRoutes =
  ({ accounts, connectionTest }: RouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/:id/test',
      {
        config: { ...session, mayAnswer: [409] },
        schema: {
          operationId: 'testCalendarAccount',
          summary: 'Test a calendar account',
          description:
            'Returns the calendars of the account, or the step that failed with its cause and a remedy.',
          params: IdPath,
          response: { 200: CalendarTest },
        },
      },
      (request) => connectionTest.testSaved(sessionOf(request).userId, request.params.id),
    )

    app.post(
      '/:id/sync',
      {
        config: { ...session, mayAnswer: [409] },
        schema: {
          operationId: 'syncCalendarAccount',
          summary: 'Sync a calendar account now',
          description: 'Returns immediately; `sync` of the account shows the progress.',
          params: IdPath,
          response: { 200: CalendarAccount },
        },
      },
      (request) => accounts.requestSync(sessionOf(request).userId, request.params.id),
    )

    app.get(
      '/:id/unreadable',
      {
        config: session,
        schema: {
          operationId: 'listUnreadableEvents',
          summary: 'List events that could not be parsed',
          description:
            'The sync skips these events and continues with all others. It retries them when they change and after an upgrade.',
          params: IdPath,
          querystring: Page,
          response: { 200: UnreadableObjectList },
        },
      },
      (request) => accounts.listUnreadable(sessionOf(request).userId, request.params.id, request.query),
    )

    app.get(
      '/:id/unreadable/:itemId',
      {
        config: session,
        schema: {
          operationId: 'getUnreadableEvent',
          summary: 'Download an event that could not be parsed',
          description: 'Returns the event as received from the server, truncated after 256 KB.',
          params: UnreadableObjectPath,
          response: {
            200: { description: 'iCalendar', content: { [CALENDAR_TYPE]: { schema: { type: 'string' } } } },
          },
        },
      },
      async (request, reply) => {
        const { id, itemId } = request.params
        const body = await accounts.unreadableBody(sessionOf(request).userId, id, Number(itemId))
        return reply
          .type(`${CALENDAR_TYPE}; charset=utf-8`)
          .header('content-disposition', `attachment; filename="unreadable-${itemId}.ics"`)
          .header('cache-control', 'private, no-store')
          .send(body as never) as never
      },
    )
  }
