import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sessionOf } from '../../platform/access/visit.ts'
import { IdPath, Page } from '../../platform/http/shapes.ts'
import { InvoiceList, InvoiceShape } from './invoice-schema.ts'
import type { Invoices } from './invoices.ts'

const tags = ['Settings']
const config = { access: 'session', mayAnswer: [502, 504] } as const

export const invoiceRoutes =
  (invoices: Invoices): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config,
        schema: {
          operationId: 'listInvoices',
          summary: 'Your invoices, the newest first',
          description: 'On the self-hosted plan there are none.',
          tags,
          querystring: Page,
          response: { 200: InvoiceList },
        },
      },
      (request) => invoices.list(sessionOf(request).userId, request.query),
    )

    app.get(
      '/:id',
      {
        config,
        schema: {
          operationId: 'getInvoice',
          summary: 'One invoice with its lines',
          tags,
          params: IdPath,
          response: { 200: InvoiceShape },
        },
      },
      (request) => invoices.get(sessionOf(request).userId, request.params.id),
    )

    app.get(
      '/:id/pdf',
      {
        config: { ...config, mayAnswer: [409, 502, 504] },
        schema: {
          operationId: 'getInvoicePdf',
          summary: 'One invoice as a PDF',
          tags,
          params: IdPath,
          response: {
            200: {
              description: 'The invoice',
              content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
            },
          },
        },
      },
      async (request, reply) => {
        const { filename, bytes } = await invoices.pdf(sessionOf(request).userId, request.params.id)
        return reply
          .type('application/pdf')
          .header('content-disposition', `attachment; filename="${filename}"`)
          .send(Readable.from(bytes, { objectMode: false }) as never)
      },
    )
  }
