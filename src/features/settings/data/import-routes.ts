import { PassThrough, type Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../../platform/access/visit.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { takesEvents } from '../../../platform/http/accept.ts'
import { Instant } from '../../../platform/http/shapes.ts'
import type { Logger } from '../../../platform/log.ts'
import type { CheckedImport, Import } from './import.ts'

const ZIP = 'application/zip'

const ImportedReport = Type.Object(
  {
    madeBy: Type.String({ examples: ['1.0.0'], description: 'The version that made the export' }),
    madeAt: Instant,
    rows: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      examples: [{ 'tasks/tasks.jsonl': 12 }],
      description: 'How many things came from each file',
    }),
  },
  { title: 'ImportedData' },
)

const messageOf = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Goes on to its end also when nobody listens any more: a line that is cut must not undo what is nearly done. */
const told = (checked: CheckedImport, log: Logger): Readable => {
  const stream = new PassThrough()
  stream.on('error', () => {})
  const tell = (event: string, data: unknown): void => {
    if (!stream.destroyed) stream.write(messageOf(event, data))
  }
  checked
    .write((progress) => tell('progress', progress))
    .then(
      (report) => tell('done', report),
      (error: unknown) => {
        const isKnown = error instanceof AppError
        if (!isKnown) log.error({ err: error }, 'import failed')
        const detail = isKnown ? error.message : 'Something unexpected went wrong. Nothing was changed.'
        tell('failed', { code: isKnown ? error.code : 'internal', detail })
      },
    )
    .finally(() => stream.end())
  return stream
}

export const importRoutes =
  ({ importing, log }: { importing: Import; log: Logger }): FastifyPluginAsyncTypebox =>
  async (app) => {
    // Zips are taken here and nowhere else. They are not read into memory: the handler gets what comes, as it comes.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(ZIP, (_request, payload, done) => done(null, payload))
    app.post(
      '/import',
      {
        config: { access: 'session', ownerOnly: true, mayAnswer: [409] },
        schema: {
          operationId: 'importEverything',
          summary: 'Bring an export in',
          description:
            'The zip that `POST /api/settings/export` gave, into an instance that has nothing yet: all of it, or nothing. Ids stay as they were. What an export has no secret for comes back turned off (mail accounts, webhooks) or must be renewed (tokens). With `Accept: text/event-stream` the answer tells how far it has come once the file is found to be in order: `progress` events, then `done` with the report, or `failed`.',
          tags: ['Settings'],
          body: { content: { [ZIP]: { schema: { type: 'string', format: 'binary' } } } },
          response: { 200: ImportedReport },
        },
        validatorCompiler: () => () => true,
      },
      async (request, reply) => {
        if (Number(request.headers['content-length'] ?? 0) > importing.mostBytes)
          throw new AppError('too_large', 'too_large', `The file is larger than ${importing.mostBytes} bytes.`)
        // What is announced as no body at all has no parser to go through.
        const body = request.body as unknown as AsyncIterable<Buffer> | undefined | null
        if (!body) throw invalid('The body is empty: send the zip of an export.')
        const checked = await importing.check(body, sessionOf(request).userId, visitOf(request))
        if (!takesEvents(request.headers)) return checked.write(() => {})
        return reply
          .type('text/event-stream')
          .header('cache-control', 'no-store')
          .send(told(checked, log) as never)
      },
    )
  }
