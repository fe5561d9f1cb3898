import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { invalid } from '../../platform/errors.ts'
import type { PaymentNotices } from './notices.ts'
import { PaymentNoticeResult } from './schema.ts'

export const paymentNoticeRoutes =
  (notices: PaymentNotices): FastifyPluginAsyncTypebox =>
  async (app) => {
    // What is signed are the bytes, so here they are taken as they come.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    app.post(
      '/webhook',
      {
        config: { access: 'public', mayAnswer: [409, 502, 504] },
        schema: {
          operationId: 'receivePaymentNotice',
          summary: 'The payment provider’s notices',
          description:
            'Signed by Stripe (`Stripe-Signature`), 401 if not. Late, repeated and crossing ones do no harm: a notice is a reason to ask.',
          tags: ['Settings'],
          body: Type.Object({}, { description: 'What Stripe sends, as it sends it' }),
          response: { 200: PaymentNoticeResult },
        },
        validatorCompiler: () => () => true,
      },
      (request) => {
        const body = request.body as unknown
        if (!Buffer.isBuffer(body) || body.length === 0) throw invalid('The body is empty.')
        const signature = request.headers['stripe-signature']
        return notices.receive({ body, signature: typeof signature === 'string' ? signature : '' })
      },
    )
  }
