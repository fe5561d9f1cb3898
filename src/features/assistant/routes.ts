import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tokenIdOf } from '../../platform/access/caller.ts'
import { whileConnected } from '../../platform/http/request-limits.ts'
import { takesEvents } from '../../platform/http/responses.ts'
import { IdPath, Page } from '../../platform/http/shapes.ts'
import { sendEvents } from '../models/server-sent.ts'
import type { Chat } from './chat.ts'
import type { Conversations } from './conversations.ts'
import { ChatAnswer, ChatInput, Conversation, ConversationList } from './schema.ts'

const tags = ['AI']
const readAccess = { access: 'switched', scope: 'ai:read' } as const
const writeAccess = { access: 'switched', scope: 'ai:write' } as const

export const chatRoutes =
  ({ chat, conversations }: { chat: Chat; conversations: Conversations }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/chat',
      {
        config: { ...writeAccess, idempotency: 'noted', mayAnswer: [404, 409, 429, 502, 504] },
        schema: {
          operationId: 'chat',
          summary: 'Send a message to the assistant',
          description:
            'The assistant uses tools to answer. A personal access token can use the tools that its scopes cover. Sending and deleting return `needs_confirmation`. With `Accept: text/event-stream`, the answer is streamed. With an `Idempotency-Key`, the answer is not streamed, the request runs once, and it continues after a disconnect: repeat the request with the same key to get the answer.',
          tags,
          body: ChatInput,
          response: { 200: ChatAnswer },
        },
      },
      (request, reply) => {
        const { caller } = request
        const isRepeatable = request.headers['idempotency-key'] !== undefined
        const signal = isRepeatable ? new AbortController().signal : whileConnected(reply)
        const chatCaller = { caller, tokenId: tokenIdOf(caller), signal }
        return takesEvents(request.headers) && !isRepeatable
          ? sendEvents(request, reply, chat.stream(request.body, chatCaller))
          : (chat.answer(request.body, chatCaller) as never)
      },
    )

    app.get(
      '/conversations',
      {
        config: readAccess,
        schema: {
          operationId: 'listConversations',
          summary: 'List conversations with the assistant',
          description: 'Newest first. A personal access token sees only the conversations that it created.',
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
        config: readAccess,
        schema: {
          operationId: 'getConversation',
          summary: 'Get a conversation with its messages',
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
        config: writeAccess,
        schema: {
          operationId: 'deleteConversation',
          summary: 'Delete a conversation',
          description:
            'Pending actions of the conversation are deleted too. Completed actions are not undone.',
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
