import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Page } from '../../platform/http/shapes.ts'
import {
  Panic,
  StateChange,
  Stream,
  StreamList,
  StreamPath,
  StreamStart,
  StreamState as StreamStateShape,
} from './schema.ts'
import type { StreamState } from './state.ts'
import type { Streams } from './streams.ts'

const tags = ['Stream features']
const reading = { access: 'switched', scope: 'stream:read' } as const
const writing = { access: 'switched', scope: 'stream:write' } as const
const acting = { ...writing, idempotency: 'kept' } as const

export const streamRoutes =
  ({ state, streams }: { state: StreamState; streams: Streams }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/state',
      {
        config: reading,
        schema: {
          operationId: 'getStreamState',
          summary: 'What is on the stage',
          tags,
          response: { 200: StreamStateShape },
        },
      },
      () => state.read(),
    )

    app.patch(
      '/state',
      {
        config: writing,
        schema: {
          operationId: 'changeStreamState',
          summary: 'Change title, scene or viewers',
          description: 'What is set while nothing is live holds for the next stream.',
          tags,
          body: StateChange,
          response: { 200: StreamStateShape },
        },
      },
      (request) => state.change(request.body, request.headers['if-match']),
    )

    app.post(
      '/start',
      {
        config: acting,
        schema: {
          operationId: 'startStream',
          summary: 'Go live',
          description: 'A stream that is live already goes on.',
          tags,
          body: StreamStart,
          response: { 200: StreamStateShape },
        },
      },
      (request) => state.start(request.body),
    )

    app.post(
      '/stop',
      {
        config: acting,
        schema: {
          operationId: 'stopStream',
          summary: 'End the stream',
          description: 'Where nothing is live, nothing changes.',
          tags,
          response: { 200: StreamStateShape },
        },
      },
      () => state.stop(),
    )

    app.post(
      '/panic',
      {
        config: acting,
        schema: {
          operationId: 'panicStream',
          summary: 'Clear the screen at once',
          description:
            'Captions that were shown are shown no more, milestones not until they change. Nothing is deleted. With `hold` nothing comes on the screen until `held` is set to false.',
          tags,
          body: Panic,
          response: { 200: StreamStateShape },
        },
      },
      (request) => state.panic(request.body),
    )

    app.get(
      '/streams',
      {
        config: reading,
        schema: {
          operationId: 'listStreams',
          summary: 'Every stream, the newest first',
          tags,
          querystring: Page,
          response: { 200: StreamList },
        },
      },
      (request) => streams.list(request.query),
    )

    app.get(
      '/streams/:id',
      {
        config: reading,
        schema: {
          operationId: 'getStream',
          summary: 'One stream',
          tags,
          params: StreamPath,
          response: { 200: Stream },
        },
      },
      (request) => streams.get(request.params.id),
    )

    app.delete(
      '/streams/:id',
      {
        config: { ...writing, mayAnswer: [409] },
        schema: {
          operationId: 'deleteStream',
          summary: 'Delete a stream with its captions',
          description: 'One that is live is stopped first.',
          tags,
          params: StreamPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await streams.remove(request.params.id, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }
