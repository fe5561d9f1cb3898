import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../../platform/access/visit.ts'
import { IdPath, Page } from '../../../platform/http/shapes.ts'
import { readInstant } from '../../../platform/time.ts'
import type { Invitations } from '../../auth/invitations.ts'
import type { FeedTokens, PersonalTokens } from '../../auth/tokens.ts'
import { PasswordProof } from '../security/schema.ts'
import type { Security } from '../security/security.ts'
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
  Token,
  TokenChange,
  TokenList,
  TokenWithSecret,
} from './schema.ts'

const tags = ['Settings']
const config = { access: 'session' } as const
/** Makes something secret: doubles are held off, the answer is kept nowhere. */
const making = { access: 'session', secret: true, idempotency: 'held' } as const

export const tokenRoutes =
  (deps: {
    tokens: PersonalTokens
    feedTokens: FeedTokens
    invitations: Invitations
    security: Security
    /** Where people find this instance. */
    baseUrl: () => string
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { tokens, feedTokens, invitations, security } = deps

    app.get(
      '/tokens',
      {
        config,
        schema: {
          operationId: 'listTokens',
          summary: 'Your personal access tokens',
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
        config: making,
        schema: {
          operationId: 'createToken',
          summary: 'Make a personal access token',
          description: 'Its secret is shown in this answer and never again.',
          tags,
          body: NewToken,
          response: { 201: TokenWithSecret },
        },
      },
      async (request, reply) => {
        const { password, name, scopes, expiresAt = null } = request.body
        const { userId } = sessionOf(request)
        const made = await security.withPassword(userId, password, (tx, user) => {
          const until = expiresAt === null ? null : readInstant('expiresAt', expiresAt, user.timezone)
          return tokens.create(tx, userId, { name, scopes, expiresAt: until }, visitOf(request))
        })
        reply.code(201).header('location', `/api/settings/tokens/${made.id}`)
        return made
      },
    )

    app.get(
      '/tokens/:id',
      {
        config,
        schema: {
          operationId: 'getToken',
          summary: 'One personal access token',
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
        config,
        schema: {
          operationId: 'renameToken',
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
        config: making,
        schema: {
          operationId: 'rotateToken',
          summary: 'Give a token a new secret',
          description: 'The old one is worth nothing from then on.',
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
        config,
        schema: {
          operationId: 'revokeToken',
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

    app.get(
      '/feed-tokens',
      {
        config,
        schema: {
          operationId: 'listFeedTokens',
          summary: 'Your feed tokens',
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
        config: making,
        schema: {
          operationId: 'createFeedToken',
          summary: 'Make a read-only token for an address',
          description: 'For programs that can only be given an address: a calendar feed, a browser source.',
          tags,
          body: NewFeedToken,
          response: { 201: FeedTokenWithSecret },
        },
      },
      async (request, reply) => {
        const made = await feedTokens.create(sessionOf(request).userId, request.body, visitOf(request))
        reply.code(201).header('location', `/api/settings/feed-tokens/${made.id}`)
        return made
      },
    )

    app.get(
      '/feed-tokens/:id',
      {
        config,
        schema: {
          operationId: 'getFeedToken',
          summary: 'One feed token',
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
        config,
        schema: {
          operationId: 'revokeFeedToken',
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

    app.get(
      '/invitations',
      {
        config: { ...config, ownerOnly: true },
        schema: {
          operationId: 'listInvitations',
          summary: 'Invitations you have made',
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
        config: { ...making, ownerOnly: true },
        schema: {
          operationId: 'createInvitation',
          summary: 'Invite someone',
          description: 'The invitation is good for one account and for a week.',
          tags,
          body: NewInvitation,
          response: { 201: InvitationWithCode },
        },
      },
      async (request, reply) => {
        const { userId } = sessionOf(request)
        const { password, email = null } = request.body
        const made = await security.withPassword(userId, password, (tx) =>
          invitations.create(tx, userId, email, visitOf(request)),
        )
        reply.code(201).header('location', `/api/settings/invitations/${made.id}`)
        return { ...made, url: `${deps.baseUrl()}/register?invitation=${made.code}` }
      },
    )

    app.get(
      '/invitations/:id',
      {
        config: { ...config, ownerOnly: true },
        schema: {
          operationId: 'getInvitation',
          summary: 'One invitation',
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
        config: { ...config, ownerOnly: true },
        schema: {
          operationId: 'revokeInvitation',
          summary: 'Take an invitation back',
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
