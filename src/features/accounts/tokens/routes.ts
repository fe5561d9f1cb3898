import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { ownerSession, secretSession, session } from '../../../platform/access/route-access.ts'
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

interface TokenRouteDeps {
  tokens: PersonalTokens
  feedTokens: FeedTokens
  invitations: Invitations
  invitationMailer: InvitationMailer
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
          querystring: Page,
          response: { 200: TokenList },
        },
      },
      ({ user, query }) => tokens.list(user, query),
    )

    app.post(
      '/tokens',
      {
        config: secretSession,
        schema: {
          operationId: 'createToken',
          summary: 'Create a personal access token',
          description: 'Only this response contains the secret.',
          body: NewToken,
          response: { 201: TokenWithSecret },
        },
      },
      async ({ user, body, visit }, reply) => {
        const { password, name, scopes, expiresAt = null } = body
        const created = await security.withPassword(user, password, (tx, { role, timezone }) => {
          if (scopes.includes('metrics:read') && role !== 'owner')
            throw invalidField('scopes', 'can include metrics:read only for the owner of this instance')
          const until = expiresAt === null ? null : readInstant('expiresAt', expiresAt, timezone)
          return tokens.create(tx, user, { name, scopes, expiresAt: until }, visit)
        })
        reply.header('location', `/api/settings/tokens/${created.id}`)
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
          params: IdPath,
          response: { 200: Token },
        },
      },
      ({ user, params }) => tokens.get(user, params.id),
    )

    app.patch(
      '/tokens/:id',
      {
        config: session,
        schema: {
          operationId: 'updateToken',
          summary: 'Rename a personal access token',
          params: IdPath,
          body: TokenChange,
          response: { 200: Token },
        },
      },
      ({ user, params, body, ifMatch }) => tokens.rename(user, params.id, body.name, ifMatch),
    )

    app.post(
      '/tokens/:id/rotate',
      {
        config: secretSession,
        schema: {
          operationId: 'rotateToken',
          summary: 'Rotate the secret of a token',
          description: 'The old secret becomes invalid at once.',
          params: IdPath,
          body: PasswordProof,
          response: { 200: TokenWithSecret },
        },
      },
      ({ user, params, body, visit }) =>
        security.withPassword(user, body.password, (tx) => tokens.rotate(tx, user, params.id, visit)),
    )

    app.delete(
      '/tokens/:id',
      {
        config: session,
        schema: {
          operationId: 'deleteToken',
          summary: 'Revoke a personal access token',
          params: IdPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, visit, ifMatch }) => tokens.revoke(user, params.id, visit, ifMatch),
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
          querystring: Page,
          response: { 200: FeedTokenList },
        },
      },
      ({ user, query }) => feedTokens.list(user, query),
    )

    app.post(
      '/feed-tokens',
      {
        config: secretSession,
        schema: {
          operationId: 'createFeedToken',
          summary: 'Create a read-only feed token',
          description: 'For programs that accept only a URL, such as calendar clients and browser sources.',
          body: NewFeedToken,
          response: { 201: FeedTokenWithSecret },
        },
      },
      async ({ user, body, visit }, reply) => {
        const created = await feedTokens.create(user, body, visit)
        reply.header('location', `/api/settings/feed-tokens/${created.id}`)
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
          params: IdPath,
          response: { 200: FeedToken },
        },
      },
      ({ user, params }) => feedTokens.get(user, params.id),
    )

    app.delete(
      '/feed-tokens/:id',
      {
        config: session,
        schema: {
          operationId: 'deleteFeedToken',
          summary: 'Revoke a feed token',
          params: IdPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, visit, ifMatch }) => feedTokens.revoke(user, params.id, visit, ifMatch),
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
          querystring: Page,
          response: { 200: InvitationList },
        },
      },
      ({ user, query }) => invitations.list(user, query),
    )

    app.post(
      '/invitations',
      {
        config: { ...secretSession, ownerOnly: true, mayAnswer: [409] },
        schema: {
          operationId: 'createInvitation',
          summary: 'Create an invitation',
          description:
            'The invitation is valid for one account and for a week. With `sendEmail`, the instance mails the link to `email`.',
          body: NewInvitation,
          response: { 201: InvitationWithCode },
        },
      },
      async ({ user, body, visit }, reply) => {
        const { password, email = null, sendEmail = false } = body
        if (sendEmail) await invitationMailer.requireReady(email)
        const created = await security.withPassword(user, password, (tx) =>
          invitations.create(tx, user, email, visit),
        )
        reply.header('location', `/api/settings/invitations/${created.id}`)
        const url = `${baseUrl()}/register?invitation=${created.code}`
        const emailSent =
          sendEmail && email !== null && (await invitationMailer.send(user, { id: created.id, email, url }))
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
          params: IdPath,
          response: { 200: Invitation },
        },
      },
      ({ user, params }) => invitations.get(user, params.id),
    )

    app.delete(
      '/invitations/:id',
      {
        config: ownerSession,
        schema: {
          operationId: 'deleteInvitation',
          summary: 'Revoke an invitation',
          params: IdPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, visit, ifMatch }) => invitations.revoke(user, params.id, visit, ifMatch),
    )
  }

export const tokenRoutes =
  (deps: TokenRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(personalTokenRoutes(deps))
    await app.register(feedTokenRoutes(deps))
    await app.register(invitationRoutes(deps))
  }
