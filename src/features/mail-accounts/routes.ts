import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../platform/access/visit.ts'
import { IdPath, Page } from '../../platform/http/shapes.ts'
import type { MailAccounts } from './accounts.ts'
import type { FindServers } from './autoconfig/autoconfig.ts'
import {
  Autoconfig,
  AutoconfigBody,
  MailAccount,
  MailAccountChange,
  MailAccountList,
  MailTest,
  NewMailAccount,
} from './schema.ts'
import type { Trial } from './trial.ts'

const tags = ['Settings']
const config = { access: 'session' } as const
const base = '/api/settings/mail-accounts'

export const mailAccountRoutes =
  (deps: { accounts: MailAccounts; trial: Trial; findServers: FindServers }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { accounts } = deps

    app.get(
      '/',
      {
        config,
        schema: {
          operationId: 'listMailAccounts',
          summary: 'Your mail accounts, and how far they are in step',
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
            'Its mail is fetched at once, the newest first. The password is sealed and never comes out.',
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
          summary: 'Try settings before saving them',
          description: 'Says for both servers which step failed, why, and what to do.',
          tags,
          body: NewMailAccount,
          response: { 200: MailTest },
        },
      },
      (request) => deps.trial.attempt(accounts.targetsOf(request.body)),
    )

    app.post(
      '/autoconfig',
      {
        config,
        schema: {
          operationId: 'findMailServers',
          summary: 'Find the servers of an address',
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
          summary: 'One mail account',
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
          description: 'Neither the mail on its server nor the e-mails that were fetched are touched.',
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
          description: 'Says for both servers which step failed, why, and what to do.',
          tags,
          params: IdPath,
          response: { 200: MailTest },
        },
      },
      (request) => deps.trial.attemptSaved(sessionOf(request).userId, request.params.id),
    )

    app.post(
      '/:id/sync',
      {
        config: { ...config, mayAnswer: [409] },
        schema: {
          operationId: 'syncMailAccount',
          summary: 'Look for mail now',
          description: 'Answers at once; `sync` of the account shows how far it has come.',
          tags,
          params: IdPath,
          response: { 200: MailAccount },
        },
      },
      (request) => accounts.requestSync(sessionOf(request).userId, request.params.id),
    )
  }
