import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../../platform/access/route-access.ts'
import { CalendarPath } from '../calendars/schema.ts'
import type { Mirrors } from './mirrors.ts'
import {
  CalendarMirror,
  CalendarMirrorChange,
  CalendarMirrorList,
  MirrorPath,
  NewCalendarMirror,
} from './schema.ts'

export const mirrorRoutes =
  (mirrors: Mirrors): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/:id/mirrors',
      {
        config: read('calendar'),
        schema: {
          operationId: 'listCalendarMirrors',
          summary: 'List the calendars that show this one',
          params: CalendarPath,
          response: { 200: CalendarMirrorList },
        },
      },
      async ({ user, params }) => ({ mirrors: await mirrors.list(user, params.id) }),
    )

    app.post(
      '/:id/mirrors',
      {
        config: { ...write('calendar'), idempotency: 'kept', mayAnswer: [409] },
        schema: {
          operationId: 'createCalendarMirror',
          summary: 'Show a calendar in another one',
          description:
            'Each event of the calendar appears in the target calendar, also on its CalDAV server, and follows every change. Events that appear this way have `mirrorOf`, are read-only, and are not shown further. They have no people, reminders or attachments, so no email is sent. They do not count in conflicts, statistics, upcoming events and free time. Two calendars can show each other. Large calendars appear after a moment.',
          params: CalendarPath,
          body: NewCalendarMirror,
          response: { 201: CalendarMirror },
        },
      },
      async (request, reply) => {
        const { user, params, body } = request
        const mirror = await mirrors.create(user, params.id, body)
        reply.code(201).header('location', `/api/calendars/${params.id}/mirrors/${mirror.id}`)
        return mirror
      },
    )

    app.patch(
      '/:id/mirrors/:mirrorId',
      {
        config: { ...write('calendar'), mayAnswer: [409] },
        schema: {
          operationId: 'updateCalendarMirror',
          summary: 'Change how much of a calendar another one shows',
          params: MirrorPath,
          body: CalendarMirrorChange,
          response: { 200: CalendarMirror },
        },
      },
      ({ user, params, body, ifMatch }) => mirrors.change(user, params, body, ifMatch),
    )

    app.delete(
      '/:id/mirrors/:mirrorId',
      {
        config: write('calendar'),
        schema: {
          operationId: 'deleteCalendarMirror',
          summary: 'Stop showing a calendar in another one',
          description: 'Deletes the events that appeared because of it.',
          params: MirrorPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) => mirrors.remove(user, params, ifMatch),
    )
  }
