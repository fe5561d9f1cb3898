import { PassThrough, type Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../../platform/access/caller.ts'
import { session } from '../../../platform/access/route-access.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { takesEvents } from '../../../platform/http/responses.ts'
import { Instant } from '../../../platform/http/shapes.ts'
import { compileExceptBody } from '../../../platform/http/validation.ts'
import type { Logger } from '../../../platform/log.ts'
import type { Activity } from '../../auth/activity.ts'
import { Password } from '../../auth/schema.ts'
import { PasswordProof } from '../schema.ts'
import type { Security } from '../security/security.ts'
import type { Deletion } from './deletion.ts'
import type { Export } from './export.ts'
import type { CheckedImport, Import } from './import.ts'

const AccountDeletion = Type.Object(
  {
    password: Password,
    wipe: Type.Optional(
      Type.Boolean({
        examples: [true],
        description: 'Required for the owner: deletes everything in the instance',
      }),
    ),
  },
  { additionalProperties: false, title: 'AccountDeletion' },
)

export const exportRoutes =
  (deps: { security: Security; activity: Activity; exportAll: Export }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { security, activity, exportAll } = deps
    app.post(
      '/export',
      {
        config: { ...session, mayAnswer: [429] },
        schema: {
          operationId: 'exportData',
          summary: 'Export all data as a zip',
          description:
            'Contains all rows as JSON lines, emails as messages, attachments, and the calendar as an iCalendar file. `SHA256SUMS` has the checksum of every file; `manifest.json` has the version and row counts. Contains no secrets. Import it with `POST /api/settings/import`.',
          body: PasswordProof,
          response: {
            200: {
              description: 'The zip',
              content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
            },
          },
        },
      },
      async (request, reply) => {
        const { userId } = sessionOf(request)
        await security.withPassword(userId, request.body.password, (tx) =>
          activity.record(tx, userId, visitOf(request), 'data.exported'),
        )
        return reply
          .type('application/zip')
          .header('content-disposition', 'attachment; filename="factotum-export.zip"')
          .send(exportAll(userId) as never)
      },
    )
  }

export const deletionRoutes =
  ({ security, deletion }: { security: Security; deletion: Deletion }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.delete(
      '/account',
      {
        config: { ...session, mayAnswer: [409, 429] },
        schema: {
          operationId: 'deleteOwnAccount',
          summary: 'Delete your account',
          description:
            "Deletes the account with all its data. Deleting the owner's account deletes everything in the instance and requires `wipe: true`; it is refused while other accounts exist.",
          body: AccountDeletion,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { password, wipe = false } = request.body
        await security.withPassword(sessionOf(request).userId, password, (tx, user) =>
          deletion.remove(tx, user, wipe),
        )
        await deletion.settle()
        reply.code(204)
        return null
      },
    )
  }

const ZIP = 'application/zip'

const ImportedReport = Type.Object(
  {
    madeBy: Type.String({
      examples: ['1.0.0'],
      description: 'The version of Factotum that created the export',
    }),
    madeAt: Instant,
    rows: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      examples: [{ 'tasks/tasks.jsonl': 12 }],
      description: 'The number of rows imported from each file',
    }),
  },
  { title: 'ImportedData' },
)

const formatEvent = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/**
 * Streams the progress as server-sent events. The import continues if the client disconnects, so that a
 * broken connection does not undo it.
 */
const streamProgress = (checked: CheckedImport, log: Logger): Readable => {
  const stream = new PassThrough()
  stream.on('error', () => {})
  const sendEvent = (event: string, data: unknown): void => {
    if (!stream.destroyed) stream.write(formatEvent(event, data))
  }
  checked
    .write((progress) => sendEvent('progress', progress))
    .then(
      (report) => sendEvent('done', report),
      (error: unknown) => {
        const isKnown = error instanceof AppError
        if (!isKnown) log.error({ err: error }, 'import failed')
        const detail = isKnown
          ? error.message
          : 'The import failed because of an internal error. Nothing was changed.'
        sendEvent('failed', { code: isKnown ? error.code : 'internal', detail })
      },
    )
    .finally(() => stream.end())
  return stream
}

export const importRoutes =
  ({ importing, log }: { importing: Import; log: Logger }): FastifyPluginAsyncTypebox =>
  async (app) => {
    // Only this route accepts zips. The handler gets the stream, because a zip may not fit into memory.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(ZIP, (_request, payload, done) => done(null, payload))
    app.post(
      '/import',
      {
        config: { ...session, mayAnswer: [409] },
        schema: {
          operationId: 'importData',
          summary: 'Import an export',
          description:
            'Imports a zip from `POST /api/settings/export` into your account, completely or not at all. The account must have no data yet. In an empty instance, the ids of the export are preserved; otherwise the rows get new ids. An export contains no secrets, so mail accounts and webhooks are imported as disabled and tokens must be rotated. With `Accept: text/event-stream`, the response reports the progress after the file has been validated: `progress` events, then `done` with the report, or `failed`.',
          body: { content: { [ZIP]: { schema: { type: 'string', format: 'binary' } } } },
          response: { 200: ImportedReport },
        },
        validatorCompiler: compileExceptBody,
      },
      async (request, reply) => {
        if (Number(request.headers['content-length'] ?? 0) > importing.mostBytes)
          throw new AppError(
            'too_large',
            'too_large',
            `The file is larger than ${importing.mostBytes} bytes.`,
          )
        // Fastify runs no parser for a request without a body.
        const body = request.body as unknown as AsyncIterable<Buffer> | undefined | null
        if (!body) throw invalid('The body is empty. Send the zip of an export.')
        const checked = await importing.check(body, sessionOf(request), visitOf(request))
        if (!takesEvents(request.headers)) return checked.write(() => {})
        return reply
          .type('text/event-stream')
          .header('cache-control', 'no-store')
          .send(streamProgress(checked, log) as never)
      },
    )
  }
