import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../../platform/access/route-access.ts'
import { LONG_PARAMETERS } from '../messages/schema.ts'
import type { CancelSend, ThreadActions } from './actions.ts'
import type { ThreadLists } from './queries.ts'
import {
  ChangedEmails,
  ChangedThreads,
  EmailsChange,
  SearchSuggestions,
  SuggestionQuery,
  Thread,
  ThreadChange,
  ThreadList,
  ThreadPath,
  ThreadQuery,
  ThreadsChange,
  ThreadsDeletion,
} from './schema.ts'

interface ThreadRouteDeps {
  threads: ThreadLists
  actions: ThreadActions
  suggest: (userId: number, q: string) => Promise<SearchSuggestions>
  cancelSend: CancelSend
}

/** Routes for conversations, and for changes of several emails. */
export const threadRoutes =
  ({ threads, actions, suggest, cancelSend }: ThreadRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/threads',
      {
        config: { ...read('mail'), longReads: LONG_PARAMETERS },
        schema: {
          operationId: 'listThreads',
          summary: 'List conversations, newest first',
          description:
            'Each conversation is listed once, at its newest email that matches. A page may have fewer entries than `limit` although `nextCursor` is set, because long conversations take longer to read.',
          querystring: ThreadQuery,
          response: { 200: ThreadList },
        },
      },
      (request) => threads.list(request.user, request.query),
    )

    app.get(
      '/threads/:id',
      {
        config: { ...read('mail'), mayAnswer: [304] },
        schema: {
          operationId: 'getThread',
          summary: 'Get a conversation',
          description:
            'Counts the emails of all folders except trash and junk. `GET /api/emails/{id}/thread` lists them.',
          params: ThreadPath,
          response: { 200: Thread },
        },
      },
      (request) => threads.get(request.user, request.params.id),
    )

    app.patch(
      '/threads/:id',
      {
        config: write('mail'),
        schema: {
          operationId: 'updateThread',
          summary: 'Update a conversation',
          description:
            'Marks, moves, stars or tags the emails of the conversation in one transaction, as `PATCH /api/threads` does.',
          params: ThreadPath,
          body: ThreadChange,
          response: { 200: Thread },
        },
      },
      async ({ user, params, body, ifMatch }) => {
        await actions.changeThread(user, params.id, body, ifMatch, cancelSend)
        return threads.get(user, params.id)
      },
    )

    app.patch(
      '/threads',
      {
        config: write('mail'),
        schema: {
          operationId: 'updateThreads',
          summary: 'Update conversations',
          description:
            'Marks, moves, stars or tags all emails of the conversations in one transaction. A star and `read: false` concern only the newest email of each. Without `folder` and `folderId`, sent emails stay in their folder unless the target is the trash. Up to 1,000 emails, otherwise `too_many_emails`.',
          body: ThreadsChange,
          response: { 200: ChangedThreads },
        },
      },
      (request) => actions.change(request.user, request.body, cancelSend),
    )

    app.post(
      '/threads/delete',
      {
        config: write('mail'),
        schema: {
          operationId: 'deleteThreads',
          summary: 'Delete conversations permanently',
          description:
            'Deletes the emails and their attachments in one transaction. Copies on the mail server move to the trash there. Up to 1,000 emails, otherwise `too_many_emails`.',
          body: ThreadsDeletion,
          response: { 204: Type.Null() },
        },
      },
      (request) => actions.remove(request.user, request.body),
    )

    app.patch(
      '/emails',
      {
        config: write('mail'),
        schema: {
          operationId: 'updateEmails',
          summary: 'Update several emails',
          description:
            'Changes tags, flags and folders in one transaction. Skips emails that do not exist. Reverts `PATCH /api/threads` with the values that it returned.',
          body: EmailsChange,
          response: { 200: ChangedEmails },
        },
      },
      (request) => actions.changeEmails(request.user, request.body),
    )

    app.get(
      '/emails/suggestions',
      {
        config: { ...read('mail'), longReads: true },
        schema: {
          operationId: 'suggestSearches',
          summary: 'Suggest senders and tags for a search',
          querystring: SuggestionQuery,
          response: { 200: SearchSuggestions },
        },
      },
      (request) => suggest(request.user, request.query.q),
    )
  }
