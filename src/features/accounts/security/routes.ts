import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf } from '../../../platform/access/caller.ts'
import { session } from '../../../platform/access/route-access.ts'
import { IdPath, Page } from '../../../platform/http/shapes.ts'
import type { Activity } from '../../auth/activity.ts'
import { Me } from '../../auth/schema.ts'
import type { Sessions } from '../../auth/sessions.ts'
import {
  ActivityList,
  ActivityQuery,
  BackupCodes,
  EmailChange,
  PasswordChange,
  PasswordChanged,
  PasswordProof,
  SessionList,
  SessionsRevoked,
  TwoFactorEnable,
  TwoFactorSetup,
  TwoFactorStatus,
} from '../schema.ts'
import type { Security } from './security.ts'

const secret = { ...session, secret: true } as const

interface SecurityRouteDeps {
  security: Security
  sessions: Sessions
  activity: Activity
}

const signInRoutes =
  ({ security }: SecurityRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/password',
      {
        config: { ...session, mayAnswer: [429] },
        schema: {
          operationId: 'changePassword',
          summary: 'Change your password',
          description: 'Ends every other session.',
          body: PasswordChange,
          response: { 200: PasswordChanged },
        },
      },
      (request) => {
        const { password, newPassword } = request.body
        return security.changePassword(sessionOf(request), password, newPassword, request.visit)
      },
    )

    app.post(
      '/email',
      {
        config: { ...session, mayAnswer: [409, 429] },
        schema: {
          operationId: 'changeSignInEmail',
          summary: 'Change your email',
          body: EmailChange,
          response: { 200: Me },
        },
      },
      ({ user, body, visit }) => security.changeEmail(user, body.password, body.email, visit),
    )
  }

const twoFactorRoutes =
  ({ security }: SecurityRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/2fa',
      {
        config: session,
        schema: {
          operationId: 'getTwoFactor',
          summary: 'Get the status of two-factor authentication',
          response: { 200: TwoFactorStatus },
        },
      },
      ({ user }) => security.twoFactorStatus(user),
    )

    app.post(
      '/2fa/setup',
      {
        config: { ...secret, mayAnswer: [409] },
        schema: {
          operationId: 'setUpTwoFactor',
          summary: 'Get a secret for an authenticator app',
          description: 'Login does not require a code until `enable` has verified one.',
          body: PasswordProof,
          response: { 200: TwoFactorSetup },
        },
      },
      ({ user, body }) => security.setUpTwoFactor(user, body.password),
    )

    app.post(
      '/2fa/enable',
      {
        config: { ...secret, mayAnswer: [409] },
        schema: {
          operationId: 'enableTwoFactor',
          summary: 'Enable two-factor authentication',
          description: 'Returns ten backup codes.',
          body: TwoFactorEnable,
          response: { 200: BackupCodes },
        },
      },
      ({ user, body, visit }) => security.enableTwoFactor(user, body.password, body.code, visit),
    )

    app.post(
      '/2fa/disable',
      {
        config: { ...session, mayAnswer: [409, 429] },
        schema: {
          operationId: 'disableTwoFactor',
          summary: 'Disable two-factor authentication',
          body: PasswordProof,
          response: { 200: TwoFactorStatus },
        },
      },
      ({ user, body, visit }) => security.disableTwoFactor(user, body.password, visit),
    )

    app.post(
      '/2fa/backup-codes',
      {
        config: { ...secret, mayAnswer: [409] },
        schema: {
          operationId: 'renewBackupCodes',
          summary: 'Replace the backup codes',
          body: PasswordProof,
          response: { 200: BackupCodes },
        },
      },
      ({ user, body, visit }) => security.renewBackupCodes(user, body.password, visit),
    )
  }

const sessionRoutes =
  ({ sessions, activity }: SecurityRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/sessions',
      {
        config: session,
        schema: {
          operationId: 'listSessions',
          summary: 'List your sessions',
          querystring: Page,
          response: { 200: SessionList },
        },
      },
      (request) => {
        const { userId, sessionId } = sessionOf(request)
        return sessions.list(userId, sessionId, request.query)
      },
    )

    app.delete(
      '/sessions/:id',
      {
        config: session,
        schema: {
          operationId: 'deleteSession',
          summary: 'End a session',
          params: IdPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, visit, ifMatch }) => sessions.revoke(user, params.id, visit, ifMatch),
    )

    app.post(
      '/sessions/revoke-others',
      {
        config: session,
        schema: {
          operationId: 'revokeOtherSessions',
          summary: 'End all other sessions',
          response: { 200: SessionsRevoked },
        },
      },
      async (request) => {
        const { userId, sessionId } = sessionOf(request)
        return { revoked: await sessions.revokeOthers(userId, sessionId, request.visit) }
      },
    )

    app.get(
      '/activity',
      {
        config: session,
        schema: {
          operationId: 'listActivity',
          summary: 'List account activity',
          querystring: ActivityQuery,
          response: { 200: ActivityList },
        },
      },
      ({ user, query }) => activity.list(user, query),
    )
  }

export const securityRoutes =
  (deps: SecurityRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(signInRoutes(deps))
    await app.register(twoFactorRoutes(deps))
    await app.register(sessionRoutes(deps))
  }
