import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import Type from 'typebox'
import { type Caller, hasScope } from '../../../platform/access/caller.ts'
import { draft, read, write } from '../../../platform/access/route-access.ts'
import { forbidden, invalid } from '../../../platform/errors.ts'
import { Page } from '../../../platform/http/shapes.ts'
import type { Outbox, SendEmailInput, Unsent } from '../outbox/outbox.ts'
import type { Attachments } from './attachments.ts'
import { Attachment, type Content, Email } from './email.ts'
import type { Finding } from './email-queries.ts'
import type { StagedMessage } from './email-writer.ts'
import type { Emails } from './emails.ts'
import type { Invitations } from './invitations.ts'
import { AttachmentPreview, type Previews } from './previews.ts'
import {
  AttachmentPath,
  EmailChange,
  EmailCounts,
  EmailList,
  EmailPath,
  EmailQuery,
  EmailThread,
  LONG_PARAMETERS,
  MAX_MESSAGE_BYTES,
  NewEmail,
  type PendingSend,
  PlaceQuery,
  ResendBody,
  SendBody,
  SendResponse,
  UploadQuery,
} from './schema.ts'

/** Untrusted content must never render as a page of this origin. */
const downloadHeaders = (filename: string) => ({
  'content-disposition': `attachment; filename="${filename.replace(/[^\w .()-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(
    filename,
  ).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`,
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
})

const binary = (type: string) => ({ [type]: { schema: { type: 'string', format: 'binary' } } })

const creating = { ...draft, idempotency: 'kept' } as const

const requireDraft = (folder: string | undefined): void => {
  if (folder !== 'drafts')
    throw forbidden(
      'The scope mail:draft allows only drafts. Set `folder` to `drafts`, or use a token with mail:write.',
      'insufficient_scope',
    )
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]

interface EmailRouteDeps {
  emails: Emails
  finding: Finding
  attachments: Attachments
  invitations: Invitations
}

const addCreateRoute = async (app: App, { emails, invitations }: EmailRouteDeps): Promise<void> => {
  // Only this route accepts raw messages, so their parser is registered in a separate scope.
  await app.register(async (messages) => {
    messages.addContentTypeParser(
      'message/rfc822',
      { parseAs: 'buffer', bodyLimit: MAX_MESSAGE_BYTES },
      (_request, body, done) => done(null, body),
    )
    // With an Idempotency-Key, the handler runs in a transaction. Parse the message before, so that it does
    // not block other writers.
    const staged = new WeakMap<object, StagedMessage>()
    const prepared = new WeakMap<object, Content>()
    messages.post(
      '/emails',
      {
        config: creating,
        preHandler: async ({ raw, body, caller }) => {
          if (!hasScope(caller, 'mail:write'))
            requireDraft(Buffer.isBuffer(body) ? undefined : (body as NewEmail | undefined)?.folder)
          if (!Buffer.isBuffer(body)) prepared.set(raw, await emails.prepare(body as NewEmail))
          else if (body.length > 0) staged.set(raw, await emails.stage(body))
        },
        // The staged message still exists if the response came from the idempotency store.
        onResponse: async ({ raw }) => staged.get(raw)?.discard(),
        schema: {
          operationId: 'createEmail',
          summary: 'Create an email',
          description:
            'Send fields as JSON, or a raw message (RFC 5322, up to 25 MiB) as `message/rfc822`. Malformed messages are stored, too. A message that cannot be read at all is rejected with `unreadable_message`. A token with `mail:draft` can only create drafts: send fields with `folder` set to `drafts`.',
          body: { content: { 'application/json': { schema: NewEmail }, ...binary('message/rfc822') } },
          response: { 201: Email },
        },
      },
      async (request) => {
        const message = staged.get(request.raw)
        staged.delete(request.raw)
        const body = request.body as unknown as Buffer | NewEmail | undefined
        if (!message && (body === undefined || Buffer.isBuffer(body))) throw invalid('The body is empty.')
        const email = message
          ? await emails.importStaged(request.user, message)
          : await emails.add(request.user, body as NewEmail, prepared.get(request.raw))
        return invitations.addTo(request.user, email)
      },
    )
  })
}

const addEmailRoutes = (app: App, { emails, finding, invitations }: EmailRouteDeps): void => {
  app.get(
    '/emails',
    {
      config: { ...read('mail'), longReads: LONG_PARAMETERS },
      schema: {
        operationId: 'listEmails',
        summary: 'List emails, newest first',
        description:
          'The emails have no bodies. With `q`, `highlights` contains the positions of the matches.',
        querystring: EmailQuery,
        response: { 200: EmailList },
      },
    },
    async ({ query, user }) => invitations.addToList(user, await finding.list(user, query)),
  )

  app.get(
    '/emails/counts',
    {
      config: read('mail'),
      schema: {
        operationId: 'countEmails',
        summary: 'Count unread emails, drafts and snoozed conversations',
        response: { 200: EmailCounts },
      },
    },
    (request) => finding.count(request.user),
  )

  app.get(
    '/emails/:id',
    {
      config: read('mail'),
      schema: {
        operationId: 'getEmail',
        summary: 'Get an email',
        params: EmailPath,
        response: { 200: Email },
      },
    },
    async ({ params, user }) => invitations.addTo(user, await emails.get(user, params.id)),
  )

  app.patch(
    '/emails/:id',
    {
      config: draft,
      schema: {
        operationId: 'updateEmail',
        summary: 'Update an email',
        description:
          'Changes tags, flags and folder of any email, and all fields of a draft. If the email is in several folders, a move concerns the one in `folderId` of the query, or the one shown. A token with `mail:draft` can only edit drafts that are not queued for sending, and cannot move emails.',
        params: EmailPath,
        querystring: PlaceQuery,
        body: EmailChange,
        response: { 200: Email },
      },
    },
    async ({ params, query, body, ifMatch, caller, user }) => {
      const input = await emails.readTimes(user, body)
      const draftsOnly = !hasScope(caller, 'mail:write')
      const changed = await emails.change(user, params.id, input, ifMatch, { draftsOnly, ...query })
      return invitations.addTo(user, changed)
    },
  )

  app.delete(
    '/emails/:id',
    {
      config: write('mail'),
      schema: {
        operationId: 'deleteEmail',
        summary: 'Delete an email',
        description:
          'Deletes the email, its attachments and its search entry. Its copies in all folders of the mail server move to the trash there.',
        params: EmailPath,
        response: { 204: Type.Null() },
      },
    },
    ({ user, params, ifMatch }) => emails.delete(user, params.id, ifMatch),
  )

  app.get(
    '/emails/:id/thread',
    {
      config: read('mail'),
      schema: {
        operationId: 'getEmailThread',
        summary: 'List the emails of a thread, oldest first',
        params: EmailPath,
        querystring: Page,
        response: { 200: EmailThread },
      },
    },
    async ({ params, query, user }) =>
      invitations.addToList(user, await emails.thread(user, params.id, query)),
  )
}

const addDownloadRoutes = (app: App, { emails }: EmailRouteDeps): void => {
  app.get(
    '/emails/:id/raw',
    {
      config: { ...read('mail'), mayAnswer: [304] },
      schema: {
        operationId: 'getRawEmail',
        summary: 'Download the raw message',
        description: 'Returns the original bytes. Emails that were created from fields have no raw message.',
        params: EmailPath,
        response: { 200: { description: 'The raw message', content: binary('message/rfc822') } },
      },
    },
    async (request, reply) => {
      const { content, hash } = await emails.openRaw(request.user, request.params.id)
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
      config: { ...read('mail'), mayAnswer: [304] },
      schema: {
        operationId: 'getAttachment',
        summary: 'Download an attachment',
        description:
          'Served as a download. Types that a browser would render as a page are served as `application/octet-stream`.',
        params: AttachmentPath,
        response: { 200: { description: 'The file', content: binary('*/*') } },
      },
    },
    async (request, reply) => {
      const { id, attachmentId } = request.params
      const file = await emails.openAttachment(request.user, id, attachmentId)
      return reply
        .type(file.contentType)
        .headers(downloadHeaders(file.filename))
        .header('content-length', file.size)
        .header('etag', `"${file.hash}"`)
        .send(file.content as never)
    },
  )
}

const addUploadRoutes = async (app: App, { attachments }: EmailRouteDeps): Promise<void> => {
  app.get(
    '/attachments/:id',
    {
      config: read('mail'),
      schema: {
        operationId: 'getUpload',
        summary: 'Get an upload that is not attached to an email yet',
        params: Type.Object(
          { id: Type.String({ minLength: 1, maxLength: 100, examples: ['q3vYw1y0T2uJf0b2nq8XVA'] }) },
          { additionalProperties: false },
        ),
        response: { 200: Attachment },
      },
    },
    (request) => attachments.getUpload(request.user, request.params.id),
  )

  // Accept files of any content type as they are.
  await app.register(async (files) => {
    files.removeAllContentTypeParsers()
    files.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_MESSAGE_BYTES },
      (_request, body, done) => done(null, body),
    )
    files.post(
      '/attachments',
      {
        config: creating,
        schema: {
          operationId: 'uploadAttachment',
          summary: 'Upload an attachment',
          description:
            'The request body is the file, and Content-Type its type. The limit is 25 MiB. An upload that is not attached to an email is deleted after 24 hours.',
          querystring: UploadQuery,
          body: { content: binary('*/*') },
          response: { 201: Attachment },
        },
      },
      async (request) => {
        const content = request.body as unknown
        if (!Buffer.isBuffer(content)) throw invalid('The body is empty. Send the file as the request body.')
        const [contentType = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';', 1)
        return attachments.upload(request.user, {
          filename: (request.query as { filename: string }).filename,
          contentType: contentType.trim(),
          content,
        })
      },
    )
  })
}

export const emailRoutes =
  (deps: EmailRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    addEmailRoutes(app, deps)
    await addCreateRoute(app, deps)
    addDownloadRoutes(app, deps)
    await addUploadRoutes(app, deps)
  }

export const previewRoutes =
  (previews: Previews): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/emails/:id/attachments/:attachmentId/preview',
      {
        config: read('mail'),
        schema: {
          operationId: 'previewAttachment',
          summary: 'Read the content of a text, email or calendar attachment',
          description:
            'For files that a browser cannot display by itself. Images and PDF files have no preview here.',
          params: AttachmentPath,
          response: { 200: AttachmentPreview },
        },
      },
      (request) => previews.read(request.user, request.params.id, request.params.attachmentId),
    )

    app.get(
      '/emails/:id/attachments.zip',
      {
        config: read('mail'),
        schema: {
          operationId: 'downloadAttachments',
          summary: 'Download all attachments as a zip file',
          params: EmailPath,
          response: { 200: { description: 'The files', content: binary('application/zip') } },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const content = await previews.zip(request.user, id)
        return reply
          .type('application/zip')
          .headers(downloadHeaders(`attachments-${id}.zip`))
          .send(content as never)
      },
    )
  }

/** Stores a draft that is sent after the user confirms it. */
export type AskToSend = (input: SendEmailInput, caller: Caller, content?: Content) => Promise<PendingSend>

/** Routes for sending emails. */
export const deliveryRoutes =
  (
    outbox: Pick<Outbox, 'send' | 'cancel' | 'prepareContent'> & Unsent,
    askToSend: AskToSend,
    invitations: Invitations,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    // With an Idempotency-Key, the handler runs in a transaction. Sanitize the HTML before, so that it does
    // not block other writers.
    const prepared = new WeakMap<object, Content>()
    app.post(
      '/emails/send',
      {
        config: {
          ...draft,
          idempotency: 'kept',
          async prepare(request) {
            prepared.set(request, await outbox.prepareContent(request.body as Static<typeof SendBody>))
          },
        },
        schema: {
          operationId: 'sendEmail',
          summary: 'Send an email',
          description:
            'The email is sent after ten seconds, or at `sendAt`. Until then it can be cancelled. `delivery` contains the delivery status. Requests with the same `Idempotency-Key` send the email only once. With the scope `mail:draft`, the request only stores a draft and returns `{status: "needs_confirmation", actionId}`. The user must confirm it in the console within 24 hours.',
          body: SendBody,
          response: { 202: SendResponse },
        },
      },
      async (request, reply) => {
        const { body, caller, user } = request
        const content = prepared.get(request)
        if (!hasScope(caller, 'mail:write')) {
          const pendingSend = await askToSend(body, caller, content)
          reply.header('location', `/api/emails/${pendingSend.emailId}`)
          return pendingSend
        }
        const queued = await outbox.send(user, body, undefined, content)
        reply.header('location', `/api/emails/${queued.id}`)
        return invitations.addTo(user, queued)
      },
    )

    app.post(
      '/emails/:id/cancel-send',
      {
        config: { ...write('mail'), mayAnswer: [409] },
        schema: {
          operationId: 'cancelSending',
          summary: 'Cancel sending an email',
          description: 'The email remains a draft. Returns 409 if the transmission has already started.',
          params: EmailPath,
          response: { 200: Email },
        },
      },
      async ({ params, user }) => invitations.addTo(user, await outbox.cancel(user, params.id)),
    )

    app.post(
      '/emails/:id/resend',
      {
        config: { ...write('mail'), idempotency: 'kept' },
        schema: {
          operationId: 'resendEmail',
          summary: 'Send a failed email again',
          description:
            'For emails with the status `failed` or `uncertain`. Sends the unchanged email after ten seconds, with the same Message-ID. If the status is `uncertain`, recipients may receive it twice. Then the request is rejected (409) unless `mayArriveTwice` is true.',
          params: EmailPath,
          body: ResendBody,
          response: { 202: Email },
        },
      },
      async ({ params, body, user }) => invitations.addTo(user, await outbox.resend(user, params.id, body)),
    )

    app.post(
      '/emails/:id/mark-sent',
      {
        config: { ...write('mail'), mayAnswer: [409] },
        schema: {
          operationId: 'markEmailSent',
          summary: 'Mark an email as sent',
          description:
            'For emails with the status `failed` or `uncertain`. Sets the status to `sent` and moves the email to the sent folder.',
          params: EmailPath,
          response: { 200: Email },
        },
      },
      async ({ params, user }) => invitations.addTo(user, await outbox.markSent(user, params.id)),
    )

    app.post(
      '/emails/:id/discard-send',
      {
        config: { ...write('mail'), mayAnswer: [409] },
        schema: {
          operationId: 'discardSending',
          summary: 'Discard a failed email',
          description:
            'For emails with the status `failed` or `uncertain`. The email is never sent again and moves to the trash.',
          params: EmailPath,
          response: { 200: Email },
        },
      },
      async ({ params, user }) => invitations.addTo(user, await outbox.discard(user, params.id)),
    )
  }
