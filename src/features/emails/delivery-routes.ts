import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import type { Outbox } from '../mail-accounts/outbox/outbox.ts'
import type { Unsent } from '../mail-accounts/outbox/unsent.ts'
import type { Content } from './content.ts'
import { ResendBody, SendBody } from './delivery-schema.ts'
import { Email, EmailPath } from './schema.ts'

const tags = ['Emails']
const writing = { access: 'switched', scope: 'mail:write' } as const

/** Sending, which the accounts at mail servers see to. */
export const deliveryRoutes =
  (outbox: Pick<Outbox, 'send' | 'cancel' | 'prepareContent'> & Unsent): FastifyPluginAsyncTypebox =>
  async (app) => {
    // With an Idempotency-Key the handler is in a transaction, and others should not wait for long HTML.
    const prepared = new WeakMap<object, Content>()
    app.post(
      '/emails/send',
      {
        config: {
          ...writing,
          idempotency: 'kept',
          async prepare(request) {
            prepared.set(request, await outbox.prepareContent(request.body as Static<typeof SendBody>))
          },
        },
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
        const queued = await outbox.send(request.body, undefined, prepared.get(request))
        reply.code(202).header('location', `/api/emails/${queued.id}`)
        return queued
      },
    )

    app.post(
      '/emails/:id/cancel-send',
      {
        config: { ...writing, mayAnswer: [409] },
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

    app.post(
      '/emails/:id/resend',
      {
        config: { ...writing, idempotency: 'kept' },
        schema: {
          operationId: 'resendEmail',
          summary: 'Send again what was not sent, or may not have been',
          description:
            'For `failed` and `uncertain`. It goes out in ten seconds as it is, under the same message id. When nobody knows whether it was sent, those who have it may get it twice: that is refused (409) unless you say `mayArriveTwice`.',
          tags,
          params: EmailPath,
          body: ResendBody,
          response: { 202: Email },
        },
      },
      async (request, reply) => {
        const queued = await outbox.resend(request.params.id, request.body)
        reply.code(202)
        return queued
      },
    )

    app.post(
      '/emails/:id/mark-sent',
      {
        config: { ...writing, mayAnswer: [409] },
        schema: {
          operationId: 'markEmailSent',
          summary: 'Say that an e-mail did arrive',
          description: 'For `failed` and `uncertain`: it counts as sent, and is put into the sent folder.',
          tags,
          params: EmailPath,
          response: { 200: Email },
        },
      },
      (request) => outbox.markSent(request.params.id),
    )

    app.post(
      '/emails/:id/discard-send',
      {
        config: { ...writing, mayAnswer: [409] },
        schema: {
          operationId: 'discardSending',
          summary: 'Give up an e-mail that was not sent, or may not have been',
          description: 'For `failed` and `uncertain`: it is never tried again, and lies in the trash.',
          tags,
          params: EmailPath,
          response: { 200: Email },
        },
      },
      (request) => outbox.discard(request.params.id),
    )
  }
