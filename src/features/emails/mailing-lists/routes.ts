import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Page, type PageRequest } from '../../../platform/http/shapes.ts'
import { EmailPath } from '../schema.ts'
import {
  MailingListList,
  MoveAnswer,
  MoveBody,
  UnsubscribeAnswer,
  UnsubscribeBody,
  WaysOut,
} from './schema.ts'
import type { Unsubscribing } from './unsubscribing.ts'

const tags = ['Emails']
const reading = { access: 'switched', scope: 'mail:read' } as const
const writing = { access: 'switched', scope: 'mail:write' } as const

export interface MailingListDesk {
  list: (page: PageRequest) => Promise<MailingListList>
  move: (wish: MoveBody) => Promise<MoveAnswer>
  unsubscribing: Unsubscribing
}

export const mailingListRoutes =
  ({ list, move, unsubscribing }: MailingListDesk): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/mailing-lists',
      {
        config: reading,
        schema: {
          operationId: 'listMailingLists',
          summary: 'Mailing lists, those that write most first',
          description: 'Those that wrote in the last 90 days.',
          tags,
          querystring: Page,
          response: { 200: MailingListList },
        },
      },
      (request) => list(request.query),
    )

    app.post(
      '/mailing-lists/move',
      {
        config: { ...writing, idempotency: 'kept' },
        schema: {
          operationId: 'moveMailingList',
          summary: 'Archive or throw away the e-mails of a mailing list',
          description:
            'Those in the inbox; to throw them away, also those in the archive. 500 at most, the newest first. `POST /api/actions/{id}/undo` takes it back.',
          tags,
          body: MoveBody,
          response: { 200: MoveAnswer },
        },
      },
      (request) => move(request.body),
    )

    app.get(
      '/emails/:id/mailing-list',
      {
        config: reading,
        schema: {
          operationId: 'getWaysOut',
          summary: 'How the mailing list of an e-mail is left, and whether it has been',
          tags,
          params: EmailPath,
          response: { 200: WaysOut },
        },
      },
      (request) => unsubscribing.ways(request.params.id),
    )

    app.post(
      '/emails/:id/unsubscribe',
      {
        config: { ...writing, idempotency: 'noted', mayAnswer: [502, 504] },
        schema: {
          operationId: 'unsubscribe',
          summary: 'Leave the mailing list of an e-mail',
          description:
            'The best way that the e-mail names: one request to the list’s server (RFC 8058), only where your mail server found both headers to be signed; else a mail from the account that it came to; else a page, which is for you to open. What looks like phishing or spam is not answered (409).',
          tags,
          params: EmailPath,
          body: UnsubscribeBody,
          response: { 200: UnsubscribeAnswer },
        },
      },
      (request) => unsubscribing.leave(request.params.id, request.body),
    )
  }
