import Type, { type Static } from 'typebox'
import { NextCursor, pageParameters } from '../../platform/http/shapes.ts'
import { Commitment, DIRECTIONS, Id, STATUSES } from './commitment.ts'

export const CommitmentPath = Type.Object({ id: Id(31) }, { additionalProperties: false })

export const CommitmentQuery = Type.Object(
  {
    direction: Type.Optional(
      Type.Enum([...DIRECTIONS], {
        type: 'string',
        description: '`mine`: you promised it; `theirs`: it was promised to you',
      }),
    ),
    status: Type.Optional(Type.Enum([...STATUSES], { type: 'string' })),
    address: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 254,
        examples: ['ana@example.org'],
        description: 'Only promises from or to the person with this address',
      }),
    ),
    overdue: Type.Optional(Type.Boolean({ description: 'Only open promises past their due date' })),
    dueBefore: Type.Optional(
      Type.String({
        maxLength: 40,
        examples: ['2026-03-08'],
        description: 'Only open promises due before this time',
      }),
    ),
    ...pageParameters,
  },
  { additionalProperties: false },
)
export type CommitmentQuery = Static<typeof CommitmentQuery>

export const CommitmentCollection = Type.Object(
  { commitments: Type.Array(Commitment), nextCursor: NextCursor },
  { title: 'CommitmentCollection' },
)
export type CommitmentCollection = Static<typeof CommitmentCollection>

export const CommitmentTask = Type.Object(
  {
    commitment: Commitment,
    taskId: Id(42),
    actionId: Type.Union([Id(12), Type.Null()], {
      description: 'Id for `POST /api/actions/{id}/undo`; null if the task existed already',
    }),
  },
  { title: 'CommitmentTask' },
)
