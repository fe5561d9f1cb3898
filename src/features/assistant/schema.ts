import Type, { type Static } from 'typebox'
import { INVALID_REQUEST } from '../../platform/http/openapi.ts'
import { Instant, NextCursor, Nullable, OpaqueId, Page } from '../../platform/http/shapes.ts'
import { answerMetaFields, ModelField } from '../models/schema.ts'
import { CONTEXT_TYPES } from './page-context.ts'

const strict = { additionalProperties: false }

const ContextField = Type.Object(
  {
    type: Type.Enum([...CONTEXT_TYPES], { type: 'string', examples: ['email'] }),
    id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [42] }),
    occurrence: Type.Optional({
      ...Instant,
      description: '`occurrenceStart` of one occurrence of a recurring event',
    }),
  },
  {
    ...strict,
    title: 'ChatContext',
    description:
      'The item that is open in the client. “This” refers to it. A token needs the scope to read it.',
  },
)

export const ChatInput = Type.Object(
  {
    message: Type.String({
      minLength: 1,
      maxLength: 20_000,
      pattern: '\\S',
      examples: ['What do I have tomorrow?'],
    }),
    conversationId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, examples: ['0mf1k2a3b-q3vYw1y0T2uJf0b2nq8XVA'] }),
    ),
    model: Type.Optional(ModelField),
    context: Type.Optional(ContextField),
    replacesLast: Type.Optional(
      Type.Boolean({
        examples: [false],
        description:
          'Replaces the last message and its answer, to retry or to edit it. Needs `conversationId`. Completed actions stay done, pending ones are rejected.',
      }),
    ),
  },
  { ...strict, examples: [{ message: 'What do I have tomorrow?' }] },
)

const Anything = (example: unknown) => Type.Unknown({ examples: [example] })

const ChatAction = Type.Object(
  {
    tool: Type.String({ examples: ['create_task'] }),
    input: Anything({ title: 'Pay the rent' }),
    status: Type.Enum(['done', 'failed', 'needs_confirmation'], { type: 'string', examples: ['done'] }),
    result: Anything({ id: 42, title: 'Pay the rent' }),
    actionId: Nullable(
      Type.String({
        examples: ['0mf1k2a3b-q3vYw1y0T2uJf0b2nq8XVA'],
        description: 'Id of the pending action: `POST /api/ai/actions/{actionId}/confirm`',
      }),
    ),
    undoId: Nullable(
      Type.Integer({ examples: [12], description: 'Id for undo: `POST /api/actions/{undoId}/undo`' }),
    ),
    before: Type.Optional(
      Nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          examples: [{ dueAt: '2026-03-01T09:00:00.000Z' }],
          description: 'The changed fields of an existing item before the change',
        }),
      ),
    ),
  },
  { title: 'ChatAction' },
)

const Notice = Type.Enum(['no_tools'], {
  type: 'string',
  examples: ['no_tools'],
  description:
    'A limit of the model. `no_tools`: it does not support tools, so it could not look up or change anything',
})
export type Notice = Static<typeof Notice>

const ChatQuestion = Type.Object(
  {
    text: Type.String({ examples: ['Should I add the task “Pay the rent”?'] }),
    options: Type.Array(Type.String({ examples: ['Yes'] }), {
      description: 'Answers to choose from. Send one as the next `message`.',
    }),
    answer: Nullable(
      Type.String({ examples: ['Yes'], description: 'The message that answered it; null while it is open' }),
    ),
  },
  {
    title: 'ChatQuestion',
    description: 'A question of the assistant. The change waits for the answer.',
  },
)
const questionField = Nullable(ChatQuestion)

const ChatReply = Type.Object(
  {
    reply: Type.String({ examples: ['You have two meetings tomorrow.'] }),
    conversationId: OpaqueId,
    actions: Type.Array(ChatAction),
    notice: Nullable(Notice),
    question: questionField,
    ...answerMetaFields,
  },
  { title: 'ChatReply' },
)

export const ChatAnswer = {
  content: {
    'application/json': { schema: ChatReply },
    'text/event-stream': {
      schema: {
        type: 'string',
        description:
          'Events: `start` `{conversationId}`, `delta` `{text}`, `action` for each tool call, then `done` with the complete answer, or `error` `{code, detail}`',
      },
      example: 'event: delta\ndata: {"text":"You have"}\n\n',
    },
  },
}

const TITLE_LENGTH = 200
export const ConversationPatch = Type.Object(
  { title: Type.String({ minLength: 1, maxLength: TITLE_LENGTH, pattern: '\\S', examples: ['Plants'] }) },
  strict,
)
export const ConversationQuery = Type.Object(
  {
    ...Page.properties,
    q: Type.Optional(
      Type.String({
        maxLength: 200,
        examples: ['plants'],
        description: 'Words that the title or one message contains. The start of a word is enough.',
      }),
    ),
  },
  strict,
)

const conversationFields = {
  id: OpaqueId,
  title: Type.String({ examples: ['What do I have tomorrow?'] }),
  createdAt: Instant,
  updatedAt: Instant,
}
export const ConversationSummary = Type.Object(conversationFields, { title: 'ConversationSummary' })
export const ConversationList = Type.Object(
  {
    conversations: Type.Array(ConversationSummary),
    nextCursor: NextCursor,
  },
  { title: 'ConversationList' },
)
const { engine, model, provider, usage, costUsd, fallbackReason } = answerMetaFields
export const Conversation = Type.Object(
  {
    ...conversationFields,
    messages: Type.Array(
      Type.Object(
        {
          role: Type.Enum(['user', 'assistant'], { type: 'string', examples: ['assistant'] }),
          text: Type.String({ examples: ['You have two meetings tomorrow.'] }),
          at: Instant,
          context: Type.Optional(
            Type.Object(
              {
                type: Type.Enum([...CONTEXT_TYPES], { type: 'string', examples: ['email'] }),
                id: Type.Integer({ examples: [42] }),
                title: Type.String({ examples: ['Invoice 2026-118'] }),
              },
              { title: 'ChatMessageContext', description: 'The item that was open in the client' },
            ),
          ),
          actions: Type.Optional(Type.Array(ChatAction)),
          question: Type.Optional(questionField),
          interrupted: Type.Optional(
            Type.Boolean({ examples: [false], description: 'The answer is incomplete' }),
          ),
          notice: Type.Optional(Nullable(Notice)),
          ...Type.Partial(Type.Object({ engine, model, provider, usage, costUsd, fallbackReason }))
            .properties,
        },
        { title: 'ChatMessage' },
      ),
      { description: 'The last 200 messages, oldest first' },
    ),
  },
  { title: 'Conversation' },
)

const STATUSES = ['pending', 'done', 'failed', 'rejected', 'expired'] as const
const Input = Type.Record(Type.String(), Type.Unknown(), { examples: [{ id: 42 }] })

export const WaitingAction = Type.Object(
  {
    id: OpaqueId,
    tool: Type.String({ examples: ['delete_task'] }),
    input: Type.Unknown({ examples: [{ id: 42 }], description: 'Input that the tool will receive' }),
    summary: Type.String({ examples: ['Delete the task “Pay the rent”'] }),
    status: Type.Enum([...STATUSES], { type: 'string', examples: ['pending'] }),
    source: Type.Enum(['chat', 'mcp', 'api'], {
      type: 'string',
      examples: ['chat'],
      description: '`api`: a token with `mail:draft` called `POST /api/emails/send`',
    }),
    conversationId: Nullable(OpaqueId),
    result: Type.Unknown({ examples: [null] }),
    error: Nullable(Type.String({ examples: [null] })),
    undoId: Nullable(Type.Integer({ examples: [12] })),
    createdAt: Instant,
    expiresAt: Instant,
    decidedAt: Nullable(Instant),
  },
  { title: 'WaitingAction' },
)
export const WaitingList = Type.Object(
  { actions: Type.Array(WaitingAction), nextCursor: NextCursor },
  { title: 'WaitingActionList' },
)
export const WaitingQuery = Type.Object(
  { ...Page.properties, status: Type.Optional(Type.Enum([...STATUSES], { type: 'string' })) },
  strict,
)
export const ActionEdit = Type.Object({ input: Input }, strict)
export const Confirmation = Type.Object(
  { input: Type.Optional({ ...Input, description: 'Replaces the input of the action before it runs' }) },
  strict,
)

const McpMessage = Type.Object(
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
const MAX_MCP_BATCH = 50
export const McpMessages = Type.Union([
  McpMessage,
  Type.Array(McpMessage, { minItems: 1, maxItems: MAX_MCP_BATCH }),
])

export const McpAnswer = {
  content: {
    'application/json': {
      schema: Type.Unknown({ examples: [{ jsonrpc: '2.0', id: 1, result: { tools: [] } }] }),
    },
    'text/event-stream': { schema: { type: 'string' } },
  },
}

export const McpAccepted = {
  description: 'The body contained only notifications, and they were accepted',
  type: 'null',
}

export const InvalidMcpMessage = {
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

export const McpNotAcceptable = {
  description: 'The client must accept both JSON and server-sent events',
  content: {
    'application/json': {
      schema: Type.Unknown({
        examples: [{ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Not Acceptable' } }],
      }),
    },
  },
}
