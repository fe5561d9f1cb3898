import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Outbox } from '../mail-accounts/outbox/outbox.ts'
import { SendBody } from './delivery-schema.ts'
import { Email, EmailPath } from './schema.ts'

const tags = ['Emails']
const writing = { access: 'switched', scope: 'mail:write' } as const

/** Sending, which the accounts at mail servers see to. */
export const deliveryRoutes =
  (outbox: Outbox): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/emails/send',
      {
        config: { ...writing, idempotency: 'kept' },
        schema: {
          operationId: 'sendEmail',
          summary: 'Send an e-mail',
          description:
            'It goes out in ten seconds, or at `sendAt`, and can be taken back until then. `delivery` of the e-mail tells what became of it. With an `Idempotency-Key` it is sent once, however often this is called.',
          tags,
          body: SendBody,
          response: { 202: Email },
        },
      },
      async (request, reply) => {
        const queued = await outbox.send(request.body)
        reply.code(202).header('location', `/api/emails/${queued.id}`)
        return queued
      },
    )

    app.post(
      '/emails/:id/cancel-send',
      {
        config: writing,
        schema: {
          operationId: 'cancelSending',
          summary: 'Take back what is about to be sent',
          description: 'It stays as a draft. Too late (409) once its server has been told.',
          tags,
          params: EmailPath,
          response: { 200: Email },
        },
      },
      (request) => outbox.cancel(request.params.id),
    )
  }
