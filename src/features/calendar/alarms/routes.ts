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
          summary: 'List alarms of an event',
          description:
            'Lists alarms from a calendar file or server that cannot be expressed as `reminders`: at a fixed time, relative to the end, or after the start. They trigger the same notifications as `reminders`. For a series: the alarms of all its occurrences.',
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
          summary: 'Delete an alarm of an event',
          description:
            'For a series, deletes the alarm from all its occurrences. `If-Match` refers to the event. Setting `reminders` to an empty list deletes all alarms.',
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
