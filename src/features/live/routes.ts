import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { type Caller, hasScope } from '../../platform/access/caller.ts'
import { anyScope } from '../../platform/access/route-access.ts'
import type { ChangeDeclaration, Changes } from '../../platform/changes.ts'
import type { Wants } from '../../platform/live/live.ts'
import type { Platform } from '../../platform/platform.ts'

const TYPE = '[a-z]+\\.(?:[a-z_]+|\\*)'

const EventsQuery = Type.Object(
  {
    types: Type.Optional(
      Type.String({
        maxLength: 1000,
        pattern: `^${TYPE}(?:,${TYPE})*$`,
        description: 'Only these types, separated by commas: `task.created`, or `task.*` for all task events',
        example: 'task.*,event.starting',
      }),
    ),
  },
  { additionalProperties: false },
)

const EventStream = {
  'text/event-stream': {
    schema: { type: 'string' },
    example:
      'id: 42\nevent: task.created\ndata: {"id":42,"type":"task.created","subject":"7","timestamp":"2026-03-02T09:00:00.000Z","data":{"id":7,"title":"Pay the rent"}}\n\n',
  },
}

const toPrefix = (type: string): string => type.split('.', 1)[0] ?? ''

const mayReceive = (caller: Caller, declaration: ChangeDeclaration | undefined): boolean => {
  const live = declaration?.live
  if (live === undefined) return false
  if (live === 'session') return caller.kind === 'session'
  return hasScope(caller, live)
}

/** Filters events by the permissions and the `types` of the caller. Caches the decision for each type. */
const createFilter = (
  changes: Pick<Changes, 'declarationOf'>,
  caller: Caller,
  types: string | undefined,
): Wants => {
  const asked = types?.split(',')
  const isAsked = (type: string): boolean =>
    asked === undefined || asked.includes(type) || asked.includes(`${toPrefix(type)}.*`)
  const decisions = new Map<string, boolean>()
  return ({ type }) => {
    let decision = decisions.get(type)
    if (decision === undefined) {
      decision = isAsked(type) && mayReceive(caller, changes.declarationOf(type))
      decisions.set(type, decision)
    }
    return decision
  }
}

export const liveRoutes =
  ({ live, changes }: Platform): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/events',
      {
        config: { ...anyScope, mayAnswer: [429] },
        schema: {
          operationId: 'streamEvents',
          summary: 'Stream live events',
          description:
            'Server-sent events about mail, tasks, calendar, bookings and stream of your account. Sessions also receive notifications and changes of shares. Each event has an `id`. Reconnect with `Last-Event-ID` to receive missed events of up to 29 days first. If missed events are no longer available, a `reset` event is sent: reload your data. A personal access token receives events that its scopes cover. The stream ends when its credential expires. An account can have 50 open streams; another one is answered with 429.',
          querystring: EventsQuery,
          response: { 200: { description: 'Endless stream of events', content: EventStream } },
        },
      },
      (request, reply) =>
        live.serve(request, reply, { wants: createFilter(changes, request.caller, request.query.types) }),
    )
  }
