import Type from 'typebox'
import { Instant, Nullable } from '../../platform/http/shapes.ts'

const strict = { additionalProperties: false }
const Id = (example: number) => Type.Integer({ minimum: 1, examples: [example] })
const Title = Type.String({ examples: ['Write the report'] })

export const PlanWish = Type.Object(
  {
    start: Type.String({
      maxLength: 40,
      examples: ['2026-03-02'],
      description: 'Nothing is planned in the past',
    }),
    end: Type.String({
      maxLength: 40,
      examples: ['2026-03-07'],
      description: 'At most 92 days after the start',
    }),
    apply: Type.Optional(Type.Boolean({ examples: [false], description: 'Books the blocks as events' })),
    minutesPerDay: Type.Optional(
      Type.Integer({ minimum: 15, maximum: 1440, examples: [240], description: 'How much of a day at most' }),
    ),
    blockMinutes: Type.Optional(
      Type.Integer({
        minimum: 15,
        maximum: 480,
        examples: [90],
        description: 'The longest block; 90 unless told',
      }),
    ),
    bufferMinutes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 120,
        examples: [10],
        description: 'Left free before and after each block; 10 unless told',
      }),
    ),
  },
  { ...strict, title: 'PlanWish' },
)
export type PlanWish = Type.Static<typeof PlanWish>

export const TaskPlan = Type.Object(
  {
    start: Instant,
    end: Instant,
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    blocks: Type.Array(
      Type.Object(
        {
          taskId: Id(42),
          title: Title,
          start: Instant,
          end: Instant,
          part: Type.Integer({ examples: [1] }),
          parts: Type.Integer({ examples: [2], description: 'How many blocks the task has here' }),
          late: Type.Boolean({ examples: [false], description: 'The task was due before now' }),
          eventId: Nullable(Id(9)),
        },
        { title: 'PlannedBlock' },
      ),
    ),
    unplanned: Type.Array(
      Type.Object(
        {
          taskId: Id(43),
          title: Title,
          missingMinutes: Type.Integer({ examples: [60], description: 'For which no time was found' }),
          reason: Type.Enum(['due_too_soon', 'no_time', 'already_planned'], { type: 'string' }),
          detail: Type.String({ examples: ['It is due before 60 more minutes are free.'] }),
        },
        { title: 'UnplannedTask' },
      ),
    ),
    applied: Type.Boolean({ examples: [false] }),
    actionId: Nullable(
      Type.Integer({
        minimum: 1,
        examples: [12],
        description: 'What `POST /api/actions/{id}/undo` takes back',
      }),
    ),
  },
  { title: 'TaskPlan' },
)
