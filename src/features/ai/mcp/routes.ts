import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { INVALID_REQUEST } from '../../../platform/http/openapi-errors.ts'
import { whileConnected } from '../../../platform/http/while-connected.ts'
import type { Mcp } from './mcp.ts'

const Message = Type.Object(
  {
    jsonrpc: Type.Optional(Type.String({ examples: ['2.0'] })),
    id: Type.Optional(Type.Unknown({ examples: [1] })),
    method: Type.Optional(Type.String({ examples: ['tools/list'] })),
    params: Type.Optional(Type.Unknown({ examples: [{}] })),
  },
  { additionalProperties: true, title: 'McpMessage', description: 'JSON-RPC 2.0, as the protocol has it' },
)

/** The revision of March 2025 bundles messages, and a server that speaks it takes them so. */
const MOST_BUNDLED = 50
const Messages = Type.Union([Message, Type.Array(Message, { minItems: 1, maxItems: MOST_BUNDLED })])

/** The protocol asks for both by name; whoever takes anything takes both (RFC 9110 §12.5.1). */
const BOTH = 'application/json, text/event-stream'
const acceptedBy = (accept: string | undefined): string =>
  accept === undefined || /(^|,)\s*\*\/\*\s*(,|$)/.test(accept) ? BOTH : accept

const Answer = {
  content: {
    'application/json': {
      schema: Type.Unknown({ examples: [{ jsonrpc: '2.0', id: 1, result: { tools: [] } }] }),
    },
    'text/event-stream': { schema: { type: 'string' } },
  },
}

const Taken = { description: 'Notifications alone: they were taken', type: 'null' }

const Unfit = {
  description: 'No message of the protocol, or one that it refuses',
  content: {
    'application/json': {
      schema: Type.Unknown({
        examples: [{ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Bad Request' } }],
      }),
    },
    ...INVALID_REQUEST,
  },
}

const Unaccepted = {
  description: 'The client does not accept both JSON and a stream of events, as the protocol asks',
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
        // Which tools there are follows from the scopes of the token.
        config: { access: 'switched', scope: 'any' },
        schema: {
          operationId: 'mcp',
          summary: 'The tools of the assistant over the Model Context Protocol (Streamable HTTP)',
          description:
            'For clients of the protocol. A personal access token has the tools that its scopes cover; sending, deleting and changes to events with guests wait for confirmation in the console.',
          tags: ['AI'],
          body: Messages,
          response: { 200: Answer, 202: Taken, 400: Unfit, 406: Unaccepted },
        },
      },
      async (request, reply) => {
        const headers = new Headers()
        for (const [name, value] of Object.entries(request.headers))
          if (typeof value === 'string' && name !== 'authorization') headers.set(name, value)
        headers.set('accept', acceptedBy(request.headers.accept))
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
