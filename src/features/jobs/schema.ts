import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'

const STATES = ['waiting', 'running', 'parked', 'done'] as const
const ID = '0b6f7c1e-2f0a-4f0b-9f0e-3a1d5c7e9b21'

const Progress = Type.Object(
  {
    done: Type.Integer({ examples: [120] }),
    total: Nullable(Type.Integer({ examples: [500] })),
    note: Type.String({ examples: ['events'] }),
  },
  { title: 'JobProgress' },
)

export const Job = Type.Object(
  {
    id: Type.String({ examples: [ID] }),
    name: Type.String({ examples: ['calendar.expand'] }),
    state: Type.Enum([...STATES], { description: '`parked`: no more retries; `error` contains the reason' }),
    runAt: Instant,
    attempts: Type.Integer({ examples: [1], description: 'Number of times the job was started' }),
    error: Nullable(Type.String({ examples: ['The mail server refused the password.'] })),
    progress: Nullable(Progress),
    createdAt: Instant,
    finishedAt: Nullable(Type.String({ format: 'date-time' })),
  },
  { title: 'Job' },
)
export const JobList = Type.Object({ jobs: Type.Array(Job), nextCursor: NextCursor })

export const JobsQuery = Type.Object(
  {
    state: Type.Optional(Type.Enum([...STATES])),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of jobs' }),
    cursor: Type.Optional(
      Type.String({
        maxLength: 1000,
        examples: ['WyIyMDI2LTAzLTAxIiw0Ml0'],
        description: '`nextCursor` of the previous page',
      }),
    ),
  },
  { additionalProperties: false },
)
export const JobPath = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 100, examples: [ID] }) },
  { additionalProperties: false },
)
