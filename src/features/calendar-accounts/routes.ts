import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../platform/access/visit.ts'
import { IdPath, Page } from '../../platform/http/shapes.ts'
import type { CalendarAccounts } from './accounts.ts'
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
import type { Trial } from './trial.ts'

const CALENDAR_TYPE = 'text/calendar'

const tags = ['Settings']
const config = { access: 'session' } as const
const base = '/api/settings/calendar-accounts'

export const calendarAccountRoutes =
  ({ accounts, trial }: { accounts: CalendarAccounts; trial: Trial }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config,
        schema: {
          operationId: 'listCalendarAccounts',
          summary: 'Your calendar accounts, and how far they are in step',
          tags,
          querystring: Page,
          response: { 200: CalendarAccountList },
        },
      },
      (request) => accounts.list(sessionOf(request).userId, request.query),
    )

    app.post(
      '/',
      {
        config: { ...config, idempotency: 'kept' },
        schema: {
          operationId: 'addCalendarAccount',
          summary: 'Add a calendar account',
          description:
            'A CalDAV server, kept in step both ways, or a published calendar file, which is read. The first ' +
            'server gets what is made here from now on. The password, and the address of a file, are sealed and never come out.',
          tags,
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
        config,
        schema: {
          operationId: 'tryCalendarAccount',
          summary: 'Try a calendar account before saving it',
          description: 'Says which calendars are there, or which step failed, why, and what to do.',
          tags,
          body: NewCalendarAccount,
          response: { 200: CalendarTest },
        },
      },
      (request) => trial.attempt(request.body),
    )

    app.get(
      '/:id',
      {
        config,
        schema: {
          operationId: 'getCalendarAccount',
          summary: 'One calendar account',
          tags,
          params: IdPath,
          response: { 200: CalendarAccount },
        },
      },
      (request) => accounts.get(sessionOf(request).userId, request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: { ...config, mayAnswer: [409] },
        schema: {
          operationId: 'changeCalendarAccount',
          summary: 'Change a calendar account, or which of its calendars are followed',
          tags,
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
        config,
        schema: {
          operationId: 'removeCalendarAccount',
          summary: 'Remove a calendar account',
          description: 'What lies on its server is not touched.',
          tags,
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

    app.post(
      '/:id/test',
      {
        config: { ...config, mayAnswer: [409] },
        schema: {
          operationId: 'testCalendarAccount',
          summary: 'Test a calendar account',
          description: 'Says which calendars are there, or which step failed, why, and what to do.',
          tags,
          params: IdPath,
          response: { 200: CalendarTest },
        },
      },
      (request) => trial.attemptSaved(sessionOf(request).userId, request.params.id),
    )

    app.post(
      '/:id/sync',
      {
        config: { ...config, mayAnswer: [409] },
        schema: {
          operationId: 'syncCalendarAccount',
          summary: 'Look at a calendar account now',
          description: 'Answers at once; `sync` of the account shows how far it has come.',
          tags,
          params: IdPath,
          response: { 200: CalendarAccount },
        },
      },
      (request) => accounts.requestSync(sessionOf(request).userId, request.params.id),
    )

    app.get(
      '/:id/unreadable',
      {
        config,
        schema: {
          operationId: 'listUnreadableEvents',
          summary: 'List events that could not be read',
          description:
            'They are left out, and all others are synced. They are tried again when they change and after an upgrade.',
          tags,
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
        config,
        schema: {
          operationId: 'getUnreadableEvent',
          summary: 'Download an event that could not be read',
          description: 'As it came from the server. A large one is cut off after 256 KB.',
          tags,
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
