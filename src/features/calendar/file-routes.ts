import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { invalid } from '../../platform/errors.ts'
import { takesEvents } from '../../platform/http/accept.ts'
import type { Export } from './exports/export.ts'
import { CALENDAR_TYPE, CalendarFile, FeedQuery, ImportReport } from './file-schema.ts'
import type { Import, OpenedFile, ImportReport as Report } from './imports/import.ts'

const tags = ['Calendar']
const LARGEST_FILE = 25 * 1024 * 1024

/** An Idempotency-Key asks for an answer that can be kept, and a stream is none. */
const wantsProgress = ({ headers }: FastifyRequest): boolean =>
  takesEvents(headers) && headers['idempotency-key'] === undefined

const tell = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

async function* progressOf(first: Report, rest: AsyncGenerator<Report>): AsyncGenerator<string> {
  let last = first
  try {
    for await (const report of rest) {
      const { skipped: _, warnings: __, ...counts } = last
      yield tell('progress', counts)
      last = report
    }
    yield tell('done', last)
  } catch {
    const { skipped: _, warnings: __, ...counts } = last
    yield tell('failed', {
      ...counts,
      detail: 'The rest was not imported. Send the file again: nothing is doubled.',
    })
  }
}

export const calendarFileRoutes =
  (deps: {
    importing: Import
    exporting: Export
    timezone: () => Promise<string>
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { importing, exporting } = deps

    const send = async (reply: FastifyReply, disposition: string): Promise<never> => {
      const timezone = await deps.timezone()
      reply
        .type(`${CALENDAR_TYPE}; charset=utf-8`)
        .header('content-disposition', `${disposition}; filename="factotum.ics"`)
        .header('cache-control', 'private, no-cache')
        .header('etag', await exporting.tag(timezone))
      return reply.send(Readable.from(exporting.write(timezone))) as never
    }

    app.get(
      '/export.ics',
      {
        config: { access: 'switched', scope: 'calendar:read', mayAnswer: [304] },
        schema: {
          operationId: 'exportCalendar',
          summary: 'The whole calendar as a file',
          tags,
          querystring: Type.Object({}, { additionalProperties: false }),
          response: { 200: { description: 'iCalendar', content: CalendarFile } },
        },
      },
      (_request, reply) => send(reply, 'attachment'),
    )

    app.get(
      '/feed.ics',
      {
        config: { access: 'feed', purpose: 'calendar', scope: 'calendar:read', mayAnswer: [304] },
        schema: {
          operationId: 'subscribeToCalendar',
          summary: 'The whole calendar, to subscribe to',
          description: 'With a feed token from the settings, in any calendar program.',
          tags,
          querystring: FeedQuery,
          response: { 200: { description: 'iCalendar', content: CalendarFile } },
        },
      },
      (_request, reply) => send(reply, 'inline'),
    )

    // Calendar files are taken here and nowhere else, so their parser lives in a scope of its own.
    await app.register(async (files) => {
      const opened = new WeakMap<object, OpenedFile>()
      files.removeAllContentTypeParsers()
      files.addContentTypeParser(
        CALENDAR_TYPE,
        { parseAs: 'buffer', bodyLimit: LARGEST_FILE },
        (_request, body, done) => done(null, body),
      )
      files.post(
        '/import',
        {
          config: {
            access: 'switched',
            scope: 'calendar:write',
            idempotency: 'kept',
            async prepare(request) {
              const body = request.body as unknown
              if (!Buffer.isBuffer(body) || body.length === 0)
                throw invalid('The body is empty: send an .ics file.')
              opened.set(request, await importing.open(body))
            },
          },
          bodyLimit: LARGEST_FILE,
          schema: {
            operationId: 'importCalendar',
            summary: 'Read a calendar file',
            description:
              'What is here already is told by its UID, and changed when the file has a later revision of it. With `Accept: text/event-stream` the answer tells how far it has come: `progress` events, then `done` with the report.',
            tags,
            body: { content: CalendarFile },
            response: { 200: ImportReport },
          },
          validatorCompiler: () => () => true,
        },
        async (request, reply) => {
          const reports = importing.read(opened.get(request) as OpenedFile)
          // A fault of the first step shows while an error can still be answered.
          const first = (await reports.next()).value as Report
          if (wantsProgress(request))
            return reply
              .type('text/event-stream')
              .header('cache-control', 'no-store')
              .send(Readable.from(progressOf(first, reports)) as never)
          let last = first
          for await (const report of reports) last = report
          return last
        },
      )
    })
  }
