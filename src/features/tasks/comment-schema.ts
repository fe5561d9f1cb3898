import Type from 'typebox'
import { Instant, NextCursor, Nullable, strict } from '../../platform/http/shapes.ts'

const Id = (example: number, description?: string) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [example],
    ...(description !== undefined && { description }),
  })
const Text = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: '\\S',
  examples: ['The landlord asks for a receipt.'],
  description: 'Plain text',
})

export const TaskComment = Type.Object(
  {
    id: Id(11),
    taskId: Id(42),
    authorId: Nullable(Id(2, 'The author; null if the account was deleted')),
    authorName: Type.String({ examples: ['Ben Okafor'] }),
    text: Text,
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'TaskComment' },
)
export type TaskComment = Type.Static<typeof TaskComment>

export const TaskCommentCollection = Type.Object(
  { comments: Type.Array(TaskComment), nextCursor: NextCursor },
  { title: 'TaskCommentCollection' },
)
export type TaskCommentCollection = Type.Static<typeof TaskCommentCollection>

export const CommentInput = Type.Object(
  { text: Text },
  { ...strict, title: 'TaskCommentInput', examples: [{ text: 'The landlord asks for a receipt.' }] },
)
export type CommentInput = Type.Static<typeof CommentInput>

export const CommentPath = Type.Object({ id: Id(42), commentId: Id(11) }, strict)
