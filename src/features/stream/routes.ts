import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { person, read, write } from '../../platform/access/route-access.ts'
import { Instant, Page } from '../../platform/http/shapes.ts'
import type { LiveEvents } from '../../platform/live/live.ts'
import type { Milestones } from './milestones.ts'
import type { Overlay } from './overlay.ts'
import {
  Caption,
  Credential,
  CredentialInput,
  CredentialList,
  CredentialPath,
  Language,
  Milestone,
  MilestoneChange,
  MilestoneList,
  MilestonePath,
  NewMilestone,
  Panic,
  Progress,
  StateChange,
  Stream,
  StreamList,
  StreamPath,
  StreamStart,
  StreamState as StreamStateShape,
  strict,
} from './schema.ts'
import type { StreamCredentials, StreamState, Streams } from './streams.ts'

const actionAccess = { ...write('stream'), idempotency: 'kept' } as const

export const streamRoutes =
  ({ state, streams }: { state: StreamState; streams: Streams }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/state',
      {
        config: read('stream'),
        schema: {
          operationId: 'getStreamState',
          summary: 'Get the stream state',
          response: { 200: StreamStateShape },
        },
      },
      ({ user }) => state.read(user),
    )

    app.patch(
      '/state',
      {
        config: write('stream'),
        schema: {
          operationId: 'updateStreamState',
          summary: 'Change title, scene or viewers',
          description: 'Changes while no stream is live apply to the next stream.',
          body: StateChange,
          response: { 200: StreamStateShape },
        },
      },
      ({ user, body, ifMatch }) => state.change(user, body, ifMatch),
    )

    app.post(
      '/start',
      {
        config: actionAccess,
        schema: {
          operationId: 'startStream',
          summary: 'Start the stream',
          description: 'If a stream is already live, it continues.',
          body: StreamStart,
          response: { 200: StreamStateShape },
        },
      },
      ({ user, body }) => state.start(user, body),
    )

    app.post(
      '/stop',
      {
        config: actionAccess,
        schema: {
          operationId: 'stopStream',
          summary: 'Stop the stream',
          description: 'If no stream is live, nothing changes.',
          response: { 200: StreamStateShape },
        },
      },
      ({ user }) => state.stop(user),
    )

    app.post(
      '/panic',
      {
        config: actionAccess,
        schema: {
          operationId: 'panicStream',
          summary: 'Clear the overlay at once',
          description:
            'Hides all visible captions, and milestones until they change. Nothing is deleted. With `hold`, the overlay stays empty until `held` is set to false.',
          body: Panic,
          response: { 200: StreamStateShape },
        },
      },
      ({ user, body }) => state.panic(user, body),
    )

    app.get(
      '/streams',
      {
        config: read('stream'),
        schema: {
          operationId: 'listStreams',
          summary: 'List streams, newest first',
          querystring: Page,
          response: { 200: StreamList },
        },
      },
      ({ user, query }) => streams.list(user, query),
    )

    app.get(
      '/streams/:id',
      {
        config: read('stream'),
        schema: {
          operationId: 'getStream',
          summary: 'Get a stream',
          params: StreamPath,
          response: { 200: Stream },
        },
      },
      ({ user, params }) => streams.get(user, params.id),
    )

    app.delete(
      '/streams/:id',
      {
        config: { ...write('stream'), mayAnswer: [409] },
        schema: {
          operationId: 'deleteStream',
          summary: 'Delete a stream with its captions',
          description: 'A live stream must be stopped first.',
          params: StreamPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) => streams.remove(user, params.id, ifMatch),
    )
  }

export const credentialRoutes =
  (credentials: StreamCredentials): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/credentials',
      {
        config: read('stream'),
        schema: {
          operationId: 'listStreamCredentials',
          summary: 'List platforms with credentials',
          description: 'Returns only the status, never the secrets.',
          querystring: Page,
          response: { 200: CredentialList },
        },
      },
      ({ user, query }) => credentials.list(user, query),
    )

    app.get(
      '/credentials/:platform',
      {
        config: read('stream'),
        schema: {
          operationId: 'getStreamCredential',
          summary: 'Get the credential status of a platform',
          params: CredentialPath,
          response: { 200: Credential },
        },
      },
      ({ user, params }) => credentials.get(user, params.platform),
    )

    app.put(
      '/credentials/:platform',
      {
        config: { ...person, mayAnswer: [412] },
        schema: {
          operationId: 'setStreamCredential',
          summary: 'Save the credentials of a platform',
          description: 'Replaces existing credentials. They are encrypted and never returned.',
          params: CredentialPath,
          body: CredentialInput,
          response: { 200: Credential, 201: Credential },
        },
      },
      async ({ user, params, body, ifMatch }, reply) => {
        const { platform } = params
        const { made, credential } = await credentials.put(user, platform, body, ifMatch)
        if (made) reply.code(201).header('location', `/api/stream/credentials/${platform}`)
        return credential
      },
    )

    app.delete(
      '/credentials/:platform',
      {
        config: person,
        schema: {
          operationId: 'deleteStreamCredential',
          summary: 'Delete the credentials of a platform',
          params: CredentialPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) => credentials.remove(user, params.platform, ifMatch),
    )
  }

export const milestoneRoutes =
  (milestones: Milestones): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/milestones',
      {
        config: read('stream'),
        schema: {
          operationId: 'listMilestones',
          summary: 'List milestones, oldest first',
          querystring: Page,
          response: { 200: MilestoneList },
        },
      },
      ({ user, query }) => milestones.list(user, query),
    )

    app.post(
      '/milestones',
      {
        config: { ...write('stream'), idempotency: 'kept' },
        schema: {
          operationId: 'createMilestone',
          summary: 'Create a milestone',
          body: NewMilestone,
          response: { 201: Milestone },
        },
      },
      async ({ user, body }, reply) => {
        const milestone = await milestones.create(user, body)
        reply.header('location', `/api/stream/milestones/${milestone.id}`)
        return milestone
      },
    )

    app.get(
      '/milestones/:id',
      {
        config: read('stream'),
        schema: {
          operationId: 'getMilestone',
          summary: 'Get a milestone',
          params: MilestonePath,
          response: { 200: Milestone },
        },
      },
      ({ user, params }) => milestones.get(user, params.id),
    )

    app.patch(
      '/milestones/:id',
      {
        config: write('stream'),
        schema: {
          operationId: 'updateMilestone',
          summary: 'Change a milestone',
          description: 'With a higher target, the milestone can be reached again.',
          params: MilestonePath,
          body: MilestoneChange,
          response: { 200: Milestone },
        },
      },
      ({ user, params, body, ifMatch }) => milestones.change(user, params.id, body, ifMatch),
    )

    app.delete(
      '/milestones/:id',
      {
        config: write('stream'),
        schema: {
          operationId: 'deleteMilestone',
          summary: 'Delete a milestone',
          params: MilestonePath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) => milestones.remove(user, params.id, ifMatch),
    )

    app.post(
      '/milestones/:id/progress',
      {
        config: { ...write('stream'), idempotency: 'kept' },
        schema: {
          operationId: 'addProgress',
          summary: 'Add progress to a milestone',
          description: 'Concurrent requests add up exactly. `stream.milestone_reached` is sent once.',
          params: MilestonePath,
          body: Progress,
          response: { 200: Milestone },
        },
      },
      ({ user, params, body }) => milestones.progress(user, params.id, body.amount),
    )
  }

/** In private mode, a browser source sends a read-only token in its URL. */
const overlayAccess = { ...read('stream'), purpose: 'overlay' } as const

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
    state: StreamStateShape,
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
        config: overlayAccess,
        schema: {
          operationId: 'getOverlay',
          summary: 'Get the current overlay',
          querystring: OverlayQuery,
          response: { 200: OverlayView },
        },
      },
      ({ user, query }) => overlay(user, query),
    )

    app.get(
      '/events',
      {
        config: { ...overlayAccess, mayAnswer: [429] },
        schema: {
          operationId: 'streamOverlayEvents',
          summary: 'Stream overlay events',
          description:
            'Server-sent events. A new connection first receives an `overlay` event with the content of `GET /api/stream/overlay`. A connection with `Last-Event-ID` receives the missed events. If these are no longer available, it receives `reset` and `overlay` events.',
          querystring: OverlayQuery,
          response: { 200: { description: 'Endless stream of events', content: EventStream } },
        },
      },
      (request, reply) =>
        live.serve(request, reply, {
          wants: ({ type }) => type.startsWith('stream.'),
          greeting: async () => [{ type: 'overlay', data: await overlay(request.user, request.query) }],
        }),
    )
  }
