import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../../platform/access/caller.ts'
import { anyone, ownerSession, session } from '../../../platform/access/route-access.ts'
import { requireUntagged } from '../../../platform/http/etag.ts'
import { IdPath, Page } from '../../../platform/http/shapes.ts'
import type { LanguageOf } from '../../../platform/language.ts'
import type { MailAccounts } from './accounts.ts'
import type { Autoconfig as ServerLookup } from './autoconfig/autoconfig.ts'
import type { ConnectionTest } from './connection-test.ts'
import {
  Autoconfig,
  AutoconfigBody,
  MailAccount,
  MailAccountChange,
  MailAccountList,
  MailProviderList,
  MailTest,
  NewMailAccount,
  OauthClient,
  OauthClientInput,
  OauthClientList,
  OauthClientPath,
  OauthStart,
  OauthStarted,
} from './schema.ts'
import type { OauthClients } from './sign-in/clients.ts'
import type { SignIn } from './sign-in/sign-in.ts'

const base = '/api/settings/mail-accounts'

export const mailAccountRoutes =
  (accounts: MailAccounts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: { ...session, longReads: true },
        schema: {
          operationId: 'listMailAccounts',
          summary: 'List mail accounts with their sync status',
          querystring: Page,
          response: { 200: MailAccountList },
        },
      },
      (request) => accounts.list(sessionOf(request).userId, request.query),
    )

    app.post(
      '/',
      {
        config: { ...session, idempotency: 'kept' },
        schema: {
          operationId: 'createMailAccount',
          summary: 'Add a mail account',
          description:
            'The sync starts at once and fetches the newest mail first. The password is stored encrypted and never returned.',
          body: NewMailAccount,
          response: { 201: MailAccount },
        },
      },
      async (request, reply) => {
        const added = await accounts.add(sessionOf(request).userId, request.body, visitOf(request))
        reply.code(201).header('location', `${base}/${added.id}`)
        return added
      },
    )

    app.get(
      '/:id',
      {
        config: { ...session, longReads: true },
        schema: {
          operationId: 'getMailAccount',
          summary: 'Get a mail account',
          params: IdPath,
          response: { 200: MailAccount },
        },
      },
      (request) => accounts.get(sessionOf(request).userId, request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: { ...session, mayAnswer: [409] },
        schema: {
          operationId: 'updateMailAccount',
          summary: 'Change a mail account',
          params: IdPath,
          body: MailAccountChange,
          response: { 200: MailAccount },
        },
      },
      (request) =>
        accounts.change(
          sessionOf(request).userId,
          request.params.id,
          request.body,
          visitOf(request),
          request.headers['if-match'],
        ),
    )

    app.delete(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'deleteMailAccount',
          summary: 'Remove a mail account',
          description: 'Keeps the mail on the server and the emails that were fetched.',
          params: IdPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { userId } = sessionOf(request)
        await accounts.remove(userId, request.params.id, visitOf(request), request.headers['if-match'])
        reply.code(204)
        return null
      },
    )

    app.post(
      '/:id/sync',
      {
        config: { ...session, mayAnswer: [409] },
        schema: {
          operationId: 'syncMailAccount',
          summary: 'Sync a mail account now',
          description:
            'Responds before the sync is complete. The `sync` field of the account reports the progress.',
          params: IdPath,
          response: { 200: MailAccount },
        },
      },
      (request) => accounts.requestSync(sessionOf(request).userId, request.params.id),
    )
  }

/** Routes that find and test the servers of an account. */
export const mailServerRoutes =
  (deps: {
    accounts: Pick<MailAccounts, 'toTargets'>
    connectionTest: ConnectionTest
    autoconfig: ServerLookup
    languageOf: LanguageOf
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/providers',
      {
        config: session,
        schema: {
          operationId: 'listMailProviders',
          summary: 'List known mail providers with the steps to connect them',
          description: 'The texts are in the language of the account. `ways` depends on this instance.',
          response: { 200: MailProviderList },
        },
      },
      async (request) => deps.autoconfig.listProviders(await deps.languageOf(sessionOf(request).userId)),
    )

    app.post(
      '/test',
      {
        config: session,
        schema: {
          operationId: 'testNewMailAccount',
          summary: 'Test the settings of a mail account before saving',
          description:
            'For each of the two servers, the response names the step that failed, the reason and a remedy.',
          body: NewMailAccount,
          response: { 200: MailTest },
        },
      },
      (request) => deps.connectionTest.test(sessionOf(request).userId, deps.accounts.toTargets(request.body)),
    )

    app.post(
      '/autoconfig',
      {
        config: session,
        schema: {
          operationId: 'findMailServers',
          summary: 'Find the mail servers of an address',
          body: AutoconfigBody,
          response: { 200: Autoconfig },
        },
      },
      async (request) =>
        deps.autoconfig.find(request.body.address, await deps.languageOf(sessionOf(request).userId)),
    )

    app.post(
      '/:id/test',
      {
        config: session,
        schema: {
          operationId: 'testMailAccount',
          summary: 'Test a mail account',
          description:
            'For each of the two servers, the response names the step that failed, the reason and a remedy.',
          params: IdPath,
          response: { 200: MailTest },
        },
      },
      (request) => deps.connectionTest.testSaved(sessionOf(request).userId, request.params.id),
    )
  }

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
        config: { ...session, secret: true, mayAnswer: [409] },
        schema: {
          operationId: 'startMailSignIn',
          summary: 'Start the mail sign-in with Google or Microsoft',
          description:
            'Open `url` in the browser that made this request. The callback requires the cookie of the response.',
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
        config: { ...anyone, page: true },
        schema: {
          operationId: 'finishMailSignIn',
          summary: 'Complete the mail sign-in (OAuth redirect target)',
          querystring: Type.Object({
            state: Type.String({ minLength: 1, maxLength: 200 }),
            code: Type.Optional(Type.String({ maxLength: 4000 })),
            error: Type.Optional(Type.String({ maxLength: 200 })),
          }),
        },
      },
      async (request, reply) => {
        const visit = visitOf(request)
        const { accountId, isCalendarDenied } = await deps.signIn.finish(
          request.query,
          readCookie(request),
          visit,
        )
        reply.header('set-cookie', `${COOKIE}=; Max-Age=0; ${attributes()}`)
        const outcome = `connected=${accountId}${isCalendarDenied ? '&calendar=denied' : ''}`
        return reply.redirect(`${deps.consoleUrl()}/settings/mail-accounts?${outcome}`, 303)
      },
    )
  }

/** The OAuth clients of the instance, for its owner. */
export const oauthClientRoutes =
  (clients: OauthClients): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: ownerSession,
        schema: {
          operationId: 'listOauthClients',
          summary: 'List the OAuth clients of the instance',
          description: 'Client secrets are never returned.',
          response: { 200: OauthClientList },
        },
      },
      () => clients.list(),
    )

    app.put(
      '/:provider',
      {
        config: { ...ownerSession, mayAnswer: [409] },
        schema: {
          operationId: 'setOauthClient',
          summary: 'Save the OAuth client for a provider',
          description:
            'Takes effect at once, on all processes. Responds with 409 if an environment variable sets the client.',
          params: OauthClientPath,
          body: OauthClientInput,
          response: { 200: OauthClient },
        },
      },
      (request) =>
        clients.save(sessionOf(request).userId, request.params.provider, request.body, visitOf(request)),
    )

    app.delete(
      '/:provider',
      {
        config: { ...ownerSession, mayAnswer: [409] },
        schema: {
          operationId: 'deleteOauthClient',
          summary: 'Delete the OAuth client for a provider',
          description: 'Accounts that sign in with it stop syncing when their token expires.',
          params: OauthClientPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        requireUntagged(request.headers['if-match'])
        await clients.remove(sessionOf(request).userId, request.params.provider, visitOf(request))
        reply.code(204)
        return null
      },
    )
  }
