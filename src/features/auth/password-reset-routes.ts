import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { visitOf } from '../../platform/access/visit.ts'
import type { PasswordReset } from './password-reset.ts'
import type { ResetCookie } from './reset-cookie.ts'
import { PasswordResetBody, PasswordResetRequest } from './schema.ts'

const tags = ['Authentication']

export const passwordResetRoutes =
  (reset: PasswordReset, cookie: ResetCookie): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/password-reset',
      {
        config: { access: 'public', secret: true, mayAnswer: [409] },
        schema: {
          operationId: 'askForPasswordReset',
          summary: 'Request a password reset link by mail',
          description:
            'The answer never tells whether the address is known. It sets the cookie `factotum_reset`: the link works only together with it, so other HTTP clients need a cookie jar. 409 `not_configured` where the instance can send no mail (neither `SMTP_URL` nor a mail account of the owner), or has no `PUBLIC_URL`.',
          tags,
          body: PasswordResetRequest,
          response: { 202: Type.Null() },
        },
      },
      async (request, reply) => {
        await reset.ask(request.body.email, cookie.set(request, reply), visitOf(request))
        reply.code(202)
        return null
      },
    )

    app.post(
      '/password-reset/confirm',
      {
        config: { access: 'public', secret: true, mayAnswer: [409] },
        schema: {
          operationId: 'resetPassword',
          summary: 'Set a new password with the token of a reset link',
          description:
            'Works once, for 30 minutes, and only with the cookie `factotum_reset` that the request for the link set: 403 `reset_other_browser` otherwise. Ends every session; a second factor stays on and is asked for at login. 409 `reset_mail_not_seen` while the mail with the link has not arrived in the mailbox that is connected under the same address.',
          tags,
          body: PasswordResetBody,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { token, password } = request.body
        await reset.confirm({ token, password, browser: cookie.read(request) }, visitOf(request))
        cookie.clear(request, reply)
        reply.code(204)
        return null
      },
    )
  }
