import Type from 'typebox'
import { Instant, NextCursor, Nullable, pageParameters, strict } from '../../platform/http/shapes.ts'

const Id = (example: number, description?: string) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [example],
    ...(description !== undefined && { description }),
  })
const Note = Type.String({ maxLength: 500, examples: ['Compared the offers'] })
const Moment = (example: string) => Type.String({ maxLength: 40, examples: [example] })

export const TimeEntry = Type.Object(
  {
    id: Id(21),
    taskId: Id(42),
    personId: Nullable(Id(2, 'Who worked on the task; null if the account was deleted')),
    personName: Type.String({ examples: ['Ben Okafor'] }),
    startedAt: Instant,
    endedAt: Nullable(Instant),
    seconds: Nullable(
      Type.Integer({ minimum: 0, examples: [1500], description: 'The duration; null while the timer runs' }),
    ),
    note: Note,
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'TimeEntry' },
)
export type TimeEntry = Type.Static<typeof TimeEntry>

export const TimeEntryCollection = Type.Object(
  {
    timeEntries: Type.Array(TimeEntry),
    trackedSeconds: Type.Integer({
      minimum: 0,
      examples: [5400],
      description: 'The sum of all entries of the task, without running timers',
    }),
    nextCursor: NextCursor,
  },
  { title: 'TimeEntryCollection' },
)
export type TimeEntryCollection = Type.Static<typeof TimeEntryCollection>

export const StartedTimer = Type.Object(
  {
    ...TimeEntry.properties,
    stopped: Nullable(
      Type.Object(TimeEntry.properties, {
        title: 'StoppedTimer',
        description: 'The timer of another task, which this one stopped',
      }),
    ),
  },
  { title: 'StartedTimer' },
)
export type StartedTimer = Type.Static<typeof StartedTimer>

export const NewTimeEntry = Type.Object(
  {
    startedAt: Moment('2026-03-01T09:00:00+01:00'),
    endedAt: Moment('2026-03-01T09:25:00+01:00'),
    note: Type.Optional(Note),
  },
  {
    ...strict,
    title: 'NewTimeEntry',
    examples: [{ startedAt: '2026-03-01T09:00:00Z', endedAt: '2026-03-01T09:25:00Z' }],
  },
)
export type NewTimeEntry = Type.Static<typeof NewTimeEntry>

export const TimeEntryChange = Type.Object(
  {
    startedAt: Type.Optional(Moment('2026-03-01T09:00:00+01:00')),
    endedAt: Type.Optional(Moment('2026-03-01T09:25:00+01:00')),
    note: Type.Optional(Note),
  },
  { ...strict, title: 'TimeEntryChange', examples: [{ note: 'Compared the offers' }] },
)
export type TimeEntryChange = Type.Static<typeof TimeEntryChange>

export const TimeEntryPath = Type.Object({ id: Id(42), entryId: Id(21) }, strict)

export const OwnTimeEntryCollection = Type.Object(
  {
    timeEntries: Type.Array(
      Type.Object(
        { ...TimeEntry.properties, taskTitle: Type.String({ examples: ['Pay the rent'] }) },
        { title: 'OwnTimeEntry' },
      ),
    ),
    nextCursor: NextCursor,
  },
  { title: 'OwnTimeEntryCollection' },
)
export type OwnTimeEntryCollection = Type.Static<typeof OwnTimeEntryCollection>

export const OwnTimeEntryQuery = Type.Object(
  {
    ...pageParameters,
    running: Type.Optional(
      Type.Boolean({ examples: [true], description: 'Only the running timer, or only finished entries' }),
    ),
  },
  strict,
)
export type OwnTimeEntryQuery = Type.Static<typeof OwnTimeEntryQuery>
