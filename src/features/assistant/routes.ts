import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { anyScope, person, read, session, write } from '../../platform/access/route-access.ts'
import { whileConnected } from '../../platform/http/request-limits.ts'
import { takesEvents } from '../../platform/http/responses.ts'
import { IdPath } from '../../platform/http/shapes.ts'
import { sendEvents } from '../models/server-sent.ts'
import type { Chat } from './chat.ts'
import type { PendingActions } from './confirmations.ts'
import type { Conversations } from './conversations.ts'
import type { Mcp } from './mcp.ts'
import {
  ActionEdit,
  ChatAnswer,
  ChatInput,
  Confirmation,
  Conversation,
  ConversationList,
  ConversationPatch,
  ConversationQuery,
  ConversationSummary,
  InvalidMcpMessage,
  McpAccepted,
  McpAnswer,
  McpMessages,
  McpNotAcceptable,
  WaitingAction,
  WaitingList,
  WaitingQuery,
} from './schema.ts'

export const chatRoutes =
  ({ chat, conversations }: { chat: Chat; conversations: Conversations }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/chat',
      {
        config: { ...write('ai'), idempotency: 'noted', mayAnswer: [404, 409, 429, 502, 504] },
        schema: {
          operationId: 'chat',
          summary: 'Send a message to the assistant',
          description:
            'The assistant uses tools to answer. A personal access token can use the tools that its scopes cover. Sending and deleting return `needs_confirmation`. With `Accept: text/event-stream`, the answer is streamed. With an `Idempotency-Key`, the answer is not streamed, the request runs once, and it continues after a disconnect: repeat the request with the same key to get the answer.',
          body: ChatInput,
          response: { 200: ChatAnswer },
        },
      },
      (request, reply) => {
        const { caller } = request
        const isRepeatable = request.headers['idempotency-key'] !== undefined
        const signal = isRepeatable ? new AbortController().signal : whileConnected(reply)
        const chatCaller = { caller, signal }
        return takesEvents(request.headers) && !isRepeatable
          ? sendEvents(request, reply, chat.stream(request.body, chatCaller))
          : (chat.answer(request.body, chatCaller) as never)
      },
    )

    app.get(
      '/conversations',
      {
        config: read('ai'),
        schema: {
          operationId: 'listConversations',
          summary: 'List conversations with the assistant',
          description:
            'Newest first. With `q`, only matching conversations. A personal access token sees only the conversations that it created.',
          querystring: ConversationQuery,
          response: { 200: ConversationList },
        },
      },
      (request) => conversations.list(request.query, request.caller),
    )

    app.get(
      '/conversations/:id',
      {
        config: read('ai'),
        schema: {
          operationId: 'getConversation',
          summary: 'Get a conversation with its messages',
          params: IdPath,
          response: { 200: Conversation },
        },
      },
      (request) => conversations.show(request.params.id, request.caller) as never,
    )

    app.patch(
      '/conversations/:id',
      {
        config: write('ai'),
        schema: {
          operationId: 'updateConversation',
          summary: 'Rename a conversation',
          description: 'The order of the list stays the same.',
          params: IdPath,
          body: ConversationPatch,
          response: { 200: ConversationSummary },
        },
      },
      ({ params, body, caller, headers }) =>
        conversations.rename(params.id, body.title, caller, headers['if-match']),
    )

    app.delete(
      '/conversations/:id',
      {
        config: write('ai'),
        schema: {
          operationId: 'deleteConversation',
          summary: 'Delete a conversation',
          description:
            'Pending actions of the conversation are deleted too. Completed actions are not undone.',
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

/** In open mode, a client on the same machine needs no token. It must not confirm or edit its own action. */
const decisionAccess = { ...session, mayAnswer: [409] } as const

export const actionRoutes =
  (pendingActions: PendingActions): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: person,
        schema: {
          operationId: 'listWaitingActions',
          summary: 'List actions that wait for confirmation',
          description:
            'Newest first. Decided actions are kept for 30 days. A pending action expires after one day.',
          querystring: WaitingQuery,
          response: { 200: WaitingList },
        },
      },
      (request) => pendingActions.list(request.user, request.query) as never,
    )

    app.get(
      '/:id',
      {
        config: person,
        schema: {
          operationId: 'getWaitingAction',
          summary: 'Get an action',
          params: IdPath,
          response: { 200: WaitingAction },
        },
      },
      (request) => pendingActions.get(request.user, request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: decisionAccess,
        schema: {
          operationId: 'updateWaitingAction',
          summary: 'Edit the input of an action',
          description: 'Requires a session of the account that owns the action, also in open mode.',
          params: IdPath,
          body: ActionEdit,
          response: { 200: WaitingAction },
        },
      },
      ({ params, body, caller, headers }) =>
        pendingActions.edit(params.id, body.input, caller, headers['if-match']),
    )

    app.post(
      '/:id/confirm',
      {
        config: { ...session, idempotency: 'noted', mayAnswer: [412] },
        schema: {
          operationId: 'confirmWaitingAction',
          summary: 'Confirm an action',
          description:
            'Runs the action once with its `input`, or with the `input` of the request body. Requires a session of the account that owns the action, also in open mode: personal access tokens and MCP clients cannot confirm. Returns 409 if the event, task or email has changed since. With `If-Match`, runs only the given version.',
          params: IdPath,
          body: Confirmation,
          response: { 200: WaitingAction },
        },
      },
      ({ params, body, caller, headers }) =>
        pendingActions.confirm(params.id, body?.input, caller, headers['if-match']),
    )

    app.post(
      '/:id/reject',
      {
        config: { ...person, mayAnswer: [409, 412] },
        schema: {
          operationId: 'rejectWaitingAction',
          summary: 'Reject an action',
          params: IdPath,
          response: { 200: WaitingAction },
        },
      },
      ({ params, caller, headers }) => pendingActions.reject(params.id, caller, headers['if-match']),
    )
  }

/**
 * The protocol requires clients to accept both types. An accept-all wildcard covers both (RFC 9110, section
 * 12.5.1).
 */
const MCP_TYPES = 'application/json, text/event-stream'
const resolveMcpAccept = (accept: string | undefined): string =>
  accept === undefined || /(^|,)\s*\*\/\*\s*(,|$)/.test(accept) ? MCP_TYPES : accept

export const mcpRoutes =
  (mcp: Mcp, baseUrl: () => string): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/mcp',
      {
        // The scopes of the token decide which tools are available.
        config: anyScope,
        schema: {
          operationId: 'mcp',
          summary: 'Call the Model Context Protocol endpoint (Streamable HTTP)',
          description:
            'For MCP clients. A personal access token can use the tools that its scopes cover. Sending, deleting and changes to events with guests wait for confirmation in the console.',
          body: McpMessages,
          response: { 200: McpAnswer, 202: McpAccepted, 400: InvalidMcpMessage, 406: McpNotAcceptable },
        },
      },
      async (request, reply) => {
        const headers = new Headers()
        for (const [name, value] of Object.entries(request.headers))
          if (typeof value === 'string' && name !== 'authorization') headers.set(name, value)
        headers.set('accept', resolveMcpAccept(request.headers.accept))
        const signal = whileConnected(reply)
        const asked = new Request(`${baseUrl()}/mcp`, { method: 'POST', headers, signal })
        const answer = await mcp.answer(asked, request.body, request.caller)
        reply.code(answer.status as 200)
        for (const [name, value] of answer.headers) reply.header(name, value)
        reply.header('cache-control', 'no-store')
        return reply.send(answer.body ? Readable.fromWeb(answer.body as ReadableStream) : undefined)
      },
    )
  }
