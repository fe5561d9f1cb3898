import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { invalid } from '../../platform/errors.ts'
import { jsonText, resourceText } from '../../platform/http/json-text.ts'
import { Page } from '../../platform/http/shapes.ts'
import type { Attachments } from './attachments.ts'
import type { Content } from './content.ts'
import type { Emails } from './emails.ts'
import type { StagedMessage } from './filing.ts'
import type { Finding } from './finding.ts'
import {
  Attachment,
  AttachmentPath,
  Email,
  EmailChange,
  EmailList,
  EmailPath,
  EmailQuery,
  EmailThread,
  LARGEST_MESSAGE,
  NewEmail,
  UploadQuery,
} from './schema.ts'

const tags = ['Emails']
const reading = { access: 'switched', scope: 'mail:read' } as const
const writing = { access: 'switched', scope: 'mail:write' } as const
const making = { ...writing, idempotency: 'kept' } as const

const binary = (type: string) => ({ [type]: { schema: { type: 'string', format: 'binary' } } })

/** Bytes from strangers: never a page, whatever they say they are. */
const downloadHeaders = (filename: string) => ({
  'content-disposition': `attachment; filename="${filename.replace(/[^\w .()-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(
    filename,
  ).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`,
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
})

export const emailRoutes =
  (deps: { emails: Emails; finding: Finding; attachments: Attachments }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { emails, finding, attachments } = deps

    app.get(
      '/emails',
      {
        config: reading,
        schema: {
          operationId: 'listEmails',
          summary: 'E-mails, the newest first',
          description: 'Without their bodies; a search (`q`) shows where the words were found.',
          tags,
          querystring: EmailQuery,
          response: { 200: EmailList },
        },
      },
      async (request) => jsonText<EmailList>(await finding.list(request.query)),
    )

    // A message is taken here as it came; nowhere else, so its parser lives in a scope of its own.
    await app.register(async (messages) => {
      messages.addContentTypeParser(
        'message/rfc822',
        { parseAs: 'buffer', bodyLimit: LARGEST_MESSAGE },
        (_request, body, done) => done(null, body),
      )
      // With an Idempotency-Key the handler is in a transaction, and others should not wait while a message is read.
      const read = new WeakMap<object, StagedMessage>()
      const prepared = new WeakMap<object, Content>()
      messages.post(
        '/emails',
        {
          config: making,
          preHandler: async ({ raw, body }) => {
            if (!Buffer.isBuffer(body)) prepared.set(raw, await emails.prepare(body as NewEmail))
            else if (body.length > 0) read.set(raw, await emails.stage(body))
          },
          // It is still there when the answer was known already.
          onResponse: async ({ raw }) => read.get(raw)?.discard(),
          schema: {
            operationId: 'createEmail',
            summary: 'Store an e-mail',
            description:
              'As fields, or a raw message (RFC 5322, 25 MiB at most) as `message/rfc822`. A message that can hardly be read is stored all the same.',
            tags,
            body: { content: { 'application/json': { schema: NewEmail }, ...binary('message/rfc822') } },
            response: { 201: Email },
          },
        },
        async (request, reply) => {
          const message = read.get(request.raw)
          read.delete(request.raw)
          const body = request.body as unknown as Buffer | NewEmail | undefined
          if (!message && (body === undefined || Buffer.isBuffer(body))) throw invalid('The body is empty.')
          const email = message
            ? await emails.importStaged(message)
            : await emails.add(body as NewEmail, prepared.get(request.raw))
          reply.code(201).header('location', `/api/emails/${email.id}`)
          return resourceText<Email>(email.text, email)
        },
      )
    })

    app.get(
      '/emails/:id',
      {
        config: reading,
        schema: {
          operationId: 'getEmail',
          summary: 'One e-mail',
          tags,
          params: EmailPath,
          response: { 200: Email },
        },
      },
      async (request) => {
        const email = await emails.show(request.params.id)
        return resourceText<Email>(email.text, email)
      },
    )

    app.patch(
      '/emails/:id',
      {
        config: writing,
        schema: {
          operationId: 'updateEmail',
          summary: 'Tag, mark or move an e-mail; edit a draft',
          tags,
          params: EmailPath,
          body: EmailChange,
          response: { 200: Email },
        },
      },
      async (request) => {
        const email = await emails.change(request.params.id, request.body, request.headers['if-match'])
        return resourceText<Email>(email.text, email)
      },
    )

    app.delete(
      '/emails/:id',
      {
        config: writing,
        schema: {
          operationId: 'deleteEmail',
          summary: 'Delete an e-mail',
          description:
            'It is gone from here, with its attachments and from the search. The copy on its server, if there is one, is moved to Trash.',
          tags,
          params: EmailPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await emails.delete(request.params.id, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )

    app.get(
      '/emails/:id/thread',
      {
        config: reading,
        schema: {
          operationId: 'getEmailThread',
          summary: 'The conversation an e-mail is part of, from its beginning',
          tags,
          params: EmailPath,
          querystring: Page,
          response: { 200: EmailThread },
        },
      },
      async (request) => jsonText<EmailThread>(await emails.thread(request.params.id, request.query)),
    )

    app.get(
      '/emails/:id/raw',
      {
        config: { ...reading, mayAnswer: [304] },
        schema: {
          operationId: 'getRawEmail',
          summary: 'The message as it came',
          description: 'Byte by byte. An e-mail that was stored as fields has none.',
          tags,
          params: EmailPath,
          response: { 200: { description: 'The message', content: binary('message/rfc822') } },
        },
      },
      async (request, reply) => {
        const { content, hash } = await emails.openRaw(request.params.id)
        return reply
          .type('message/rfc822')
          .headers(downloadHeaders(`email-${request.params.id}.eml`))
          .header('etag', `"${hash}"`)
          .send(content as never)
      },
    )

    app.get(
      '/emails/:id/attachments/:attachmentId',
      {
        config: { ...reading, mayAnswer: [304] },
        schema: {
          operationId: 'getAttachment',
          summary: 'The bytes of an attachment',
          description: 'To be saved: what a browser would show as a page is handed over as plain bytes.',
          tags,
          params: AttachmentPath,
          response: { 200: { description: 'The file', content: binary('*/*') } },
        },
      },
      async (request, reply) => {
        const { id, attachmentId } = request.params
        const { content, filename, contentType, size, hash } = await emails.openAttachment(id, attachmentId)
        return reply
          .type(contentType)
          .headers(downloadHeaders(filename))
          .header('content-length', size)
          .header('etag', `"${hash}"`)
          .send(content as never)
      },
    )

    app.get(
      '/attachments/:id',
      {
        config: reading,
        schema: {
          operationId: 'getUpload',
          summary: 'A file that was uploaded and is not yet part of an e-mail',
          tags,
          params: Type.Object(
            { id: Type.String({ minLength: 1, maxLength: 100, examples: ['q3vYw1y0T2uJf0b2nq8XVA'] }) },
            { additionalProperties: false },
          ),
          response: { 200: Attachment },
        },
      },
      (request) => attachments.getUpload(request.params.id),
    )

    // Files are taken as they are, whatever their type.
    await app.register(async (files) => {
      files.removeAllContentTypeParsers()
      files.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: LARGEST_MESSAGE },
        (_request, body, done) => done(null, body),
      )
      files.post(
        '/attachments',
        {
          config: making,
          schema: {
            operationId: 'uploadAttachment',
            summary: 'Upload a file to attach',
            description:
              'The body is the file, its type the Content-Type; 25 MiB at most. An upload that goes with no e-mail is removed after a day.',
            tags,
            querystring: UploadQuery,
            body: { content: binary('*/*') },
            response: { 201: Attachment },
          },
        },
        async (request, reply) => {
          const content = request.body as unknown
          if (!Buffer.isBuffer(content)) throw invalid('The body is empty: send the file.')
          const [contentType = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';', 1)
          const made = await attachments.upload({
            filename: (request.query as { filename: string }).filename,
            contentType: contentType.trim(),
            content,
          })
          reply.code(201).header('location', `/api/attachments/${made.id}`)
          return made
        },
      )
    })
  }
