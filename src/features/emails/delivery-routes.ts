import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import type { Caller } from '../../platform/access/caller.ts'
import { hasScope } from '../../platform/access/scopes.ts'
import type { Outbox, SendWish } from '../mail-accounts/outbox/outbox.ts'
import type { Unsent } from '../mail-accounts/outbox/unsent.ts'
import type { Content } from './content.ts'
import { type PendingSend, ResendBody, SendAnswer, SendBody } from './delivery-schema.ts'
import { Email, EmailPath } from './schema.ts'

const tags = ['Emails']
const drafting = { access: 'switched', scope: 'mail:draft' } as const
const writing = { access: 'switched', scope: 'mail:write' } as const

/** Stores a draft that is sent when the person confirms. */
export type AskToSend = (wish: SendWish, caller: Caller, content?: Content) => Promise<PendingSend>

/** Sending, which the accounts at mail servers see to. */
export const deliveryRoutes =
  (
    outbox: Pick<Outbox, 'send' | 'cancel' | 'prepareContent'> & Unsent,
    askToSend: AskToSend,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    // With an Idempotency-Key the handler is in a transaction, and others should not wait for long HTML.
    const prepared = new WeakMap<object, Content>()
    app.post(
      '/emails/send',
      {
        config: {
          ...drafting,
          idempotency: 'kept',
          async prepare(request) {
            prepared.set(request, await outbox.prepareContent(request.body as Static<typeof SendBody>))
          },
        },
        schema: {
          operationId: 'sendEmail',
          summary: 'Send an e-mail',
          description:
            'It goes out in ten seconds, or at `sendAt`, and can be taken back until then. `delivery` of the e-mail tells what became of it. With an `Idempotency-Key` it is sent once, however often this is called. For a token with `mail:draft` nothing is sent: a draft is stored, and the answer is `{status: "needs_confirmation", actionId}`. The person confirms it in the console within a day.',
          tags,
          body: SendBody,
          response: { 202: SendAnswer },
        },
      },
      async (request, reply) => {
        const { body, caller } = request
        const content = prepared.get(request)
        if (!hasScope(caller, 'mail:write')) {
          const asked = await askToSend(body, caller, content)
          reply.code(202).header('location', `/api/emails/${asked.emailId}`)
          return asked
        }
        const queued = await outbox.send(body, undefined, content)
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
