import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { invalid, invalidField } from '../../platform/errors.ts'
import type { CaptionFiles } from './caption-files.ts'
import type { CaptionImport, OpenedCaptions } from './caption-import.ts'
import {
  Caption,
  CaptionChange,
  CaptionClearing,
  CaptionList,
  CaptionPath,
  CaptionQuery,
  CaptionsMade,
  FileQuery,
  ImportQuery,
  NewCaption,
  SRT_TYPE,
  SrtFile,
  VTT_TYPE,
  VttFile,
  VttUpload,
} from './caption-schema.ts'
import type { Captions } from './captions.ts'

const tags = ['Stream features']
const reading = { access: 'switched', scope: 'stream:read' } as const
const writing = { access: 'switched', scope: 'stream:write' } as const
const LARGEST_FILE = 25 * 1024 * 1024

interface WrittenFile {
  filename: string
  language: string
  chunks: AsyncGenerator<string>
}

const sendFile = (reply: FastifyReply, type: string, { filename, language, chunks }: WrittenFile): never =>
  reply
    .type(`${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${filename}"`)
    .header('content-language', language)
    .send(Readable.from(chunks)) as never

export const captionRoutes =
  (deps: { captions: Captions; importFile: CaptionImport; files: CaptionFiles }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { captions, importFile, files } = deps

    app.get(
      '/captions',
      {
        config: { ...reading, mayAnswer: [404] },
        schema: {
          operationId: 'listCaptions',
          summary: 'The captions of a stream, by their times',
          tags,
          querystring: CaptionQuery,
          response: { 200: CaptionList },
        },
      },
      (request) => captions.list(request.query),
    )

    // Files are taken here and nowhere else, so their parser lives in a scope of its own.
    await app.register(async (scope: typeof app) => {
      const opened = new WeakMap<object, OpenedCaptions>()
      scope.addContentTypeParser(
        VTT_TYPE,
        { parseAs: 'buffer', bodyLimit: LARGEST_FILE },
        (_request, body, done) => done(null, body),
      )
      scope.post(
        '/captions',
        {
          config: {
            ...writing,
            idempotency: 'kept',
            mayAnswer: [404],
            async prepare(request) {
              const body = request.body as unknown
              if (Buffer.isBuffer(body)) opened.set(request, await importFile.read(body))
            },
          },
          schema: {
            operationId: 'addCaptions',
            summary: 'Add a caption, several, or a file of them',
            description:
              'One by its fields, several as `captions`, or a WebVTT file as `text/vtt`. Without a time it is said now, counted from the start of the stream. What comes while nothing is live is kept as a rehearsal, apart from the streams that were. A file is for the record: it is not shown by the overlay.',
            tags,
            querystring: ImportQuery,
            body: { content: { 'application/json': { schema: NewCaption }, ...VttUpload } },
            response: { 201: CaptionsMade },
          },
        },
        async (request, reply) => {
          const body = request.body as unknown as Buffer | NewCaption | undefined
          if (body === undefined || body === null) throw invalid('The body is empty.')
          reply.code(201).header('location', '/api/stream/captions')
          if (Buffer.isBuffer(body))
            return (await importFile.store(opened.get(request) as OpenedCaptions, request.query)) as never
          const { streamId, language, replace } = request.query
          if (replace) throw invalidField('replace', 'is for files')
          const made = await captions.add({
            ...(streamId !== undefined && { streamId }),
            ...(language !== undefined && body.captions === undefined && { language }),
            ...body,
          })
          if (body.captions !== undefined) return { captions: made } as never
          const [caption] = made
          reply.header('location', `/api/stream/captions/${caption?.id}`)
          return caption as never
        },
      )
    })

    app.delete(
      '/captions',
      {
        config: { ...writing, mayAnswer: [404] },
        schema: {
          operationId: 'clearCaptions',
          summary: 'Delete the captions of a stream',
          description: 'Those that the list of the same query shows, in all its pages.',
          tags,
          querystring: CaptionClearing,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await captions.clear(request.query)
        reply.code(204)
        return null
      },
    )

    app.get(
      '/captions.vtt',
      {
        config: { ...reading, mayAnswer: [404] },
        schema: {
          operationId: 'getWebvtt',
          summary: 'The captions of a stream in one language, as WebVTT',
          tags,
          querystring: FileQuery,
          response: { 200: { description: 'WebVTT', content: VttFile } },
        },
      },
      async (request, reply) => sendFile(reply, VTT_TYPE, await files.vtt(request.query)),
    )

    app.get(
      '/captions.srt',
      {
        config: { ...reading, mayAnswer: [404] },
        schema: {
          operationId: 'getSubrip',
          summary: 'The captions of a stream in one language, as SubRip',
          tags,
          querystring: FileQuery,
          response: { 200: { description: 'SubRip', content: SrtFile } },
        },
      },
      async (request, reply) => sendFile(reply, SRT_TYPE, await files.srt(request.query)),
    )

    app.get(
      '/captions/:id',
      {
        config: reading,
        schema: {
          operationId: 'getCaption',
          summary: 'One caption',
          tags,
          params: CaptionPath,
          response: { 200: Caption },
        },
      },
      (request) => captions.get(request.params.id),
    )

    app.patch(
      '/captions/:id',
      {
        config: writing,
        schema: {
          operationId: 'correctCaption',
          summary: 'Correct a caption',
          description: 'Where it is on the screen it changes there.',
          tags,
          params: CaptionPath,
          body: CaptionChange,
          response: { 200: Caption },
        },
      },
      (request) => captions.correct(request.params.id, request.body, request.headers['if-match']),
    )

    app.delete(
      '/captions/:id',
      {
        config: writing,
        schema: {
          operationId: 'deleteCaption',
          summary: 'Delete a caption',
          tags,
          params: CaptionPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await captions.remove(request.params.id, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }
