import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { read } from '../../../platform/access/route-access.ts'
import { binary, downloadHeaders } from './downloads.ts'
import { AttachmentPreview, type Previews } from './previews.ts'
import { AttachmentPath, EmailPath } from './schema.ts'

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
