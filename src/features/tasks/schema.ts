import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'

const strict = { additionalProperties: false }

export const STATUSES = ['todo', 'doing', 'done', 'cancelled'] as const
export type Status = (typeof STATUSES)[number]
/** The least first. */
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof PRIORITIES)[number]

const Id = (example: number, description?: string) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [example],
    ...(description !== undefined && { description }),
  })
/** As it is sent; it is read in the instance's time zone. */
const Moment = (example: string, description: string) =>
  Type.String({ maxLength: 40, examples: [example], description })

const Day = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-03-01'], description })

const Title = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', examples: ['Pay the rent'] })
const Notes = Type.String({ maxLength: 20_000, examples: ['The new account is on the letter.'] })
const StatusField = Type.Enum([...STATUSES], { type: 'string', examples: ['todo'] })
const PriorityField = Type.Enum([...PRIORITIES], { type: 'string', examples: ['high'] })
const Tag = Type.String({ minLength: 1, maxLength: 50, pattern: '\\S', examples: ['home'] })
const Tags = Type.Array(Tag, { maxItems: 30, examples: [['home', 'money']] })
const EstimateMinutes = Type.Integer({ minimum: 1, maximum: 10_080, examples: [30] })
const Recurrence = Type.String({
  minLength: 1,
  maxLength: 500,
  examples: ['FREQ=MONTHLY;BYMONTHDAY=1'],
  description: 'A rule of RFC 5545 (RRULE), by the wall clock, from the due date on',
})

export const Task = Type.Object(
  {
    id: Id(42),
    title: Title,
    notes: Notes,
    status: StatusField,
    priority: PriorityField,
    dueAt: Nullable(Instant),
    dueDay: Nullable(
      Day('Due on this day, at no hour of it: `dueAt` is where it begins, and it is late once it is over'),
    ),
    remindAt: Nullable(Instant),
    estimateMinutes: Nullable(EstimateMinutes),
    tags: Tags,
    recurrence: Nullable(Recurrence),
    emailId: Nullable(Id(7, 'The e-mail that it came from')),
    eventId: Nullable(Id(9, 'The event that it came from')),
    completedAt: Nullable(Instant),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Task' },
)

const wishes = {
  notes: Type.Optional(Notes),
  status: Type.Optional(StatusField),
  priority: Type.Optional(PriorityField),
  dueAt: Type.Optional(
    Nullable(Moment('2026-03-01', 'A time; a bare day is the same as `dueDay`. Null: it is not due')),
  ),
  dueDay: Type.Optional(
    Nullable(Day('A day without an hour, on the person’s clock, instead of `dueAt`. Null: it is not due')),
  ),
  remindAt: Type.Optional(
    Nullable(
      Moment(
        '2026-02-28T18:00:00+01:00',
        'When to tell; without it, when it is due, or as work begins on the day that it is due',
      ),
    ),
  ),
  estimateMinutes: Type.Optional(Nullable(EstimateMinutes)),
  tags: Type.Optional(Tags),
  recurrence: Type.Optional(Nullable(Recurrence)),
  emailId: Type.Optional(Nullable(Id(7))),
  eventId: Type.Optional(Nullable(Id(9))),
}
export const NewTask = Type.Object(
  { title: Title, ...wishes },
  {
    ...strict,
    title: 'NewTask',
    examples: [
      {
        title: 'Pay the rent',
        notes: 'Use the new bank account.',
        priority: 'high',
        dueDay: '2026-12-01',
        estimateMinutes: 15,
        tags: ['home'],
        recurrence: 'FREQ=MONTHLY;BYMONTHDAY=1',
      },
    ],
  },
)
export const TaskChange = Type.Object(
  { title: Type.Optional(Title), ...wishes },
  { ...strict, title: 'TaskChange', examples: [{ status: 'done' }] },
)
export type NewTask = Type.Static<typeof NewTask>
export type TaskChange = Type.Static<typeof TaskChange>

export const TaskPath = Type.Object({ id: Id(42) }, strict)
export const TaskList = Type.Object(
  { tasks: Type.Array(Task), nextCursor: NextCursor },
  { title: 'TaskList' },
)
export type Task = Type.Static<typeof Task>
export type TaskList = Type.Static<typeof TaskList>

export const TaskQuery = Type.Object(
  {
    status: Type.Optional(
      Type.Enum([...STATUSES, 'open', 'overdue'], {
        type: 'string',
        description: '`open`: both `todo` and `doing`; `overdue`: open and late, the longest first',
      }),
    ),
    priority: Type.Optional(PriorityField),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50, examples: ['home'] })),
    dueBefore: Type.Optional(Moment('2026-03-08', 'Those with a due date before then, the earliest first')),
    q: Type.Optional(
      Type.String({
        maxLength: 200,
        examples: ['rent'],
        description:
          'Those whose title or notes have a word that begins so, for every word of it: open ones first, then by age, the newest first',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many at most' }),
    cursor: Type.Optional(
      Type.String({
        maxLength: 1000,
        examples: ['WyIyMDI2LTAzLTAxIiw0Ml0'],
        description: '`nextCursor` of the page before',
      }),
    ),
  },
  strict,
)
export type TaskQuery = Type.Static<typeof TaskQuery>
