import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { INVALID_REQUEST } from '../../../platform/http/openapi.ts'
import { whileConnected } from '../../../platform/http/request-limits.ts'
import type { Mcp } from './mcp.ts'

const Message = Type.Object(
  {
    jsonrpc: Type.Optional(Type.String({ examples: ['2.0'] })),
    id: Type.Optional(Type.Unknown({ examples: [1] })),
    method: Type.Optional(Type.String({ examples: ['tools/list'] })),
    params: Type.Optional(Type.Unknown({ examples: [{}] })),
  },
  {
    additionalProperties: true,
    title: 'McpMessage',
    description: 'JSON-RPC 2.0 message of the Model Context Protocol',
  },
)

/** The protocol revision of March 2025 allows batches, so the server accepts them. */
const MAX_BATCH = 50
const Messages = Type.Union([Message, Type.Array(Message, { minItems: 1, maxItems: MAX_BATCH })])

/**
 * The protocol requires clients to accept both types. An accept-all wildcard covers both (RFC 9110, section
 * 12.5.1).
 */
const BOTH = 'application/json, text/event-stream'
const resolveAccept = (accept: string | undefined): string =>
  accept === undefined || /(^|,)\s*\*\/\*\s*(,|$)/.test(accept) ? BOTH : accept

const Answer = {
  content: {
    'application/json': {
      schema: Type.Unknown({ examples: [{ jsonrpc: '2.0', id: 1, result: { tools: [] } }] }),
    },
    'text/event-stream': { schema: { type: 'string' } },
  },
}

const Accepted = {
  description: 'The body contained only notifications, and they were accepted',
  type: 'null',
}

const InvalidMessage = {
  description: 'The body is not a valid message of the protocol, or the protocol rejects it',
  content: {
    'application/json': {
      schema: Type.Unknown({
        examples: [{ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Bad Request' } }],
      }),
    },
    ...INVALID_REQUEST,
  },
}

const NotAcceptable = {
  description: 'The client must accept both JSON and server-sent events',
  content: {
    'application/json': {
      schema: Type.Unknown({
        examples: [{ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Not Acceptable' } }],
      }),
    },
  },
}

export const mcpRoutes =
  (mcp: Mcp, baseUrl: () => string): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/mcp',
      {
        // The scopes of the token decide which tools are available.
        config: { access: 'switched', scope: 'any' },
        schema: {
          operationId: 'mcp',
          summary: 'Call the Model Context Protocol endpoint (Streamable HTTP)',
          description:
            'For MCP clients. A personal access token can use the tools that its scopes cover. Sending, deleting and changes to events with guests wait for confirmation in the console.',
          tags: ['AI'],
          body: Messages,
          response: { 200: Answer, 202: Accepted, 400: InvalidMessage, 406: NotAcceptable },
        },
      },
      async (request, reply) => {
        const headers = new Headers()
        for (const [name, value] of Object.entries(request.headers))
          if (typeof value === 'string' && name !== 'authorization') headers.set(name, value)
        headers.set('accept', resolveAccept(request.headers.accept))
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
