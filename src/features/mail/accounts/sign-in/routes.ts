import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../../../platform/access/caller.ts'
import { OauthStart, OauthStarted } from '../schema.ts'
import type { SignIn } from './sign-in.ts'

const COOKIE = 'factotum_mail_sign_in'
const PATH = '/api/settings/mail-accounts/oauth'

const readCookie = (request: FastifyRequest): string | undefined =>
  (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1)

/** A cookie limited to this path binds the callback to the browser that started the sign-in. */
export const signInRoutes =
  (deps: { signIn: SignIn; isSecure: () => boolean; consoleUrl: () => string }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const attributes = (): string =>
      `HttpOnly; SameSite=Lax; Path=${PATH}${deps.isSecure() ? '; Secure' : ''}`

    app.post(
      '/start',
      {
        config: { access: 'session', secret: true, mayAnswer: [409] },
        schema: {
          operationId: 'startMailSignIn',
          summary: 'Start the mail sign-in with Google or Microsoft',
          description:
            'Open `url` in the browser that made this request. The callback requires the cookie of the response.',
          tags: ['Settings'],
          body: OauthStart,
          response: { 200: OauthStarted },
        },
      },
      async (request, reply) => {
        const { url, browser, maxAgeMs } = await deps.signIn.begin(sessionOf(request), request.body)
        reply.header('set-cookie', `${COOKIE}=${browser}; Max-Age=${maxAgeMs / 1000}; ${attributes()}`)
        return { url }
      },
    )

    app.get(
      '/callback',
      {
        config: { access: 'public', page: true },
        schema: {
          operationId: 'finishMailSignIn',
          summary: 'Complete the mail sign-in (OAuth redirect target)',
          tags: ['Settings'],
          querystring: Type.Object({
            state: Type.String({ minLength: 1, maxLength: 200 }),
            code: Type.Optional(Type.String({ maxLength: 4000 })),
            error: Type.Optional(Type.String({ maxLength: 200 })),
          }),
        },
      },
      async (request, reply) => {
        const id = await deps.signIn.finish(request.query, readCookie(request), visitOf(request))
        reply.header('set-cookie', `${COOKIE}=; Max-Age=0; ${attributes()}`)
        return reply.redirect(`${deps.consoleUrl()}/settings/mail-accounts?connected=${id}`, 303)
      },
    )
  }
