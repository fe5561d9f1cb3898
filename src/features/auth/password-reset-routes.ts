import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { visitOf } from '../../platform/access/visit.ts'
import type { PasswordReset } from './password-reset.ts'
import { PasswordResetBody, PasswordResetRequest } from './schema.ts'

const tags = ['Authentication']

export const passwordResetRoutes =
  (reset: PasswordReset): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/password-reset',
      {
        config: { access: 'public', secret: true, mayAnswer: [409] },
        schema: {
          operationId: 'askForPasswordReset',
          summary: 'Get a link by mail for choosing a new password',
          description:
            'The answer never tells whether the address is known. 409 `not_configured` where the instance has no mail account to send with, or no `PUBLIC_URL`.',
          tags,
          body: PasswordResetRequest,
          response: { 202: Type.Null() },
        },
      },
      async (request, reply) => {
        await reset.ask(request.body.email, visitOf(request))
        reply.code(202)
        return null
      },
    )

    app.post(
      '/password-reset/confirm',
      {
        config: { access: 'public', secret: true },
        schema: {
          operationId: 'resetPassword',
          summary: 'Choose a new password with the link from the mail',
          description:
            'Works once, for half an hour. Ends every session; a second factor stays on and is asked for at login.',
          tags,
          body: PasswordResetBody,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await reset.confirm(request.body.token, request.body.password, visitOf(request))
        reply.code(204)
        return null
      },
    )
  }
