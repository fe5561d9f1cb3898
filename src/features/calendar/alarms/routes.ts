import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { EventPath } from '../schema.ts'
import type { Alarms } from './alarms.ts'
import { AlarmList, AlarmPath } from './schema.ts'

const tags = ['Calendar']

export const alarmRoutes =
  (alarms: Alarms): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/events/:id/alarms',
      {
        config: { access: 'switched', scope: 'calendar:read' },
        schema: {
          operationId: 'listEventAlarms',
          summary: 'What else reminds of an event',
          description:
            'Alarms that came with the event, from a file or a server, and are no minutes before its start: at a moment of their own, before or after the end, after the start. They are told like `reminders`. Of a series: those of all its occurrences.',
          tags,
          params: EventPath,
          response: { 200: AlarmList },
        },
      },
      async (request) => ({ alarms: await alarms.list(request.params.id), nextCursor: null }),
    )

    app.delete(
      '/events/:id/alarms/:alarmId',
      {
        config: { access: 'switched', scope: 'calendar:write' },
        schema: {
          operationId: 'deleteEventAlarm',
          summary: 'Be reminded of an event by one alarm less',
          description:
            'Of a series: in all its occurrences. `If-Match` is about the event. Setting `reminders` to none takes all alarms off.',
          tags,
          params: AlarmPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { id, alarmId } = request.params
        await alarms.remove(id, alarmId, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }
