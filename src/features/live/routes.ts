import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Caller } from '../../platform/access/caller.ts'
import type { Wants } from '../../platform/live/client.ts'
import type { LiveEvents } from '../../platform/live/live.ts'
import { EventStream, EventsQuery } from './schema.ts'
import { isOwn, isPersonal, mayHear } from './topics.ts'

/** Filters events by the permissions and the `types` of the caller. Caches the decision for each type. */
const createFilter = (caller: Caller, types: string | undefined): Wants => {
  const asked = types?.split(',')
  const isAsked = (type: string): boolean =>
    asked === undefined || asked.includes(type) || asked.includes(`${type.split('.', 1)[0]}.*`)
  const decisions = new Map<string, boolean>()
  return ({ type, subject }) => {
    let verdict = decisions.get(type)
    if (verdict === undefined) {
      verdict = isAsked(type) && (isPersonal(type) || mayHear(caller, type))
      decisions.set(type, verdict)
    }
    return verdict && (!isPersonal(type) || isOwn(caller, subject))
  }
}

export const liveRoutes =
  (live: LiveEvents): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/events',
      {
        config: { access: 'switched', scope: 'any' },
        schema: {
          operationId: 'followEvents',
          summary: 'Stream live events',
          description:
            'Server-sent events about mail, tasks, calendar, bookings and stream. Sessions also receive their own notifications. Each event has an `id`. Reconnect with `Last-Event-ID` to receive missed events of up to 29 days first. If missed events are no longer available, a `reset` event is sent: reload your data. A personal access token receives events that its scopes cover. The stream ends when its credential expires.',
          tags: ['Live events'],
          querystring: EventsQuery,
          response: { 200: { description: 'Endless stream of events', content: EventStream } },
        },
      },
      (request, reply) =>
        live.serve(request, reply, { wants: createFilter(request.caller, request.query.types) }),
    )
  }
