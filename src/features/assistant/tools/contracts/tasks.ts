import Type from 'typebox'
import {
  BulkChange,
  BulkIds,
  closed,
  Deleted,
  Id,
  limitTo,
  listOf,
  MAX_BULK,
  Moment,
  oneOf,
  type ToolContract,
  type ToolSchemas,
  toToolFields,
} from './contract.ts'

const Title = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })

/** The fields of the API that a tool sets, with other descriptions of times and recurrences. */
const toTaskFields = ({
  title,
  status,
  dueDay,
  emailId,
  eventId,
  ...settable
}: ToolSchemas['taskFields']) => ({
  ...toToolFields(settable),
  dueAt: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'RFC 3339 with an offset, or a day such as 2026-03-01 for a task due on that day',
    }),
  ),
  remindAt: Type.Optional(Moment),
  recurrence: Type.Optional(
    Type.String({ maxLength: 500, description: 'RRULE of RFC 5545, e.g. FREQ=WEEKLY;BYDAY=MO' }),
  ),
})

export const createTaskContracts = (schemas: ToolSchemas) => {
  const fields = toTaskFields(schemas.taskFields)
  const { blocks, unplanned, start, end, timezone } = schemas.taskPlan.properties
  const { eventId: _, ...block } = blocks.items.properties
  return {
    list_tasks: {
      description: 'Lists tasks by due date and priority, open tasks first.',
      effect: 'read',
      scope: 'tasks:read',
      input: closed({
        status: Type.Optional(oneOf(['open', 'overdue', 'todo', 'doing', 'done', 'cancelled'])),
        priority: fields.priority,
        tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
        dueBefore: Type.Optional(Moment),
        query: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the title or notes' })),
        limit: limitTo(50),
      }),
      result: () => listOf('tasks', schemas.task),
    },
    create_task: {
      description: 'Adds a task.',
      effect: 'write',
      scope: 'tasks:write',
      input: closed({ title: Title, ...fields }),
      returnsOwnText: true,
      result: () => schemas.task,
    },
    update_task: {
      description: 'Changes a task; status `done` completes it.',
      effect: 'write',
      scope: 'tasks:write',
      input: closed({
        id: Id,
        title: Type.Optional(Title),
        status: Type.Optional(oneOf(['todo', 'doing', 'done', 'cancelled'])),
        ...fields,
      }),
      result: () => schemas.task,
      isIdempotent: true,
    },
    delete_task: {
      description: 'Deletes a task. The person must confirm first.',
      effect: 'confirm',
      confirmedBy: 'word',
      scope: 'tasks:write',
      input: closed({ id: Id }),
      result: () => Deleted,
      isDestructive: true,
      isIdempotent: true,
    },
    change_tasks: {
      description: `Completes, deletes or moves up to ${MAX_BULK} tasks at once. The person must confirm the number first. One undo restores all of them.`,
      effect: 'confirm',
      confirmedBy: 'word',
      scope: 'tasks:write',
      input: closed({
        change: oneOf(['complete', 'delete', 'move']),
        dueAt: Type.Optional(
          Type.String({ maxLength: 40, description: 'For `move`: RFC 3339 with an offset, or a day' }),
        ),
        status: Type.Optional(
          Type.Enum(['open', 'overdue', 'done'], { type: 'string', description: 'Default: open' }),
        ),
        tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
        listId: Type.Optional(Type.Integer({ minimum: 1, description: 'Id of a task list' })),
        query: Type.Optional(Type.String({ maxLength: 200 })),
        ids: BulkIds('The tasks themselves, instead of filters'),
      }),
      result: () => BulkChange,
      isDestructive: true,
      isIdempotent: true,
    },
    list_task_comments: {
      description: 'Lists the comments on a task, oldest first.',
      effect: 'read',
      scope: 'tasks:read',
      input: closed({ id: Id, limit: limitTo(50) }),
      result: () => listOf('comments', schemas.taskComment),
    },
    add_task_comment: {
      description:
        'Comments on a task. In a shared list, others see the comment, so the person must confirm first.',
      effect: 'write',
      scope: 'tasks:write',
      input: closed({ id: Id, text: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S' }) }),
      returnsOwnText: true,
      result: () => schemas.taskComment,
      isOpenWorld: true,
    },
    start_timer: {
      description: 'Starts the timer of a task. Stops the running timer of another task.',
      effect: 'write',
      scope: 'tasks:write',
      input: closed({ id: Id }),
      returnsOwnText: true,
      result: () => schemas.startedTimer,
      isIdempotent: true,
    },
    stop_timer: {
      description: 'Stops the running timer, and returns its time entry.',
      effect: 'write',
      scope: 'tasks:write',
      input: closed({}),
      returnsOwnText: true,
      result: () => schemas.timeEntry,
    },
    list_task_lists: {
      description: 'Lists the task lists of the person and those that others share with them.',
      effect: 'read',
      scope: 'tasks:read',
      input: closed({}),
      result: () =>
        listOf('taskLists', Type.Object({ id: Type.Integer(), name: Type.String(), role: Type.String() })),
    },
    propose_plan: {
      description:
        'Proposes calendar blocks for open tasks in free working time. Lunch and travel stay free. Books nothing: pass the blocks to `book_plan`.',
      effect: 'read',
      scope: 'tasks:read',
      input: closed({
        start: Moment,
        end: Moment,
        taskIds: Type.Optional(
          Type.Array(Id, { minItems: 1, maxItems: 100, description: 'Only these tasks' }),
        ),
      }),
      result: () => Type.Object({ start, end, timezone, blocks: Type.Array(Type.Object(block)), unplanned }),
    },
    book_plan: {
      description:
        'Books calendar blocks for tasks, all or none. The person must confirm first, and can move, resize or remove blocks.',
      effect: 'confirm',
      confirmedBy: 'word',
      scope: 'calendar:write',
      input: closed({
        blocks: Type.Array(closed({ taskId: Id, start: Moment, end: Moment }), {
          minItems: 1,
          maxItems: 200,
        }),
      }),
      result: () => Type.Object({ start, end, timezone, blocks, unplanned, applied: Type.Boolean() }),
    },
  } satisfies Record<string, ToolContract>
}
