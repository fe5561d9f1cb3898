import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../../platform/access/caller.ts'
import { ownerSession, session } from '../../../platform/access/route-access.ts'
import { invalidField } from '../../../platform/errors.ts'
import { IdPath, Page } from '../../../platform/http/shapes.ts'
import { readInstant } from '../../../platform/time.ts'
import type { InvitationMailer } from '../../auth/invitation-mail.ts'
import type { Invitations } from '../../auth/invitations.ts'
import type { FeedTokens, PersonalTokens } from '../../auth/tokens.ts'
import {
  FeedToken,
  FeedTokenList,
  FeedTokenWithSecret,
  Invitation,
  InvitationList,
  InvitationWithCode,
  NewFeedToken,
  NewInvitation,
  NewToken,
  PasswordProof,
  Token,
  TokenChange,
  TokenList,
  TokenWithSecret,
} from '../schema.ts'
import type { Security } from '../security/security.ts'

const tags = ['Settings']
/** Routes that return a secret. The idempotency key prevents duplicates, but the response is never stored. */
const secretConfig = { ...session, secret: true, idempotency: 'held' } as const

interface TokenRouteDeps {
  tokens: PersonalTokens
  feedTokens: FeedTokens
  invitations: Invitations
  /** A function, because the mail features are created later. */
  invitationMailer: () => InvitationMailer
  security: Security
  /** The public URL of this instance. */
  baseUrl: () => string
}

const personalTokenRoutes =
  ({ tokens, security }: TokenRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/tokens',
      {
        config: session,
        schema: {
          operationId: 'listTokens',
          summary: 'List your personal access tokens',
          tags,
          querystring: Page,
          response: { 200: TokenList },
        },
      },
      (request) => tokens.list(sessionOf(request).userId, request.query),
    )

    app.post(
      '/tokens',
      {
        config: secretConfig,
        schema: {
          operationId: 'createToken',
          summary: 'Create a personal access token',
          description: 'Only this response contains the secret.',
          tags,
          body: NewToken,
          response: { 201: TokenWithSecret },
        },
      },
      async (request, reply) => {
        const { password, name, scopes, expiresAt = null } = request.body
        const { userId } = sessionOf(request)
        const created = await security.withPassword(userId, password, (tx, user) => {
          if (scopes.includes('metrics:read') && user.role !== 'owner')
            throw invalidField('scopes', 'can include metrics:read only for the owner of this instance')
          const until = expiresAt === null ? null : readInstant('expiresAt', expiresAt, user.timezone)
          return tokens.create(tx, userId, { name, scopes, expiresAt: until }, visitOf(request))
        })
        reply.code(201).header('location', `/api/settings/tokens/${created.id}`)
        return created
      },
    )

    app.get(
      '/tokens/:id',
      {
        config: session,
        schema: {
          operationId: 'getToken',
          summary: 'Get a personal access token',
          tags,
          params: IdPath,
          response: { 200: Token },
        },
      },
      (request) => tokens.get(sessionOf(request).userId, request.params.id),
    )

    app.patch(
      '/tokens/:id',
      {
        config: session,
        schema: {
          operationId: 'updateToken',
          summary: 'Rename a personal access token',
          tags,
          params: IdPath,
          body: TokenChange,
          response: { 200: Token },
        },
      },
      (request) =>
        tokens.rename(
          sessionOf(request).userId,
          request.params.id,
          request.body.name,
          request.headers['if-match'],
        ),
    )

    app.post(
      '/tokens/:id/rotate',
      {
        config: secretConfig,
        schema: {
          operationId: 'rotateToken',
          summary: 'Rotate the secret of a token',
          description: 'The old secret becomes invalid at once.',
          tags,
          params: IdPath,
          body: PasswordProof,
          response: { 200: TokenWithSecret },
        },
      },
      (request) => {
        const { userId } = sessionOf(request)
        return security.withPassword(userId, request.body.password, (tx) =>
          tokens.rotate(tx, userId, request.params.id, visitOf(request)),
        )
      },
    )

    app.delete(
      '/tokens/:id',
      {
        config: session,
        schema: {
          operationId: 'deleteToken',
          summary: 'Revoke a personal access token',
          tags,
          params: IdPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { userId } = sessionOf(request)
        await tokens.revoke(userId, request.params.id, visitOf(request), request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }

const feedTokenRoutes =
  ({ feedTokens }: TokenRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/feed-tokens',
      {
        config: session,
        schema: {
          operationId: 'listFeedTokens',
          summary: 'List your feed tokens',
          tags,
          querystring: Page,
          response: { 200: FeedTokenList },
        },
      },
      (request) => feedTokens.list(sessionOf(request).userId, request.query),
    )

    app.post(
      '/feed-tokens',
      {
        config: secretConfig,
        schema: {
          operationId: 'createFeedToken',
          summary: 'Create a read-only feed token',
          description: 'For programs that accept only a URL, such as calendar clients and browser sources.',
          tags,
          body: NewFeedToken,
          response: { 201: FeedTokenWithSecret },
        },
      },
      async (request, reply) => {
        const created = await feedTokens.create(sessionOf(request).userId, request.body, visitOf(request))
        reply.code(201).header('location', `/api/settings/feed-tokens/${created.id}`)
        return created
      },
    )

    app.get(
      '/feed-tokens/:id',
      {
        config: session,
        schema: {
          operationId: 'getFeedToken',
          summary: 'Get a feed token',
          tags,
          params: IdPath,
          response: { 200: FeedToken },
        },
      },
      (request) => feedTokens.get(sessionOf(request).userId, request.params.id),
    )

    app.delete(
      '/feed-tokens/:id',
      {
        config: session,
        schema: {
          operationId: 'deleteFeedToken',
          summary: 'Revoke a feed token',
          tags,
          params: IdPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { userId } = sessionOf(request)
        await feedTokens.revoke(userId, request.params.id, visitOf(request), request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }

const invitationRoutes =
  ({ invitations, invitationMailer, security, baseUrl }: TokenRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/invitations',
      {
        config: ownerSession,
        schema: {
          operationId: 'listInvitations',
          summary: 'List your invitations',
          tags,
          querystring: Page,
          response: { 200: InvitationList },
        },
      },
      (request) => invitations.list(sessionOf(request).userId, request.query),
    )

    app.post(
      '/invitations',
      {
        config: { ...secretConfig, ownerOnly: true, mayAnswer: [409] },
        schema: {
          operationId: 'createInvitation',
          summary: 'Create an invitation',
          description:
            'The invitation is valid for one account and for a week. With `sendEmail`, the instance mails the link to `email`.',
          tags,
          body: NewInvitation,
          response: { 201: InvitationWithCode },
        },
      },
      async (request, reply) => {
        const { userId } = sessionOf(request)
        const { password, email = null, sendEmail = false } = request.body
        if (sendEmail) await invitationMailer().requireReady(email)
        const created = await security.withPassword(userId, password, (tx) =>
          invitations.create(tx, userId, email, visitOf(request)),
        )
        reply.code(201).header('location', `/api/settings/invitations/${created.id}`)
        const url = `${baseUrl()}/register?invitation=${created.code}`
        const emailSent =
          sendEmail &&
          email !== null &&
          (await invitationMailer().send(userId, { id: created.id, email, url }))
        return { ...created, url, emailSent }
      },
    )

    app.get(
      '/invitations/:id',
      {
        config: ownerSession,
        schema: {
          operationId: 'getInvitation',
          summary: 'Get an invitation',
          tags,
          params: IdPath,
          response: { 200: Invitation },
        },
      },
      (request) => invitations.get(sessionOf(request).userId, request.params.id),
    )

    app.delete(
      '/invitations/:id',
      {
        config: ownerSession,
        schema: {
          operationId: 'deleteInvitation',
          summary: 'Revoke an invitation',
          tags,
          params: IdPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { userId } = sessionOf(request)
        await invitations.revoke(userId, request.params.id, visitOf(request), request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }

export const tokenRoutes =
  (deps: TokenRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(personalTokenRoutes(deps))
    await app.register(feedTokenRoutes(deps))
    await app.register(invitationRoutes(deps))
  }
