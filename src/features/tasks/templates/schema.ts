import type { Static } from 'typebox'
import Type from 'typebox'
import { Instant, NextCursor, Nullable, strict } from '../../../platform/http/shapes.ts'
import { Task, TaskMove } from '../schema.ts'

const TemplateId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [4] })
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Trip'] })

/** The fields of a task that a template keeps. */
const { title, notes, priority, tags, estimateMinutes, recurrence, recurrenceFrom } = Task.properties

const MAX_DAYS = 3650
const AfterDays = (example: number, description: string) =>
  Type.Integer({ minimum: -MAX_DAYS, maximum: MAX_DAYS, examples: [example], description })
const Time = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  examples: ['14:00'],
  description: 'The hour of that day. Null for the whole day',
})

/** Levels of tasks: one less than a task list has, so that a template fits under a task. */
export const MAX_LEVELS = 49
export const MAX_TASKS = 500

const fields = {
  notes,
  priority,
  tags,
  estimateMinutes,
  recurrence,
  recurrenceFrom,
  dueAfterDays: Nullable(AfterDays(2, 'Due so many days after the date of the use; before it if negative')),
  dueTime: Nullable(Time),
  startAfterDays: Nullable(AfterDays(-7, 'The start, so many days after the date of the use')),
  startTime: Nullable(Time),
  section: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '\\S',
      examples: ['Before the trip'],
      description: 'The section of a topmost task, if the list has one with this name',
    }),
  ),
}
const depth = Type.Integer({
  minimum: 0,
  maximum: MAX_LEVELS - 1,
  examples: [0],
  description: '0 for a topmost task. A subtask follows its parent, one level deeper',
})

export const TemplateTask = Type.Object({ depth, title, ...fields }, { title: 'TemplateTask' })
export type TemplateTask = Static<typeof TemplateTask>

const TemplateTaskInput = Type.Object(
  { depth: Type.Optional(depth), title, ...Type.Partial(Type.Object(fields)).properties },
  { ...strict, title: 'TemplateTaskInput' },
)
export type TemplateTaskInput = Static<typeof TemplateTaskInput>

const example: TemplateTaskInput[] = [
  { title: 'Trip', dueAfterDays: 0 },
  { depth: 1, title: 'Book the train', dueAfterDays: -14, priority: 'high' },
  { depth: 1, title: 'Pack', dueAfterDays: -1, dueTime: '18:00' },
]

export const TaskTemplatePath = Type.Object({ id: TemplateId }, strict)

const info = { id: TemplateId, name: Name, createdAt: Instant, updatedAt: Instant }

export const TaskTemplate = Type.Object(
  {
    ...info,
    tasks: Type.Array(TemplateTask, { description: 'Each task is followed by its subtasks' }),
  },
  { title: 'TaskTemplate' },
)
export type TaskTemplate = Static<typeof TaskTemplate>

export const TaskTemplateInfo = Type.Object(info, { title: 'TaskTemplateInfo' })

export const TaskTemplateCollection = Type.Object(
  { taskTemplates: Type.Array(TaskTemplateInfo), nextCursor: NextCursor },
  { title: 'TaskTemplateCollection' },
)

const TemplateTasks = Type.Array(TemplateTaskInput, {
  minItems: 1,
  maxItems: MAX_TASKS,
  examples: [example],
  description: 'Each task is followed by its subtasks, one level deeper',
})

export const NewTaskTemplate = Type.Object(
  {
    name: Name,
    tasks: Type.Optional(TemplateTasks),
    taskId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        examples: [42],
        description:
          'Instead of `tasks`: copies this task and its subtasks. Days are counted from the earliest date among them',
      }),
    ),
  },
  { ...strict, title: 'NewTaskTemplate', examples: [{ name: 'Trip', tasks: example }] },
)
export type NewTaskTemplate = Static<typeof NewTaskTemplate>

export const TaskTemplateChange = Type.Object(
  { name: Type.Optional(Name), tasks: Type.Optional(TemplateTasks) },
  { ...strict, title: 'TaskTemplateChange', examples: [{ name: 'Weekend trip' }] },
)
export type TaskTemplateChange = Static<typeof TaskTemplateChange>

const { listId, sectionId, parentId } = TaskMove.properties

export const TemplateApplication = Type.Object(
  {
    date: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        examples: ['2026-03-01'],
        description: 'The day from which the days of the template are counted. Default: today',
      }),
    ),
    listId,
    sectionId,
    parentId,
  },
  { ...strict, title: 'TemplateApplication', examples: [{ date: '2026-03-01' }] },
)
export type TemplateApplication = Static<typeof TemplateApplication>

export const AppliedTemplate = Type.Object(
  {
    tasks: Type.Array(Task, { description: 'The topmost tasks that were created' }),
    created: Type.Integer({ examples: [3], description: 'The number of tasks that were created' }),
    actionId: Type.Integer({
      minimum: 1,
      examples: [12],
      description: 'Id for `POST /api/actions/{id}/undo`, which deletes them',
    }),
  },
  { title: 'AppliedTemplate' },
)
export type AppliedTemplate = Static<typeof AppliedTemplate>
