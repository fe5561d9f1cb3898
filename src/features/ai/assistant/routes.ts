import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tokenIdOf } from '../../../platform/access/caller.ts'
import { takesEvents } from '../../../platform/http/accept.ts'
import { IdPath, Page } from '../../../platform/http/shapes.ts'
import { whileConnected } from '../../../platform/http/while-connected.ts'
import { sendEvents } from '../server-sent.ts'
import type { Chat } from './chat.ts'
import type { Conversations } from './conversations.ts'
import { ChatAnswer, ChatWish, Conversation, ConversationList } from './schema.ts'

const tags = ['AI']
const reading = { access: 'switched', scope: 'ai:read' } as const
const writing = { access: 'switched', scope: 'ai:write' } as const

export const chatRoutes =
  ({ chat, conversations }: { chat: Chat; conversations: Conversations }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/chat',
      {
        config: { ...writing, idempotency: 'noted', mayAnswer: [404, 409, 429, 502, 504] },
        schema: {
          operationId: 'chat',
          summary: 'Tell the assistant what to do, or ask it',
          description:
            'It looks and acts with tools, of which a personal access token has those that its scopes cover. Sending and deleting come back as `needs_confirmation`. With `Accept: text/event-stream` the answer comes as it is written. With an `Idempotency-Key` it comes whole, what is asked is done once, and goes on when you hang up: ask again with the same key for the answer.',
          tags,
          body: ChatWish,
          response: { 200: ChatAnswer },
        },
      },
      (request, reply) => {
        const { caller } = request
        const isRepeatable = request.headers['idempotency-key'] !== undefined
        const signal = isRepeatable ? new AbortController().signal : whileConnected(reply)
        const chatter = { caller, tokenId: tokenIdOf(caller), signal }
        return takesEvents(request.headers) && !isRepeatable
          ? sendEvents(request, reply, chat.stream(request.body, chatter))
          : (chat.answer(request.body, chatter) as never)
      },
    )

    app.get(
      '/conversations',
      {
        config: reading,
        schema: {
          operationId: 'listConversations',
          summary: 'Conversations with the assistant, the latest first',
          description: 'A personal access token sees those that were begun with it.',
          tags,
          querystring: Page,
          response: { 200: ConversationList },
        },
      },
      (request) => conversations.list(request.query, request.caller),
    )

    app.get(
      '/conversations/:id',
      {
        config: reading,
        schema: {
          operationId: 'getConversation',
          summary: 'One conversation, and what was said in it',
          tags,
          params: IdPath,
          response: { 200: Conversation },
        },
      },
      (request) => conversations.show(request.params.id, request.caller) as never,
    )

    app.delete(
      '/conversations/:id',
      {
        config: writing,
        schema: {
          operationId: 'deleteConversation',
          summary: 'Delete a conversation',
          description: 'What waits for a confirmation in it goes with it; what was done stays.',
          tags,
          params: IdPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await conversations.delete(request.params.id, request.caller, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }
