import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [12] })

export const Action = Type.Object(
  {
    id: Id,
    kind: Type.String({ examples: ['tasks.planned'] }),
    summary: Type.String({ examples: ['Planned 3 tasks in 5 blocks'] }),
    at: Instant,
    undoneAt: Nullable(Instant),
  },
  { title: 'Action' },
)
export const ActionPath = Type.Object({ id: Id }, { additionalProperties: false })
export const ActionList = Type.Object(
  { actions: Type.Array(Action), nextCursor: NextCursor },
  { title: 'ActionList' },
)
