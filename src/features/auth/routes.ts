import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Origins } from '../../platform/access/origins.ts'
import { sessionOf, visitOf } from '../../platform/access/visit.ts'
import { AppError, forbidden, invalidField } from '../../platform/errors.ts'
import type { Accounts, SignedIn as SignedInAccount } from './accounts.ts'
import type { KnownBrowserCookie } from './known-browser-cookie.ts'
import { LoginBody, Me, RefreshBody, Refreshed, RegisterBody, SignedIn } from './schema.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { Sessions, SessionTokens } from './sessions.ts'

const tags = ['Authentication']

export const authRoutes =
  (deps: {
    accounts: Accounts
    sessions: Sessions
    cookie: SessionCookie
    knownBrowser: KnownBrowserCookie
    origins: Origins
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { accounts, sessions, cookie, knownBrowser, origins } = deps

    /** Hands the refresh token over the way the client asked for. */
    const handOver = <T extends SessionTokens>(
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
    const signedIn = (request: FastifyRequest, reply: FastifyReply, account: SignedInAccount) => {
      const viaCookie = cookie.isWanted(request)
      const answer = handOver(request, reply, account, viaCookie)
      const known = viaCookie ? knownBrowser.issue(request, account.user.id) : undefined
      if (known !== undefined) reply.header('set-cookie', known)
      return answer
    }

    /** Only a page of ours may use what the browser adds by itself. */
    const refreshTokenFromCookie = (request: FastifyRequest): string => {
      const { origin } = request.headers
      const isOurs =
        origin !== undefined && origins.isOwn(origin, { scheme: request.protocol, host: request.host })
      const refreshToken = cookie.read(request)
      if (refreshToken === undefined && !isOurs)
        throw invalidField('refreshToken', 'is required where no cookie holds it')
      if (!isOurs)
        throw forbidden(
          'Only pages of this instance may renew a session that is kept in a cookie. Send the refresh token in the body instead.',
          'origin_not_allowed',
        )
      if (refreshToken === undefined)
        throw new AppError(
          'unauthenticated',
          'invalid_refresh_token',
          'There is no session to renew. Sign in.',
        )
      return refreshToken
    }

    app.post(
      '/register',
      {
        config: { access: 'public', secret: true, idempotency: 'held' },
        schema: {
          operationId: 'register',
          summary: 'Create an account and sign in',
          description:
            'The first account owns the instance. Send `X-Session: cookie` to have the refresh token kept in a cookie instead of the answer.',
          tags,
          body: RegisterBody,
          response: { 201: SignedIn },
        },
      },
      async (request, reply) => {
        const account = await accounts.register(request.body, visitOf(request))
        reply.code(201).header('location', '/api/auth/me')
        return signedIn(request, reply, account)
      },
    )

    app.post(
      '/login',
      {
        config: { access: 'public', secret: true },
        schema: {
          operationId: 'login',
          summary: 'Sign in',
          description:
            'With a second factor on, the first answer is 401 `two_factor_required`: repeat it with `code`. In 15 minutes, 10 failures for one e-mail and network (IPv4 address, IPv6 /64) and 50 for one e-mail from anywhere are answered; then 429. A browser that has signed in to the account before is counted by itself.',
          tags,
          body: LoginBody,
          response: { 200: SignedIn },
        },
      },
      async (request, reply) => {
        const browserIdOf = (userId: number) => knownBrowser.read(request, userId)
        return signedIn(request, reply, await accounts.login(request.body, visitOf(request), browserIdOf))
      },
    )

    app.post(
      '/refresh',
      {
        config: { access: 'public', secret: true },
        schema: {
          operationId: 'refreshSession',
          summary: 'Exchange a refresh token for a new access token',
          description:
            'Replaces the refresh token as well. The token before the newest one is accepted again for 60 seconds, for a client that lost the answer; any older one ends its session (`refresh_token_reused`). Without a body, the refresh token is read from the cookie.',
          tags,
          body: RefreshBody,
          response: { 200: Refreshed },
        },
      },
      async (request, reply) => {
        const given = request.body.refreshToken
        const refreshToken = given ?? refreshTokenFromCookie(request)
        const tokens = await sessions.refresh(refreshToken, visitOf(request))
        return handOver(request, reply, tokens, given === undefined)
      },
    )

    app.post(
      '/logout',
      {
        config: { access: 'session' },
        schema: {
          operationId: 'logout',
          summary: 'Sign out',
          description: 'The session is deleted; its tokens are worth nothing from the next request on.',
          tags,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { userId, sessionId } = sessionOf(request)
        await sessions.end(userId, sessionId, visitOf(request))
        cookie.clear(request, reply)
        reply.code(204)
        return null
      },
    )

    app.get(
      '/me',
      {
        config: { access: 'session' },
        schema: { operationId: 'getMe', summary: 'Who is signed in', tags, response: { 200: Me } },
      },
      (request) => accounts.profile(sessionOf(request).userId),
    )
  }
