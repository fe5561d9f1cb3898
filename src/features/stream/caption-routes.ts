import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { read, write } from '../../platform/access/route-access.ts'
import { invalid, invalidField } from '../../platform/errors.ts'
import type { CaptionFiles, CaptionImport, Captions, ParsedCaptions } from './captions.ts'
import {
  Caption,
  CaptionChange,
  CaptionClearing,
  CaptionList,
  CaptionPath,
  CaptionQuery,
  CreatedCaptions,
  FileQuery,
  ImportQuery,
  NewCaption,
  SRT_TYPE,
  SrtFile,
  VTT_TYPE,
  VttFile,
  VttUpload,
} from './schema.ts'

const MAX_FILE_BYTES = 25 * 1024 * 1024

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

interface CaptionRouteDeps {
  captions: Captions
  importFile: CaptionImport
  files: CaptionFiles
}

/** Only this route accepts files, so it is a plugin with its own content type parser. */
const additionRoute =
  ({ captions, importFile }: CaptionRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const parsed = new WeakMap<object, ParsedCaptions>()
    app.addContentTypeParser(
      VTT_TYPE,
      { parseAs: 'buffer', bodyLimit: MAX_FILE_BYTES },
      (_request, body, done) => done(null, body),
    )
    app.post(
      '/captions',
      {
        config: {
          ...write('stream'),
          idempotency: 'kept',
          mayAnswer: [404],
          async prepare(request) {
            const body = request.body as unknown
            if (Buffer.isBuffer(body)) parsed.set(request, await importFile.read(body))
          },
        },
        schema: {
          operationId: 'createCaptions',
          summary: 'Add captions',
          description:
            'Send one caption by its fields, several as `captions`, or a WebVTT file as `text/vtt`. Without a time, a caption starts now, relative to the start of the stream. Captions that arrive while no stream is live are stored as a rehearsal. Captions of a file are stored, but not shown on the overlay.',
          querystring: ImportQuery,
          body: { content: { 'application/json': { schema: NewCaption }, ...VttUpload } },
          response: { 201: CreatedCaptions },
        },
      },
      async (request, reply) => {
        const body = request.body as unknown as Buffer | NewCaption | undefined
        if (body === undefined || body === null) throw invalid('The body is empty.')
        reply.header('location', '/api/stream/captions')
        const userId = request.user
        if (Buffer.isBuffer(body))
          return (await importFile.store(
            userId,
            parsed.get(request) as ParsedCaptions,
            request.query,
          )) as never
        const { streamId, language, replace } = request.query
        if (replace) throw invalidField('replace', 'is only allowed with a file')
        const made = await captions.add(userId, {
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
  }

const collectionRoutes =
  (deps: CaptionRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { captions, files } = deps

    app.get(
      '/captions',
      {
        config: { ...read('stream'), mayAnswer: [404] },
        schema: {
          operationId: 'listCaptions',
          summary: 'List captions of a stream',
          querystring: CaptionQuery,
          response: { 200: CaptionList },
        },
      },
      ({ user, query }) => captions.list(user, query),
    )

    await app.register(additionRoute(deps))

    app.delete(
      '/captions',
      {
        config: { ...write('stream'), mayAnswer: [404] },
        schema: {
          operationId: 'deleteCaptions',
          summary: 'Delete the captions of a stream',
          description: 'Deletes all captions that match the query, as in the list.',
          querystring: CaptionClearing,
          response: { 204: Type.Null() },
        },
      },
      ({ user, query }) => captions.clear(user, query),
    )

    app.get(
      '/captions.vtt',
      {
        config: { ...read('stream'), mayAnswer: [404] },
        schema: {
          operationId: 'getWebvtt',
          summary: 'Download captions as WebVTT',
          querystring: FileQuery,
          response: { 200: { description: 'WebVTT', content: VttFile } },
        },
      },
      async ({ user, query }, reply) => sendFile(reply, VTT_TYPE, await files.vtt(user, query)),
    )

    app.get(
      '/captions.srt',
      {
        config: { ...read('stream'), mayAnswer: [404] },
        schema: {
          operationId: 'getSubrip',
          summary: 'Download captions as SubRip',
          querystring: FileQuery,
          response: { 200: { description: 'SubRip', content: SrtFile } },
        },
      },
      async ({ user, query }, reply) => sendFile(reply, SRT_TYPE, await files.srt(user, query)),
    )
  }

const singleRoutes =
  ({ captions }: CaptionRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/captions/:id',
      {
        config: read('stream'),
        schema: {
          operationId: 'getCaption',
          summary: 'Get a caption',
          params: CaptionPath,
          response: { 200: Caption },
        },
      },
      ({ user, params }) => captions.get(user, params.id),
    )

    app.patch(
      '/captions/:id',
      {
        config: write('stream'),
        schema: {
          operationId: 'updateCaption',
          summary: 'Update a caption',
          description: 'The overlay shows the change at once.',
          params: CaptionPath,
          body: CaptionChange,
          response: { 200: Caption },
        },
      },
      ({ user, params, body, ifMatch }) => captions.correct(user, params.id, body, ifMatch),
    )

    app.delete(
      '/captions/:id',
      {
        config: write('stream'),
        schema: {
          operationId: 'deleteCaption',
          summary: 'Delete a caption',
          params: CaptionPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) => captions.remove(user, params.id, ifMatch),
    )
  }

export const captionRoutes =
  (deps: CaptionRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(collectionRoutes(deps))
    await app.register(singleRoutes(deps))
  }
