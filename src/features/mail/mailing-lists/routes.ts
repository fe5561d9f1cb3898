import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { read, write } from '../../../platform/access/route-access.ts'
import { Page, type PageRequest } from '../../../platform/http/shapes.ts'
import { EmailPath } from '../messages/schema.ts'
import {
  MailingListList,
  MoveBody,
  MoveResponse,
  UnsubscribeBody,
  UnsubscribeOptions,
  UnsubscribeResponse,
} from './schema.ts'
import type { Unsubscriber } from './unsubscribe.ts'

export interface MailingListService {
  list: (userId: number, page: PageRequest) => Promise<MailingListList>
  move: (userId: number, input: MoveBody) => Promise<MoveResponse>
  unsubscriber: Unsubscriber
}

export const mailingListRoutes =
  ({ list, move, unsubscriber }: MailingListService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/mailing-lists',
      {
        config: { ...read('mail'), longReads: true },
        schema: {
          operationId: 'listMailingLists',
          summary: 'List mailing lists, most frequent first',
          description: 'Includes lists with mail in the last 90 days.',
          querystring: Page,
          response: { 200: MailingListList },
        },
      },
      (request) => list(request.user, request.query),
    )

    app.post(
      '/mailing-lists/move',
      {
        config: { ...write('mail'), idempotency: 'kept' },
        schema: {
          operationId: 'moveMailingList',
          summary: 'Move the emails of a mailing list to the archive or the trash',
          description:
            'Archiving affects emails in the inbox. Moving to the trash also affects the archive. Moves at most 500 emails, newest first. `POST /api/actions/{id}/undo` reverts the move.',
          body: MoveBody,
          response: { 200: MoveResponse },
        },
      },
      (request) => move(request.user, request.body),
    )

    app.get(
      '/emails/:id/mailing-list',
      {
        config: read('mail'),
        schema: {
          operationId: 'getUnsubscribeOptions',
          summary: 'Get the unsubscribe methods and status of an email’s mailing list',
          params: EmailPath,
          response: { 200: UnsubscribeOptions },
        },
      },
      (request) => unsubscriber.methods(request.user, request.params.id),
    )

    app.post(
      '/emails/:id/unsubscribe',
      {
        config: { ...write('mail'), idempotency: 'noted', mayAnswer: [502, 504] },
        schema: {
          operationId: 'unsubscribe',
          summary: 'Unsubscribe from the mailing list of an email',
          description:
            'Uses the best method that the email names. One-click sends one request to the list’s server (RFC 8058); it requires that your mail server verified the signature of both headers. Otherwise sends an email from the account that received the message, or returns a page for you to open. Emails that look like phishing or spam are rejected (409).',
          params: EmailPath,
          body: UnsubscribeBody,
          response: { 200: UnsubscribeResponse },
        },
      },
      (request) => unsubscriber.leave(request.user, request.params.id, request.body),
    )
  }
