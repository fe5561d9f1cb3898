import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf } from '../../platform/access/caller.ts'
import { session } from '../../platform/access/route-access.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import { Page } from '../../platform/http/shapes.ts'
import { compileExceptBody } from '../../platform/http/validation.ts'
import type { FileImports } from './imports.ts'
import type { ProblemRow } from './repository.ts'
import {
  FileImport,
  ImportCollection,
  ImportOptions,
  ImportPath,
  ProblemCollection,
  ProblemsQuery,
  UploadQuery,
} from './schema.ts'

const action = { ...session, mayAnswer: [409] } as const
const FILE = 'application/octet-stream'

export const uploadRoutes =
  (imports: FileImports): FastifyPluginAsyncTypebox =>
  async (app) => {
    // The handler gets the stream, because a mailbox may not fit into memory.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(FILE, (_request, payload, done) => done(null, payload))
    app.post(
      '/',
      {
        config: session,
        schema: {
          operationId: 'createImport',
          summary: 'Upload a file to import',
          description:
            'Accepts mbox, Maildir (as zip or tar), Google Takeout (zip or tgz), iCalendar, vCard, CSV files of Outlook, Google Contacts, Todoist and TickTick, and exports of Vikunja. The dry run starts at once: poll `GET /api/imports/{id}`, or listen to `import.updated`, until the state is `ready`. Nothing is imported before `POST /api/imports/{id}/start`. `IMPORT_LIMIT_MB` limits the size.',
          querystring: UploadQuery,
          body: { content: { [FILE]: { schema: { type: 'string', format: 'binary' } } } },
          response: { 201: FileImport },
        },
        validatorCompiler: compileExceptBody,
      },
      async (request, reply) => {
        if (Number(request.headers['content-length'] ?? 0) > imports.maxBytes)
          throw new AppError(
            'too_large',
            'too_large',
            `The file is larger than ${Math.floor(imports.maxBytes / 1024 / 1024)} MiB. IMPORT_LIMIT_MB sets this limit.`,
          )
        // Fastify runs no parser for a request without a body.
        const body = request.body as unknown as AsyncIterable<Buffer> | undefined | null
        if (!body) throw invalid('The body is empty. Send the file.')
        const created = await imports.upload(sessionOf(request).userId, request.query, body)
        reply.code(201).header('location', `/api/imports/${created.id}`)
        return created
      },
    )
  }

const escapeCell = (value: string | number | null): string => {
  const text = String(value ?? '')
  // A spreadsheet would run a formula that begins with one of these characters.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const COLUMNS = ['severity', 'file', 'line', 'field', 'value', 'reason'] as const

async function* toCsv(problems: AsyncIterable<ProblemRow>): AsyncGenerator<string> {
  yield `\uFEFF${COLUMNS.join(',')}\r\n`
  for await (const problem of problems)
    yield `${COLUMNS.map((column) => escapeCell(problem[column])).join(',')}\r\n`
}

export const importRoutes =
  (imports: FileImports): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: session,
        schema: {
          operationId: 'listImports',
          summary: 'List imports',
          description: 'Imports of files from other programs, newest first.',
          querystring: Page,
          response: { 200: ImportCollection },
        },
      },
      (request) => imports.list(sessionOf(request).userId, request.query),
    )

    app.get(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'getImport',
          summary: 'Get an import',
          description: 'Its state, the result of the dry run, the progress and the counts.',
          params: ImportPath,
          response: { 200: FileImport },
        },
      },
      (request) => imports.get(sessionOf(request).userId, request.params.id),
    )

    app.get(
      '/:id/problems',
      {
        config: session,
        schema: {
          operationId: 'listImportProblems',
          summary: 'List what did not fit',
          description:
            'Columns, values and records that were not imported, or not as they are, with their place in the file. At most 5000 are stored; `problemCount` counts all.',
          params: ImportPath,
          querystring: ProblemsQuery,
          response: { 200: ProblemCollection },
        },
      },
      (request) => imports.listProblems(sessionOf(request).userId, request.params.id, request.query),
    )

    app.get(
      '/:id/problems.csv',
      {
        config: session,
        schema: {
          operationId: 'downloadImportProblems',
          summary: 'Download what did not fit as CSV',
          params: ImportPath,
          response: {
            200: {
              description: 'The problems as a table',
              content: { 'text/csv': { schema: { type: 'string' } } },
            },
          },
        },
      },
      async (request, reply) => {
        const { userId } = sessionOf(request)
        await imports.get(userId, request.params.id)
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="import-problems.csv"')
          .send(Readable.from(toCsv(imports.eachProblem(userId, request.params.id))) as never)
      },
    )

    app.post(
      '/:id/start',
      {
        config: action,
        schema: {
          operationId: 'startImport',
          summary: 'Start an import',
          description:
            'Requires the state `ready`, or `failed` after a start: the import then continues. One import of an account runs at a time. Imported mail triggers no notifications, rules or webhooks. Records that exist already are counted as duplicates.',
          params: ImportPath,
          body: ImportOptions,
          response: { 200: FileImport },
        },
      },
      (request) =>
        imports.start(
          sessionOf(request).userId,
          request.params.id,
          request.body,
          request.headers['if-match'],
        ),
    )

    app.post(
      '/:id/cancel',
      {
        config: action,
        schema: {
          operationId: 'cancelImport',
          summary: 'Cancel an import',
          description:
            'Stops the import and deletes the uploaded file. What was imported stays and can be undone.',
          params: ImportPath,
          response: { 200: FileImport },
        },
      },
      (request) => imports.cancel(sessionOf(request).userId, request.params.id, request.headers['if-match']),
    )

    app.post(
      '/:id/undo',
      {
        config: action,
        schema: {
          operationId: 'undoImport',
          summary: 'Undo an import',
          description:
            'Removes what this import created, and restores what it changed. Items that were changed since stay; `counts.undo.kept` counts them. Reading an email does not count as a change.',
          params: ImportPath,
          response: { 200: FileImport },
        },
      },
      (request) => imports.undo(sessionOf(request).userId, request.params.id, request.headers['if-match']),
    )

    app.delete(
      '/:id',
      {
        config: action,
        schema: {
          operationId: 'deleteImport',
          summary: 'Delete the record of an import',
          description: 'Deletes the report. What was imported stays, and can no longer be undone.',
          params: ImportPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await imports.remove(sessionOf(request).userId, request.params.id, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }
