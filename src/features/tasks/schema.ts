import Type from 'typebox'
import { Instant, NextCursor, Nullable, pageParameters, strict } from '../../platform/http/shapes.ts'

export const STATUSES = ['todo', 'doing', 'done', 'cancelled'] as const
export type Status = (typeof STATUSES)[number]
/** From lowest to highest. */
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof PRIORITIES)[number]

const Id = (example: number, description?: string) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [example],
    ...(description !== undefined && { description }),
  })
/** A time as sent by the client, read in the time zone of the instance. */
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
const RecurrenceFrom = Type.Enum(['due', 'completion'], {
  type: 'string',
  examples: ['due'],
  description:
    'Whether the next occurrence is counted from the due date, or from the day on which the task is completed',
})
const PercentComplete = Type.Integer({ minimum: 0, maximum: 100, examples: [40] })
const Recurrence = Type.String({
  minLength: 1,
  maxLength: 500,
  examples: ['FREQ=MONTHLY;BYMONTHDAY=1'],
  description: 'Recurrence rule (RRULE, RFC 5545) in wall-clock time, counted from the due date',
})

export const Task = Type.Object(
  {
    id: Id(42),
    uid: Type.String({
      examples: ['5f1c1f0e-8d1e-4c54-9f1e-0d5b1f9c2f3a'],
      description: 'The identity in iCalendar, unique in the list. It passes to the next occurrence',
    }),
    title: Title,
    notes: Notes,
    status: StatusField,
    priority: PriorityField,
    dueAt: Nullable(Instant),
    dueDay: Nullable(
      Day(
        'Due on this day, without an hour. `dueAt` is the start of the day; the task is overdue after its end',
      ),
    ),
    startAt: Nullable(Instant),
    startDay: Nullable(
      Day(
        'Work begins on this day. `startAt` is the start of the day. Lists of today leave the task out before',
      ),
    ),
    remindAt: Nullable(Instant),
    estimateMinutes: Nullable(EstimateMinutes),
    percentComplete: PercentComplete,
    tags: Tags,
    recurrence: Nullable(Recurrence),
    recurrenceFrom: RecurrenceFrom,
    emailId: Nullable(Id(7, 'The email that the task was created from')),
    eventId: Nullable(Id(9, 'The event that the task was created from')),
    listId: Id(3, 'The list of the task'),
    sectionId: Nullable(
      Id(5, 'The section of the list. A subtask has none: it belongs to the section of its topmost task'),
    ),
    parentId: Nullable(Id(41, 'The task that this one is a subtask of')),
    position: Type.String({
      examples: ['a1V'],
      description:
        'The order of one’s own among the tasks with the same list, section and parent. Positions are compared byte by byte',
    }),
    assigneeId: Nullable(Id(2, 'The person who does it: the owner or a member of the list')),
    nextTaskId: Nullable(Id(43, 'The next occurrence, which was created when this one was completed')),
    changedBy: Nullable(
      Type.String({
        examples: ['Ben Okafor'],
        description: 'Who made the last change; null if it was the owner of the list',
      }),
    ),
    completedAt: Nullable(Instant),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Task' },
)

/** The fields that a person can set. */
export const TaskFields = Type.Omit(Task, [
  'id',
  'uid',
  'position',
  'nextTaskId',
  'changedBy',
  'completedAt',
  'createdAt',
  'updatedAt',
])
export type TaskFields = Type.Static<typeof TaskFields>

const taskInput = {
  notes: Type.Optional(Notes),
  status: Type.Optional(StatusField),
  priority: Type.Optional(PriorityField),
  dueAt: Type.Optional(
    Nullable(
      Moment(
        '2026-03-01',
        'Due time. A date without a time is the same as `dueDay`. Null removes the due date',
      ),
    ),
  ),
  dueDay: Type.Optional(
    Nullable(Day('Due day in the person’s time zone, instead of `dueAt`. Null removes the due date')),
  ),
  startAt: Type.Optional(
    Nullable(
      Moment('2026-02-20', 'Start. A date without a time is the same as `startDay`. Null removes the start'),
    ),
  ),
  startDay: Type.Optional(
    Nullable(Day('Start day in the person’s time zone, instead of `startAt`. Null removes the start')),
  ),
  remindAt: Type.Optional(
    Nullable(
      Moment(
        '2026-02-28T18:00:00+01:00',
        'Reminder time. Default: the due time, or the start of working hours on the due day',
      ),
    ),
  ),
  estimateMinutes: Type.Optional(Nullable(EstimateMinutes)),
  percentComplete: Type.Optional(PercentComplete),
  tags: Type.Optional(Tags),
  recurrence: Type.Optional(Nullable(Recurrence)),
  recurrenceFrom: Type.Optional(RecurrenceFrom),
  emailId: Type.Optional(Nullable(Id(7))),
  eventId: Type.Optional(Nullable(Id(9))),
  listId: Type.Optional(Id(3, 'Default for a new task: the list of its parent, or the Inbox')),
  sectionId: Type.Optional(Nullable(Id(5, 'A section of the list'))),
  parentId: Type.Optional(Nullable(Id(41, 'Makes the task a subtask. Null moves it to the top of the list'))),
  assigneeId: Type.Optional(Nullable(Id(2, 'The owner or a member of the list'))),
}
export const NewTask = Type.Object(
  { title: Title, ...taskInput },
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
  {
    title: Type.Optional(Title),
    ...taskInput,
    children: Type.Optional(
      Type.Enum(['complete', 'keep'], {
        type: 'string',
        examples: ['complete'],
        description:
          'With the status `done`: `complete` completes the open subtasks, too; `keep` (default) leaves them open',
      }),
    ),
  },
  { ...strict, title: 'TaskChange', examples: [{ status: 'done' }] },
)
export type NewTask = Type.Static<typeof NewTask>
export type TaskChange = Type.Static<typeof TaskChange>

export const ChangedTask = Type.Object(
  {
    ...Task.properties,
    openSubtasks: Type.Optional(
      Type.Integer({
        minimum: 1,
        examples: [2],
        description: 'The number of subtasks that stay open under a task that was completed',
      }),
    ),
  },
  { title: 'ChangedTask' },
)

export const TaskMove = Type.Object(
  {
    listId: Type.Optional(Id(3, 'Default: the list of the parent, or the same list')),
    sectionId: Type.Optional(Nullable(Id(5, 'A section of the list; null for none'))),
    parentId: Type.Optional(Nullable(Id(41, 'The new parent; null for none'))),
    afterId: Type.Optional(
      Nullable(
        Id(40, 'The task in front of it at the new place; null for the first place. Default: the end'),
      ),
    ),
  },
  { ...strict, title: 'TaskMove', examples: [{ afterId: null }] },
)
export type TaskMove = Type.Static<typeof TaskMove>

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
        description:
          '`open`: `todo` and `doing`; `overdue`: open and past the due date, longest overdue first',
      }),
    ),
    priority: Type.Optional(PriorityField),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50, examples: ['home'] })),
    listId: Type.Optional(Id(3, 'Only tasks of this list')),
    sectionId: Type.Optional(
      Id(5, 'Only tasks of this section, without their subtasks, in the order of their owner'),
    ),
    parentId: Type.Optional(Id(41, 'Only the subtasks of this task, in the order of their owner')),
    sort: Type.Optional(
      Type.Enum(['position'], {
        type: 'string',
        description: 'The order of the owner of the list, which needs `listId`, `sectionId` or `parentId`',
      }),
    ),
    dueBefore: Type.Optional(Moment('2026-03-08', 'Only tasks due before this time, earliest first')),
    q: Type.Optional(
      Type.String({
        maxLength: 200,
        examples: ['rent'],
        description:
          'Search text. Each word must be the beginning of a word in the title or notes. Open tasks come first, then newest first',
      }),
    ),
    filter: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: '\\S',
        examples: ['(overdue | this week) !urgent -#waiting'],
        description:
          'Only tasks that meet these conditions: the words of quick add (`#tag`, `!high`, `/Section`, dates such as `today` or `next week`), `due:2026-03-01` with `<`, `<=`, `>` or `>=` in front of the date, `overdue`, `list:`, `section:`, `assignee:` (a name or `me`), `text:`, and `no:date`, `no:tag`, `no:assignee`. All must be met. `|` means or, `-` in front of a condition negates it, brackets group. Names with spaces need quotation marks. German words work, too. Can be combined with `status` only',
      }),
    ),
    filterId: Type.Optional(Id(3, 'Only tasks that meet this saved filter')),
    limit: { ...pageParameters.limit, description: 'Maximum number of tasks' },
    cursor: pageParameters.cursor,
  },
  strict,
)
export type TaskQuery = Type.Static<typeof TaskQuery>

const TaskId = (example: number) => Type.Integer({ minimum: 1, examples: [example] })
const PlannedTitle = Type.String({ examples: ['Write the report'] })

const LunchTime = (example: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: [example] })

const PlanMinutes = (minimum: number, maximum: number, example: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, examples: [example], description }))

const ChosenBlock = Type.Object(
  {
    taskId: TaskId(42),
    start: Type.String({ maxLength: 40, examples: ['2099-03-02T09:00:00Z'], description: 'RFC 3339' }),
    end: Type.String({ maxLength: 40, examples: ['2099-03-02T10:00:00Z'], description: 'RFC 3339' }),
  },
  { ...strict, title: 'ChosenBlock' },
)

export const PlanInput = Type.Object(
  {
    start: Type.String({
      maxLength: 40,
      examples: ['2099-03-02'],
      description: 'Start of the period. Times in the past are not used',
    }),
    end: Type.String({
      maxLength: 40,
      examples: ['2099-03-07'],
      description: 'End of the period, at most 92 days after the start',
    }),
    apply: Type.Optional(Type.Boolean({ examples: [false], description: 'Book the blocks as events' })),
    taskIds: Type.Optional(
      Type.Array(TaskId(42), {
        minItems: 1,
        maxItems: 100,
        description: 'Plan only these tasks. Default: all open tasks',
      }),
    ),
    minutesPerDay: PlanMinutes(15, 1440, 240, 'Maximum planned minutes per day'),
    blockMinutes: PlanMinutes(15, 480, 90, 'Maximum length of a block. Default: 90'),
    bufferMinutes: PlanMinutes(0, 120, 10, 'Minutes kept free before and after each block. Default: 10'),
    travelMinutes: PlanMinutes(
      0,
      240,
      30,
      'Minutes kept free before and after events with a place, twice as long for trips. Default: 30',
    ),
    lunch: Type.Optional(
      Nullable(
        Type.Object(
          { start: LunchTime('12:00'), end: LunchTime('13:00') },
          {
            ...strict,
            description:
              'Kept free within working hours that have no break at noon. Default: 12:00 to 13:00. Null: no break',
          },
        ),
      ),
    ),
    blocks: Type.Optional(
      Type.Array(ChosenBlock, {
        minItems: 1,
        maxItems: 200,
        description:
          'Book exactly these blocks. With `apply`, overlaps and closed tasks are rejected with 409, and nothing is booked',
      }),
    ),
  },
  { ...strict, title: 'PlanInput' },
)
export type PlanInput = Type.Static<typeof PlanInput>

export const TaskPlan = Type.Object(
  {
    start: Instant,
    end: Instant,
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    blocks: Type.Array(
      Type.Object(
        {
          taskId: TaskId(42),
          title: PlannedTitle,
          start: Instant,
          end: Instant,
          part: Type.Integer({ examples: [1] }),
          parts: Type.Integer({ examples: [2], description: 'Number of blocks of this task in the plan' }),
          late: Type.Boolean({ examples: [false], description: 'The task was due before now' }),
          eventId: Nullable(TaskId(9)),
        },
        { title: 'PlannedBlock' },
      ),
    ),
    unplanned: Type.Array(
      Type.Object(
        {
          taskId: TaskId(43),
          title: PlannedTitle,
          missingMinutes: Type.Integer({ examples: [60], description: 'Minutes that could not be planned' }),
          reason: Type.Enum(['due_too_soon', 'no_time', 'already_planned'], { type: 'string' }),
          detail: Type.String({ examples: ['The task is due before 60 more minutes are free.'] }),
        },
        { title: 'UnplannedTask' },
      ),
    ),
    applied: Type.Boolean({ examples: [false] }),
    actionId: Nullable(
      Type.Integer({
        minimum: 1,
        examples: [12],
        description: 'Id for `POST /api/actions/{id}/undo`',
      }),
    ),
  },
  { title: 'TaskPlan' },
)

export const QuickTaskInput = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '\\S',
      examples: ['pay rent every month on the 1st !high #home'],
    }),
    dryRun: Type.Optional(
      Type.Boolean({ examples: [false], description: 'Return a preview without creating the task' }),
    ),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        examples: ['Europe/Berlin'],
        description: 'Time zone of the times in the text. Default: the time zone of the instance',
      }),
    ),
    listId: Type.Optional(Id(3, 'The list of the new task. Default: the list of its parent, or the Inbox')),
    sectionId: Type.Optional(Id(5, 'A section of the list')),
    parentId: Type.Optional(Id(41, 'Makes the task a subtask')),
  },
  {
    ...strict,
    title: 'QuickInput',
    examples: [{ text: 'pay rent every month on the 1st !high #home' }],
  },
)
export type QuickTaskInput = Type.Static<typeof QuickTaskInput>

const understood = {
  timed: Type.Boolean({ examples: [false], description: 'Whether the text contains a time of day' }),
  understood: Type.Array(
    Type.Object(
      {
        kind: Type.Enum(['due', 'zone', 'recurrence', 'priority', 'tag', 'estimate', 'section', 'parent'], {
          type: 'string',
          examples: ['priority'],
        }),
        text: Type.String({ examples: ['!high'] }),
        offset: Type.Integer({
          minimum: 0,
          examples: [32],
          description: 'Position in the text, in UTF-16 code units',
        }),
      },
      { title: 'Understood' },
    ),
    { description: 'The parts of the text that were not read as the title' },
  ),
}

export const QuickTask = Type.Object({ ...Task.properties, ...understood }, { title: 'QuickTask' })
export type QuickTask = Type.Static<typeof QuickTask>

const {
  title,
  dueAt,
  dueDay,
  priority,
  tags,
  recurrence,
  recurrenceFrom,
  estimateMinutes,
  sectionId,
  parentId,
} = Task.properties
export const QuickPreview = Type.Object(
  {
    id: Nullable(Type.Integer({ examples: [42], description: 'Null, because the task does not exist yet' })),
    title,
    dueAt,
    dueDay,
    priority,
    tags,
    recurrence,
    recurrenceFrom,
    estimateMinutes,
    sectionId,
    parentId,
    ...understood,
  },
  { title: 'QuickPreview' },
)
export type QuickPreview = Type.Static<typeof QuickPreview>
