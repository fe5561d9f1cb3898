import Type from 'typebox'
import { Instant, NextCursor, Nullable, OpaqueId } from '../../platform/http/shapes.ts'
import { answerMetaFields } from '../models/answer-meta.ts'
import { ModelField } from '../models/catalog/schema.ts'

const strict = { additionalProperties: false }

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
  },
  { title: 'ChatAction' },
)

const ChatReply = Type.Object(
  {
    reply: Type.String({ examples: ['You have two meetings tomorrow.'] }),
    conversationId: OpaqueId,
    actions: Type.Array(ChatAction),
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

const conversationFields = {
  id: OpaqueId,
  title: Type.String({ examples: ['What do I have tomorrow?'] }),
  createdAt: Instant,
  updatedAt: Instant,
}
export const ConversationList = Type.Object(
  {
    conversations: Type.Array(Type.Object(conversationFields, { title: 'ConversationSummary' })),
    nextCursor: NextCursor,
  },
  { title: 'ConversationList' },
)
const { engine, model, provider, usage, costUsd, because } = answerMetaFields
export const Conversation = Type.Object(
  {
    ...conversationFields,
    messages: Type.Array(
      Type.Object(
        {
          role: Type.Enum(['user', 'assistant'], { type: 'string', examples: ['assistant'] }),
          text: Type.String({ examples: ['You have two meetings tomorrow.'] }),
          at: Instant,
          actions: Type.Optional(Type.Array(ChatAction)),
          interrupted: Type.Optional(
            Type.Boolean({ examples: [false], description: 'The answer is incomplete' }),
          ),
          ...Type.Partial(Type.Object({ engine, model, provider, usage, costUsd, because })).properties,
        },
        { title: 'ChatMessage' },
      ),
      { description: 'The last 200 messages, oldest first' },
    ),
  },
  { title: 'Conversation' },
)
