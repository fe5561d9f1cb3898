import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { requireScope } from '../../platform/access/caller.ts'
import { read, write } from '../../platform/access/route-access.ts'
import type { Planning } from './planner.ts'
import type { QuickCapture } from './quick.ts'
import {
  ChangedTask,
  NewTask,
  PlanInput,
  QuickPreview,
  QuickTask,
  QuickTaskInput,
  Task,
  TaskChange,
  TaskList,
  TaskMove,
  TaskPath,
  TaskPlan,
  TaskQuery,
} from './schema.ts'
import type { Tasks } from './tasks.ts'

export const taskRoutes =
  (tasks: Tasks): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: { ...read('tasks'), longReads: ['q', 'filter', 'filterId'] },
        schema: {
          operationId: 'listTasks',
          summary: 'List tasks',
          description:
            'Open tasks come first, by due date and then by priority; tasks without a due date come last among them. Completed and cancelled tasks follow, most recent first.',
          querystring: TaskQuery,
          response: { 200: TaskList },
        },
      },
      async (request) => tasks.list(request.user, request.query),
    )

    app.post(
      '/',
      {
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'createTask',
          summary: 'Create a task',
          body: NewTask,
          response: { 201: Task },
        },
      },
      (request) => tasks.create(request.user, request.body),
    )

    app.get(
      '/:id',
      {
        config: read('tasks'),
        schema: {
          operationId: 'getTask',
          summary: 'Get a task',
          params: TaskPath,
          response: { 200: Task },
        },
      },
      (request) => tasks.get(request.user, request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: write('tasks'),
        schema: {
          operationId: 'updateTask',
          summary: 'Update a task',
          description:
            'Completing a recurring task creates its next occurrence, `nextTaskId`, with its open subtasks and open copies of its completed ones. Reopening the task takes that occurrence back, unless it was changed. Another `listId`, `sectionId` or `parentId` moves the task to the end of that place.',
          params: TaskPath,
          body: TaskChange,
          response: { 200: ChangedTask },
        },
      },
      ({ user, params, body, ifMatch }) => tasks.change(user, params.id, body, ifMatch),
    )

    app.post(
      '/:id/move',
      {
        config: write('tasks'),
        schema: {
          operationId: 'moveTask',
          summary: 'Move a task',
          description:
            'Changes the order, the parent, the section or the list. The subtasks move along. A task cannot become its own subtask.',
          params: TaskPath,
          body: TaskMove,
          response: { 200: Task },
        },
      },
      ({ user, params, body, ifMatch }) => tasks.move(user, params.id, body, ifMatch),
    )

    app.delete(
      '/:id',
      {
        config: write('tasks'),
        schema: {
          operationId: 'deleteTask',
          summary: 'Delete a task',
          description: 'Deletes its subtasks, too. Deleting a recurring task ends its recurrence.',
          params: TaskPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) => tasks.remove(user, params.id, ifMatch),
    )
  }

export const planRoutes =
  (planning: Planning): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/plan',
      {
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'planTasks',
          summary: 'Find time in the calendar for open tasks',
          description:
            'Proposes blocks within working hours that avoid busy times in the calendar, lunch, and travel to events with a place. Tasks are planned by due date, then by priority. A task without an estimate gets 30 minutes. With `apply`, all blocks are booked as events in one transaction, which can be undone. `blocks` books chosen times instead of a proposal. A personal access token also needs the scope `calendar:read`, or `calendar:write` with `apply`.',
          body: PlanInput,
          response: { 200: TaskPlan },
        },
      },
      (request) => {
        // A plan reveals and books calendar time.
        requireScope(request.caller, request.body.apply ? 'calendar:write' : 'calendar:read')
        return planning.plan(request.user, request.body)
      },
    )
  }

export const quickRoutes =
  (quick: QuickCapture): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/quick',
      {
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'quickAddTask',
          summary: 'Create a task from one line of text',
          description:
            'Accepts English and German. Due date, recurrence, estimate (“for 30 minutes”), priority (`!low` to `!urgent`) and `#tags` are extracted; the rest is the title. Dates inside quotation marks stay in the title. A day without an hour sets `dueDay`. “every 3rd Friday” is the one of each month; “every! 2 weeks” counts from the completion. `/Section` names a section of the list, `>Task` the task above it. A time in another time zone (“10am EST”, “um 10 Uhr MEZ”) is converted to the person’s time zone, in which a recurring task also repeats. `understood` lists the recognized parts and their offsets. With `dryRun`, no task is created and the status is 200.',
          body: QuickTaskInput,
          response: { 200: QuickPreview, 201: QuickTask },
        },
      },
      async (request, reply) => {
        const { user, body } = request
        if (body.dryRun) return quick.preview(user, body)
        const task = await quick.add(user, body)
        reply.code(201).header('location', `/api/tasks/${task.id}`)
        return task
      },
    )
  }
