import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Caller } from '../../platform/access/caller.ts'
import type { Wants } from '../../platform/live/client.ts'
import type { LiveEvents } from '../../platform/live/live.ts'
import { EventStream, EventsQuery } from './schema.ts'
import { isOwn, isPersonal, mayHear } from './topics.ts'

/** What this caller may hear of, and asked for. Judged once for each type: the same few come again and again. */
const wantsOf = (caller: Caller, types: string | undefined): Wants => {
  const asked = types?.split(',')
  const isAsked = (type: string): boolean =>
    asked === undefined || asked.includes(type) || asked.includes(`${type.split('.', 1)[0]}.*`)
  const judged = new Map<string, boolean>()
  return ({ type, subject }) => {
    let verdict = judged.get(type)
    if (verdict === undefined) {
      verdict = isAsked(type) && (isPersonal(type) || mayHear(caller, type))
      judged.set(type, verdict)
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
          summary: 'What happens, as it happens',
          description:
            'Server-sent events: mail, tasks, calendar, bookings, stream; to whoever is signed in also their own notifications. Each has an `id`; come back with `Last-Event-ID` and what was missed is told first, up to 29 days of it. When it is no longer known what was missed, a `reset` event says so: read anew. A personal access token hears of what its scopes let it read. The stream ends with its credential.',
          tags: ['Live events'],
          querystring: EventsQuery,
          response: { 200: { description: 'Events without end', content: EventStream } },
        },
      },
      (request, reply) => live.serve(request, reply, { wants: wantsOf(request.caller, request.query.types) }),
    )
  }
