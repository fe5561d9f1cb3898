import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { userIdOf } from '../../../platform/access/caller.ts'
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

const tags = ['Emails']
const reading = { access: 'switched', scope: 'mail:read' } as const
const writing = { access: 'switched', scope: 'mail:write' } as const

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
        config: { ...reading, longReads: true },
        schema: {
          operationId: 'listMailingLists',
          summary: 'List mailing lists, most frequent first',
          description: 'Includes lists with mail in the last 90 days.',
          tags,
          querystring: Page,
          response: { 200: MailingListList },
        },
      },
      (request) => list(userIdOf(request.caller), request.query),
    )

    app.post(
      '/mailing-lists/move',
      {
        config: { ...writing, idempotency: 'kept' },
        schema: {
          operationId: 'moveMailingList',
          summary: 'Move the emails of a mailing list to the archive or the trash',
          description:
            'Archiving affects emails in the inbox. Moving to the trash also affects the archive. Moves at most 500 emails, newest first. `POST /api/actions/{id}/undo` reverts the move.',
          tags,
          body: MoveBody,
          response: { 200: MoveResponse },
        },
      },
      (request) => move(userIdOf(request.caller), request.body),
    )

    app.get(
      '/emails/:id/mailing-list',
      {
        config: reading,
        schema: {
          operationId: 'getUnsubscribeOptions',
          summary: 'Get the unsubscribe methods and status of an email’s mailing list',
          tags,
          params: EmailPath,
          response: { 200: UnsubscribeOptions },
        },
      },
      (request) => unsubscriber.methods(userIdOf(request.caller), request.params.id),
    )

    app.post(
      '/emails/:id/unsubscribe',
      {
        config: { ...writing, idempotency: 'noted', mayAnswer: [502, 504] },
        schema: {
          operationId: 'unsubscribe',
          summary: 'Unsubscribe from the mailing list of an email',
          description:
            'Uses the best method that the email names. One-click sends one request to the list’s server (RFC 8058); it requires that your mail server verified the signature of both headers. Otherwise sends an email from the account that received the message, or returns a page for you to open. Emails that look like phishing or spam are rejected (409).',
          tags,
          params: EmailPath,
          body: UnsubscribeBody,
          response: { 200: UnsubscribeResponse },
        },
      },
      (request) => unsubscriber.leave(userIdOf(request.caller), request.params.id, request.body),
    )
  }
