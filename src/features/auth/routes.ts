import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { sessionOf } from '../../platform/access/caller.ts'
import type { Origins } from '../../platform/access/origins.ts'
import { anyone, anyScope, session } from '../../platform/access/route-access.ts'
import { AppError, forbidden, invalidField } from '../../platform/errors.ts'
import type { Accounts, SignedIn as SignedInAccount } from './accounts.ts'
import type { PasswordReset } from './password-reset.ts'
import {
  CurrentToken,
  LoginBody,
  Me,
  PasswordResetBody,
  PasswordResetRequest,
  RefreshBody,
  Refreshed,
  RegisterBody,
  SignedIn,
} from './schema.ts'
import type { KnownBrowserCookie, ResetCookie, SessionCookie, Sessions, SessionTokens } from './sessions.ts'
import type { PersonalTokens } from './tokens.ts'

export const authRoutes =
  (deps: {
    accounts: Accounts
    sessions: Sessions
    tokens: Pick<PersonalTokens, 'get'>
    cookie: SessionCookie
    knownBrowser: KnownBrowserCookie
    origins: Origins
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { accounts, sessions, tokens, cookie, knownBrowser, origins } = deps

    /** Puts the refresh token into a cookie or the body, as the client requested. */
    const deliverTokens = <T extends SessionTokens>(
      request: FastifyRequest,
      reply: FastifyReply,
      tokens: T,
      viaCookie: boolean,
    ) => {
      if (!viaCookie) return tokens
      const { refreshToken, ...rest } = tokens
      cookie.set(request, reply, refreshToken)
      return rest
    }
    const respondSignedIn = (request: FastifyRequest, reply: FastifyReply, account: SignedInAccount) => {
      const viaCookie = cookie.isWanted(request)
      const answer = deliverTokens(request, reply, account, viaCookie)
      const known = viaCookie ? knownBrowser.issue(request, account.user.id) : undefined
      if (known !== undefined) reply.header('set-cookie', known)
      return answer
    }

    /** Requires the own origin, because browsers send the cookie automatically (CSRF). */
    const refreshTokenFromCookie = (request: FastifyRequest): string => {
      const { origin } = request.headers
      const isOurs =
        origin !== undefined && origins.isOwn(origin, { scheme: request.protocol, host: request.host })
      const refreshToken = cookie.read(request)
      if (refreshToken === undefined && !isOurs)
        throw invalidField('refreshToken', 'is required if the request has no session cookie')
      if (!isOurs)
        throw forbidden(
          'Only pages of this instance may refresh a session with a cookie. Send the refresh token in the body instead.',
          'origin_not_allowed',
        )
      if (refreshToken === undefined)
        throw new AppError(
          'unauthenticated',
          'invalid_refresh_token',
          'The request has no refresh token. Sign in.',
        )
      return refreshToken
    }

    app.post(
      '/register',
      {
        config: { ...anyone, secret: true, idempotency: 'held' },
        schema: {
          operationId: 'register',
          summary: 'Create an account and sign in',
          description:
            'The first account owns the instance. Send `X-Session: cookie` to get the refresh token in a cookie instead of the response body.',
          body: RegisterBody,
          response: { 201: SignedIn },
        },
      },
      async (request, reply) => {
        const account = await accounts.register(request.body, request.visit)
        reply.header('location', '/api/auth/me')
        return respondSignedIn(request, reply, account)
      },
    )

    app.post(
      '/login',
      {
        config: { ...anyone, secret: true },
        schema: {
          operationId: 'login',
          summary: 'Sign in',
          description:
            'If the account has a second factor, the response is 401 `two_factor_required`: repeat the request with `code`. Within 15 minutes, 10 failures per email and network (IPv4 address, IPv6 /64) and 50 per email are allowed; then the response is 429. A browser that has signed in to the account before has its own limit.',
          body: LoginBody,
          response: { 200: SignedIn },
        },
      },
      async (request, reply) => {
        const browserIdOf = (userId: number) => knownBrowser.read(request, userId)
        return respondSignedIn(request, reply, await accounts.login(request.body, request.visit, browserIdOf))
      },
    )

    app.post(
      '/refresh',
      {
        config: { ...anyone, secret: true },
        schema: {
          operationId: 'refreshSession',
          summary: 'Exchange a refresh token for a new access token',
          description:
            'Also replaces the refresh token. The previous token is accepted for another 60 seconds, in case the client lost the response. An older token ends its session (`refresh_token_reused`). Without a body, the refresh token is read from the cookie. A cookie is accepted for 120 seconds after it was replaced, because a browser that crashes loses its newest cookies.',
          body: RefreshBody,
          response: { 200: Refreshed },
        },
      },
      async (request, reply) => {
        const bodyToken = request.body.refreshToken
        const refreshToken = bodyToken ?? refreshTokenFromCookie(request)
        const isCookie = bodyToken === undefined
        const tokens = await sessions.refresh(refreshToken, request.visit, isCookie)
        return deliverTokens(request, reply, tokens, isCookie)
      },
    )

    app.post(
      '/logout',
      {
        config: session,
        schema: {
          operationId: 'logout',
          summary: 'Sign out',
          description: 'Deletes the session. Its tokens are invalid from the next request on.',
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { userId, sessionId } = sessionOf(request)
        await sessions.end(userId, sessionId, request.visit)
        cookie.clear(request, reply)
      },
    )

    app.get(
      '/me',
      {
        config: session,
        schema: { operationId: 'getMe', summary: 'Get the current account', response: { 200: Me } },
      },
      ({ user }) => accounts.profile(user),
    )

    app.get(
      '/token',
      {
        config: anyScope,
        schema: {
          operationId: 'getCurrentToken',
          summary: 'Get the token of this request',
          description: 'For programs that use a personal access token. A session uses `GET /api/auth/me`.',
          response: { 200: CurrentToken },
        },
      },
      async ({ caller }) => {
        if (caller.kind !== 'token')
          throw new AppError('unauthenticated', 'unauthorized', 'Send a personal access token.')
        const { name, scopes, expiresAt } = await tokens.get(caller.userId, caller.tokenId)
        const user = await accounts.profile(caller.userId)
        return { name, scopes, expiresAt, lease: null, user: { id: user.id, name: user.name } }
      },
    )
  }

export const passwordResetRoutes =
  (reset: PasswordReset, cookie: ResetCookie): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/password-reset',
      {
        config: { ...anyone, secret: true, mayAnswer: [409] },
        schema: {
          operationId: 'requestPasswordReset',
          summary: 'Request a password reset link by mail',
          description:
            'The response does not reveal whether an account has this address. It sets the cookie `factotum_reset`, which the link requires, so other HTTP clients need a cookie jar. Responds with 409 `not_configured` if the instance cannot send mail (neither `SMTP_URL` nor a mail account of the owner) or has no `PUBLIC_URL`.',
          body: PasswordResetRequest,
          response: { 202: Type.Null() },
        },
      },
      async (request, reply) => {
        await reset.ask(request.body.email, cookie.set(request, reply), request.visit)
        return null
      },
    )

    app.post(
      '/password-reset/confirm',
      {
        config: { ...anyone, secret: true, mayAnswer: [409] },
        schema: {
          operationId: 'resetPassword',
          summary: 'Set a new password with the token of a reset link',
          description:
            'The token works once, for 30 minutes. The request needs the cookie `factotum_reset` that was set when the link was requested; otherwise the response is 403 `reset_other_browser`. Ends every session. A second factor stays enabled and is required at login. Responds with 409 `reset_mail_not_seen` if a mailbox with the same address is connected and the mail has not arrived there yet.',
          body: PasswordResetBody,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { token, password } = request.body
        await reset.confirm({ token, password, browser: cookie.read(request) }, request.visit)
        cookie.clear(request, reply)
      },
    )
  }
