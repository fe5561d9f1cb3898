import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Instant } from '../../platform/http/shapes.ts'
import type { LiveEvents } from '../../platform/live/live.ts'
import { Caption } from './caption-schema.ts'
import { Milestone } from './milestone-schema.ts'
import type { Overlay } from './overlay.ts'
import { Language, StreamState, strict } from './schema.ts'

const tags = ['Stream features']
/** While access is private, a browser source comes with a read-only token in its address. */
const config = { access: 'switched', scope: 'stream:read', purpose: 'overlay' } as const

const OverlayQuery = Type.Object(
  {
    language: Type.Optional(Language),
    token: Type.Optional(
      Type.String({
        maxLength: 200,
        examples: ['u3JmX0o1Qk3dL8r5sT7u…x7Qd'],
        description: 'A feed token for the overlay',
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
      description: 'Events with this `revision` or a lower one are in here already',
    }),
    now: Instant,
    state: StreamState,
    language: Language,
    captions: Type.Array(Caption, { description: 'The last ones in that language, the last last' }),
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
          summary: 'What the overlay shows at this moment',
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
          summary: 'What happens on the stream, as it happens',
          description:
            'Server-sent events. Whoever comes anew is told an `overlay` event first, as `GET /api/stream/overlay` shows it; whoever comes back with `Last-Event-ID` is told what was missed. A `reset` event says that this is no longer known: an `overlay` event follows.',
          tags,
          querystring: OverlayQuery,
          response: { 200: { description: 'Events without end', content: EventStream } },
        },
      },
      (request, reply) =>
        live.serve(request, reply, {
          wants: ({ type }) => type.startsWith('stream.'),
          greeting: async () => [{ type: 'overlay', data: await overlay(request.query) }],
        }),
    )
  }
