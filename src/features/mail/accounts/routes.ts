import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../../platform/access/caller.ts'
import { IdPath, Page } from '../../../platform/http/shapes.ts'
import type { MailAccounts } from './accounts.ts'
import type { FindServers } from './autoconfig/autoconfig.ts'
import type { ConnectionTest } from './connection-test.ts'
import {
  Autoconfig,
  AutoconfigBody,
  MailAccount,
  MailAccountChange,
  MailAccountList,
  MailTest,
  NewMailAccount,
} from './schema.ts'

const tags = ['Settings']
const config = { access: 'session' } as const
const base = '/api/settings/mail-accounts'

export const mailAccountRoutes =
  (deps: {
    accounts: MailAccounts
    connectionTest: ConnectionTest
    findServers: FindServers
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { accounts } = deps

    app.get(
      '/',
      {
        config,
        schema: {
          operationId: 'listMailAccounts',
          summary: 'List mail accounts with their sync status',
          tags,
          querystring: Page,
          response: { 200: MailAccountList },
        },
      },
      (request) => accounts.list(sessionOf(request).userId, request.query),
    )

    app.post(
      '/',
      {
        config: { ...config, idempotency: 'kept' },
        schema: {
          operationId: 'addMailAccount',
          summary: 'Add a mail account',
          description:
            'The sync starts at once and fetches the newest mail first. The password is stored encrypted and never returned.',
          tags,
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

    app.post(
      '/test',
      {
        config,
        schema: {
          operationId: 'tryMailAccount',
          summary: 'Test the settings of a mail account before saving',
          description:
            'For each of the two servers, the response names the step that failed, the reason and a remedy.',
          tags,
          body: NewMailAccount,
          response: { 200: MailTest },
        },
      },
      (request) => deps.connectionTest.test(accounts.toTargets(request.body)),
    )

    app.post(
      '/autoconfig',
      {
        config,
        schema: {
          operationId: 'findMailServers',
          summary: 'Find the mail servers of an address',
          tags,
          body: AutoconfigBody,
          response: { 200: Autoconfig },
        },
      },
      (request) => deps.findServers(request.body.address),
    )

    app.get(
      '/:id',
      {
        config,
        schema: {
          operationId: 'getMailAccount',
          summary: 'Get a mail account',
          tags,
          params: IdPath,
          response: { 200: MailAccount },
        },
      },
      (request) => accounts.get(sessionOf(request).userId, request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: { ...config, mayAnswer: [409] },
        schema: {
          operationId: 'changeMailAccount',
          summary: 'Change a mail account',
          tags,
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
        config,
        schema: {
          operationId: 'removeMailAccount',
          summary: 'Remove a mail account',
          description: 'Keeps the mail on the server and the emails that were fetched.',
          tags,
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
      '/:id/test',
      {
        config,
        schema: {
          operationId: 'testMailAccount',
          summary: 'Test a mail account',
          description:
            'For each of the two servers, the response names the step that failed, the reason and a remedy.',
          tags,
          params: IdPath,
          response: { 200: MailTest },
        },
      },
      (request) => deps.connectionTest.testSaved(sessionOf(request).userId, request.params.id),
    )

    app.post(
      '/:id/sync',
      {
        config: { ...config, mayAnswer: [409] },
        schema: {
          operationId: 'syncMailAccount',
          summary: 'Sync a mail account now',
          description:
            'Responds before the sync is complete. The `sync` field of the account reports the progress.',
          tags,
          params: IdPath,
          response: { 200: MailAccount },
        },
      },
      (request) => accounts.requestSync(sessionOf(request).userId, request.params.id),
    )
  }
