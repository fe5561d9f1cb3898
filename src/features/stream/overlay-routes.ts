import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Instant } from '../../platform/http/shapes.ts'
import type { LiveEvents } from '../../platform/live/live.ts'
import type { Overlay } from './overlay.ts'
import { Caption, Language, Milestone, StreamState, strict } from './schema.ts'

const tags = ['Stream features']
/** In private mode, a browser source sends a read-only token in its URL. */
const config = { access: 'switched', scope: 'stream:read', purpose: 'overlay' } as const

const OverlayQuery = Type.Object(
  {
    language: Type.Optional(Language),
    token: Type.Optional(
      Type.String({
        maxLength: 200,
        examples: ['u3JmX0o1Qk3dL8r5sT7u…x7Qd'],
        description: 'Feed token of the overlay',
      }),
    ),
  },
  strict,
)

const OverlayView = Type.Object(
  {
    revision: Type.Integer({
      minimum: 0,
      examples: [812],
      description: 'Skip events whose `revision` is not higher',
    }),
    now: Instant,
    state: StreamState,
    language: Language,
    captions: Type.Array(Caption, { description: 'The latest captions in this language, oldest first' }),
    milestones: Type.Array(Milestone),
  },
  { title: 'Overlay' },
)

const EventStream = {
  'text/event-stream': {
    schema: { type: 'string' },
    example:
      'id: 42\nevent: stream.caption_added\ndata: {"id":42,"type":"stream.caption_added","subject":"512","timestamp":"2026-03-01T18:00:12.500Z","data":{"caption":{"id":512,"text":"Now the roof goes on."},"revision":813}}\n\n',
  },
}

export const overlayRoutes =
  ({ overlay, live }: { overlay: Overlay; live: Pick<LiveEvents, 'serve'> }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/overlay',
      {
        config,
        schema: {
          operationId: 'getOverlay',
          summary: 'Get the current overlay',
          tags,
          querystring: OverlayQuery,
          response: { 200: OverlayView },
        },
      },
      (request) => overlay(request.query),
    )

    app.get(
      '/events',
      {
        config,
        schema: {
          operationId: 'followStream',
          summary: 'Stream overlay events',
          description:
            'Server-sent events. A new connection first receives an `overlay` event with the content of `GET /api/stream/overlay`. A connection with `Last-Event-ID` receives the missed events. If these are no longer available, it receives `reset` and `overlay` events.',
          tags,
          querystring: OverlayQuery,
          response: { 200: { description: 'Endless stream of events', content: EventStream } },
        },
      },
      (request, reply) =>
        live.serve(request, reply, {
          wants: ({ type }) => type.startsWith('stream.'),
          greeting: async () => [{ type: 'overlay', data: await overlay(request.query) }],
        }),
    )
  }
