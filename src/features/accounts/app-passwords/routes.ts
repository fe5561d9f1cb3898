import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { anyone, secretSession, session } from '../../../platform/access/route-access.ts'
import { IdPath, Page } from '../../../platform/http/shapes.ts'
import type { AppPasswords } from '../../auth/app-passwords.ts'
import type { Security } from '../security/security.ts'
import { writeAppleProfile } from './apple-profile.ts'
import {
  AppPassword,
  AppPasswordChange,
  AppPasswordList,
  AppPasswordWithSecret,
  type DAV_REACH,
  DavServer,
  NewAppPassword,
} from './schema.ts'

type DavReach = (typeof DAV_REACH)[number]

export interface DavAddress {
  publicUrl: string | null
  /** The server listens on a loopback address only. */
  isLoopbackHost: boolean
}

const LOOPBACK_NAME = /^(?:localhost|127\.[\d.]+|\[::1\])$/

/** Tells which devices can connect, and at which address. */
const describeServer = (
  { publicUrl, isLoopbackHost }: DavAddress,
  { protocol, host }: FastifyRequest,
): { url: string; reach: DavReach } => {
  const base = new URL(publicUrl ?? `${protocol}://${host}`)
  const isLocal = publicUrl === null ? isLoopbackHost : LOOPBACK_NAME.test(base.hostname)
  const reach = base.protocol === 'https:' ? 'https' : 'http'
  return { url: `${base.href.replace(/\/$/, '')}/dav/`, reach: isLocal ? 'local' : reach }
}

const ProfileQuery = Type.Object(
  { username: Type.String({ minLength: 1, maxLength: 320, pattern: '^\\P{Cc}+$' }) },
  { additionalProperties: false },
)

/** Public, because iOS opens a profile only from a plain link. It contains no secret. */
export const appleProfileRoutes =
  (address: DavAddress): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/factotum.mobileconfig',
      { config: { ...anyone, page: true }, schema: { querystring: ProfileQuery } },
      (request, reply) =>
        reply
          .type('application/x-apple-aspen-config')
          .header('content-disposition', 'attachment; filename="factotum.mobileconfig"')
          .send(writeAppleProfile(new URL(describeServer(address, request).url), request.query.username)),
    )
  }

interface AppPasswordRouteDeps {
  appPasswords: AppPasswords
  security: Security
  address: DavAddress
  emailOf: (userId: number) => Promise<string | null>
}

export const appPasswordRoutes =
  ({ appPasswords, security, address, emailOf }: AppPasswordRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/dav',
      {
        config: session,
        schema: {
          operationId: 'getDavServer',
          summary: 'Get the address for calendar, task and contact apps',
          response: { 200: DavServer },
        },
      },
      async (request) => ({
        ...describeServer(address, request),
        username: (await emailOf(request.user)) ?? '',
      }),
    )

    app.get(
      '/app-passwords',
      {
        config: session,
        schema: {
          operationId: 'listAppPasswords',
          summary: 'List your app passwords',
          querystring: Page,
          response: { 200: AppPasswordList },
        },
      },
      ({ user, query }) => appPasswords.list(user, query),
    )

    app.post(
      '/app-passwords',
      {
        config: secretSession,
        schema: {
          operationId: 'createAppPassword',
          summary: 'Create an app password',
          description:
            'For one calendar, task or contact app (CalDAV, CardDAV). Only this response contains the password.',
          body: NewAppPassword,
          response: { 201: AppPasswordWithSecret },
        },
      },
      async ({ user, body, visit }, reply) => {
        const { password, name, access, invitations = 'ask' } = body
        const created = await security.withPassword(user, password, (tx, account) =>
          appPasswords.create(tx, account, { name, access, invitations }, visit),
        )
        reply.header('location', `/api/settings/app-passwords/${created.id}`)
        return created
      },
    )

    app.get(
      '/app-passwords/:id',
      {
        config: session,
        schema: {
          operationId: 'getAppPassword',
          summary: 'Get an app password',
          params: IdPath,
          response: { 200: AppPassword },
        },
      },
      ({ user, params }) => appPasswords.get(user, params.id),
    )

    app.patch(
      '/app-passwords/:id',
      {
        config: session,
        schema: {
          operationId: 'updateAppPassword',
          summary: 'Rename an app password or change its invitations',
          params: IdPath,
          body: AppPasswordChange,
          response: { 200: AppPassword },
        },
      },
      ({ user, params, body, visit, ifMatch }) => appPasswords.change(user, params.id, body, visit, ifMatch),
    )

    app.delete(
      '/app-passwords/:id',
      {
        config: session,
        schema: {
          operationId: 'deleteAppPassword',
          summary: 'Revoke an app password',
          description: 'The app loses access at once.',
          params: IdPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, visit, ifMatch }) => appPasswords.revoke(user, params.id, visit, ifMatch),
    )
  }
