import Type from 'typebox'
import { Instant, NextCursor, Nullable, OpaqueId, Page } from '../../../platform/http/shapes.ts'

const strict = { additionalProperties: false }

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
